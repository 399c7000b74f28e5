import { describe, expect, it } from 'vitest';
import { checked, inSpec } from './check-support.ts';

describe('ephemeral storage that a manifest states', () => {
  const storage = (...containers: string[]) =>
    inSpec('spec.containers', 'containers:', ...containers.map((one) => `  - {${one}}`));

  it('is told in the unit that it is written in', () => {
    const said = (...containers: string[]) => storage(...containers)[0]?.[1];

    expect(said('ephemeralStorage: 5Gi, cpu: 1')).toMatch(/^is 5Gi of ephemeral/);
    expect(said('cpu: 1, ephemeralStorage: 2 GB', 'cpu: 0, ephemeralStorage: 600Mi')).toMatch(
      /^adds up to 2 GB \+ 600Mi of/,
    );
    expect(said(...Array.from({ length: 5 }, () => 'cpu: 0, ephemeralStorage: 1Gi'))).toMatch(
      /^adds up to 5 GB of/,
    );
  });

  it('is checked wherever it stands, and what is beside it is not', () => {
    const unchecked = (spec: string) => checked(`spec: {${spec}}`).fields.unchecked;
    const limits = 'resources: {limits: {ephemeral-storage: 5Gi, memory: 1Gi}, requests: {cpu: 1}}';

    expect(unchecked('containers: [{cpu: 1, ephemeralStorage: 5Gi, image: a}]')).toEqual([
      'spec.containers[0].cpu',
      'spec.containers[0].image',
    ]);
    expect(unchecked(`containers: [{${limits}}]`)).toEqual([
      'spec.containers[0].resources.limits.memory',
      'spec.containers[0].resources.requests.cpu',
    ]);
    expect(unchecked('containers: [{ephemeralStorage: 5000}]')).toEqual([
      'spec.containers[0].ephemeralStorage',
    ]);
    expect(unchecked('ephemeralStorage: 1Gi, identityLink: a')).toEqual(['spec.identityLink']);
  });
});
