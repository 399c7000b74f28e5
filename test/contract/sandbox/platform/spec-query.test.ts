import { describe, expect, test } from 'vitest';
import {
  byKey,
  CPU,
  MEMORY,
  OCTOBER,
  ORGS,
  rowsOf,
  select,
  SEPTEMBER,
  startApis,
  sumOf,
  VOLUMES,
} from './spec-support.ts';

/** Rows of `filterBy`, one for each value of `tag`. */
const by = (tag: string, filterBy: object) => ({
  groupBy: [tag],
  consumptionQueries: [{ filterBy, aggregateBy: [tag] }],
});
const keys = (values: Record<string, string>) => Object.keys(values).toSorted();
const MONTH = { ...SEPTEMBER, timeStep: 'month' };
const PERIOD = {
  startTime: expect.stringMatching(/^2026-09-01T00:00:00(\.000)?Z$/) as string,
  endTime: expect.stringMatching(/^2026-10-01T00:00:00(\.000)?Z$/) as string,
  totalSeconds: 2_592_000,
  elapsedSeconds: 2_592_000,
  consumptionCount: 1,
};
const NUMBER = expect.any(Number) as number;
const TEXT = expect.stringMatching(/./) as string;

describe('the answer (spec 2.7, 4.1 and 4.5)', () => {
  const TOOLS = { ...CPU, gvc: 'tools' };

  test('a usage query: periods with groups with rows of value and tags', async () => {
    const { usage } = await startApis();

    const { status, body } = await usage('POST', '/org/acme/query', {
      body: { ...MONTH, ...by('gvc', TOOLS) },
    });

    const consumptions = [{ value: NUMBER, tags: { gvc: 'tools' } }];
    const periods = [{ ...PERIOD, groups: [{ key: { gvc: 'tools' }, consumptions }] }];
    expect([status, body]).toEqual([200, { consumptionCount: 1, periods }]);
  });

  test('a charge query: the same below results, each row with its price', async () => {
    const { ask } = await startApis();

    const { status, body } = await ask('POST /charges/-query', {
      ...MONTH,
      groupBy: ['metric'],
      consumptionQueries: select(TOOLS),
    });

    const tags = { ...CPU, locationType: TEXT };
    const priced = { total: NUMBER, currency: 'USD', ratePlans: [TEXT] };
    const consumptions = [{ value: NUMBER, tags, ...priced }];
    const periods = [{ ...PERIOD, groups: [{ key: { metric: 'cpu' }, consumptions }] }];
    expect([status, body]).toEqual([200, { results: { consumptionCount: 1, periods } }]);
  });

  test('without matching usage periods is null, and of charges an empty list', async () => {
    const { usage, ask } = await startApis();
    const body = { ...MONTH, ...by('gvc', { gvc: 'nowhere' }) };

    const used = await usage('POST', '/org/acme/query', { body });
    const charged = await ask('POST /charges/-query', body);

    expect([used.status, used.body]).toMatchObject([200, { periods: null, consumptionCount: 0 }]);
    const none = { results: { periods: [], consumptionCount: 0 } };
    expect([charged.status, charged.body]).toMatchObject([200, none]);
  });

  test('consumptionCount counts the rows of a period, and of all at the top', async () => {
    const { charges } = await startApis();

    const result = await charges({
      consumptionQueries: select(CPU),
      startTime: '2026-09-07T00:00:00Z',
      endTime: '2026-09-10T00:00:00Z',
      timeStep: 'day',
      aggregateByTimeStep: true,
    });

    const periods = result.periods ?? [];
    const rows = periods.map(({ groups }) => groups.flatMap((one) => one.consumptions).length);
    expect(rows).toHaveLength(3);
    expect(periods.map((period) => period.consumptionCount.toNumber())).toEqual(rows);
    expect(result.consumptionCount.toNumber()).toBe(rowsOf(result).length);
  });

  test.each([
    ['month', OCTOBER, 31 / 4.5],
    ['day', { startTime: '2026-10-05T00:00:00Z', endTime: '2026-10-06T00:00:00Z' }, 2],
    ['day', { startTime: '2026-10-04T00:00:00Z', endTime: '2026-10-05T00:00:00Z' }, undefined],
  ])(
    'projectedTotal extrapolates the period that contains now: a %s of %j',
    async (timeStep, range, times) => {
      const { charges } = await startApis();

      const query = { consumptionQueries: select(CPU), ...range, timeStep };
      const [row] = rowsOf(await charges({ ...query, aggregateByTimeStep: true }));

      const ratio = row?.projectedTotal?.div(row.total).toNumber();
      expect(ratio?.toFixed(3)).toBe(times?.toFixed(3));
      expect(row?.total.gt(0)).toBe(true);
    },
  );
});

