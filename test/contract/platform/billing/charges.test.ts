import { describe, expect, test } from 'vitest';
import type { AccountChargeQuery } from '../../../../src/platform/billing/charges.ts';
import {
  add,
  CPU,
  MEMORY,
  rowsOf,
  select,
  SEPTEMBER,
  startMetering,
  startsOf,
  sumOf,
  timeOf,
  valuesBy,
} from '../consumption/support.ts';
import { ORGS } from './support.ts';

const QUERY: AccountChargeQuery = {
  ...SEPTEMBER,
  timeStep: 'month',
  groupBy: ['metric'],
  consumptionQueries: select(CPU),
};
const BY_ORG = { ...QUERY, groupBy: ['org'], consumptionQueries: select(CPU, 'org') };
const DAYS = { startTime: '2026-09-07T00:00:00Z', endTime: '2026-09-10T00:00:00Z' };

/** The stand-in, and the charges of queries that differ from September's CPU in one thing. */
async function start() {
  const metering = await startMetering();
  const charged = async (changes: Partial<AccountChargeQuery> = {}) => {
    const { value } = await metering.charges.account({ ...QUERY, ...changes });
    expect(value.skipped).toBe(0);
    return value;
  };
  return {
    ...metering,
    charged,
    total: async (changes: Partial<AccountChargeQuery>) =>
      sumOf(rowsOf(await charged(changes)), 'total'),
    refused: (changes: object) =>
      metering.refusedUnsent(metering.charges.account({ ...QUERY, ...changes })),
  };
}

describe('queries', () => {
  test('the charges of an account cover all its orgs, or those that orgs names', async () => {
    const { charged } = await start();

    const all = valuesBy(await charged(BY_ORG), 'org');
    const some = valuesBy(await charged({ ...BY_ORG, orgs: ['acme', 'initech'] }), 'org');

    expect(Object.keys(all).toSorted()).toEqual(ORGS);
    expect(some).toEqual({ acme: all['acme'], initech: all['initech'] });
  });

  test('the charges of an org cover that org alone, at the rate plan of the account that pays', async () => {
    const { charges, charged, calls } = await start();
    const stray = { ...BY_ORG, orgs: ['globex'] };

    const { value: own } = await charges.org('acme', stray);

    expect(own).toEqual(await charged({ ...BY_ORG, orgs: ['acme'] }));
    expect(Object.keys(valuesBy(own, 'org'))).toEqual(['acme']);
    expect((await calls()).find(({ method }) => method === 'POST')).toMatchObject({
      path: '/billing/org/acme/charges/-query',
      body: expect.not.objectContaining({ orgs: expect.anything() }) as object,
    });
  });

  test.each<[string, object, string]>([
    ['a time that is no RFC 3339', { startTime: '1 September' }, 'startTime must be an RFC 3339'],
    ['a time of another zone', { endTime: '2026-10-01T00:00:00+02:00' }, 'endTime must be an RFC'],
    ['half past an hour', { startTime: '2026-09-01T00:30:00Z' }, 'startTime must be on an hour'],
    ['an end before its start', { endTime: '2026-08-01T00:00:00Z' }, 'endTime must be after'],
    ['no consumption query', { consumptionQueries: [] }, 'at least one consumption query'],
  ])('a charge query with %s is refused before it is sent', async (_what, changes, sentence) => {
    const { refused } = await start();

    expect(await refused(changes)).toContain(sentence);
  });

  test('a charge query takes the steps hour, day, week and month, and no other', async () => {
    const { charged, refused } = await start();

    expect(await refused({ timeStep: 'year' })).toContain('one of hour, day, week, month');
    for (const timeStep of ['hour', 'day', 'week', 'month'] as const) {
      expect((await charged({ timeStep })).periods).toHaveLength(1);
    }
  });

  test('by step each step is a period, otherwise the whole range is one', async () => {
    const { charged } = await start();
    const days = { ...DAYS, timeStep: 'day' as const };

    const whole = await charged(days);
    const steps = await charged({ ...days, aggregateByTimeStep: true });

    expect(startsOf(whole.periods)).toEqual([DAYS.startTime]);
    expect(startsOf(steps.periods)).toEqual([7, 8, 9].map((day) => `2026-09-0${day}T00:00:00Z`));
    expect(sumOf(rowsOf(steps), 'total')).toBe(sumOf(rowsOf(whole), 'total'));
  });

  test('the hour that a query ends with is not in it', async () => {
    const { charged } = await start();
    const hours = { startTime: '2026-09-09T10:00:00Z', endTime: '2026-09-09T12:00:00Z' };

    const { periods } = await charged({ ...hours, timeStep: 'hour', aggregateByTimeStep: true });

    expect(startsOf(periods)).toEqual(['2026-09-09T10:00:00Z', '2026-09-09T11:00:00Z']);
    expect(timeOf(periods[1]?.endMs ?? 0)).toBe(hours.endTime);
  });

  test('a groupBy that a query does not aggregate by is refused before it is sent, both named', async () => {
    const { refused } = await start();
    const queries = [...select(CPU, 'gvc'), ...select(MEMORY)];

    const sentence = await refused({ groupBy: ['gvc'], consumptionQueries: queries });

    expect(sentence).toContain('groups by gvc, but consumption query 2 does not aggregate by gvc');
  });

  test('filters narrow the charges: by a word, by an expression, by several at once', async () => {
    const { charged } = await start();
    const gvcs = async (filterBy: Record<string, string>) => {
      const queries = select(filterBy, 'org', 'gvc');
      const result = await charged({
        orgs: ['acme'],
        groupBy: ['gvc', 'metric'],
        consumptionQueries: queries,
      });
      return result.periods.flatMap(({ groups }) =>
        groups.map(({ key }) => `${key['gvc']} ${key['metric']}`),
      );
    };

    expect(await gvcs({ ...CPU, gvc: 'shop' })).toEqual(['shop cpu']);
    expect(await gvcs({ feature: 'workloads', metric: '/^(cpu|memory)$/', gvc: '/^t/' })).toEqual([
      'tools cpu',
      'tools memory',
    ]);
    expect(await gvcs({ ...CPU, gvc: '/^(shop|data)$/' })).toEqual(['data cpu', 'shop cpu']);
  });

  test('chargeable items narrow a query to the usage that they price, by their names', async () => {
    const { charged } = await start();
    const [all] = select({});

    const named = await charged({
      consumptionQueries: [{ ...all!, chargeableItems: ['cpu', 'memory'] }],
    });

    expect(rowsOf(named).map(({ tags }) => [tags['feature'], tags['metric']])).toEqual([
      ['workloads', 'cpu'],
      ['workloads', 'memory'],
    ]);
  });

  test('rows are distinguished by every tag that an item prices on, for every caller', async () => {
    const { charged } = await start();
    const [without] = select({});
    const chargeableItems = ['general-purpose-ssd'];

    const [row] = rowsOf(await charged({ consumptionQueries: [{ ...without!, chargeableItems }] }));

    expect(row?.tags).toMatchObject({ performanceClass: 'general-purpose-ssd' });
    expect(row?.total.gt(0)).toBe(true);
  });
});

