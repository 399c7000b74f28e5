import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { Shown } from './answer-read.ts';
import { isQuantity } from './figures-read.ts';
import {
  amountIn,
  creditsInWords,
  disagreementsOf,
  dollars,
  factsOf,
  monthOf,
  openIn,
  plural,
  signed,
  statusInWords,
  sumOf,
  type Facts,
  type Line,
  type Written,
} from './invoice-truth.ts';

/** Actual and expected words, by their subject. */
export type Said = Readonly<Record<'is' | 'should', object>>;

/** The words of an answer to `/invoices show`, on all its pages. @param charged in cents */
export function shownOf(pages: readonly Shown[], invoice: Written, charged: BigNumber): Said {
  const { head, words } = pages[0]!;
  const all = (pattern: RegExp) => [...words.matchAll(pattern)].map(([text]) => text);
  const facts = factsOf(invoice);
  const { number, periods, lines } = facts;
  const unread = lines.filter(({ charge }) => charge === undefined).length;
  const [first] = periods;
  // The only one, if it says the same, is not reported again.
  const isOnePeriod =
    periods.length === 1 &&
    first!.total !== undefined &&
    facts.total?.eq(first!.total) === true &&
    statusInWords(first!.status) === facts.status &&
    titleOf(facts).endsWith(` · ${first!.month}`);
  return {
    is: {
      number,
      title: head[0],
      amount: head[1]?.includes(amountIn(facts)),
      // The words of each state, and the next step, are in the catalogue.
      credits: head.slice(2).filter((line) => !line.startsWith('→')),
      periods: all(/^• Period .*$/gm),
      warnings: all(/^⚠ (?:.* add up to|The platform names no lines of) .*$/gm),
      lines: all(/^All lines: .*$/gm),
      unread: all(/^⚠ The charge of .*$/gm),
      comparison: all(/^(?:Charges of the same months|No comparison).*$/gm),
      table: lineProblems(pages, facts),
    },
    should: {
      number,
      title: titleOf(facts),
      amount: true,
      credits: creditsInWords(facts),
      periods: isOnePeriod
        ? []
        : periods.map(
            ({ month, total, status }) =>
              `• Period ${month}: ${dollars(total)}, ${statusInWords(status)}`,
          ),
      warnings: disagreementsOf(facts),
      lines: [`All lines: ${sumsIn(lines)}`],
      unread:
        unread === 0
          ? []
          : [
              `⚠ The charge of ${plural(unread, 'line')} is not readable: sums are without ${unread === 1 ? 'it' : 'them'}`,
            ],
      comparison: [comparisonOf(facts, charged)],
      table: [],
    },
  };
}

/** Number and months ("September to October 2025"). */
function titleOf({ invoice, number }: Facts): string {
  const end = Date.parse(invoice.endTime);
  const first = monthOf(invoice);
  const last = monthOf({ startTime: new Date(end - 1).toISOString() });
  const from = first.slice(-4) === last.slice(-4) ? first.slice(0, -5) : first;
  const months = first === last ? first : `${from} to ${last}`;
  return `*Invoice ${number}* · ${months}`;
}

/** Together and by org, the largest first, without unreadable ones. */
function sumsIn(lines: readonly Line[]): string {
  const read = lines.filter(({ charge }) => charge !== undefined);
  const sumBy = (some: readonly Line[]) => sumOf(some.map(({ charge }) => charge));
  const orgs = [...new Set(read.map(({ org }) => org))]
    .map((org) => ({ org, sum: sumBy(read.filter((line) => line.org === org)) }))
    .toSorted((one, other) => other.sum.comparedTo(one.sum)!);
  const parts = orgs.map(
    ({ org, sum }) => `${org === '' ? '(surcharges)' : (org ?? '(not reported)')} ${dollars(sum)}`,
  );
  return `*${dollars(sumBy(read))}*${orgs.length > 1 ? ` = ${parts.join(' + ')}` : ''}`;
}

