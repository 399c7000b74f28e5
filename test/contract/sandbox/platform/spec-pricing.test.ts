import { describe, expect, test } from 'vitest';
import {
  add,
  byKey,
  CPU,
  exactly,
  MEMORY,
  rowsOf,
  select,
  startApis,
  sumOf,
  VOLUMES,
  type QueryResult,
} from './spec-support.ts';

const FOUR = ['feature', 'metric', 'locationType', 'performanceClass'];

interface Detailed {
  detailedResults: { accountState: { ratePlan: unknown }; results: QueryResult[] }[];
}

describe('the priced rows (spec 4.1, rules 1 and 2)', () => {
  test.each([
    ['locationType', CPU, ['metric']],
    ['metric', CPU, ['locationType']],
    ['performanceClass', VOLUMES, ['metric', 'locationType']],
    ['gpuModel', { metric: 'gpu' }, ['metric', 'locationType', 'performanceClass']],
  ])('without %s in aggregateBy the total of %j is 0', async (missing, filterBy, aggregateBy) => {
    const { charges } = await startApis();
    const ask = (tags: string[]) =>
      charges({ groupBy: [aggregateBy[0]], consumptionQueries: [{ filterBy, aggregateBy: tags }] });

    const without = await ask(aggregateBy);
    const priced = await ask([...aggregateBy, missing]);

    expect(sumOf(without, 'total')).toBe('0');
    expect(Number(sumOf(priced, 'total'))).toBeGreaterThan(0);
    expect(sumOf(priced, 'value')).toBe(sumOf(without, 'value'));
  });

  test.each([
    [4, []],
    [5, ['gpuModel']],
    [6, ['gpuModel', 'loadBalancerKind']],
  ] as const)(
    'a catalogue of %i tags prices a month only with all its tags',
    async (pricingTags, more) => {
      const { charges, catalogue } = await startApis({ pricingTags });
      const total = async (...aggregateBy: readonly string[]) =>
        sumOf(await charges({ consumptionQueries: [{ aggregateBy }] }), 'total');

      const items = await catalogue();
      const tags = new Set(items.flatMap(({ consumptionTags }) => Object.keys(consumptionTags)));
      const whole = await total(...tags);

      expect(tags).toEqual(new Set([...FOUR, ...more]));
      // The prices are the same, whichever tags they need.
      expect(whole).toBe(await total(...FOUR, 'gpuModel', 'loadBalancerKind'));
      for (const tag of more) {
        const short = await total(...[...tags].filter((one) => one !== tag));
        expect(Number(short)).toBeLessThan(Number(whole));
      }
    },
  );

  test('the feature tag is added automatically, and one metric occurs under two features', async () => {
    const { charges } = await startApis();

    const rows = rowsOf(await charges({ consumptionQueries: select({ metric: 'memory' }) }));

    const features = new Set(rows.map(({ tags }) => tags['feature']));
    expect(features).toEqual(new Set(['volume-sets', 'workloads']));
  });

  test('chargeableItems limits the rows to those that the items price, and adds their tags', async () => {
    const { charges, catalogue } = await startApis();
    const item = (await catalogue()).find(
      ({ consumptionTags: { metric, feature } }) => metric === 'memory' && feature === 'workloads',
    );
    const tags = item?.consumptionTags ?? {};

    const chargeableItems = [item?.name];
    const query = { consumptionQueries: [{ chargeableItems, aggregateBy: ['metric'] }] };
    const result = await charges(query);

    expect(rowsOf(result).length).toBeGreaterThan(0);
    for (const row of rowsOf(result)) expect(row.tags).toMatchObject(tags);
    const filtered = select({ ...MEMORY, locationType: tags['locationType'] });
    const same = await charges({ consumptionQueries: filtered });
    expect(sumOf(result, 'total')).toBe(sumOf(same, 'total'));
  });

  test('GET /chargeable_items: items with the fields of spec 2.6', async () => {
    const { catalogue } = await startApis();

    const items = await catalogue();

    const text = expect.any(String) as string;
    const filled = expect.stringMatching(/./) as string;
    const consumptionTags = { feature: text, metric: text, locationType: text };
    const shape = { id: filled, name: filled, description: text, consumptionTags, unit: filled };
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) expect(item).toMatchObject(shape);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(new Set(items.map(({ type }) => type))).toContain('consumption');
    const memory = items.find(({ consumptionTags: { metric } }) => metric === 'memory');
    expect(memory?.unit).toMatch(/byte.*second/);
  });
});

