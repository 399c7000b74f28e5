import { describe, expect, test } from 'vitest';
import {
  byKey,
  CPU,
  MAIN,
  MEMORY,
  rowsOf,
  select,
  SEPTEMBER,
  startApis,
  sumOf,
  VOLUMES,
} from './spec-support.ts';

describe('what is priced (spec 4.1, rules 1 and 2)', () => {
  test.each([
    ['locationType', ['metric']],
    ['metric', ['locationType']],
  ])('without %s in aggregateBy the total is 0', async (_missing, aggregateBy) => {
    const { charges } = await startApis();

    const result = await charges({
      groupBy: aggregateBy,
      consumptionQueries: [{ filterBy: CPU, aggregateBy }],
    });

    expect(Number(sumOf(result, 'value'))).toBeGreaterThan(0);
    expect(sumOf(result, 'total')).toBe('0');
  });

  test('volume sets are priced with performanceClass, and not without it', async () => {
    const { charges } = await startApis();

    const without = await charges({ consumptionQueries: select(VOLUMES) });
    const priced = await charges({ consumptionQueries: select(VOLUMES, 'performanceClass') });

    expect(sumOf(without, 'total')).toBe('0');
    expect(Number(sumOf(priced, 'total'))).toBeGreaterThan(0);
    expect(sumOf(priced, 'value')).toBe(sumOf(without, 'value'));
  });

  test('GPUs are priced with gpuModel, a fifth tag, and not without it', async () => {
    const { charges } = await startApis();
    const gpus = select({ metric: 'gpu' }, 'performanceClass');

    const without = await charges({ consumptionQueries: gpus });
    const priced = await charges({
      consumptionQueries: select({ metric: 'gpu' }, 'performanceClass', 'gpuModel'),
    });

    expect(rowsOf(without).length).toBeGreaterThan(0);
    expect(sumOf(without, 'total')).toBe('0');
    expect(Number(sumOf(priced, 'total'))).toBeGreaterThan(0);
    expect(sumOf(priced, 'value')).toBe(sumOf(without, 'value'));
  });

  test.each([
    [4, []],
    [5, ['gpuModel']],
    [6, ['gpuModel', 'loadBalancerKind']],
  ] as const)(
    'a catalogue of %i tags prices a month only with all of them',
    async (pricingTags, more) => {
      const { charges, catalogue } = await startApis({ pricingTags });
      const items = await catalogue();
      const four = ['feature', 'metric', 'locationType', 'performanceClass'];
      const total = async (...aggregateBy: readonly string[]) =>
        sumOf(await charges({ consumptionQueries: [{ aggregateBy }] }), 'total');

      const tags = new Set(items.flatMap(({ consumptionTags }) => Object.keys(consumptionTags)));
      const whole = await total(...tags);

      expect(tags).toEqual(new Set([...four, ...more]));
      // The same prices, whatever they hang on.
      expect(whole).toBe(await total(...four, 'gpuModel', 'loadBalancerKind'));
      for (const tag of more) {
        const short = await total(...[...tags].filter((one) => one !== tag));
        expect(Number(short)).toBeLessThan(Number(whole));
      }
    },
  );

  test('the feature tag is added automatically', async () => {
    const { charges } = await startApis();

    const rows = rowsOf(await charges({ consumptionQueries: select({ metric: 'memory' }) }));

    expect(new Set(rows.map(({ tags }) => tags['feature']))).toEqual(
      new Set(['volume-sets', 'workloads']),
    );
  });

  test('cpu and memory occur under both features, so a filter needs feature and metric', async () => {
    const { charges } = await startApis();

    for (const metric of ['cpu', 'memory']) {
      const both = await charges({ consumptionQueries: select({ metric }) });
      const one = await charges({ consumptionQueries: select({ feature: 'workloads', metric }) });
      expect(Number(sumOf(both, 'value'))).toBeGreaterThan(Number(sumOf(one, 'value')));
    }
  });

  test('chargeableItems limits the rows to what the items price, and adds their tags', async () => {
    const { charges, catalogue } = await startApis();
    const item = (await catalogue()).find(
      ({ consumptionTags: { metric, feature } }) => metric === 'memory' && feature === 'workloads',
    );

    const result = await charges({
      consumptionQueries: [{ chargeableItems: [item?.name], aggregateBy: ['metric'] }],
    });

    expect(rowsOf(result).length).toBeGreaterThan(0);
    expect(rowsOf(result).every(({ total }) => total.gt(0))).toBe(true);
    for (const { tags } of rowsOf(result)) expect(tags).toMatchObject(item?.consumptionTags ?? {});
    const { feature, locationType } = item?.consumptionTags ?? {};
    const same = select({ ...MEMORY, feature, locationType });
    expect(sumOf(result, 'total')).toBe(
      sumOf(await charges({ consumptionQueries: same }), 'total'),
    );
  });

  test('several consumption queries answer together', async () => {
    const { charges } = await startApis();

    const result = await charges({ consumptionQueries: [...select(CPU), ...select(MEMORY)] });

    expect(Object.keys(byKey(result, 'metric', 'total')).toSorted()).toEqual(['cpu', 'memory']);
  });
});

