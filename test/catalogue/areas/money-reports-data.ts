import { readCompared, type ComparedCharges } from '../../../src/reporting/spend.ts';
import type { Range } from '../../../src/reporting/range.ts';
import type { Catalogue, ChargeRow, Charges } from '../../../src/platform/billing/charge-rows.ts';
import { DAY } from '../entry.ts';
import { amount, at, CURRENCY, reading } from './money-data.ts';

/** "acme/shop/api cpu", its charges in a span, and in the span before; absent: nothing. */
export type Cost = readonly [what: string, now: number | undefined, before?: number];

/** The charges of every workload of two orgs on a day, and on the day before. */
export const DAY_COSTS: readonly Cost[] = [
  ['acme/shop/api cpu', 14.92, 10.81],
  ['acme/shop/api memory', 6.41, 6.4],
  ['acme/shop/web cpu', 9.87, 11.02],
  ['acme/shop/web egress', 4.75, 2.1],
  ['acme/shop/orders-reconciliation-worker memory', 3.2],
  ['acme/data/warehouse volume-set-capacity-bytes', 12.5, 12.48],
  ['acme/data/nightly-export cpu', undefined, 0.87],
  ['globex/portal/site cpu', 9.55, 8.4],
  ['globex// logs', 2.1, 2.04],
];

/** The same, so many times as much, and a little more than before. */
export function times(costs: readonly Cost[], factor: number): Cost[] {
  const cents = (cost: number) => Number(cost.toFixed(2));
  return costs.map(([what, now, before]) => {
    const more = now === undefined ? undefined : cents(now * factor);
    return before === undefined ? [what, more] : [what, more, cents(before * factor * 0.94)];
  });
}

/** Whole days in UTC, the last one included. */
export const days = (first: string, last = first): Range => ({
  startMs: at(first),
  endMs: at(last) + DAY,
});

/** The chargeable items, as far as they matter here. */
const CATALOGUE: Catalogue = {
  items: ['cpu', 'memory', 'egress', 'logs', 'volume-set-capacity-bytes'].map((metric) => ({
    id: metric,
    name: metric,
    description: '',
    consumptionTags: { metric },
    unit: '',
    type: undefined,
  })),
  skipped: 0,
};

function answered(
  costs: readonly (readonly [what: string, cost: number | undefined])[],
  span: Range,
  by: readonly string[],
  over: Partial<Charges>,
): Charges {
  const groups = costs.flatMap(([what, cost]) => {
    if (cost === undefined) return [];
    const [place = '', metric = ''] = what.split(' ');
    const [org = '', gvc = '', workload = ''] = place.split('/');
    const tags: Record<string, string> = { org, gvc, workload, metric };
    const row: ChargeRow = {
      value: amount(1),
      tags: { metric },
      total: amount(cost),
      projectedTotal: undefined,
      currency: CURRENCY,
      ratePlans: [],
    };
    return [{ key: Object.fromEntries(by.map((tag) => [tag, tags[tag] ?? ''])), rows: [row] }];
  });
  const seconds = { totalSeconds: undefined, elapsedSeconds: undefined };
  return {
    periods: [{ ...span, ...seconds, consumptionCount: groups.length, groups }],
    consumptionCount: groups.length,
    skipped: 0,
    aggregateBy: [...by],
    mayBeTooLow: false,
    catalogue: CATALOGUE,
    ...over,
  };
}

/** The charges of an account in two spans, as the platform answers. @param over members of each answer */
export function compared(
  costs: readonly Cost[],
  spans: Pick<ComparedCharges, 'range' | 'before'>,
  by: readonly string[],
  over: Partial<Charges> = {},
  overBefore: Partial<Charges> = {},
): Promise<ComparedCharges> {
  const answers = [
    answered(
      costs.map(([what, now]) => [what, now]),
      spans.range,
      by,
      over,
    ),
    ...(spans.before === undefined
      ? []
      : [
          answered(
            costs.map(([what, , before]) => [what, before]),
            spans.before,
            by,
            overBefore,
          ),
        ]),
  ];
  const account = async () => reading(answers.shift() as Charges);
  return readCompared({ account }, by, spans, CURRENCY);
}
