import { BigNumber } from 'bignumber.js';

/**
 * What is true of an invoice, from the platform's own words (spec 2.8), read by other means than the
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

export interface WrittenPeriod {
  readonly startTime: string;
  readonly endTime: string;
  readonly status: string;
  readonly totalCharge?: unknown;
  readonly items: readonly unknown[];
}

export interface WrittenLine {
  readonly description: string;
  readonly quantity: BigNumber;
  readonly charge?: unknown;
  readonly org?: unknown;
}

/** Whose a line is; undefined where that is no text. */
export function ownerOf({ org = '' }: WrittenLine): string | undefined {
  return typeof org === 'string' ? org : undefined;
}

const STATUSES: Readonly<Record<string, string>> = {
  paid: '✓ paid',
  'pending-payment': '… payment pending',
  'payment-failed': '✗ payment failed',
  'partially-paid': '◐ partly paid',
  'partially-failed': '⊗ partly failed',
};

/** A status without space around it; empty for what is no text. */
export function statusOf({ status }: { readonly status?: unknown }): string {
  return typeof status === 'string' ? status.replaceAll(/^ +| +$/g, '') : '';
}

/** A status of the specification in the bot's words, any other as it came. */
export function statusInWords(said: { readonly status?: unknown }): string {
  const status = statusOf(said) || '–';
  return STATUSES[status] ?? status;
}

/** Cents; undefined for what is no whole number. */
export function wholeOf(said: unknown): BigNumber | undefined {
  return said instanceof BigNumber && said.isInteger() ? said : undefined;
}

/** "$1,234.56" of cents. */
export function dollars(cents: BigNumber): string {
  const digits = cents.abs().toFixed().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${cents.lt(0) ? '-' : ''}$${whole}.${digits.slice(-2)}`;
}

export function dollarsOrNot(cents: BigNumber | undefined): string {
  return cents === undefined ? 'not readable' : dollars(cents);
}

export function signed(cents: BigNumber): string {
  return `${cents.gt(0) ? '+' : ''}${dollars(cents)}`;
}

export function sumOf(amounts: readonly (BigNumber | undefined)[]): BigNumber {
  return amounts.reduce<BigNumber>((sum, amount) => sum.plus(amount ?? 0), new BigNumber(0));
}

export function linesOf({ periods }: Written): readonly WrittenLine[] {
  return periods.flatMap(linesIn);
}

/** The lines of a period; what is none says nothing, not even whose it is. */
export function linesIn({ items }: WrittenPeriod): readonly WrittenLine[] {
  return items.map((item) =>
    typeof item === 'object' && item !== null && 'description' in item
      ? (item as WrittenLine)
      : { description: '', quantity: new BigNumber(Number.NaN), org: null },
  );
}

/** The credits, without an amount where it is none that lowers the bill; what is no list is one of nothing. */
export function creditsIn({
  credits,
}: Written): { description: string; charge: BigNumber | undefined }[] {
  const listed: unknown[] = Array.isArray(credits) ? credits : credits === undefined ? [] : [{}];
  return (listed as { description?: string; charge?: unknown }[]).map(
    ({ description = '', charge }) => {
      const amount = wholeOf(charge);
      return { description, charge: amount?.gt(0) ? undefined : amount };
    },
  );
}

function creditsOf(invoice: Written): { sum: BigNumber; count: number; unread: number } {
  const amounts = creditsIn(invoice).map(({ charge }) => charge);
  const unread = amounts.filter((amount) => amount === undefined).length;
  return { sum: sumOf(amounts), count: amounts.length, unread };
}

/** What is left to pay if nothing is paid, in cents; not exact: at most so much. */
export function leftOf(invoice: Written): { amount: BigNumber; isExact: boolean } | undefined {
  const total = wholeOf(invoice.totalCharge);
  const { sum, unread } = creditsOf(invoice);
  if (total === undefined) return undefined;
  const amount = BigNumber.max(0, total.plus(sum));
  return { amount, isExact: unread === 0 || amount.isZero() };
}

export function isUnpaid(invoice: Written): boolean {
  const status = statusOf(invoice);
  return status !== 'paid' && Object.hasOwn(STATUSES, status);
}

/** Whether there is something left to pay, or may be, of which nobody can say that it is due. */
export function isDoubtful(invoice: Written): boolean {
  const isKnown = statusOf(invoice) === 'paid' || isUnpaid(invoice);
  return !isKnown && leftOf(invoice)?.amount.isZero() !== true;
}

/** The line below the title of `/invoices show`. */
export function dueInWords(invoice: Written): string {
  const status = statusOf(invoice);
  const total = wholeOf(invoice.totalCharge);
  const left = leftOf(invoice);
  const { sum, count, unread } = creditsOf(invoice);
  const isKnown = status === 'paid' || isUnpaid(invoice);
  const why =
    status === '' ? 'the platform says no status' : `Purser does not know its status \`${status}\``;
  const doubt = !isDoubtful(invoice) ? '' : `; whether it is due is not known, because ${why}`;
  const credits = [
    ...(count > unread ? [`, credits ${dollars(sum)}`] : []),
    ...(unread > 0
      ? [`, ${unread} ${unread === 1 ? 'credit' : 'credits'} not readable and not counted`]
      : []),
  ].join('');
  if (total === undefined || left === undefined) {
    const what = isUnpaid(invoice) ? 'What is due is not known: the' : 'Paid, but the';
    return `${isKnown ? what : 'The'} total cannot be read${credits}${doubt}`;
  }
  const before = `${dollars(total)} before credits${credits}`;
  if (left.amount.isZero()) {
    return total.gt(0)
      ? `Nothing to pay: credits cover it (${before})`
      : `Nothing to pay: the total is ${dollars(total)}`;
  }
  const label = isUnpaid(invoice) ? 'Amount due' : isKnown ? 'Paid' : 'In all';
  const most = left.isExact ? '' : 'at most ';
  const whole =
    isUnpaid(invoice) && status.startsWith('partially-')
      ? ' (all of it is counted, because how much is paid is not said)'
      : '';
  const made = count === 0 ? ', no credits' : ` = ${before}`;
  return `${label} ${most}*${dollars(left.amount)}*${whole}${made}${doubt}`;
}