describe('detailed charges (spec 2.7 and 4.1)', () => {
  const startDetailed = async () => {
    const apis = await startApis();
    const detailed = async (query: object = {}) => {
      const { text } = await apis.ask('POST /charges/-query', {
        startTime: '2026-08-01T00:00:00Z',
        endTime: '2026-10-01T00:00:00Z',
        timeStep: 'month',
        groupBy: ['org'],
        consumptionQueries: [...select(CPU, 'org'), ...select(MEMORY, 'org')],
        detailed: true,
        ...query,
      });
      return exactly(text) as Detailed;
    };
    return { ...apis, detailed };
  };
  const allRows = ({ detailedResults }: Detailed) =>
    detailedResults.flatMap(({ results }) => results.flatMap(rowsOf));

  test('one entry per billing period overlapping the range, with accountState and results', async () => {
    const { detailed } = await startDetailed();

    const answer = await detailed({
      startTime: '2026-07-31T12:00:00Z',
      endTime: '2026-09-01T01:00:00Z',
      timeStep: 'hour',
    });

    expect(Object.keys(answer)).toEqual(['detailedResults']);
    expect(answer.detailedResults).toHaveLength(3);
    for (const { accountState, results } of answer.detailedResults) {
      expect(accountState.ratePlan).toBeTruthy();
      expect(results.flatMap(rowsOf).length).toBeGreaterThan(0);
    }
  });

  test('every row has details, one per tier: amount is units times rate, and the sums are total and value', async () => {
    const { detailed, catalogue } = await startDetailed();
    const ids = (await catalogue()).map(({ id }) => id);

    const rows = allRows(await detailed());

    expect(rows.length).toBeGreaterThan(0);
    for (const { total, value, details } of rows) {
      for (const { amount, units, rate, chargeableItemId, ratePlanItem } of details) {
        expect(amount.toFixed()).toBe(units.times(rate).toFixed());
        expect(ids).toContain(chargeableItemId);
        expect(ratePlanItem).toBeTruthy();
      }
      expect(add(details.map(({ amount }) => amount)).toFixed()).toBe(total.toFixed());
      expect(add(details.map(({ units }) => units)).toFixed()).toBe(value.toFixed());
    }
  });

  test('a tier is filled before the next one is used; -1 is the end of the last one', async () => {
    const { detailed } = await startDetailed();

    const whole = { startTime: '2026-09-01T00:00:00Z', groupBy: ['metric'] };
    const rows = allRows(await detailed({ ...whole, consumptionQueries: select(CPU) }));

    const tiered = rows.filter(({ details }) => details.length > 1);
    expect(tiered.length).toBeGreaterThan(0);
    for (const { details } of tiered) {
      const sorted = details.toSorted((a, b) => a.from.comparedTo(b.from) ?? 0);
      expect(sorted[0]?.from.toNumber()).toBe(0);
      for (const [index, { from, to, units }] of sorted.slice(0, -1).entries()) {
        expect(units.toFixed()).toBe(to.minus(from).toFixed());
        expect(sorted[index + 1]?.from.toFixed()).toBe(to.toFixed());
      }
    }
    expect(rows.flatMap(({ details }) => details).some(({ to }) => to.eq(-1))).toBe(true);
  });

  test('a narrowed query starts at the first tier, so its unit rates differ from the whole', async () => {
    const { detailed } = await startDetailed();
    const query = { startTime: '2026-09-01T00:00:00Z', groupBy: ['metric'] };
    const rate = async (filterBy: object) => {
      const [row] = allRows(await detailed({ ...query, consumptionQueries: select(filterBy) }));
      return { from: row?.details[0]?.from.toNumber(), rate: row?.total.div(row.value).toNumber() };
    };

    const narrow = await rate({ ...CPU, gvc: 'tools' });

    expect(narrow.from).toBe(0);
    expect(narrow.rate).not.toBe((await rate(CPU)).rate);
  });

  test('plain charges have the same totals, and no details', async () => {
    const { detailed, charges } = await startDetailed();
    const query = {
      startTime: '2026-09-01T00:00:00Z',
      groupBy: ['org'],
      consumptionQueries: select(MEMORY, 'org'),
    };

    const plain = await charges(query);

    const totals = allRows(await detailed(query)).map(({ total }) => total);
    expect(add(totals).toFixed()).toBe(sumOf(plain, 'total'));
    expect(Object.keys(byKey(plain, 'org', 'total'))).toHaveLength(3);
    expect(rowsOf(plain).every((row) => !('details' in row))).toBe(true);
  });
});
