import { describe, expect, it } from 'vitest';
import { checked, inSpec } from './check-support.ts';

describe('ephemeral storage that a manifest states', () => {
  const storage = (...containers: string[]) =>
    inSpec('spec.containers', 'containers:', ...containers.map((one) => `  - {${one}}`));

  it('is told in the unit that it is written in', () => {
    const said = (...containers: string[]) =>
      storage(...containers).find((one) => one.includes('of ephemeral storage'));

    expect(said('ephemeralStorage: 5Gi, cpu: 1')).toMatch(/^\w+ is 5Gi of ephemeral/);
    expect(said('cpu: 1, ephemeralStorage: 2 GB', 'cpu: 0, ephemeralStorage: 600Mi')).toMatch(
      /^\w+ adds up to 2 GB \+ 600Mi of/,
    );
    expect(said(...Array.from({ length: 5 }, () => 'cpu: 0, ephemeralStorage: 1Gi'))).toMatch(
      /^\w+ adds up to 5 GB of/,
    );
  });

  it.each([
    ['type: standard, ephemeralDisk: 500Mi', 'spec.ephemeralDisk'],
    ['containers: [{ephemeralStorage: 500Mi}]', 'spec.containers[0].ephemeralStorage'],
  ])('is no field that any source knows, and none that is checked: %s', (spec, path) => {
    const { findings, fields } = checked(`spec: {${spec}}`);

    expect(findings.filter(({ severity }) => severity === 'warning')).toMatchObject([
      { path, what: 'is not a field that is known here' },
    ]);
    expect(fields.unchecked).toEqual([path]);
  });

  it('is looked at all the same, wherever it stands', () => {
    const limits = 'resources: {limits: {ephemeral-storage: 5Gi}}';

    for (const stated of ['ephemeralStorage: 5Gi', limits]) {
      expect(storage(`cpu: 1, ${stated}`)).toContainEqual(
        expect.stringMatching(/^\w+ is 5Gi of ephemeral/),
      );
    }
  });
});
