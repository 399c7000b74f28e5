import { describe, expect, it } from 'vitest';
import { checked } from './check-support.ts';

describe('a termination grace period of an hour', () => {
  const told = (tag: string) =>
    checked(
      `tags: {${tag}}\nspec: {rolloutOptions: {terminationGracePeriodSeconds: 3600}}`,
    ).findings.map(({ what }) => what);

  it.each(['true', '"true"', 'yes', '1', '"{{ .Values.relaxed }}"', '$RELAXED'])(
    'is right with the tag that relaxes it, or may: %s',
    (value) => {
      expect(told(`svc/relaxGracePeriodMax: ${value}`)).toEqual([]);
    },
  );

  it.each(['"false"', 'false', '0', 'no', 'off', '""', 'null'])(
    'is too long where the tag says no: %s',
    (value) => {
      expect(told(`svc/relaxGracePeriodMax: ${value}`)).toContain(
        'is 3600, and public sources allow up to 900 seconds',
      );
    },
  );
});