describe('rows', () => {
  test('usage is grouped by the tags named and summed over those not named', async () => {
    const { used } = await startApis();
    const consumptionQueries = [{ filterBy: CPU, aggregateBy: ['gvc', 'workload'] }];

    const fine = await used({ groupBy: ['gvc'], consumptionQueries });
    const coarse = await used(by('gvc', CPU));

    expect(keys(byKey(fine, 'gvc', 'value'))).toEqual(['data', 'shop', 'tools']);
    expect(rowsOf(fine).length).toBeGreaterThan(rowsOf(coarse).length);
    expect(byKey(fine, 'gvc', 'value')).toEqual(byKey(coarse, 'gvc', 'value'));
  });

  test('the account form covers every org, and is narrowed with orgs', async () => {
    const { charges } = await startApis();
    const query = { groupBy: ['org'], consumptionQueries: select(CPU, 'org') };

    const all = byKey(await charges(query), 'org', 'value');
    const some = byKey(await charges({ ...query, orgs: ['acme', 'initech'] }), 'org', 'value');

    expect(keys(all)).toEqual(ORGS);
    expect(some).toEqual({ acme: all['acme'], initech: all['initech'] });
  });

  test('a usage query counts the org in the path alone', async () => {
    const { used } = await startApis();

    const own = await used(by('org', CPU), 'globex');
    const other = await used(by('gvc', { ...CPU, org: 'acme' }), 'globex');

    expect(keys(byKey(own, 'org', 'value'))).toEqual(['globex']);
    expect(other.periods).toBeNull();
  });

  test('without groupBy they are grouped by name, which every row then has', async () => {
    const { ask, ok } = await startApis();

    const query = { ...MONTH, consumptionQueries: select(CPU) };
    const { results } = await ok(
      ask<{ results: { periods: { groups: { key: object }[] }[] } }>('POST /charges/-query', query),
    );

    const names = results.periods[0]?.groups.map(({ key }) => Object.keys(key)) ?? [];
    expect(names.length).toBeGreaterThan(0);
    expect(names).toEqual(names.map(() => ['name']));
  });

  test('several consumption queries answer together', async () => {
    const { charges } = await startApis();

    const result = await charges({ consumptionQueries: [...select(CPU), ...select(MEMORY)] });

    expect(keys(byKey(result, 'metric', 'total'))).toEqual(['cpu', 'memory']);
  });

  test('a tag that a row lacks is an empty string when aggregating by it, and absent otherwise', async () => {
    const { used } = await startApis();

    const named = await used(by('performanceClass', CPU));
    const others = rowsOf(await used(by('gvc', CPU)));
    const mixed = byKey(await used(by('volumeIndex', { org: 'acme' })), 'volumeIndex', 'value');

    expect(rowsOf(named).map(({ tags }) => tags['performanceClass'])).toEqual(['']);
    expect(named.periods?.[0]?.groups.map(({ key }) => key)).toEqual([{ performanceClass: '' }]);
    expect(others.map(({ tags }) => Object.keys(tags))).toEqual(others.map(() => ['gvc']));
    expect(keys(mixed)).toEqual(expect.arrayContaining(['', '0']));
  });
});

