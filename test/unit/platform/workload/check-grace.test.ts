import { describe, expect, it } from 'vitest';
import { checked } from './check-support.ts';

describe('a termination grace period of an hour', () => {
  const findings = (tag: string) =>
    checked(`tags: {${tag}}\nspec: {rolloutOptions: {terminationGracePeriodSeconds: 3600}}`)
      .findings;
  const told = (tag: string) => findings(tag).map(({ what }) => what);

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

  it('is allowed by adding the tag, or by changing the one that is there', () => {
    const fixes = (tag: string) => findings(tag).map(({ fix }) => fix);

    expect(fixes('a: b')).toEqual([
      'write `900` or less, or add the tag `svc/relaxGracePeriodMax` for up to 3600 seconds',
    ]);
    expect(fixes('svc/relaxGracePeriodMax: "false"')).toContain(
      'write `900` or less, or set the tag `svc/relaxGracePeriodMax` in line 1 to `"true"` for up to 3600 seconds',
    );
  });
});
