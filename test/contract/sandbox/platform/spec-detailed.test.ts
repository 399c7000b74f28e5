import { expect, test } from 'vitest';
import {
  add,
  CPU,
  exactly,
  MAIN,
  MEMORY,
  rowsOf,
  select,
  startApis,
  type QueryResult,
} from './spec-support.ts';

interface Detailed {
  detailedResults: { accountState: { ratePlan: unknown }; results: QueryResult[] }[];
}

async function startDetailed() {
  const apis = await startApis();
  return {
    ...apis,
    detailed: async (query: object = {}) => {
      const answer = await apis.account('POST', '/charges/-query', {
        body: {
          startTime: '2026-08-01T00:00:00Z',
          endTime: '2026-10-01T00:00:00Z',
          timeStep: 'month',
          groupBy: ['org'],
          consumptionQueries: [...select(CPU, 'org'), ...select(MEMORY, 'org')],
          detailed: true,
          ...query,
        },
      });
      expect(answer.status).toBe(200);
      return exactly(answer.text) as Detailed;
    },
  };
}

const allRows = ({ detailedResults }: Detailed) =>
  detailedResults.flatMap(({ results }) => results.flatMap(rowsOf));

test('the response is detailedResults, an array', async () => {
  const { detailed } = await startDetailed();

  const answer = await detailed();

  expect(Object.keys(answer)).toEqual(['detailedResults']);
  expect(Array.isArray(answer.detailedResults)).toBe(true);
});

test('one entry per billing period overlapping the range, with accountState and results', async () => {
  const { detailed } = await startDetailed();

  const { detailedResults } = await detailed({
    startTime: '2026-07-31T12:00:00Z',
    endTime: '2026-09-01T01:00:00Z',
    timeStep: 'hour',
  });

  expect(detailedResults).toHaveLength(3);
  for (const { accountState, results } of detailedResults) {
    expect(accountState.ratePlan).toBeTruthy();
    expect(results.length).toBeGreaterThan(0);
    expect(results.flatMap(rowsOf).length).toBeGreaterThan(0);
  }
});

test('every row has details, one per pricing tier, with the seven fields', async () => {
  const { detailed, catalogue } = await startDetailed();
  const ids = (await catalogue()).map(({ id }) => id);

  const rows = allRows(await detailed());

  expect(rows.length).toBeGreaterThan(0);
  for (const detail of rows.flatMap(({ details }) => details)) {
    expect(Object.keys(detail)).toEqual(
      expect.arrayContaining(
        ['amount', 'units', 'rate', 'from', 'to', 'chargeableItemId', 'ratePlanItem'], // spec 2.7
      ),
    );
    expect(ids).toContain(detail.chargeableItemId);
    expect(detail.ratePlanItem).toBeTruthy();
  }
});

test('amount is units times rate, exactly, and the sums are total and value', async () => {
  const { detailed } = await startDetailed();

  const rows = allRows(await detailed());

  expect(rows.length).toBeGreaterThan(0);
  for (const { total, value, details } of rows) {
    expect(details.map(({ amount }) => amount.toFixed())).toEqual(
      details.map(({ units, rate }) => units.times(rate).toFixed()),
    );
    expect(add(details.map(({ amount }) => amount)).toFixed()).toBe(total.toFixed());
    expect(add(details.map(({ units }) => units)).toFixed()).toBe(value.toFixed());
  }
});

test('from and to bound the tiers in usage units; -1 means unbounded', async () => {
  const { detailed } = await startDetailed();

  const details = allRows(await detailed()).flatMap((row) => row.details);

  expect(details.some(({ to }) => to.eq(-1))).toBe(true);
  expect(details.some(({ to }) => to.gt(0))).toBe(true);
  for (const { from, to, units } of details) {
    expect(from.gte(0)).toBe(true);
    expect(to.eq(-1) || units.lte(to.minus(from))).toBe(true);
  }
});

test('a tier is filled before the next one is used', async () => {
  const { detailed } = await startDetailed();

  const { detailedResults } = await detailed({
    startTime: '2026-09-01T00:00:00Z',
    consumptionQueries: select(CPU),
    groupBy: ['metric'],
  });

  const tiered = rowsOf(detailedResults[0]?.results[0] as QueryResult).filter(
    ({ details }) => details.length > 1,
  );
  expect(tiered.length).toBeGreaterThan(0);
  for (const { details } of tiered) {
    const sorted = details.toSorted((a, b) => a.from.comparedTo(b.from) ?? 0);
    expect(sorted[0]?.from.toNumber()).toBe(0);
    for (const [index, { from, to, units }] of sorted.slice(0, -1).entries()) {
      expect(units.toFixed()).toBe(to.minus(from).toFixed());
      expect(sorted[index + 1]?.from.toFixed()).toBe(to.toFixed());
    }
  }
});

test('a narrowed query starts at the first tier, so its unit rates may differ from the whole', async () => {
  const { detailed } = await startDetailed();
  const query = { startTime: '2026-09-01T00:00:00Z', groupBy: ['metric'] };

  const [narrow] = allRows(
    await detailed({ ...query, consumptionQueries: select({ ...CPU, gvc: 'tools' }) }),
  );
  const [whole] = allRows(await detailed({ ...query, consumptionQueries: select(CPU) }));

  expect(narrow?.details[0]?.from.toNumber()).toBe(0);
  const unitRate = (row: typeof narrow) => row?.total.div(row.value).toNumber() ?? 0;
  expect(unitRate(narrow)).not.toBe(unitRate(whole));
});

test('without detailed the rows have no details', async () => {
  const { charges } = await startDetailed();

  const rows = rowsOf(await charges({ consumptionQueries: select(CPU) }));

  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every((row) => !('details' in row))).toBe(true);
});

test('detailed and plain totals are the same', async () => {
  const { detailed, charges } = await startDetailed();
  const query = {
    startTime: '2026-09-01T00:00:00Z',
    endTime: '2026-10-01T00:00:00Z',
    groupBy: ['org'],
    consumptionQueries: select(MEMORY, 'org'),
  };

  const plain = rowsOf(await charges(query, `/account/${MAIN}`));

  expect(add(allRows(await detailed(query)).map(({ total }) => total)).toFixed()).toBe(
    add(plain.map(({ total }) => total)).toFixed(),
  );
});
