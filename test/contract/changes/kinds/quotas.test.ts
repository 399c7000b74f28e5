import { beforeEach, expect, test } from 'vitest';
import { read, startKinds, type Harness } from './kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const order = (requestedMax = 256, quotaName = 'cpu') =>
  harness.order({ kind: 'quota.request', org: 'acme', quotaName, requestedMax });

test('a higher quota is requested, and the whole answer is shown', async () => {
  const { plan } = await order().look();

  const { facts, ...sent } = await order().send();

  expect(read(plan.before).at(-1)).toBe('Maximum: 128 cores');
  expect(plan.consequences.at(-1)).toBe('The platform also says: id acme-cpu, origin default.');
  expect(sent).toEqual({ note: 'The platform approved the request.', ended: 'granted' });
  expect(read(facts ?? [])).toEqual([
    expect.stringMatching(/^id: ./),
    'Org: acme',
    'Quota: cpu',
    'Requested maximum: 256',
    'Status: approved',
    'created: 2026-10-15T12:00:00.000Z',
  ]);
  expect(read((await order().look()).now)).toEqual(['Maximum: 256 cores']);
  expect(await harness.writes()).toHaveLength(1);
});

test('a request is refused in the platform’s own words', async () => {
  expect((await order(128).refusal())?.sentence).toMatch(
    /^The platform does not take the request for cpu \(“requestedMax must be .*”\): compare with/,
  );
});

test('a request without an answer is done when the maximum is as high', async () => {
  expect(await order().settled()).toEqual({ kind: 'done' });
  expect(await order(500).settled(async () => undefined)).toEqual({ kind: 'unclear' });
});
