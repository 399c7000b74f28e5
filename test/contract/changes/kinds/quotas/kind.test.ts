import { beforeEach, describe, expect, test } from 'vitest';
import { planHash } from '../../../../../src/changes/change.ts';
import { read, startKinds, type Harness } from '../kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const order = (requestedMax = 256, quotaName = 'cpu') =>
  harness.order({ kind: 'quota.request', org: 'acme', quotaName, requestedMax });
/** What the platform says, whatever that is. */
const quotasAre = (...items: object[]) =>
  harness.fault({ method: 'GET', path: '/quotas', body: { items } });

test('a raise is requested, and all that came is shown', async () => {
  const { conflict, plan } = await order().look();

  const { facts, ...sent } = await order().send();

  expect(order().title).toBe('Request 256 for the quota cpu of acme');
  expect(conflict).toBeUndefined();
  expect(read(plan.before)).toEqual([
    'Org: acme',
    'Quota: cpu',
    'Description: CPU over all workloads',
    'Maximum: 128 cores',
  ]);
  expect(read(plan.after).at(-1)).toBe('Maximum: 256 cores');
  expect(plan.consequences).toEqual([
    'The request goes to the platform, which approves it, puts it off or denies it.',
    expect.stringMatching(/^In use now: \d+ of 128 \(cores\)\.$/),
    'The platform also says: id acme-cpu, origin default.',
  ]);
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
  expect((await harness.writes()).length).toBe(1);
});

test.each([
  ['pending', 500, { note: expect.stringMatching(/decides on it later/), ended: 'later' }],
  ['denied', 5000, { denied: expect.stringMatching(/^The platform denied the request: /) }],
])('a request may be %s', async (_status, requestedMax, expected) => {
  const { facts: _facts, ...sent } = await order(requestedMax).send();

  expect(sent).toEqual(expected);
});

test.each([
  [{ status: 'in review' }, 'The platform took the request, and its status is in review.'],
  [{}, 'The platform took the request and does not say what becomes of it.'],
])('an answer that nobody foresaw is told as it is: %o', async (body, note) => {
  await harness.fault({ method: 'POST', status: 201, body });

  expect(await order().send()).toMatchObject({ note, ended: 'unsaid' });
});

test('a quota that is not there, and a maximum that is none, are refused', async () => {
  expect((await order(256, 'gpus').look()).conflict).toBe(
    'The org acme has no quota gpus: /billing quotas org acme shows which it has.',
  );
  expect((await order(256, 'gpus').look()).plan.before).toEqual([]);
  expect((await order(128).look()).conflict).toBe(
    'The maximum of cpu in acme is 128 already: ask for more than that.',
  );
  expect(await order(128).refusal()).toMatch(
    /^The platform does not take the request for cpu \(“requestedMax must be .*”\): compare with/,
  );
});

describe('quotas with other fields', () => {
  test('show them, and are the same request while they and what is in use change', async () => {
    const quota = { name: 'cpu', unit: 'cores', max: 128 };
    await quotasAre({ ...quota, current: 12, color: '*red*', nested: { zone: 'eu' } });
    const { plan } = await order().look();
    await quotasAre({ ...quota, current: 13, color: 'blue' });
    const later = (await order().look()).plan;

    expect(plan.consequences.slice(1)).toEqual([
      'In use now: 12 of 128 (cores).',
      'The platform also says: color *red*, nested.zone eu.',
    ]);
    expect(later.consequences[1]).toBe('In use now: 13 of 128 (cores).');
    expect(planHash(later)).toBe(planHash(plan));
    await quotasAre({ ...quota, max: 130 });
    expect(planHash((await order().look()).plan)).not.toBe(planHash(plan));
  });

  test('are not checked by those that are missing', async () => {
    await quotasAre({ id: 'a', limit: 5 });
    const nameless = await order().look();
    await quotasAre({ name: 'cpu', limit: 5 });
    const boundless = await order().look();

    expect([nameless.conflict, boundless.conflict]).toEqual([undefined, undefined]);
    expect(read(nameless.now)).toEqual(['Maximum: not said']);
    expect(read(boundless.plan.before)).toContain('Maximum: not said');
    expect(read(boundless.now)).toEqual(['Maximum: not said']);
  });

  test('are answered as far as people read', async () => {
    const body = Object.fromEntries([...Array(100).keys()].map((n) => [`field${n}`, n]));
    await harness.fault({ method: 'POST', status: 201, body });

    expect((await order().send()).facts).toHaveLength(20);
  });
});

test('without an answer the maximum tells, and where it does not, nothing does', async () => {
  const settled = [
    await order().settled(() => harness.losing(order().send)),
    await order(500).settled(),
    await order().settled(() => quotasAre({ name: 'cpu' })),
  ];

  expect(settled).toEqual([{ kind: 'done' }, { kind: 'unclear' }, { kind: 'unclear' }]);
});