describe('GET /chargeable_items', () => {
  test('an array of items with the fields of spec 2.6', async () => {
    const { catalogue } = await startApis();

    const items = await catalogue();

    expect(items.length).toBeGreaterThan(0);
    for (const item of items) {
      expect(item).toMatchObject({
        id: expect.stringMatching(/./),
        name: expect.stringMatching(/./),
        description: expect.any(String),
        consumptionTags: {
          feature: expect.any(String),
          metric: expect.any(String),
          locationType: expect.any(String),
        },
        unit: expect.stringMatching(/./),
      });
    }
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(new Set(items.map(({ type }) => type))).toContain('consumption');
  });

  test('items of volume set capacity include performanceClass', async () => {
    const { catalogue } = await startApis();

    const capacity = (await catalogue()).filter(
      ({ consumptionTags }) => consumptionTags['metric'] === VOLUMES.metric,
    );

    expect(capacity.length).toBeGreaterThan(0);
    expect(capacity.every(({ consumptionTags }) => consumptionTags['performanceClass'])).toBe(true);
  });

  test('the unit of memory is a product of bytes and seconds', async () => {
    const { catalogue } = await startApis();

    const memory = (await catalogue()).find(
      ({ consumptionTags: { metric } }) => metric === 'memory',
    );

    expect(memory?.unit).toMatch(/byte.*second/);
  });
});

describe('POST /account/<accountId>/tags/values/query', () => {
  const values = async (query: object) => {
    const { account } = await startApis();
    return account<{ tagValues: string[] }>('POST', '/tags/values/query', {
      body: { ...SEPTEMBER, ...query },
    });
  };

  test('the request fields echoed plus accountId and tagValues', async () => {
    const { status, body } = await values({ tag: 'gvc', filterBy: CPU });

    expect(status).toBe(200);
    expect(body).toMatchObject({ tag: 'gvc', filterBy: CPU, accountId: MAIN });
    expect(Object.keys(body).toSorted()).toEqual(
      ['accountId', 'endTime', 'filterBy', 'startTime', 'tag', 'tagValues'], // sorted
    );
    expect(body.tagValues.toSorted()).toEqual(
      ['data', 'main', 'prod', 'shop', 'staging', 'tools'], // the GVCs of every org of the account
    );
  });

  test('it contains an empty string when some matching usage lacks the tag', async () => {
    const all = await values({ tag: 'performanceClass', filterBy: {} });
    const volumes = await values({ tag: 'performanceClass', filterBy: VOLUMES });

    expect(all.body.tagValues).toContain('');
    expect(volumes.body.tagValues.length).toBeGreaterThan(0);
    expect(volumes.body.tagValues).not.toContain('');
  });

  test('with nothing matching there are no values', async () => {
    const { status, body } = await values({ tag: 'gvc', filterBy: { workload: 'nothing' } });

    expect(status).toBe(200);
    expect(body.tagValues).toEqual([]);
  });

  test('several filters must all match', async () => {
    const { body } = await values({ tag: 'workload', filterBy: { ...CPU, org: 'initech' } });

    expect(body.tagValues.toSorted()).toEqual(['auth', 'ledger-sync', 'portal', 'tps-reports']);
  });
});
