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
  starts,
  sumOf,
  type Apis,
} from './spec-support.ts';

const CPU_ROWS = { consumptionQueries: select(CPU) };

describe('the answer of a charge query (spec 2.7)', () => {
  test('results has periods with groups with consumptions, each as a usage row with its price', async () => {
    const { account } = await startApis();

    const { status, body } = await account<{ results: object }>('POST', '/charges/-query', {
      body: { ...SEPTEMBER, timeStep: 'month', groupBy: ['metric'], ...CPU_ROWS },
    });

    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['results']);
    expect(body.results).toMatchObject({
      consumptionCount: expect.any(Number),
      periods: [
        {
          startTime: expect.stringMatching(/^2026-09-01T00:00:00(\.000)?Z$/),
          endTime: expect.stringMatching(/^2026-10-01T00:00:00(\.000)?Z$/),
          totalSeconds: 30 * 86_400,
          elapsedSeconds: 30 * 86_400,
          consumptionCount: expect.any(Number),
          groups: [{ key: { metric: 'cpu' }, consumptions: expect.any(Array) }],
        },
      ],
    });
  });

  test('a row has value, tags, total, currency and the rate plans that priced it', async () => {
    const { charges } = await startApis();

    const rows = rowsOf(await charges(CPU_ROWS));

    expect(rows.length).toBeGreaterThan(0);
    for (const { value, total, currency, ratePlans, tags } of rows) {
      expect(value.gt(0)).toBe(true);
      expect(total.gt(0)).toBe(true);
      expect(currency).toBe('USD');
      expect(ratePlans).toEqual([expect.stringMatching(/./)]);
      expect(tags).toEqual({
        feature: 'workloads',
        metric: 'cpu',
        locationType: expect.stringMatching(/./),
      });
    }
  });

  test('consumptionCount counts the rows of a period, and of all at the top', async () => {
    const { charges } = await startApis();

    const result = await charges({
      ...CPU_ROWS,
      startTime: '2026-09-07T00:00:00Z',
      endTime: '2026-09-10T00:00:00Z',
      timeStep: 'day',
      aggregateByTimeStep: true,
    });

    const counted = result.periods?.map(
      ({ groups }) => groups.flatMap((g) => g.consumptions).length,
    );
    expect(counted).toHaveLength(3);
    expect(result.periods?.map(({ consumptionCount }) => consumptionCount.toNumber())).toEqual(
      counted,
    );
    expect(result.consumptionCount.toNumber()).toBe(rowsOf(result).length);
  });

  test('projectedTotal: total extrapolated to the full period, for the period containing now', async () => {
    const { charges } = await startApis();

    const [period] = (await charges({ ...OCTOBER, ...CPU_ROWS })).periods ?? [];
    const [row] = period?.groups[0]?.consumptions ?? [];
    const [past] = rowsOf(await charges(CPU_ROWS));

    expect(period?.totalSeconds.toNumber()).toBe(31 * 86_400);
    expect(period?.elapsedSeconds.toNumber()).toBe(4.5 * 86_400);
    expect(row?.projectedTotal.div(row.total).toNumber()).toBeCloseTo(31 / 4.5, 3);
    expect(past).not.toHaveProperty('projectedTotal');
  });

  test('projectedTotal of a step: half of today makes twice as much', async () => {
    const { charges } = await startApis();

    const { periods } = await charges({
      ...CPU_ROWS,
      startTime: '2026-10-04T00:00:00Z',
      endTime: '2026-10-06T00:00:00Z',
      timeStep: 'day',
      aggregateByTimeStep: true,
    });

    const [past, today] = periods ?? [];
    expect(past?.elapsedSeconds.toNumber()).toBe(86_400);
    expect(today?.elapsedSeconds.toNumber()).toBe(43_200);
    const [row] = today?.groups[0]?.consumptions ?? [];
    expect(row?.projectedTotal.div(row.total).toNumber()).toBeCloseTo(2, 3);
    expect(past?.groups[0]?.consumptions[0]).not.toHaveProperty('projectedTotal');
  });

  test('with no matching usage results.periods is an empty array', async () => {
    const { account } = await startApis();

    const { status, body } = await account('POST', '/charges/-query', {
      body: {
        ...SEPTEMBER,
        timeStep: 'month',
        groupBy: ['metric'],
        consumptionQueries: select({ ...CPU, workload: 'nothing' }),
      },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ results: { periods: [], consumptionCount: 0 } });
  });
});

