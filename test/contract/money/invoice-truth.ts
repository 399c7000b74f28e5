import { BigNumber } from 'bignumber.js';

/**
 * The facts of an invoice, from the platform's own words (spec 2.8), read by other means than the
 * bot's: a figure counts if it is a whole number, and nothing else does.
 */

/** An invoice as the platform writes it; any member may be missing or be something else. */
export interface Written {
  readonly id: string;
  readonly number: BigNumber;
  readonly startTime: string;
  readonly endTime: string;
  readonly status?: unknown;
  readonly totalCharge?: unknown;
  readonly periods: readonly WrittenPeriod[];
  readonly credits?: unknown;
}

interface WrittenPeriod {
  readonly startTime: string;
  readonly endTime: string;
  readonly status: string;
  readonly totalCharge?: unknown;
  readonly items: readonly unknown[];
}

/** A line of a period, or a credit. */
export interface Line {
  readonly description: string;
  readonly quantity: BigNumber;
  /** Cents; undefined where they cannot be read. */
  readonly charge: BigNumber | undefined;
  /** Whose it is; undefined where that is no text. */
  readonly org: string | undefined;
}

const STATUSES: Readonly<Record<string, string>> = {
  paid: '✅ paid',
  'pending-payment': '⏳ not paid yet',
  'payment-failed': '🟠 payment failed',
  'partially-paid': '🟠 partly paid',
  'partially-failed': '🟠 partly failed',
};

/** A status of the specification in the bot's words, any other as it came, without space around it. */
export function statusInWords(said: unknown): string {
  const status = typeof said === 'string' ? said.replaceAll(/^ +| +$/g, '') : '';
  return STATUSES[status] ?? (status === '' ? '–' : `⚪ ${status}`);
}

/** Cents; undefined unless it is a whole number. */
function wholeOf(said: unknown): BigNumber | undefined {
  return said instanceof BigNumber && said.isInteger() ? said : undefined;
}