describe('prices', () => {
  test('rows with every tag of their item are priced, and add up whatever they are grouped by', async () => {
    const { charged, total } = await start();

    const rows = rowsOf(await charged({ consumptionQueries: select(MEMORY) }));
    const sums = ['org', 'gvc', 'workload'].map((tag) =>
      total({ groupBy: [tag], consumptionQueries: select(MEMORY, tag) }),
    );

    expect(rows.every((row) => row.total.gt(0))).toBe(true);
    expect(new Set(await Promise.all(sums))).toEqual(new Set([sumOf(rows, 'total')]));
  });

  test.each(['metric', 'locationType'])(
    'a priced query without metric or locationType in aggregateBy is refused before it is sent: %s',
    async (tag) => {
      const { refused } = await start();
      const aggregateBy = ['metric', 'locationType'].filter((other) => other !== tag);

      const sentence = await refused({ groupBy: [], consumptionQueries: [{ aggregateBy }] });

      expect(sentence).toContain(`consumption query 1 does not aggregate by ${tag}`);
    },
  );

  test('rows are kept apart by aggregateBy and the priced tags, and the feature comes by itself', async () => {
    const { charged } = await start();

    const rows = rowsOf(await charged({ consumptionQueries: select({ metric: 'cpu' }, 'org') }));

    const tags = rows.map((row) => Object.keys(row.tags).toSorted());
    const places = rows.map(({ tags }) => JSON.stringify(tags));
    expect([...new Set(tags.flat())]).toEqual([
      'feature',
      'gpuModel',
      'locationType',
      'metric',
      'org',
      'performanceClass',
    ]);
    expect(new Set(places).size).toBe(rows.length);
    expect(new Set(rows.map((row) => row.tags['feature']))).toEqual(
      new Set(['workloads', 'volume-sets']),
    );
  });

  test('usage without a chargeable item costs 0', async () => {
    const { charged } = await start();

    const rows = rowsOf(await charged({ consumptionQueries: select({ metric: 'replicas' }) }));

    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ value, total }) => value.gt(0) && total.isZero())).toBe(true);
  });

  test('tiers begin anew on the first of the month, not with the range', async () => {
    const { total } = await start();
    const noon = '2026-09-15T12:00:00Z';
    const august = { startTime: '2026-08-01T00:00:00Z', endTime: SEPTEMBER.startTime };

    const september = await total({});
    const first = await total({ timeStep: 'hour', endTime: noon });
    const second = await total({ timeStep: 'hour', startTime: noon });

    expect(add(first, second)).toBe(september);
    expect(add(await total(august), september)).toBe(await total({ startTime: august.startTime }));
  });

  test('a narrowed query begins in the first tier, so its rates may be others than the invoice’s', async () => {
    const { charged } = await start();

    const [whole] = rowsOf(await charged());
    const [narrow] = rowsOf(
      await charged({ consumptionQueries: select({ ...CPU, gvc: 'tools' }) }),
    );

    const [a, b] = [whole, narrow].map((row) => row?.total.div(row.value).toNumber() ?? 0);
    expect(b).toBeGreaterThan(a ?? 0);
  });
});
