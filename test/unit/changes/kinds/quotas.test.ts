import { describe, expect, it } from 'vitest';
import { fieldOf, formHarness, labelsOf, optionsOf, wordsOf } from '../forms/harness.ts';
import { planHash } from '../../../../src/changes/change.ts';
import { quotaForms } from '../../../../src/changes/kinds/quotas.ts';
import { planOn, read, sentTo, settledOn } from './planned.ts';

const quotas = [
  { id: 'q-1', name: 'memory', unit: 'GiB', max: '10', current: '3' },
  { name: 'gvcs', max: '5' },
  { id: 'bare' },
  { max: '7' },
];

describe('The form that asks for a higher quota', () => {
  it('offers the quotas by name, with the numbers that the platform has', async () => {
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

  it('needs an org that there is a key for, and a quota', async () => {
    const orgs = { known: ['acme', 'globex'], fallback: undefined };

    await expect(formHarness({ quotas }, { orgs }).open('quota.request')).rejects.toThrow(
      'There are several orgs: add "org NAME", one of acme, globex.',
    );
    await expect(formHarness({ quotas }).open('quota.request', { org: 'evil' })).rejects.toThrow(
      'Purser has no key for org evil',
    );
    await expect(formHarness({ quotas: [] }).open('quota.request')).rejects.toThrow(
      'Org acme shows no quota that could be raised: /billing quotas org acme shows all that is known.',
    );
  });
});

const CPU = { name: 'cpu', description: 'CPU', unit: 'cores', max: '128', current: '12' };
const request = (requestedMax = 256, quotaName = 'cpu') =>
  ({ kind: 'quota.request', org: 'acme', quotaName, requestedMax }) as const;
const on = (quota: Readonly<Record<string, string>>, input = request()) =>
  planOn({ quotas: [quota] }, input);

describe('the plan for a higher quota', () => {
  it('is the same while only the usage and unknown fields change', async () => {
    const { plan } = await on({ ...CPU, color: 'red' });

    expect(planHash((await on({ ...CPU, current: '13', color: 'blue' })).plan)).toBe(
      planHash(plan),
    );
    expect(planHash((await on({ ...CPU, max: '130' })).plan)).not.toBe(planHash(plan));
  });

  it('is not checked by fields that are missing', async () => {
    for (const quota of [
      { id: 'a', limit: '5' },
      { name: 'cpu', limit: '5' },
    ]) {
      const { conflict, now, plan } = await on(quota);

      expect(conflict).toBeUndefined();
      expect(read(now)).toEqual(['Maximum: not reported']);
      expect(read(plan.before)).toContain('Maximum: not reported');
    }
  });

  it('shows a maximum that is too low below its own field', () => {
    const { conflictField } = quotaForms({ known: [], fallback: undefined })['quota.request'];
    const below = conflictField as (why: string) => string;

    expect(below('The maximum is 128 already: ask for more than that.')).toMatch(/maximum$/);
    expect(below('The org acme has no quota gpus.')).toMatch(/quota$/);
  });
});

describe('the answer to a request for a quota', () => {
  const answer = (fields: Readonly<Record<string, string>>) =>
    sentTo({ requestQuotaIncrease: async () => new Map(Object.entries(fields)) }, request());

  it.each([
    ['approved', { note: 'The platform approved the request.', ended: 'granted' }],
    ['Pending', { note: expect.stringContaining('decides on it later'), ended: 'later' }],
    ['denied', { denied: expect.stringMatching(/^The platform denied the request: /) }],
    ['in review', { note: expect.stringMatching(/its status is in review\.$/), ended: 'unsaid' }],
    ['', { note: expect.stringContaining('reports no result'), ended: 'unsaid' }],
  ])('may be "%s"', async (status, expected) => {
    const { facts: _facts, ...sent } = await answer({ status });

    expect(sent).toEqual(expected);
  });

  it('is shown up to twenty fields, those known under their names', async () => {
    const more = Object.fromEntries([...Array(100).keys()].map((n) => [`field${n}`, 'x']));
    const { facts = [] } = await answer({ requestedMax: '256', ...more });

    expect(facts).toHaveLength(20);
    expect(read(facts).slice(0, 2)).toEqual(['Requested maximum: 256', 'field0: x']);
  });
});

it.each([
  [{ ...CPU, max: '256' }, 'done'],
  [CPU, 'unclear'],
  [{ name: 'cpu' }, 'unclear'],
])('a request without an answer is settled by the maximum: %o', async (quota, kind) => {
  expect(await settledOn(request(), { quotas: [CPU] }, { quotas: [quota] })).toEqual({ kind });
});
