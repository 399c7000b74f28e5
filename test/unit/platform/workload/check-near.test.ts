import { describe, expect, it } from 'vitest';
import { RETRY_CONDITIONS } from '../../../../src/platform/workload/options.ts';
import { checked } from './check-support.ts';

/** The fixes of all that is told of names, with their paths. */
function fixesIn(text: string): string[] {
  return checked(text)
    .findings.filter(({ severity }) => severity === 'warning')
    .map(({ path, fix }) => `${path}: ${fix ?? ''}`);
}

describe('the name of a field that is nearly known', () => {
  it('is mended behind any number of conditions of retries, right ones and others', () => {
    const conditions = Array.from({ length: 60 }, (_, at) => `unavailabel-${at}`);
    const retryOn = [...Array<string>(60).fill('unavailable'), ...conditions].join(', ');
    const cart = `kind: workload\nname: cart\nspec: {requestRetryPolicy: {retryOn: [${retryOn}]}}`;

    expect(fixesIn(`${cart}\n---\nspec: {containrs: []}`)).toContain(
      'spec.containrs: write `containers` if that is meant',
    );
  });

  it('leaves conditions of retries their own comparisons, of which right ones take none', () => {
    const names = Array.from({ length: 60 }, (_, at) => `unlike${at}: a`).join(', ');
    const odd = Array.from({ length: 49 }, (_, at) => `unlike-${at}`);
    const retryOn = [...RETRY_CONDITIONS, ...odd, 'unavailabel', 'canceled'].join(', ');
    const { findings } = checked(`spec: {${names}, requestRetryPolicy: {retryOn: [${retryOn}]}}`);

    expect(findings.flatMap(({ severity, fix }) => (severity === 'note' ? [fix] : []))).toEqual([
      'write `unavailable` if that is meant',
    ]);
  });

  it('is compared once, however often it stands there', () => {
    const containers = Array.from({ length: 60 }, () => '{imgaee: a}').join(', ');

    expect(fixesIn(`spec: {containers: [${containers}], rolouts: {}, rolloutsOption: {}}`)).toEqual(
      [
        ...Array.from(
          { length: 60 },
          (_, at) => `spec.containers[${at}].imgaee: write \`image\` if that is meant`,
        ),
        expect.stringMatching(/^spec\.rolouts: leave it out/),
        'spec.rolloutsOption: write `rolloutOptions` if that is meant',
      ],
    );
  });
});
