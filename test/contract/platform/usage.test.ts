import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';

import type { ConsumptionQuery } from '../../../src/platform/consumption/query.ts';
import {
  add,
  CPU,
  MEMORY,
  rowsOf,
  select,
  SEPTEMBER,
  startMetering,
  startsOf,
  startUsageClient,
  sumOf,
  valuesBy,
} from './consumption/support.ts';
import { sequence } from './support.ts';

const QUERY: ConsumptionQuery = {
  ...SEPTEMBER,
  timeStep: 'month',
  groupBy: ['metric'],
  consumptionQueries: [{ filterBy: CPU, aggregateBy: ['metric'] }],
};

/** The stand-in, and acme's usage of queries that differ from September's CPU in one thing. */
async function start() {
  const metering = await startMetering();
  const used = async (changes: Partial<ConsumptionQuery> = {}) => {
    const { value } = await metering.usage.query('acme', { ...QUERY, ...changes });
    expect(value.skipped).toBe(0);
    return value;
  };
  return {
    ...metering,
    used,
    /** Value of the tag -> usage of the rows of `filterBy` that have it. */
    usedBy: async (tag: string, filterBy: Record<string, string> = CPU) => {
      const consumptionQueries = [{ filterBy, aggregateBy: [tag] }];
      return valuesBy(await used({ groupBy: [tag], consumptionQueries }), tag);
    },
  };
}

