import { describe, expect, it } from 'vitest';
import {
  fieldOf,
  formHarness,
  labelsOf,
  optionsOf,
  startOf,
  wordsOf,
} from '../../forms/harness.ts';

const quotas = [
  { id: 'q-1', name: 'memory', unit: 'GiB', max: '10', current: '3' },
  { name: 'gvcs', max: '5' },
  { id: 'bare' },
  { max: '7' },
];

describe('The form that asks for a higher quota', () => {
  it('offers the quotas by name, with whatever is known of them', async () => {
    const harness = formHarness({ quotas });

    const form = await harness.open('quota.request', { org: 'globex' });

    expect(labelsOf(form)).toEqual(['Quota', 'Requested maximum']);
    const options = optionsOf(fieldOf(form, 'Quota'));
    expect(options.map(({ value, description }) => [value, description?.text])).toEqual([
      ['bare', undefined],
      ['gvcs', 'max 5'],
      ['memory', 'max 10 GiB · used 3'],
    ]);
    expect(wordsOf(form)).toContain('Quotas of org globex.');
    expect(wordsOf(form)).toContain('1 quota could not be read');
    await harness.submit('quota.request', form, { Quota: 'memory', 'Requested maximum': '20.5' });
    expect(harness.orders).toEqual([
      { kind: 'quota.request', org: 'globex', quotaName: 'memory', requestedMax: 20.5 },
    ]);
  });

  it('starts with the one that was named, in the org that is meant', async () => {
    const harness = formHarness({ quotas });

    const form = await harness.open('quota.request', { name: 'gvcs' });

    expect(startOf(form, 'Quota')).toBe('gvcs');
    expect(wordsOf(form)).toContain('Quotas of org acme.');
  });

  it('says under the fields what is missing', async () => {
    const harness = formHarness({ quotas });
    const form = await harness.open('quota.request');

    const { errors } = await harness.submit('quota.request', form, { 'Requested maximum': '0.0' });

    expect(errors).toEqual({
      Quota: 'Choose one.',
      'Requested maximum': 'Type a number above 0, such as 500 or 99.5.',
    });
  });

  it('needs an org that there is a key for, and a quota', async () => {
    const orgs = { known: ['acme', 'globex'], fallback: undefined };

    await expect(formHarness({ quotas }, { orgs }).open('quota.request')).rejects.toThrow(
      'There are several orgs, acme, globex: add the one you mean, for example "org acme".',
    );
    await expect(formHarness({ quotas }).open('quota.request', { org: 'evil' })).rejects.toThrow(
      'Purser has no key for org evil',
    );
    await expect(formHarness({ quotas: [] }).open('quota.request')).rejects.toThrow(
      'Org acme shows no quota that could be raised: /billing quotas shows all that is known.',
    );
  });
});