/** The charges of the same months, and a difference that is explained to the cent. */
function comparisonOf(
  { total, given, credits, isExact, lines, periods }: Facts,
  charged: BigNumber,
) {
  if (total === undefined) {
    return 'No comparison with the charges of the same months: the total of the invoice cannot be read.';
  }
  // Credits are worth no more than there is to pay, and nothing where there is nothing to pay.
  const isTaken = isExact && total.gt(0);
  const taken = isTaken ? BigNumber.max(given, total.negated()) : new BigNumber(0);
  const before = credits.length > 0 && !isTaken ? ' before credits' : '';
  const invoiced = total.plus(taken);
  const ofAccount = lines.filter(({ org }) => org === '');
  const surcharges = sumOf(ofAccount.map(({ charge }) => charge));
  const isUnread =
    ofAccount.some(({ charge }) => charge === undefined) ||
    lines.some(({ org }) => org === undefined);
  const rest = total.minus(surcharges).minus(charged);
  const spans = new Set(periods.map(({ startTime, endTime }) => `${startTime} ${endTime}`)).size;
  const rounded = (lines.length - ofAccount.length + spans) / 2;
  const isSmall = rest.abs().lte(rounded) || rest.abs().times(500).lte(total.abs());
  const small = isSmall ? 'rounding or later revisions' : 'unexplained';
  const reasons: [string, BigNumber][] = [
    ['credits', taken],
    ['surcharges (lines without an org)', surcharges],
    [isUnread ? 'perhaps unreadable surcharges' : small, rest],
  ];
  const parts = reasons.filter(([, amount]) => !amount.isZero());
  const said = parts.map(([words, amount]) =>
    parts.length === 1 ? words : `${words} ${signed(amount)}`,
  );
  const both = `Charges of the same months: ${dollars(charged)}`;
  if (said.length === 0) return `${both}, exactly what is on the invoice${before}`;
  return `${both}; invoice${before}: ${dollars(invoiced)}; difference ${signed(invoiced.minus(charged))}: ${said.join(', ')}`;
}

/** Unit of the platform -> a metric with this unit, the unit of a price, and its size. */
const UNITS: Readonly<Record<string, readonly [metric: string, per: string, size: number]>> = {
  'cores * seconds': ['cpu', 'core-hour', 3_600],
  'bytes * seconds': ['memory', 'GiB-hour', 2 ** 30 * 3_600],
  bytes: ['egress', 'GiB', 2 ** 30],
  'gpus * seconds': ['gpu', 'GPU-hour', 3_600],
  'gibibytes * seconds': ['snapshot-storage', 'GiB-hour', 3_600],
  'gigabytes * seconds': ['logs-storage', 'GB-hour', 3_600],
  seconds: ['load-balancer-seconds', 'hour', 3_600],
  samples: ['metrics-samples', 'sample', 1],
};

/** Every line of the invoice is there once, by item, period and tier, below the sum of its item. */
function lineProblems(pages: readonly Shown[], { periods }: Facts): string[] {
  const isOfPeriods = periods.length > 1;
  const titles = `Org Item Charge ${isOfPeriods ? 'Period ' : ''}Quantity Rate`;
  const reported = pages[0]?.titles.join(' ');
  if (reported !== titles) return [`the columns are ${reported}`];

  const left = new Map<string, (Line & { readonly month: string })[]>();
  for (const { month, lines } of periods) {
    for (const line of lines) {
      const key = `${line.org ?? '(not reported)'} ${partsOf(line).item || '–'}`;
      left.set(key, [...(left.get(key) ?? []), { ...line, month }]);
    }
  }
  const wrong = pages
    .flatMap(({ rows }) => rows)
    .filter((row) => {
      const cells = isOfPeriods ? row : row.toSpliced(3, 0, '');
      const [org = '', named = '', charge = '', month = '', quantity = '', rate = ''] = cells;
      const { item = named, count } =
        /^(?<item>.+), (?<count>\d+) lines together$/.exec(named)?.groups ?? {};
      const own = left.get(`${org === '(surcharge)' ? '' : org} ${item}`) ?? [];
      const lines = count === undefined ? own.splice(0, 1) : own;
      const isRight =
        lines.length === Number(count ?? 1) &&
        charge === dollars(sumIfRead(lines)) &&
        isUsed(quantity, lines) &&
        (count === undefined
          ? (!isOfPeriods || month === lines[0]?.month) && isRate(rate, quantity, lines[0]!)
          : lines.length > 1);
      return !isRight;
    });
  const missing = [...left.values()].flat().map(({ description }) => `${description} is missing`);
  return [...wrong.map((row) => row.join(' | ')), ...missing];
}

