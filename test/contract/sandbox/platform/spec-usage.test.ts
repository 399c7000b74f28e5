import { describe, expect, test } from 'vitest';
import {
  add,
  byKey,
  CPU,
  MEMORY,
  rowsOf,
  SEPTEMBER,
  startApis,
  sumOf,
  VOLUMES,
} from './spec-support.ts';

/** Rows of `filterBy`, told apart by `tag`. */
const by = (tag: string, filterBy: object) => ({
  groupBy: [tag],
  consumptionQueries: [{ filterBy, aggregateBy: [tag] }],
});
const keys = (values: Record<string, string>) => Object.keys(values).toSorted();

describe('the answer (spec 4.5)', () => {
  test('the period and group structure without the priced fields', async () => {
    const { usage } = await startApis();

    const { status, body } = await usage('POST', '/org/acme/query', {
      body: { ...SEPTEMBER, timeStep: 'month', ...by('gvc', { ...CPU, gvc: 'tools' }) },
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      consumptionCount: 1,
      periods: [
        {
          startTime: expect.stringMatching(/^2026-09-01T00:00:00(\.000)?Z$/),
          endTime: expect.stringMatching(/^2026-10-01T00:00:00(\.000)?Z$/),
          totalSeconds: 2_592_000,
          elapsedSeconds: 2_592_000,
          consumptionCount: 1,
          groups: [
            {
              key: { gvc: 'tools' },
              consumptions: [{ value: expect.any(Number), tags: { gvc: 'tools' } }],
            },
          ],
        },
      ],
    });
  });

  test('with no matching usage the response is 200 with periods null', async () => {
    const { usage } = await startApis();

    const { status, body } = await usage('POST', '/org/acme/query', {
      body: { ...SEPTEMBER, timeStep: 'month', ...by('gvc', { gvc: 'nowhere' }) },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ periods: null, consumptionCount: 0 });
  });

  test('usage is grouped by the tags named and summed over those not named', async () => {
    const { used } = await startApis();
    const consumptionQueries = [{ filterBy: CPU, aggregateBy: ['gvc', 'workload'] }];

    const gvcs = await used({ groupBy: ['gvc'], consumptionQueries });
    const coarse = await used(by('gvc', CPU));

    expect(keys(byKey(gvcs, 'gvc', 'value'))).toEqual(['data', 'shop', 'tools']);
    expect(rowsOf(gvcs).length).toBeGreaterThan(rowsOf(coarse).length);
    expect(byKey(gvcs, 'gvc', 'value')).toEqual(byKey(coarse, 'gvc', 'value'));
    for (const { key, consumptions } of gvcs.periods?.[0]?.groups ?? []) {
      expect(consumptions.every(({ tags }) => tags['gvc'] === key['gvc'])).toBe(true);
    }
  });

  test('the org in the path alone is counted', async () => {
    const { used } = await startApis();

    const own = await used(by('org', CPU), 'globex');
    const other = await used(by('gvc', { ...CPU, org: 'acme' }), 'globex');

    expect(keys(byKey(own, 'org', 'value'))).toEqual(['globex']);
    expect(other.periods).toBeNull();
  });

  test.each([
    ['stream-processor', 3],
    ['warehouse', 2],
  ])('%s is metered as %i replicas times the seconds', async (workload, replicas) => {
    const { used } = await startApis();
    const filterBy = { metric: 'replicas', gvc: 'data', workload, location: 'aws-us-west-2' };
    const seconds = async (timeStep: string, endTime: string) => {
      const range = { startTime: '2026-09-09T00:00:00Z', endTime, timeStep };
      return sumOf(await used({ ...by('workload', filterBy), ...range }), 'value');
    };

    expect(await seconds('hour', '2026-09-09T01:00:00Z')).toBe(`${replicas * 3600}`);
    expect(await seconds('day', '2026-09-10T00:00:00Z')).toBe(`${replicas * 86_400}`);
  });

  test('more cores for the same time: more core-seconds, and at most cores times seconds', async () => {
    const { used } = await startApis();

    const cores = byKey(
      await used({
        ...by('workload', { ...CPU, gvc: 'data', location: 'aws-us-west-2' }),
        startTime: '2026-09-09T00:00:00Z',
        endTime: '2026-09-10T00:00:00Z',
        timeStep: 'day',
      }),
      'workload',
      'value',
    );

    expect(Number(cores['warehouse'])).toBeGreaterThan(Number(cores['dashboard']));
    expect(Number(cores['dashboard'])).toBeGreaterThan(0);
    // As seeded: two replicas of four cores, one of a tenth.
    expect(Number(cores['warehouse'])).toBeLessThan(2 * 4 * 86_400);
    expect(Number(cores['dashboard'])).toBeLessThan(0.1 * 86_400);
  });
});

