import { BigNumber } from 'bignumber.js';
import { callPlatform } from './changes-raw.ts';
import type { World } from './world.ts';

/** The tags that every item of the catalogue prices on: a row that lacks one counts as 0. */
const PRICED_ON = ['feature', 'metric', 'locationType', 'performanceClass', 'gpuModel'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOVERS = 5;
/** A smaller part of a day's cost is no news. */
const NOTABLE = '0.01';

const CURRENCIES = { USD: { sign: '$', digits: 2 }, JPY: { sign: '¥', digits: 0 } } as const;
export type Currency = keyof typeof CURRENCIES;

/** Where the stand-in is asked, with nothing of the bot between. */
export interface Asked extends Pick<World, 'billingUrl' | 'environment'> {
  /** Of its charges (USD). */
  readonly currency?: Currency;
  /** Tags of the movers of a digest (by workload). */
  readonly moversBy?: readonly string[];
}

interface Answered {
  results: {
    periods: { groups: { key: Record<string, string>; consumptions: { total: number }[] }[] }[];
  };
}

/** The charges from `startMs` on and before `endMs`, by the values of some tags; in whole units. */
async function chargesBy(
  asked: Asked,
  tags: readonly string[],
  startMs: number,
  endMs: number,
): Promise<Map<string, BigNumber>> {
  const { results } = await callPlatform<Answered>(asked, 'POST', '/charges/-query', {
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
    timeStep: 'hour',
    groupBy: tags,
    consumptionQueries: [{ aggregateBy: [...PRICED_ON, ...tags] }],
  });
  const sums = new Map<string, BigNumber>();
  for (const { key, consumptions } of results.periods.flatMap(({ groups }) => groups)) {
    const name = tags.map((tag) => key[tag] ?? '').join(' / ');
    for (const { total } of consumptions) {
      sums.set(name, (sums.get(name) ?? new BigNumber(0)).plus(String(total)));
    }
  }
  return sums;
}

/** The same in all. */
export async function chargesIn(asked: Asked, startMs: number, endMs: number): Promise<BigNumber> {
  return sumOf(await chargesBy(asked, ['org'], startMs, endMs));
}

function sumOf(sums: ReadonlyMap<string, BigNumber>): BigNumber {
  return [...sums.values()].reduce((sum, value) => sum.plus(value), new BigNumber(0));
}

/** The start of the month of a moment, so many months later; ms since the epoch, in UTC. */
export function monthOf(ms: number, later = 0): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

/** The books of a day, at the time of asking. */
export interface DayBooks {
  readonly total: BigNumber;
  /** Lines that a digest begins with, and amounts that it names as the largest changes. */
  readonly headline: string;
  readonly toDate: string;
  readonly moves: readonly string[];
}

/** The books of the day that ends then: beside the day before, and its month beside the one before. */
export async function dayBooks(asked: Asked, endMs: number): Promise<DayBooks> {
  const startMs = endMs - DAY_MS;
  const { currency, moversBy = ['org', 'gvc', 'workload'] } = asked;
  const day = await chargesBy(asked, moversBy, startMs, endMs);
  const dayBefore = await chargesBy(asked, moversBy, startMs - DAY_MS, startMs);
  const month = monthOf(startMs);
  const last = monthOf(startMs, -1);
  const toDate = await chargesIn(asked, month, endMs);
  // A whole month is beside a whole month, and a 31st beside none.
  const isWhole = endMs === monthOf(startMs, 1);
  const lastEnd = isWhole ? month : Math.min(month, last + endMs - month);
  const toDateBefore = await chargesIn(asked, last, lastEnd);
  const total = sumOf(day);
  const name = dayWords(startMs).replace(/^\d+ /, '');
  return {
    total,
    headline: `Spend yesterday (${dayWords(startMs)}): ${money(total, currency)}, ${change(total, sumOf(dayBefore))}`,
    toDate: `${name}${isWhole ? '' : ' so far'}: ${money(toDate, currency)}, ${change(toDate, toDateBefore)} vs `,
    moves: movesOf(day, dayBefore, currency),
  };
}

/** The five largest changes of those that are news, as "+$4.75". */
function movesOf(
  now: ReadonlyMap<string, BigNumber>,
  before: ReadonlyMap<string, BigNumber>,
  currency: Currency | undefined,
): string[] {
  const zero = new BigNumber(0);
  const least = sumOf(now).abs().times(NOTABLE);
  return [...new Set([...now.keys(), ...before.keys()])]
    .map((name) => (now.get(name) ?? zero).minus(before.get(name) ?? zero))
    .filter((move) => move.abs().gte(least))
    .filter((move) => /[1-9]/.test(money(move, currency)))
    .toSorted((a, b) => b.abs().comparedTo(a.abs()) ?? 0)
    .slice(0, MOVERS)
    .map((move) => `${move.gt(0) ? '+' : ''}${money(move, currency)}`);
}

/** "$1,234.56", "¥1,235". */
export function money(amount: BigNumber, currency: Currency = 'USD'): string {
  const { sign, digits } = CURRENCIES[currency];
  return `${amount.lt(0) ? '−' : ''}${sign}${amount.abs().toFormat(digits, BigNumber.ROUND_HALF_UP)}`;
}

/** "up 12%". */
function change(now: BigNumber, before: BigNumber): string {
  const exact = now.minus(before).times(100).div(before);
  const fine = exact.dp(1, BigNumber.ROUND_HALF_UP);
  const percent = fine.abs().lt(10) ? fine : exact.dp(0, BigNumber.ROUND_HALF_UP);
  if (percent.isZero()) return 'about 0%';
  const figure = percent.abs().toFormat(percent.abs().lt(10) ? 1 : 0);
  return `${percent.gt(0) ? 'up' : 'down'} ${figure}%`;
}

/** "27 October". */
export function dayWords(ms: number): string {
  const words = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', words).format(new Date(ms));
}

interface PlatformInvoice {
  readonly id: string;
  readonly number: number;
  /** In the smallest unit. */
  readonly totalCharge: number;
  readonly periods: readonly { readonly items: readonly unknown[] }[];
}

/** @throws when the account has no invoice of this number */
export async function invoiceOf(asked: Asked, number: number): Promise<PlatformInvoice> {
  const path = '/charges/invoices?start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z';
  const answer = await callPlatform<{ invoices: PlatformInvoice[] }>(asked, 'GET', path);
  const found = answer.invoices.find((invoice) => invoice.number === number);
  if (found === undefined) throw new Error(`there is no invoice ${number}`);
  return found;
}

/** The ids of an invoice's e-mails. */
export async function deliveriesOf(asked: Asked, invoiceId: string): Promise<string[]> {
  const path = `/invoice-delivery/deliveries?invoiceId=${invoiceId}`;
  const { items } = await callPlatform<{ items: { id: string }[] }>(asked, 'GET', path);
  return items.map(({ id }) => id);
}