function sumIfRead(lines: readonly Line[]): BigNumber | undefined {
  const charges = lines.map(({ charge }) => charge);
  return charges.includes(undefined) ? undefined : sumOf(charges);
}

function isUsed(text: string, lines: readonly Line[]): boolean {
  const [line] = lines;
  const isReported = lines.every(({ quantity }) => quantity.isFinite());
  if (line === undefined || line.org === '' || !isReported) return text === '–';
  const { unit } = partsOf(line);
  const used = sumOf(lines.map(({ quantity }) => quantity));
  return unit === '' ? text === used.toFormat() : isQuantity(text, used, UNITS[unit]?.[0] ?? '');
}

/**
 * The rate of the description, for one or many of a unit that people read, to four digits. It is marked as
 * approximate where the shown figures do not multiply to the charge.
 */
function isRate(text: string, quantity: string, line: Line): boolean {
  const { unit, rate } = partsOf(line);
  if (rate === undefined) return text === '–';
  const { about, figure, count, per } =
    /^(?<about>about )?\$(?<figure>[\d,.]+) per (?:(?<count>[\d,]+) )?(?<per>\S+)$/.exec(text)
      ?.groups ?? {};
  const [, one, size = NaN] = UNITS[unit] ?? [];
  if (figure === undefined || (count === undefined ? per : per?.replace(/s$/, '')) !== one) {
    return false;
  }
  const [shown, times] = [figure, count ?? '1'].map((text) => Number(text.replaceAll(',', '')));
  const exact = new BigNumber(rate).times(size).times(times!);
  const used = /^[\d,.]+/.exec(quantity)?.[0].replaceAll(',', '');
  const product = new BigNumber(used ?? NaN).times(shown!).div(times!).shiftedBy(2);
  // A figure that is hidden, or shown only as a bound, cannot be multiplied.
  const isKept = about !== undefined || product.isNaN() || line.charge?.eq(product.dp(0)) !== false;
  return isKept && exact.minus(shown!).abs().lte(exact.times(5e-4));
}

/** "acme: cpu (cores * seconds), Quantity: 7200, Rate: 0.00001". */
function partsOf({ description }: Line) {
  const {
    item = description,
    unit = '',
    rate,
  } = /^[\w-]+: (?<item>[\w-]+) \((?<unit>[^)]+)\), Quantity: [^,]+, Rate: (?<rate>\S+)$/.exec(
    description,
  )?.groups ?? {};
  return { item, unit, rate };
}

