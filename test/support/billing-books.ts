import { BigNumber } from 'bignumber.js';
import { callPlatform } from './changes-raw.ts';
import type { World } from './world.ts';

/** What every item of the catalogue prices on: a row that lacks one of them counts as 0. */
const PRICED_ON = ['feature', 'metric', 'locationType', 'performanceClass', 'gpuModel'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CENT = new BigNumber('0.01');
const MOVERS = 5;

/** Where the stand-in is asked, with nothing of the bot between. */
export type Asked = Pick<World, 'billingUrl' | 'environment'>;

interface Answered {
  results: {
    periods: { groups: { key: Record<string, string>; consumptions: { total: number }[] }[] }[];
  };
}

/** What is charged from `startMs` on and before `endMs`, by the values of some tags; in dollars. */
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

/** What the books say of a day, at the time of asking. */
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
  const tags = ['org', 'gvc', 'workload', 'metric'];
  const day = await chargesBy(asked, tags, startMs, endMs);
  const dayBefore = await chargesBy(asked, tags, startMs - DAY_MS, startMs);
  const month = monthOf(startMs);
  const last = monthOf(startMs, -1);
  const toDate = await chargesIn(asked, month, endMs);
  // A whole month is beside a whole month, and a 31st beside none.
  const lastEnd = endMs === monthOf(startMs, 1) ? month : Math.min(month, last + endMs - month);
  const toDateBefore = await chargesIn(asked, last, lastEnd);
  const total = sumOf(day);
  const words = `${usd(total)} on ${dayWords(startMs, 'year')}`;
  return {
    total,
    headline: `*${words}*, ${change(total, sumOf(dayBefore))} vs ${dayWords(startMs - DAY_MS)}`,
    toDate: `: *${usd(toDate)}*, ${change(toDate, toDateBefore)} vs `,
    moves: movesOf(day, dayBefore),
  };
}

/** The five largest changes, as "+$0.75". */
function movesOf(
  now: ReadonlyMap<string, BigNumber>,
  before: ReadonlyMap<string, BigNumber>,
): string[] {
  const zero = new BigNumber(0);
  return [...new Set([...now.keys(), ...before.keys()])]
    .map((name) => (now.get(name) ?? zero).minus(before.get(name) ?? zero))
    .filter((move) => move.abs().gte(CENT))
    .toSorted((a, b) => b.abs().comparedTo(a.abs()) ?? 0)
    .slice(0, MOVERS)
    .map((move) => `${move.gt(0) ? '+' : ''}${usd(move)}`);
}

/** "$1,234.56". */
export function usd(amount: BigNumber): string {
  return `${amount.lt(0) ? '−' : ''}$${amount.abs().toFormat(2, BigNumber.ROUND_HALF_UP)}`;
}

/** "+12%". */
function change(now: BigNumber, before: BigNumber): string {
  const exact = now.minus(before).times(100).div(before);
  const fine = exact.dp(1, BigNumber.ROUND_HALF_UP);
  const percent = fine.abs().lt(10) ? fine : exact.dp(0, BigNumber.ROUND_HALF_UP);
  if (percent.isZero()) return 'about 0%';
  const figure = percent.abs().toFormat(percent.abs().lt(10) ? 1 : 0);
  return `${percent.gt(0) ? '+' : '−'}${figure}%`;
}

/** "27 October", with the year if it is asked for. */
export function dayWords(ms: number, year?: 'year'): string {
  const words = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  const format = new Intl.DateTimeFormat('en-GB', year ? { ...words, year: 'numeric' } : words);
  return format.format(new Date(ms));
}

interface PlatformInvoice {
  readonly id: string;
  readonly number: number;
  /** Cents. */
  readonly totalCharge: number;
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