/** How many warnings of totals there have to be, with their figures. */
export function disagreementsOf(invoice: Written): string[] {
  const { periods } = invoice;
  const total = wholeOf(invoice.totalCharge);
  const found: string[] = [];
  const compare = (parts: string, amounts: readonly unknown[], of: string, said: unknown) => {
    const [read, whole] = [amounts.map(wholeOf), wholeOf(said)];
    if (whole === undefined || read.length === 0 || read.includes(undefined)) return;
    const difference = sumOf(read).minus(whole);
    if (difference.isZero()) return;
    found.push(
      `⚠ ${parts} add up to ${dollars(sumOf(read))}, but the total of ${of} is ${dollars(whole)}: difference ${signed(difference)}`,
    );
  };
  const chargesOf = (period: WrittenPeriod) => linesIn(period).map(({ charge }) => charge);
  const periodTotals = periods.map(({ totalCharge }) => totalCharge);
  compare('The periods', periodTotals, 'the invoice', total);
  const isSame = periods.length === 1 && total !== undefined && wholeOf(periodTotals[0])?.eq(total);
  for (const period of isSame === true ? [] : periods) {
    compare(`The lines of ${monthOf(period)}`, chargesOf(period), 'the period', period.totalCharge);
  }
  for (const { items, ...period } of periods) {
    const whole = wholeOf(period.totalCharge);
    const isOdd = items.length === 0 && periods.some((other) => other.items.length > 0);
    if (!isOdd || whole === undefined || whole.isZero()) continue;
    found.push(`⚠ The platform tells no lines of ${monthOf(period)} (${dollars(whole)})`);
  }
  if (periods.every(({ items }) => items.length > 0)) {
    compare('All lines together', periods.flatMap(chargesOf), 'the invoice', total);
  }
  return found;
}

/** "Oct 2026" of a period that is a whole month. */
export function monthOf({ startTime }: Pick<WrittenPeriod, 'startTime'>): string {
  const names = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
  return `${names[Number(startTime.slice(5, 7)) - 1]} ${startTime.slice(0, 4)}`;
}