/** The words of an answer to `/invoices list` about all invoices, newest first. */
export function listedOf({ head, rows }: Shown, invoices: readonly Written[]): Said {
  const all = invoices.map(factsOf);
  const unpaid = all.filter(({ isUnpaid }) => isUnpaid);
  const isUnread = ({ left, isOpenUnread }: Facts) =>
    left === undefined || (isOpenUnread && !left.isZero());
  const unread = unpaid.filter(isUnread);
  const open = unpaid.filter((one) => !isUnread(one) && one.left?.gt(0));
  const partly = open.filter((one) => openIn(one).isPaidUnknown).length;
  const parts = ['payment failed', 'partly paid', 'partly failed'].flatMap((words) => {
    const those = open.filter(({ status }) => status.endsWith(` ${words}`)).length;
    return those === 0 ? [] : [`${those} ${words.replace('payment ', '')}`];
  });
  const ofThem = open.length === 1 ? '' : ` of ${partly} of them`;
  const whole = partly === 0 ? '' : ` (what is paid${ofThem} is not known)`;
  const isExact = open.every((one) => one.isExact);
  const [sum, full] = [
    sumOf(open.map((one) => openIn(one).amount)),
    sumOf(open.map(({ left }) => left)),
  ];
  const doubtful = all.filter(({ isDoubtful }) => isDoubtful);
  const uncounted = unread.length + doubtful.length;
  // Invoices that are not counted may add to what is due: a limit is of the others alone.
  const limit = (cents: BigNumber, isSure: boolean) => {
    if (isSure) return dollars(cents);
    return uncounted > 0 ? `${dollars(cents)} or less` : `at most ${dollars(cents)}`;
  };
  const of = sum.eq(full) ? '' : ` of ${limit(full, isExact)}`;
  const [most, those] = [limit(sum, isExact && partly === 0), plural(open.length, 'invoice')];
  const total =
    uncounted === 0
      ? `*${most.replace(/^a/, 'A')} open*${of} in ${those}`
      : `*${most} open${of} in ${those}, and ${plural(uncounted, 'invoice')} not counted*`;
  const notCounted = (some: readonly Facts[], which: string, what: string) => {
    const [has, is] = some.length === 1 ? ['has', 'is'] : ['have', 'are'];
    const those = `${some.length} ${which}invoice${some.length === 1 ? '' : 's'}`;
    return some.length === 0 ? [] : [`⚠ ${those} ${has} ${what} and ${is} not counted`];
  };
  return {
    is: {
      head: [head[0]?.split(' · ')[0], ...head.slice(1)],
      trouble: head[0]?.split(' · ').slice(1, -1).join(' · '),
      rows: rows.map(([number, status, due, , total]) => [number, due, status, total]),
    },
    should: {
      head: [
        total,
        ...notCounted(unread, 'open ', 'an amount that cannot be read'),
        ...notCounted(doubtful, '', 'a status that Purser does not know'),
      ],
      trouble: `${parts.join(' · ')}${whole}`,
      rows: all.map((one) => [one.number, dueCell(one), one.status, dollars(one.total)]),
    },
  };
}

function dueCell(facts: Facts): string {
  const { isPaid, isDoubtful, isOpenUnread, left } = facts;
  if (isPaid) return '–';
  if (isDoubtful) return 'not known';
  if (left?.isZero() === true) return 'nothing';
  return isOpenUnread || left === undefined ? dollars(undefined) : openIn(facts).words;
}

/** The contents of the file of an invoice: each line and credit as it was written. */
export function filedOf(file: { name: string; text: string }, invoice: Written): Said {
  const rows = parse<Record<string, string>>(file.text, {
    columns: true,
    record_delimiter: '\r\n',
  });
  const { number, periods, credits } = factsOf(invoice);
  const charge = (cents: BigNumber | undefined) => ({
    'charge in smallest unit': cents?.toFixed() ?? '',
    charge: cents?.div(100).toFixed() ?? '',
  });
  const lines = periods.flatMap(({ lines, startTime }) =>
    lines.map((line) => ({
      kind: line.org === '' ? 'surcharge' : 'line',
      'period start': startTime.replace('.000Z', 'Z'),
      org: line.org ?? '',
      description: line.description,
      ...charge(line.charge),
    })),
  );
  const others = credits.map((credit) => ({
    kind: 'credit',
    'period start': '',
    org: '',
    description: credit.description,
    ...charge(credit.charge),
  }));
  const should = [...lines, ...others].map((row): unknown => expect.objectContaining(row));
  return { is: { name: file.name, rows }, should: { name: `invoice-${number}.csv`, rows: should } };
}
