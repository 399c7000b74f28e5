import { describe, expect, it } from 'vitest';
import { checked } from './check-support.ts';

/** The fixes of all that is reported about names, with their paths. */
function fixesIn(text: string): string[] {
  return checked(text)
    .findings.filter(({ what }) => what.startsWith('is not a field'))
    .map(({ path, fix }) => `${path}: ${fix ?? ''}`);
}

describe('the name of a field that is nearly known', () => {
  it('has a fix behind any number of conditions of retries, right ones and others', () => {
    const conditions = Array.from({ length: 60 }, (_, at) => `unavailabel-${at}`);
    const retryOn = [...Array<string>(60).fill('unavailable'), ...conditions].join(', ');
    const cart = `kind: workload\nname: cart\nspec: {requestRetryPolicy: {retryOn: [${retryOn}]}}`;

    expect(fixesIn(`${cart}\n---\nspec: {containrs: []}`)).toContain(
      'spec.containrs: write `containers` if that is meant',
    );
  });

  it('is compared once, however often it is there', () => {
    const containers = Array.from({ length: 60 }, () => '{imgaee: a}').join(', ');

    const fixes = fixesIn(`spec: {containers: [${containers}], rolouts: {}, rolloutsOption: {}}`);

    expect(fixes.filter((one) => one.endsWith('write `image` if that is meant'))).toHaveLength(60);
    expect(fixes).toContain('spec.rolloutsOption: write `rolloutOptions` if that is meant');
  });
});