describe('a tag that a row lacks', () => {
  test('is reported as an empty string when aggregating by it', async () => {
    const { used } = await startApis();

    const result = await used(by('performanceClass', CPU));

    expect(rowsOf(result).map(({ tags }) => tags['performanceClass'])).toEqual(['']);
    expect(result.periods?.[0]?.groups.map(({ key }) => key)).toEqual([{ performanceClass: '' }]);
  });

  test('is absent when not aggregating by it', async () => {
    const { used } = await startApis();

    const rows = rowsOf(await used(by('gvc', CPU)));

    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ tags }) => Object.keys(tags))).toEqual(rows.map(() => ['gvc']));
  });

  test('rows that have it are told apart from those that lack it', async () => {
    const { used } = await startApis();

    const values = byKey(await used(by('volumeIndex', { org: 'acme' })), 'volumeIndex', 'value');

    expect(keys(values)).toContain('');
    expect(keys(values)).toContain('0');
  });
});

describe('filters', () => {
  const SHOP = { ...CPU, gvc: 'shop' };

  test.each([
    ['a plain string is an exact match', 'cart', ['cart']],
    ['a plain string is no part of a value', 'car', []],
    ['a plain string is no expression', 'c.*t', []],
    ['/^(a|b)$/ for alternatives', '/^(cart|web)$/', ['cart', 'web']],
    ['an expression is unanchored', '/ca/', ['cart', 'catalog']],
    ['an expression is unanchored, also within', '/arch/', ['search']],
    ['^ anchors the start', '/^re/', ['recommendations']],
    ['$ anchors the end', '/ch$/', ['search']],
    ['an expression is case-sensitive', '/CART/', []],
    ['an expression may have POSIX classes', '/^[[:alpha:]]{3}$/', ['web']],
  ])('%s', async (_rule, workload, expected) => {
    const { used } = await startApis();

    const found = byKey(await used(by('workload', { ...SHOP, workload })), 'workload', 'value');

    expect(keys(found)).toEqual(expected);
  });

  test('several keys must all match', async () => {
    const { used } = await startApis();
    const location = 'aws-us-west-2';

    const one = await used(by('workload', { ...SHOP, workload: 'cart', location }));
    const none = await used(by('workload', { ...SHOP, gvc: 'data', workload: 'cart' }));
    const all = await used(by('location', { ...SHOP, workload: 'cart' }));

    expect(sumOf(one, 'value')).toBe(byKey(all, 'location', 'value')[location]);
    expect(none.periods).toBeNull();
  });

  test('volumeIndex is matched with a regular expression such as /^0$/', async () => {
    const { used } = await startApis();
    const values = async (volumeIndex: string) =>
      byKey(await used(by('volumeIndex', { ...VOLUMES, volumeIndex })), 'volumeIndex', 'value');

    expect(keys(await values('/^0$/'))).toEqual(['0']);
    expect(keys(await values('/^[01]$/'))).toEqual(['0', '1']);
  });
});

describe('features and metrics', () => {
  test.each([
    ['workloads', ['cpu', 'memory']],
    ['volume-sets', ['cpu', 'memory', 'snapshot-storage', VOLUMES.metric, 'volume_set_capacity']],
  ])('feature %s has the metrics of spec 2.11', async (feature, metrics) => {
    const { used } = await startApis();

    const found = keys(byKey(await used(by('metric', { feature })), 'metric', 'value'));

    expect(found).toEqual(expect.arrayContaining(metrics));
  });

  test('load-balancer-processed-bytes is metered', async () => {
    const { used } = await startApis();
    const filterBy = { metric: 'load-balancer-processed-bytes' };

    expect(Number(sumOf(await used(by('metric', filterBy)), 'value'))).toBeGreaterThan(0);
  });

  test('the two measures of volume sets are of the same volumes, in different units', async () => {
    const { used } = await startApis();
    const measure = async (metric: string) =>
      byKey(await used(by('volumeSet', { ...VOLUMES, metric })), 'volumeSet', 'value');

    const gib = await measure('volume-set-capacity-bytes');
    const gb = await measure('volume_set_capacity');

    expect(keys(gb)).toEqual(keys(gib));
    expect(keys(gib).length).toBeGreaterThan(0);
    expect(gb).not.toEqual(gib);
  });
});

test.each(['gvc', 'workload', 'location', 'provider'])('usage adds up over %s', async (tag) => {
  const { used } = await startApis();

  const parts = rowsOf(await used(by(tag, MEMORY)));

  expect(parts.length).toBeGreaterThan(1);
  expect(add(parts.map(({ value }) => value)).toFixed()).toBe(
    sumOf(await used(by('metric', MEMORY)), 'value'),
  );
});
