import { BigNumber } from 'bignumber.js';
import * as fc from '../../../support/fast-check.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { AccountChargeQuery } from '../../../../src/platform/billing/charges.ts';
import type { Charges } from '../../../../src/platform/billing/charge-rows.ts';
import { TIME_STEPS, type TimeStep } from '../../../../src/platform/consumption/query.ts';
import { MAIN, ORGS, VIEWER } from '../billing/support.ts';
import { rowsOf, timeOf } from '../consumption/support.ts';
import { rowsIn } from '../hostile/rules.ts';
import { conditionsOn, filterOf } from './conditions.ts';
import {
  priceHours,
  type Bill,
  type PriceBook,
  type PricedItem,
  type Selection,
  type Tier,
} from './price-walk.ts';
import { alignOutward, monthsOf, stepsOf, type Span } from './steps.ts';
import {
  add,
  addTo,
  askRaw,
  fetchPieces,
  HOUR_MS,
  spell,
  startAt,
  type Piece,
  type Standing,
} from './support.ts';

const RUNS = 200;
const DETAILED_RUNS = 100;
const TIMEOUT_MS = 120_000;
const NOW = '2026-10-15T12:00:00Z';
/** Two months, between which the prices change. */
const MONTHS = spanOf('2026-05-01', '2026-07-01');
const WEEKS = spanOf('2026-05-04', '2026-06-29');
/** What the catalogue prices on: the client asks for all of it, whatever it is asked. */
const PRICED_ON = ['feature', 'gpuModel', 'locationType', 'metric', 'performanceClass'];
const OTHERS = ['gvc', 'org'];

/** Where the range of a question is, and how long it may be when each of its steps is told. */
const RANGES: Readonly<Record<TimeStep, { readonly window: Span; readonly hours: number }>> = {
  hour: { window: MONTHS, hours: 40 },
  day: { window: MONTHS, hours: 20 * 24 },
  week: { window: WEEKS, hours: 56 * 24 },
  month: { window: MONTHS, hours: 61 * 24 },
};

interface Question extends Span {
  readonly step: TimeStep;
  readonly perStep: boolean;
  readonly groupBy: readonly string[];
  readonly selection: Selection;
  /** An org asked by itself, or some of the account's orgs, or all of them. */
  readonly form: { readonly org?: string; readonly orgs?: readonly string[] };
}

const ranges = fc
  .record({ step: fc.constantFrom(...TIME_STEPS), perStep: fc.boolean() })
  .chain(({ step, perStep }) => {
    const { window, hours } = RANGES[step];
    const span = (window.end - window.start) / HOUR_MS;
    return fc
      .record({
        first: fc.integer({ min: 0, max: span - 1 }),
        length: fc.integer({ min: 1, max: perStep ? hours : span }),
      })
      .map(({ first, length }) => {
        const start = window.start + first * HOUR_MS;
        return { step, perStep, start, end: Math.min(start + length * HOUR_MS, window.end) };
      });
  });

const forms = fc.oneof(
  fc.constant({}),
  fc.subarray(ORGS, { minLength: 1 }).map((orgs) => ({ orgs })),
  fc.constantFrom(...ORGS).map((org) => ({ org })),
);

function questionsOf({ pieces, items }: PriceBook): fc.Arbitrary<Question> {
  const named = fc.uniqueArray(fc.constantFrom(...items.map(({ name }) => name)), { minLength: 1 });
  return fc
    .record({
      range: ranges,
      form: forms,
      groupBy: fc.subarray([...PRICED_ON, ...OTHERS]),
      more: fc.subarray(OTHERS),
      conditions: conditionsOn(pieces, { maxLength: 2 }),
      chargeableItems: fc.oneof(fc.constant(undefined), fc.constant(undefined), named),
    })
    .map(({ range, form, groupBy, more, conditions, chargeableItems }) => {
      const aggregateBy = [...new Set([...PRICED_ON, ...groupBy, ...more])];
      const selection = { conditions, aggregateBy, ...(chargeableItems && { chargeableItems }) };
      return { ...range, form, groupBy, selection };
    });
}

let standing: Standing;
let book: PriceBook;

beforeAll(async () => {
  standing = await startAt(NOW);
  const { platform } = standing;
  const query = { startTime: timeOf(MONTHS.start), endTime: timeOf(MONTHS.end), timeStep: 'hour' };
  const tags = [...PRICED_ON, ...OTHERS];
  const pieces: Piece[] = [];
  for (const org of ORGS) pieces.push(...(await fetchPieces(platform, org, { ...query, tags })));
  const items = (await askRaw(`${platform.billingUrl}/chargeable_items`, VIEWER)) as PricedItem[];
  const months = stepsOf(MONTHS, 'month');
  const lists = months.map(async (month) => [month.start, await fetchPrices(month)] as const);
  book = { pieces, items, prices: new Map(await Promise.all(lists)) };
}, TIMEOUT_MS);

afterAll(() => standing.close());