describe('which rows (spec 4.1)', () => {
  test('the account form covers every org, and is narrowed with orgs', async () => {
    const { charges } = await startApis();
    const query = { groupBy: ['org'], consumptionQueries: select(CPU, 'org') };

    const all = byKey(await charges(query), 'org', 'value');
    const some = byKey(await charges({ ...query, orgs: ['acme', 'initech'] }), 'org', 'value');

    expect(Object.keys(all).toSorted()).toEqual(ORGS);
    expect(some).toEqual({ acme: all['acme'], initech: all['initech'] });
  });

  test('the org form covers only the org in the path, priced with the plan of the payer', async () => {
    const { charges } = await startApis();
    const query = { groupBy: ['org'], consumptionQueries: select(CPU, 'org') };

    const own = await charges(query, '/org/acme');

    expect(own).toEqual(await charges({ ...query, orgs: ['acme'] }));
    expect(Object.keys(byKey(own, 'org', 'total'))).toEqual(['acme']);
  });

  test('aggregateByTimeStep false, or left out: one period for the whole range', async () => {
    const { charges, account } = await startApis();
    const days = { ...CPU_ROWS, ...SEPTEMBER, timeStep: 'day', groupBy: ['metric'] };

    const left = await account('POST', '/charges/-query', { body: days });

    expect((await charges({ ...days, aggregateByTimeStep: false })).periods).toHaveLength(1);
    expect(left.body['results']).toMatchObject({ periods: [{ totalSeconds: 30 * 86_400 }] });
  });

  test.each([
    ['hour', { startTime: '2026-09-09T00:00:00Z', endTime: '2026-09-10T00:00:00Z' }, 24],
    ['day', SEPTEMBER, 30],
    ['week', { startTime: '2026-09-07T00:00:00Z', endTime: '2026-09-28T00:00:00Z' }, 3],
    ['month', { startTime: '2026-07-01T00:00:00Z', endTime: '2026-10-01T00:00:00Z' }, 3],
  ])('aggregateByTimeStep true: one period per %s', async (timeStep, range, count) => {
    const { charges } = await startApis();

    const result = await charges({ ...CPU_ROWS, ...range, timeStep, aggregateByTimeStep: true });

    expect(result.periods).toHaveLength(count);
    expect(starts(result)).toEqual(starts(result).toSorted());
  });

  test('endTime is exclusive', async () => {
    const { charges } = await startApis();

    const result = await charges({
      ...CPU_ROWS,
      startTime: '2026-09-09T10:00:00Z',
      endTime: '2026-09-09T12:00:00Z',
      timeStep: 'hour',
      aggregateByTimeStep: true,
    });

    expect(starts(result)).toEqual(['2026-09-09T10:00:00.000Z', '2026-09-09T11:00:00.000Z']);
  });

  test('groupBy left out groups by name, which every row then has', async () => {
    const { account } = await startApis();

    const { body } = await account<{ results: { periods: { groups: { key: object }[] }[] } }>(
      'POST',
      '/charges/-query',
      { body: { ...SEPTEMBER, timeStep: 'month', ...CPU_ROWS } },
    );

    const keys = body.results.periods[0]?.groups.map(({ key }) => Object.keys(key)) ?? [];
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.every((names) => names.length === 1 && names[0] === 'name')).toBe(true);
  });
});

describe('charges add up', () => {
  const whole = { consumptionQueries: select(MEMORY) };
  const total = async ({ charges }: Apis, query: object) => sumOf(await charges(query), 'total');

  test.each(['org', 'gvc', 'workload', 'location'])('over a grouping by %s', async (tag) => {
    const apis = await startApis();

    const grouped = { groupBy: [tag], consumptionQueries: select(MEMORY, tag) };

    expect(await total(apis, grouped)).toBe(await total(apis, whole));
  });

  test.each(['hour', 'day'])('over steps of a %s', async (timeStep) => {
    const apis = await startApis();

    const steps = { ...whole, timeStep, aggregateByTimeStep: true };

    expect(await total(apis, steps)).toBe(await total(apis, whole));
  });

  test('over parts of a month: tiers start from the first of the month, not from startTime', async () => {
    const { charges } = await startApis();
    const noon = '2026-09-15T12:00:00Z';
    const part = { ...whole, timeStep: 'hour' };

    const first = rowsOf(await charges({ ...part, endTime: noon }));
    const second = rowsOf(await charges({ ...part, startTime: noon }));
    const all = rowsOf(await charges(whole));

    const sum = first.map((row, index) => row.total.plus(second[index]?.total ?? 0).toFixed());
    expect(sum).toEqual(all.map((row) => row.total.toFixed()));
  });

  test('the same data as the usage query, priced', async () => {
    const { charges, used } = await startApis();
    const query = { groupBy: ['gvc'], consumptionQueries: select(MEMORY, 'gvc') };

    const priced = byKey(await charges(query, '/org/acme'), 'gvc', 'value');

    expect(Object.keys(priced).toSorted()).toEqual(['data', 'shop', 'tools']);
    expect(priced).toEqual(byKey(await used(query), 'gvc', 'value'));
  });

  test('a month up to now costs less than the whole month before', async () => {
    const apis = await startApis();

    const now = Number(await total(apis, { ...whole, ...OCTOBER }));

    expect(now).toBeGreaterThan(0);
    expect(now).toBeLessThan(Number(await total(apis, whole)));
  });
});