/** "$1,234.56" of cents. */
export function dollars(cents: BigNumber | undefined): string {
  if (cents === undefined) return 'not readable';
  // Digit by digit, not with the bot's own formatting.
  const digits = cents.abs().toFixed().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${cents.lt(0) ? '−' : ''}$${whole}.${digits.slice(-2)}`;
}

export function signed(cents: BigNumber): string {
  return `${cents.gt(0) ? '+' : ''}${dollars(cents)}`;
}

export function sumOf(amounts: readonly (BigNumber | undefined)[]): BigNumber {
  return amounts.reduce<BigNumber>((sum, amount) => sum.plus(amount ?? 0), new BigNumber(0));
}

/** "October 2026" of a period that is a whole month. */
export function monthOf({ startTime }: { readonly startTime: string }): string {
  const names =
    'January February March April May June July August September October November December'.split(
      ' ',
    );
  return `${names[Number(startTime.slice(5, 7)) - 1]} ${startTime.slice(0, 4)}`;
}

/** "1 credit", "2 credits". */
export function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** A line that is no object has no facts, not even an org. */
function lineOf(item: unknown): Line {
  const said = (item ?? {}) as { [Member in keyof Line]?: unknown };
  if (typeof said.description !== 'string') {
    return { description: '', quantity: new BigNumber(NaN), charge: undefined, org: undefined };
  }
  const { description, quantity, charge, org = '' } = said;
  return {
    description,
    quantity: quantity as BigNumber,
    charge: wholeOf(charge),
    org: typeof org === 'string' ? org : undefined,
  };
}

/** The credits, without an amount that does not lower the bill; anything but a list counts as one empty credit. */
function creditsIn(credits: unknown): Pick<Line, 'description' | 'charge'>[] {
  const listed: unknown[] = Array.isArray(credits) ? credits : credits === undefined ? [] : [{}];
  return listed.map((one) => {
    const { description, charge } = lineOf(one);
    return { description, charge: charge?.gt(0) ? undefined : charge };
  });
}

export type Facts = ReturnType<typeof factsOf>;

export function factsOf(invoice: Written) {
  const status = statusInWords(invoice.status);
  const isPaid = status === STATUSES['paid'];
  const isUnpaid = !isPaid && Object.values(STATUSES).includes(status);
  const total = wholeOf(invoice.totalCharge);
  const credits = creditsIn(invoice.credits);
  const read = credits.filter(({ charge }) => charge !== undefined);
  /** The sum of the readable credits, below 0. */
  const given = sumOf(read.map(({ charge }) => charge));
  /** The amount to pay before any payment. */
  const left = total && BigNumber.max(0, total.plus(given));
  const periods = invoice.periods.map(({ items, totalCharge, ...period }) => ({
    ...period,
    month: monthOf(period),
    total: wholeOf(totalCharge),
    lines: items.map(lineOf),
  }));
  const statusesOf = periods.map((period) => statusInWords(period.status));
  /** When one period is paid, another one without an amount leaves the amount due unknown. */
  const hasOpenUnread = periods.some(
    (period, at) =>
      period.total === undefined &&
      statusesOf[at] !== STATUSES['paid'] &&
      Object.values(STATUSES).includes(statusesOf[at]!),
  );
  return {
    isOpenUnread: isUnpaid && statusesOf.includes(STATUSES['paid']!) && hasOpenUnread,
    invoice,
    number: invoice.number.toFixed(),
    status,
    isPaid,
    isUnpaid,
    /** Of a status that is in words as it came. */
    isPartly: isUnpaid && status.includes(' partly '),
    total,
    credits,
    given,
    unread: credits.length - read.length,
    left,
    /** Else at most so much is left. */
    isExact: left !== undefined && (read.length === credits.length || left.isZero()),
    /** There is something left to pay, or may be, of which no one can say that it is due. */
    isDoubtful: !isPaid && !isUnpaid && left?.isZero() !== true,
    periods,
    lines: periods.flatMap(({ lines }) => lines),
  };
}

/** The open part of an invoice whose periods are paid, pending or failed, in words; else undefined. */
function openPart({ periods, left, credits, invoice, isExact, status }: Facts) {
  const words = periods.map(({ status }) => statusInWords(status));
  const isOpen = (status: string) => / (?:not paid yet|payment failed)$/.test(status);
  const open = periods.filter((_, at) => isOpen(words[at]!));
  const isKnown = words.every((status) => isOpen(status) || status === STATUSES['paid']);
  // Where no period is paid, all that failed in part is open.
  const isWhole = open.length === periods.length;
  if (left === undefined || open.length === 0 || !isKnown) return undefined;
  if (isWhole && !status.endsWith(' partly failed')) return undefined;
  const year = monthOf({
    startTime: new Date(Date.parse(invoice.endTime) - 1).toISOString(),
  }).slice(-5);
  const months = [...new Set(open.map(({ month }) => month.replace(year, '')))];
  const amount = isWhole ? left : BigNumber.min(left, sumOf(open.map(({ total }) => total)));
  const isSure = isWhole ? isExact : credits.length === 0;
  const of = isWhole ? '' : ` of ${isExact ? '' : 'at most '}${dollars(left)}`;
  return {
    amount,
    isFailed: open.every(({ status }) => statusInWords(status).endsWith(' payment failed')),
    words: `${isSure ? '' : 'at most '}${dollars(amount)} open (${months.join(', ')})${of}`,
  };
}

/** The amount due of an open invoice: the words of its cell in the list, and the number. */
export function openIn(facts: Facts) {
  const part = openPart(facts);
  // The amount of a partly paid invoice is an upper bound.
  const isPaidUnknown = facts.isPartly && part === undefined;
  const most = facts.isExact && !isPaidUnknown ? '' : 'at most ';
  return {
    words: part?.words ?? `${most}${dollars(facts.left)}`,
    amount: part?.amount ?? facts.left!,
    isPaidUnknown,
  };
}

/** The amount in the state of an invoice; empty where nothing is to pay, or where it is not known how much. */
export function amountIn(facts: Facts): string {
  const { left, isUnpaid, isOpenUnread, isExact } = facts;
  if (left === undefined || left.isZero() || isOpenUnread) return '';
  return isUnpaid ? openIn(facts).words : `${isExact ? '' : 'at most '}${dollars(left)}`;
}

/** The line of the credits below the state. */
export function creditsInWords({ total, credits, given, unread }: Facts): string[] {
  const used = total ? BigNumber.max(given, BigNumber.min(total.negated(), 0)) : given;
  const of = used.eq(given) ? '' : ` (of ${dollars(given)})`;
  const parts = [
    ...(credits.length === 0 || total === undefined ? [] : [`${dollars(total)} before credits`]),
    ...(credits.length > unread ? [`credits ${dollars(used)}${of}`] : []),
    ...(unread > 0 ? [`${plural(unread, 'credit')} not readable and not counted`] : []),
  ];
  return parts.length === 0 ? [] : [parts.join(', ')];
}

/** The warnings of totals that there have to be, with their figures. */
export function disagreementsOf({ periods, lines, total }: Facts): string[] {
  const found: string[] = [];
  const compare = (
    parts: string,
    amounts: readonly (BigNumber | undefined)[],
    of: string,
    whole: BigNumber | undefined,
  ) => {
    const sum = sumOf(amounts);
    if (whole === undefined || amounts.length === 0 || amounts.includes(undefined)) return;
    if (sum.eq(whole)) return;
    found.push(
      `⚠ ${parts} add up to ${dollars(sum)}, but the total of ${of} is ${dollars(whole)}: difference ${signed(whole.minus(sum))}`,
    );
  };
  const chargesOf = (some: readonly Line[]) => some.map(({ charge }) => charge);
  const totals = periods.map((period) => period.total);
  compare('The periods', totals, 'the invoice', total);
  const isSame = periods.length === 1 && total !== undefined && totals[0]?.eq(total) === true;
  for (const { month, lines, total } of isSame ? [] : periods) {
    compare(`The lines of ${month}`, chargesOf(lines), 'the period', total);
  }
  const empty = periods.filter(({ lines }) => lines.length === 0);
  for (const { month, total } of lines.length > 0 ? empty : []) {
    if (total === undefined || total.isZero()) continue;
    found.push(`⚠ The platform names no lines of ${month} (${dollars(total)})`);
  }
  if (empty.length === 0) compare('All lines together', chargesOf(lines), 'the invoice', total);
  return found;
}