test(
  'charges are usage times tiers, filled hour by hour from the first of the month with what is selected',
  async () => {
    await fc.assert(
      fc.asyncProperty(questionsOf(book), async (question) => {
        const { charges } = standing;
        const { org, query } = queryOf(question);
        const { value: charged } = await (org ? charges.org(org, query) : charges.account(query));

        const range = alignOutward(question, question.step);
        const spans = question.perStep ? stepsOf(range, question.step) : [range];
        const bills = priceHours(bookOf(question), question.selection, spans);
        const used = bills.filter(({ rows }) => rows.size > 0);
        expect(charged.skipped).toBe(0);
        expect(charged.periods.map(({ startMs, endMs }) => [startMs, endMs])).toEqual(
          used.map(({ span }) => [span.start, span.end]),
        );
        for (const [index, bill] of used.entries()) {
          expectBill(charged.periods[index]!, bill, question.groupBy);
        }
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

test(
  'detailed charges tell of every month and tier what was used of it, and what that costs',
  async () => {
    await fc.assert(
      fc.asyncProperty(questionsOf(book), async (question) => {
        const { charges } = standing;
        const { org, query } = queryOf(question);
        const { value: charged } = await (org
          ? charges.orgDetailed(org, query)
          : charges.accountDetailed(query));
        const { billingPeriods, skipped } = charged;

        const range = alignOutward(question, question.step);
        const parts = monthsOf(range).map(({ start, end }) => {
          return { start: Math.max(start, range.start), end: Math.min(end, range.end) };
        });
        const bills = priceHours(bookOf(question), question.selection, parts);
        expect(skipped).toBe(0);
        expect(billingPeriods).toHaveLength(bills.length);
        for (const [index, { units, totals }] of bills.entries()) {
          const rows = (billingPeriods[index]?.results ?? []).flatMap(rowsOf);
          const tiers = rows.flatMap(({ details }) => details);
          const told = new Map<string, BigNumber>();
          const paid = new Map<string, BigNumber>();
          for (const { chargeableItemId: item, from, units, amount, rate } of tiers) {
            addTo(told, `${item} from ${from!.toFixed()}`, units);
            addTo(paid, item, amount);
            expect(amount.toFixed()).toBe(units.times(rate).toFixed());
          }
          expect(plain(told)).toEqual(plain(units));
          expect(plain(paid)).toEqual(plain(totals));
          expect(rows.map(({ total }) => total.toFixed())).toEqual(
            rows.map(({ details }) => add(details.map(({ amount }) => amount)).toFixed()),
          );
        }
      }),
      { numRuns: DETAILED_RUNS },
    );
  },
  TIMEOUT_MS,
);

/** The query, and the org whose own form it is sent to. */
function queryOf(question: Question): { org: string | undefined; query: AccountChargeQuery } {
  const { start, end, step, perStep, groupBy, selection, form } = question;
  const { conditions, ...rest } = selection;
  const query = {
    startTime: timeOf(start),
    endTime: timeOf(end),
    timeStep: step,
    aggregateByTimeStep: perStep,
    groupBy,
    consumptionQueries: [{ filterBy: filterOf(conditions), ...rest }],
    ...(form.orgs && { orgs: form.orgs }),
  };
  return { org: form.org, query };
}

/** The price book of the orgs that are asked for. */
function bookOf({ form: { org, orgs } }: Question): PriceBook {
  const asked = org ? [org] : (orgs ?? ORGS);
  return { ...book, pieces: book.pieces.filter(({ tags }) => asked.includes(tags['org'] ?? '')) };
}

/** Rows are what was used, each costs what its hours can cost, and all of an item together cost it exactly. */
function expectBill(
  { groups }: Charges['periods'][number],
  { rows: expected, totals }: Bill,
  groupBy: readonly string[],
): void {
  const paid = new Map<string, BigNumber>();
  const values: string[] = [];
  for (const { key, rows } of groups) {
    for (const { tags, value, total } of rows) {
      const row = spell(tags);
      const { item, lowest, highest } = expected.get(row) ?? {};
      values.push(`${row}: ${value.toFixed()}`);
      if (item) addTo(paid, item, total);
      expect(spell(key)).toBe(spell(tags, groupBy));
      expect(total.gte(lowest ?? NaN) && total.lte(highest ?? NaN)).toBe(true);
    }
  }
  const keys = groups.map(({ key }) => spell(key));
  expect(new Set(keys).size).toBe(keys.length);
  expect(values.toSorted()).toEqual(
    [...expected].map(([row, { value }]) => `${row}: ${value.toFixed()}`).toSorted(),
  );
  expect(plain(paid)).toEqual(plain(totals));
}

function plain(numbers: ReadonlyMap<string, BigNumber>): Record<string, string> {
  return Object.fromEntries([...numbers].map(([name, number]) => [name, number.toFixed()]));
}

/** The tiers of a month, as the whole account has used them: what is asked for has used no others. */
async function fetchPrices({ start, end }: Span): Promise<ReadonlyMap<string, readonly Tier[]>> {
  const url = `${standing.platform.billingUrl}/account/${MAIN}/charges/-query`;
  const answer = await askRaw(url, VIEWER, {
    startTime: timeOf(start),
    endTime: timeOf(end),
    timeStep: 'month',
    groupBy: [],
    consumptionQueries: [{ filterBy: {}, aggregateBy: PRICED_ON }],
    detailed: true,
  });
  const lists = ['detailedResults', 'results', 'periods', 'groups', 'consumptions', 'details'];
  const said = rowsIn(answer, ...lists) as (Tier & { readonly chargeableItemId: string })[];
  const tiers = new Map<string, Tier[]>();
  for (const { chargeableItemId: item, ...tier } of said) {
    const others = (tiers.get(item) ?? []).filter(({ from }) => !from.eq(tier.from));
    tiers.set(
      item,
      [...others, tier].sort((one, other) => one.from.comparedTo(other.from) ?? 0),
    );
  }
  return tiers;
}

function spanOf(start: string, end: string): Span {
  return { start: Date.parse(start), end: Date.parse(end) };
}
