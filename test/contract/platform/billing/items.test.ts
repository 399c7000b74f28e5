import { expect, test } from 'vitest';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { select, SEPTEMBER } from '../consumption/support.ts';
import { sequence } from '../support.ts';
import {
  ADA,
  ADMIN,
  CREATOR,
  EXPIRED,
  OF_SECOND,
  startBilling,
  startBillingClient,
  VIEWER,
} from './support.ts';

test.each([
  ['an administrator’s', ADMIN, 'read'],
  ['a viewer’s', VIEWER, 'read'],
  ['an org creator’s', CREATOR, 'read'],
  ['another account’s', OF_SECOND, 'read'],
  ['a user’s', ADA, 'read'],
  ['an org’s', 'sandbox-key-globex', 'read'],
  ['an expired one', EXPIRED, 401],
  ['an invented one', 'svc-bsat-made-up', 401],
])(
  'any valid token reads the chargeable items, an invalid one does not: %s',
  async (_whose, token, expected) => {
    const { client } = await startBilling();

    const outcome = await client({ token })
      .charges.chargeableItems()
      .then(
        ({ value }) => (value.items.length > 0 ? 'read' : 'nothing'),
        (error: unknown) => error instanceof PlatformError && error.status,
      );

    expect(outcome).toBe(expected);
  },
);

test('every chargeable item is read with its tags, its unit and its words', async () => {
  const { client } = await startBilling();

  const { items, skipped } = (await client().charges.chargeableItems()).value;

  const volumes = items.filter(
    ({ consumptionTags }) => consumptionTags['feature'] === 'volume-sets',
  );
  expect(skipped).toBe(0);
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  for (const { name, description, unit, consumptionTags } of items) {
    expect([name, description, unit].every((text) => text !== '')).toBe(true);
    expect(Object.keys(consumptionTags)).toEqual(
      expect.arrayContaining(['feature', 'metric', 'locationType']),
    );
  }
  expect(volumes.length).toBeGreaterThan(0);
  expect(volumes.every(({ consumptionTags }) => 'performanceClass' in consumptionTags)).toBe(true);
});

test('the type of an item may be any word, or absent', async () => {
  const item = { name: 'CPU', description: '', consumptionTags: {}, unit: 'core * s' };
  const types = [{ type: 'consumption' }, { type: 'subscription' }, {}];
  const { url } = await sequence({
    body: JSON.stringify(types.map((type, index) => ({ id: `item-${index}`, ...item, ...type }))),
  });

  const { items } = (await startBillingClient(url).charges.chargeableItems()).value;

  expect(items.map(({ type }) => type)).toEqual(['consumption', 'subscription', undefined]);
});

test.each([
  ['is down', { status: 500, body: '{"code": 500, "error": "internal server error"}' }],
  ['is refused', { status: 401, body: '{"code": 401, "error": "unauthorized"}' }],
  ['is no list', { body: '"soon"' }],
])('when the catalogue %s, a query for an item is sent unchecked', async (_how, catalogue) => {
  const nothing = { body: '{"results": {"periods": [], "consumptionCount": 0}}' };
  const { url, seen } = await sequence(catalogue, nothing);
  const [all] = select({});

  const { value } = await startBillingClient(url).charges.account({
    ...SEPTEMBER,
    timeStep: 'month',
    groupBy: [],
    consumptionQueries: [{ ...all!, chargeableItems: ['cpu'] }],
  });

  expect(value).toEqual({
    periods: [],
    consumptionCount: 0,
    skipped: 0,
    aggregateBy: ['metric', 'locationType'],
    mayBeTooLow: true,
  });
  expect(seen.map((call) => call.url.split('/').at(-1))).toEqual(['chargeable_items', '-query']);
});

test('a catalogue that cannot be read is not asked for again as long as reads are remembered', async () => {
  const { client, fault, calls } = await startBilling();
  const { charges } = client({}, { cacheMs: 15_000 });
  await fault({ path: 'chargeable_items', status: 500 });
  const query = { ...SEPTEMBER, timeStep: 'month' as const, groupBy: [] };

  const { value } = await charges.account({ ...query, consumptionQueries: select({}) });
  const other = await charges.account({ ...query, consumptionQueries: select({ metric: 'cpu' }) });

  expect([value.mayBeTooLow, other.value.mayBeTooLow]).toEqual([true, true]);
  expect(await charges.knownItems()).toBeUndefined();
  const asked = (await calls()).filter(({ path }) => path.endsWith('/chargeable_items'));
  expect(asked).toHaveLength(1);
});