describe('filters', () => {
  const workload = (pattern: string) => ({ ...CPU, gvc: 'shop', workload: pattern });

  test.each([
    ['a plain string is an exact match', 'workload', workload('cart'), ['cart']],
    ['a plain string is no part of a value', 'workload', workload('car'), []],
    ['a plain string is no expression', 'workload', workload('c.*t'), []],
    ['/^(a|b)$/ for alternatives', 'workload', workload('/^(cart|web)$/'), ['cart', 'web']],
    ['an expression is unanchored', 'workload', workload('/ca/'), ['cart', 'catalog']],
    ['an expression is unanchored, also within', 'workload', workload('/arch/'), ['search']],
    ['^ anchors the start', 'workload', workload('/^re/'), ['recommendations']],
    ['$ anchors the end', 'workload', workload('/ch$/'), ['search']],
    ['an expression is case-sensitive', 'workload', workload('/CART/'), []],
    ['an expression may have POSIX classes', 'workload', workload('/^[[:alpha:]]{3}$/'), ['web']],
    ['all filters must match', 'workload', { ...workload('cart'), gvc: 'data' }, []],
    ['one volume by its index', 'volumeIndex', { ...VOLUMES, volumeIndex: '/^0$/' }, ['0']],
    ['volumes by their index', 'volumeIndex', { ...VOLUMES, volumeIndex: '/^[01]$/' }, ['0', '1']],
  ])('%s', async (_rule, tag, filterBy, expected) => {
    const { used } = await startApis();

    expect(keys(byKey(await used(by(tag, filterBy)), tag, 'value'))).toEqual(expected);
  });

  test.each([
    ['workloads', ['cpu', 'memory']],
    ['volume-sets', ['cpu', 'memory', 'snapshot-storage', VOLUMES.metric, 'volume_set_capacity']],
  ])('feature %s has the metrics of spec 2.11', async (feature, metrics) => {
    const { used } = await startApis();

    const found = keys(byKey(await used(by('metric', { feature })), 'metric', 'value'));

    expect(found).toEqual(expect.arrayContaining(metrics));
  });
});

describe('meters', () => {
  test.each([
    ['stream-processor', 3],
    ['warehouse', 2],
  ])('%s is metered as %i replicas times the seconds', async (workload, replicas) => {
    const { used } = await startApis();
    const filterBy = { metric: 'replicas', gvc: 'data', workload, location: 'aws-us-west-2' };
    const startTime = '2026-09-09T00:00:00Z';
    const seconds = async (timeStep: string, endTime: string) =>
      sumOf(await used({ ...by('workload', filterBy), startTime, endTime, timeStep }), 'value');

    expect(await seconds('hour', '2026-09-09T01:00:00Z')).toBe(`${replicas * 3600}`);
    expect(await seconds('day', '2026-09-10T00:00:00Z')).toBe(`${replicas * 86_400}`);
  });

  test.each([
    ['warehouse', 'two replicas of four cores', 2 * 4],
    ['dashboard', 'one of a tenth', 0.1],
  ])('%s, %s, uses at most its cores times the seconds', async (workload, _size, cores) => {
    const { used } = await startApis();

    const day = { startTime: '2026-09-09T00:00:00Z', endTime: '2026-09-10T00:00:00Z' };
    const filterBy = { ...CPU, gvc: 'data', location: 'aws-us-west-2', workload };
    const result = await used({ ...by('workload', filterBy), ...day, timeStep: 'day' });

    expect(Number(sumOf(result, 'value'))).toBeGreaterThan(0.05 * cores * 86_400);
    expect(Number(sumOf(result, 'value'))).toBeLessThan(cores * 86_400);
  });

  test('load-balancer-processed-bytes is metered', async () => {
    const { used } = await startApis();

    const result = await used(by('metric', { metric: 'load-balancer-processed-bytes' }));

    expect(Number(sumOf(result, 'value'))).toBeGreaterThan(0);
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