describe('the answer', () => {
  test('usage is asked for like charges and comes in periods, groups and values, without prices', async () => {
    const { used, calls } = await start();

    const { periods, consumptionCount } = await used();

    const rows = periods[0]?.groups[0]?.rows ?? [];
    expect((await calls())[0]).toMatchObject({ path: '/usage/org/acme/query', body: QUERY });
    expect(startsOf(periods)).toEqual([SEPTEMBER.startTime]);
    expect(periods[0]?.groups[0]?.key).toEqual({ metric: 'cpu' });
    expect(rows.map((row) => Object.keys(row).toSorted())).toEqual([
      ['projectedValue', 'tags', 'value'],
    ]);
    expect(consumptionCount).toBe(1);
  });

  test('without usage there are no periods at all, and that is no failure', async () => {
    const { used } = await start();
    const noOne = [{ filterBy: { ...CPU, gvc: 'nothing' }, aggregateBy: ['metric'] }];

    expect((await used({ consumptionQueries: noOne })).periods).toEqual([]);
  });

  test('values stay exact, also beyond 2^53 and behind the point', async () => {
    const period = { startTime: SEPTEMBER.startTime, endTime: SEPTEMBER.endTime };
    const group = '{"key":{"metric":"cpu"},"consumptions":[{"tags":{},"value":$}]}';
    const byHand = await sequence({
      body: JSON.stringify({ periods: [{ ...period, groups: [] }] }).replace(
        '[]',
        `[${['9007199254740993', '0.12345678901234567891'].map((value) => group.replace('$', value)).join()}]`,
      ),
    });
    const { used } = await start();

    const { value } = await startUsageClient(byHand.url).query('acme', QUERY);
    const [memory] = rowsOf(
      await used({ consumptionQueries: [{ filterBy: MEMORY, aggregateBy: ['metric'] }] }),
    );

    expect(rowsOf(value).map((row) => row.value.toFixed())).toEqual([
      '9007199254740993',
      '0.12345678901234567891',
    ]);
    expect(memory?.value.gt(Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  test('a tag or metric that no one knows is read like any other', async () => {
    const row = { value: 5, tags: { metric: 'quantum-seconds', flavour: 'strange' }, extra: {} };
    const group = { key: { metric: 'quantum-seconds' }, consumptions: [row] };
    const { url } = await sequence({
      body: JSON.stringify({ periods: [{ ...SEPTEMBER, groups: [group], extra: 1 }] }),
    });

    const { value } = await startUsageClient(url).query('acme', QUERY);

    expect(rowsOf(value)).toEqual([
      { value: new BigNumber(5), tags: row.tags, projectedValue: undefined },
    ]);
  });
});

describe('sums', () => {
  test('usage is grouped by the named tags and summed over the others, by tags of the platform alone', async () => {
    const { used, usedBy } = await start();
    const whole = sumOf(rowsOf(await used()), 'value');

    const byGvc = await usedBy('gvc');
    const byLabel = await usedBy('team');

    expect(Object.keys(byGvc).toSorted()).toEqual(['data', 'shop', 'tools']);
    expect(add(...Object.values(byGvc))).toBe(whole);
    expect(byLabel).toEqual({ '': whole });
  });

  test.each([
    ['web', 6],
    ['orders-db', 3],
    ['coupons', 0],
  ])('%s holds %i replicas for the seconds of each hour', async (workload, replicas) => {
    const { used } = await start();
    const filterBy = { metric: 'replicas', gvc: 'shop', workload, location: 'aws-us-west-2' };

    const { periods } = await used({
      startTime: '2026-09-09T08:00:00Z',
      endTime: '2026-09-09T10:00:00Z',
      timeStep: 'hour',
      aggregateByTimeStep: true,
      consumptionQueries: [{ filterBy, aggregateBy: ['metric'] }],
    });

    const hours = periods.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows));
    const held = `${replicas * 3600}`;
    expect(hours.map(({ value }) => value.toFixed())).toEqual(replicas > 0 ? [held, held] : []);
  });

  test('the hours of a day add up to it', async () => {
    const { used } = await start();
    const range = { startTime: '2026-09-09T00:00:00Z', endTime: '2026-09-10T00:00:00Z' };

    const day = rowsOf(await used({ ...range, timeStep: 'day' }));
    const hours = await used({ ...range, timeStep: 'hour', aggregateByTimeStep: true });

    expect(hours.periods).toHaveLength(24);
    expect(sumOf(rowsOf(hours), 'value')).toBe(sumOf(day, 'value'));
  });

  test('usage that lacks a tag is grouped under the empty string', async () => {
    const { used, usedBy } = await start();
    const consumptionQueries = [{ filterBy: CPU, aggregateBy: ['performanceClass'] }];

    const rows = rowsOf(await used({ groupBy: [], consumptionQueries }));
    const byWorkload = await usedBy('workload', {});

    expect(rows.map(({ tags }) => tags['performanceClass'])).toEqual(['']);
    expect(Object.keys(byWorkload)).toContain('');
  });

  test('cpu of workloads and cpu of volume sets are distinguished by the feature', async () => {
    const { usedBy } = await start();

    const both = await usedBy('metric', { metric: 'cpu' });
    const byFeature = await usedBy('feature', { metric: 'cpu' });
    const ofWorkloads = await usedBy('metric', CPU);

    expect(Object.keys(byFeature).toSorted()).toEqual(['volume-sets', 'workloads']);
    expect(byFeature['workloads']).toBe(ofWorkloads['cpu']);
    expect(add(...Object.values(byFeature))).toBe(both['cpu']);
  });

  test('two metrics measure the same volumes, so that both together count each volume twice', async () => {
    const { usedBy, charges } = await start();
    const both = { metric: '/^volume.set.capacity/' };

    const gib = await usedBy('volumeSet', { metric: 'volume-set-capacity-bytes' });
    const gb = await usedBy('volumeSet', { metric: 'volume_set_capacity' });
    const { value } = await charges.org('acme', {
      ...QUERY,
      consumptionQueries: select(both, 'performanceClass'),
    });

    expect(Object.keys(gib).length).toBeGreaterThan(1);
    expect(Object.keys(gb)).toEqual(Object.keys(gib));
    for (const [volume, amount] of Object.entries(gib)) {
      expect(new BigNumber(gb[volume] ?? 0).div(amount).toNumber()).toBeCloseTo(1.0737, 3);
    }
    // One of them is charged, the other is not.
    const charged = rowsOf(value).filter(({ total }) => total.gt(0));
    expect(new Set(charged.map(({ tags }) => tags['metric']))).toEqual(
      new Set(['volume-set-capacity-bytes']),
    );
    expect(rowsOf(value).length).toBeGreaterThan(charged.length);
  });
});

describe('finding', () => {
  test.each([
    ...['feature', 'metric', 'org', 'gvc', 'workload', 'locationType', 'performanceClass'].map(
      (tag) => [tag, '/./'],
    ),
    ['volumeIndex', '/^0$/'],
    ['feature', 'workloads'],
    ['feature', 'volume-sets'],
    ['metric', 'cpu'],
    ['metric', 'memory'],
    ['metric', 'volume-set-capacity-bytes'],
    ['metric', 'volume_set_capacity'],
    ['metric', 'snapshot-storage'],
    ['metric', 'load-balancer-processed-bytes'],
  ] as [string, string][])(
    'usage is found by every tag, feature and metric of the specification: %s',
    async (tag, value) => {
      const { usedBy } = await start();

      const found = Object.keys(await usedBy(tag, { [tag]: value }));

      expect(found.length).toBeGreaterThan(0);
      expect(found).not.toContain('');
      expect(value.startsWith('/') || found.join() === value).toBe(true);
    },
  );

  test.each<[string, Record<string, string>, string, string[]]>([
    ['a word', { gvc: 'shop' }, 'gvc', ['shop']],
    ['a word that is a part only', { gvc: 'sho' }, 'gvc', []],
    ['an expression anywhere', { gvc: '/o/' }, 'gvc', ['shop', 'tools']],
    ['an expression in the other case', { gvc: '/SHOP/' }, 'gvc', []],
    ['an expression with ends', { gvc: '/^shop$/' }, 'gvc', ['shop']],
    ['an expression with ends that fit nothing', { gvc: '/^sho$/' }, 'gvc', []],
    ['alternatives', { gvc: '/^(data|shop)$/' }, 'gvc', ['data', 'shop']],
    ['a class as POSIX has them', { gvc: '/^[[:alpha:]]{5}$/' }, 'gvc', ['tools']],
    ['two words', { gvc: 'shop', workload: 'web' }, 'workload', ['web']],
    ['two words that nothing has both of', { gvc: 'tools', workload: 'web' }, 'workload', []],
    ['a volume by its number', { volumeIndex: '/^0$/' }, 'volumeIndex', ['0']],
    ['volumes by their numbers', { volumeIndex: '/^[01]$/' }, 'volumeIndex', ['0', '1']],
  ])(
    'a filter is a word or an expression, and all of them must match: %s',
    async (_what, filterBy, tag, expected) => {
      const { usedBy } = await start();

      expect(Object.keys(await usedBy(tag, filterBy)).toSorted()).toEqual(expected);
    },
  );

  test('chargeable items narrow usage, too, and price nothing', async () => {
    const { used, calls } = await start();
    const consumptionQueries = [{ aggregateBy: ['metric', 'feature'], chargeableItems: ['cpu'] }];

    const rows = rowsOf(await used({ consumptionQueries }));

    expect(new Set(rows.map(({ tags }) => `${tags['feature']} ${tags['metric']}`))).toEqual(
      new Set(['workloads cpu']),
    );
    expect((await calls())[0]?.body).toMatchObject({ consumptionQueries });
  });
});

describe('asking again', () => {
  const NOTHING = { body: '{"periods": null}' };

  test('equal questions share one call and its age, until someone asks afresh', async () => {
    const { url, seen } = await sequence(NOTHING);
    let now = Date.UTC(2026, 9, 15);
    const client = startUsageClient(url, { cacheMs: 15_000, now: () => now });
    const first = await Promise.all([client.query('acme', QUERY), client.query('acme', QUERY)]);
    now += 5_000;

    const later = await client.query('acme', { ...QUERY, aggregateByTimeStep: false });
    const fresh = await client.query('acme', QUERY, { fresh: true });

    const age = [...first, later, fresh].map(({ readAt }) => now - readAt);
    expect(age).toEqual([5_000, 5_000, 5_000, 0]);
    expect(seen).toHaveLength(2);
  });
});
