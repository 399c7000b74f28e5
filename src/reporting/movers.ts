import { BigNumber } from 'bignumber.js';
import type { Charges } from '../platform/billing/charge-rows.ts';
import type { ChargesClient } from '../platform/billing/charges.ts';
import { aggregateLines, formatMoney, sumOf } from './amounts.ts';
import type { Line, Sum } from './amounts.ts';
import { toConsumptionQuery } from './range.ts';
import type { Range } from './range.ts';

/** What was charged in a span, beside the span that it is compared with; in whole units of one currency. */
export interface ComparedCharges {
  readonly range: Range;
  /** Undefined: there is nothing to compare with. */
  readonly before: Range | undefined;
  readonly total: Sum;
  /** By the tags that were asked for, largest first. */
  readonly lines: readonly Line[];
  /** Of the span itself, as the platform answered it. */
  readonly charges: Charges;
}

const EVERYTHING = {
  range: '',
  by: undefined,
  of: [],
  items: [],
  where: {},
  orgs: [],
  step: undefined,
} as const;

/**
 * Reads what an account was charged in two spans by some tags (spec 4.1). Charges in another currency are
 * left out.
 * @throws PlatformError
 */
export async function readCompared(
  charges: Pick<ChargesClient, 'account'>,
  by: readonly string[],
  { range, before }: Pick<ComparedCharges, 'range' | 'before'>,
  currency: string,
): Promise<ComparedCharges> {
  const ask = async (span: Range): Promise<Charges> =>
    (await charges.account(toConsumptionQuery(EVERYTHING, by, span), { fresh: true })).value;
  const [now, earlier] = await Promise.all([ask(range), before && ask(before)]);
  const lines = aggregateLines([now], earlier && [earlier], {
    labels: (key) => by.map((tag) => key[tag] ?? ''),
    measure: (row) => ({ kind: 'money', currency: row.currency ?? currency }),
    value: ({ total }) => total,
    projected: ({ projectedTotal }) => projectedTotal,
  }).filter(({ measure }) => measure.kind === 'money' && measure.currency === currency);
  return { range, before, total: sumOf(lines), lines, charges: now };
}

/** What moved most, by amount and whichever way: at most `count` lines, none of which moved by less than a cent. Pure. */
export function moversOf(lines: readonly Line[], count: number): Line[] {
  return lines
    .filter((line) => !/^[<>]/.test(formatMoney(moveOf(line), currencyOf(line))))
    .filter((line) => !moveOf(line).isZero())
    .toSorted((a, b) => moveOf(b).abs().comparedTo(moveOf(a).abs()) ?? 0)
    .slice(0, count);
}

/** By how much a line moved, in whole units; nothing where the span before is not known. */
export function moveOf({ value, before }: Pick<Line, 'value' | 'before'>): BigNumber {
  return before === undefined ? new BigNumber(0) : value.minus(before);
}

function currencyOf({ measure }: Line): string | undefined {
  return measure.kind === 'money' ? measure.currency : undefined;
}
