import { describe, expect, it } from 'vitest';
import { planHash } from '../../../../src/changes/change.ts';
import { REASON } from '../../../support/changes.ts';
import { formHarness } from '../forms/harness.ts';
import { planOn, read, sentTo, settledOn } from './planned.ts';

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

it('the form finds a quota however its name is typed', async () => {
  const harness = formHarness({
    quotas: [
      { name: 'cpu', max: '128' },
      { name: 'gpu', max: '2' },
    ],
  });

  await expect(
    harness.order('quota.request', { name: 'CPU' }, { 'Requested maximum': '200', Reason: REASON }),
  ).resolves.toMatchObject({ quotaName: 'cpu' });
});
