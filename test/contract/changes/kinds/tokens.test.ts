import { beforeEach, expect, test } from 'vitest';
import type { InputOf } from '../../../../src/changes/kinds/kinds.ts';
import { read, startKinds, type Harness } from './kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const CREATE: InputOf<'token.create'> = {
  kind: 'token.create',
  name: 'ci-deploy',
  description: 'the nightly report',
  roles: ['billing_viewer'],
  expiresAt: '2026-12-31T00:00:00Z',
};
const latest = async () => (await harness.client.listTokens()).value.items.at(-1)!;
const deletion = async () =>
  harness.order({ kind: 'token.delete', tokenId: (await latest()).id, name: CREATE.name });

test('a token is created once, and its secret is nowhere but in the answer', async () => {
  const order = harness.order(CREATE);
  const { plan } = await order.look();

  const { secret, ...sent } = await order.send();

  expect(sent).toEqual({});
  expect(secret).toMatchObject({ what: 'token', tokenId: (await latest()).id });
  expect(secret?.value.reveal()).toMatch(/^svc-bsat-/);
  expect((await order.look()).now).toEqual(plan.after);
  expect(JSON.stringify(await order.look())).not.toContain(secret?.value.reveal());
  expect(await harness.writes()).toHaveLength(1);
});

test('a token is refused in the platform’s own words', async () => {
  await harness.fault({ method: 'POST', status: 400, body: { code: 400, error: 'too many' } });

  expect((await harness.order(CREATE).refusal())?.sentence).toBe(
    'The platform does not create the token ci-deploy (“too many”): put that right, and ask again.',
  );
});

test('a token whose answer was lost is recognized by its requested fields', async () => {
  const settled = await harness.order(CREATE).settled();

  expect(settled).toEqual({
    kind: 'secret lost',
    what: 'token',
    tokenIds: [(await latest()).id],
  });
});

test('a token that was used is deleted, which is refused the next time', async () => {
  const { secret } = await harness.order(CREATE).send();
  await harness.raw('GET', 'chargeable_items', { token: secret!.value.reveal() });
  const order = await deletion();
  const { plan } = await order.look();

  await order.send();

  expect(read(plan.before)[0]).toMatch(/^Last used: 2026-10-15 \d\d:\d\d UTC$/);
  expect((await order.look()).now).toEqual([]);
  expect((await order.look()).conflict).toMatchObject({ ...(await order.refusal()) });
});

test('a deletion without an answer is settled by the list', async () => {
  await harness.order(CREATE).send();
  const order = await deletion();

  expect(await order.settled(async () => undefined)).toEqual({ kind: 'not done' });
  expect(await order.settled()).toEqual({ kind: 'done' });
});
