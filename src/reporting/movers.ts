import { BigNumber } from 'bignumber.js';
import type { ChargeRow, Charges } from '../platform/billing/charge-rows.ts';
import type { ChargesClient } from '../platform/billing/charges.ts';
import {
  aggregateLines,
  barsOfLines,
  formatMoney,
  sumOf,
  type Line,
  type LineRules,
  type Sum,
} from './amounts.ts';
import { stepStart, toConsumptionQuery, type Range } from './range.ts';

/** What was charged in a span, beside the span that it is compared with; in whole units of one currency. */
export interface ComparedCharges {
  readonly range: Range;
  /** Undefined: there is nothing to compare with. */
  readonly before: Range | undefined;
  readonly total: Sum;
  /** By the tags that were asked for, largest first. */
  readonly lines: readonly Line[];
  /** Currencies that something is charged in, too, and that are left out. */
  readonly others?: readonly string[];
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
  const { lines, others } = linesIn([now], earlier && [earlier], by, currency);
  return { range, before, total: sumOf(lines), lines, others, charges: now };
}

/**
 * What an account was charged on each day of a span, in whole units of one currency; undefined: nothing.
 * @throws PlatformError
 */
export async function readDays(
  charges: Pick<ChargesClient, 'account'>,
  range: Range,
  currency: string,
): Promise<(BigNumber | undefined)[]> {
  const query = toConsumptionQuery({ ...EVERYTHING, step: 'day' }, [], range);
  const { value } = await charges.account(query, { fresh: true });
  const { lines } = linesIn([value], undefined, [], currency, (ms) => stepStart(ms, 'day'));
  return barsOfLines(lines, range, 'day').map((bar) => bar.value);
}

function linesIn(
  now: readonly Charges[],
  before: readonly Charges[] | undefined,
  by: readonly string[],
  currency: string,
  stepOf?: (ms: number) => number,
): { lines: Line[]; others: string[] } {
  const rules: LineRules<ChargeRow> = {
    labels: (key) => by.map((tag) => key[tag] ?? ''),
    measure: (row) => ({ kind: 'money', currency: row.currency ?? currency }),
    value: ({ total }) => total,
    projected: ({ projectedTotal }) => projectedTotal,
  };
  const all = aggregateLines(now, before, rules, stepOf);
  const others = all.filter((line) => currencyOf(line) !== currency && !line.value.isZero());
  return {
    lines: all.filter((line) => currencyOf(line) === currency),
    others: [...new Set(others.map((line) => currencyOf(line) ?? ''))],
  };
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
