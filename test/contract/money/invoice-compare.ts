import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';

import type { Shown } from './answer-read.ts';
import { lineProblems } from './invoice-lines-compare.ts';
import {
  creditsIn,
  disagreementsOf,
  dollars,
  dollarsOrNot,
  dueInWords,
  isDoubtful,
  isUnpaid,
  leftOf,
  linesIn,
  linesOf,
  monthOf,
  ownerOf,
  signed,
  statusInWords,
  statusOf,
  sumOf,
  wholeOf,
} from './invoice-truth.ts';
import type { Written } from './invoice-truth.ts';
import { inWords } from './spans.ts';

/** What an answer to `/invoices show` says that is not so, on all its pages. */
export function showProblems(
  pages: readonly Shown[],
  invoice: Written,
  charged: BigNumber,
): string[] {
  const [first] = pages;
  if (first === undefined) return ['there is no answer'];
  const expected = {
    ...headOf(invoice),
    ...sumsIn(invoice),
    warnings: disagreementsOf(invoice),
    comparison: comparisonOf(invoice, charged),
  };
  const shown = readShown(first);
  const problems = Object.entries(expected).flatMap(([name, value]) => {
    const [is, should] = [shown[name as keyof typeof shown], value].map((one) =>
      JSON.stringify(one),
    );
    return is === should ? [] : [`${name} is ${is}, and should be ${should}`];
  });
  return [...problems, ...lineProblems(pages, invoice)].map(
    (problem) => `invoice ${invoice.number.toFixed()}: ${problem}`,
  );
}

function readShown({ head, words }: Shown) {
  const all = (pattern: RegExp) => [...words.matchAll(pattern)].map(([text]) => text);
  return {
    title: head[0],
    due: head[1],
    periods: all(/^• Period .*$/gm),
    warnings: all(/^⚠ (?:.* add up to|The platform tells no lines of) .*$/gm),
    lines: all(/^All lines: .*$/gm)[0],
    unread: all(/^⚠ The charge of .*$/gm)[0],
    comparison: all(/^(?:Charges of the same months|No comparison).*$/gm)[0],
  };
}

/** Number, span, status, and what is due of it; the periods beside it. */
function headOf(invoice: Written) {
  const { number, startTime, endTime, periods } = invoice;
  const [start, end] = [startTime, endTime].map((time) => Date.parse(time)) as [number, number];
  const last = monthOf({ startTime: new Date(end - 1).toISOString() });
  const months = [...new Set([monthOf(invoice), last])];
  const name = months.length > 1 ? monthsOf(months) : months[0];
  return {
    title: `*Invoice ${number.toFixed()}* · ${name} (${inWords({ start, end })}) · ${statusInWords(invoice)}`,
    due: dueInWords(invoice),
    periods: periods.map(
      (period) =>
        `• Period ${monthOf(period)}: ${dollarsOrNot(wholeOf(period.totalCharge))}, ${statusInWords(period)}`,
    ),
  };
}

/** "Sep–Oct 2025". */
function monthsOf([first = '', last = '']: readonly string[]): string {
  return first.slice(-4) === last.slice(-4) ? `${first.slice(0, 3)}–${last}` : `${first}–${last}`;
}

/** All lines together and by org, the largest first, without what cannot be read. */
function sumsIn(invoice: Written) {
  const lines = linesOf(invoice);
  const unread = lines.filter(({ charge }) => wholeOf(charge) === undefined).length;
  const read = lines.filter(({ charge }) => wholeOf(charge) !== undefined);
  const orgs = [...new Set(read.map(ownerOf))]
    .map((org) => {
      const own = lines.filter((line) => ownerOf(line) === org);
      return { org, sum: sumOf(own.map(({ charge }) => wholeOf(charge))) };
    })
    .toSorted((one, other) => other.sum.comparedTo(one.sum)!);
  const named = (org: string | undefined) => (org === '' ? '(surcharges)' : (org ?? '(not said)'));
  const parts = orgs.map(({ org, sum }) => `${named(org)} ${dollars(sum)}`).join(' + ');
  const all = dollars(sumOf(orgs.map(({ sum }) => sum)));
  return {
    lines: `All lines: *${all}*${orgs.length > 1 ? ` = ${parts}` : ''}`,
    unread:
      unread === 0
        ? undefined
        : `⚠ The charge of ${unread} ${unread === 1 ? 'line' : 'lines'} is not readable: sums are without ${unread === 1 ? 'it' : 'them'}`,
  };
}

/** The charges of the same months, and a difference that is explained to the cent. */
function comparisonOf(invoice: Written, charged: BigNumber): string {
  const total = wholeOf(invoice.totalCharge);
  const left = leftOf(invoice);
  if (total === undefined || left === undefined) {
    return 'No comparison with the charges of the same months: the total of the invoice cannot be read.';
  }
  const credits = creditsIn(invoice);
  // Credits are worth no more than there is to pay, and nothing where there is nothing to pay.
  const owed = total.gt(0) ? total : new BigNumber(0);
  const isTaken = left.isExact && !owed.isZero();
  const given = sumOf(credits.map(({ charge }) => charge)).abs();
  const taken = isTaken ? BigNumber.min(given, owed) : new BigNumber(0);
  const before = credits.length > 0 && !isTaken ? ' before credits' : '';
  const invoiced = total.minus(taken);
  const ofAccount = linesOf(invoice).filter((line) => ownerOf(line) === '');
  const surcharges = sumOf(ofAccount.map(({ charge }) => wholeOf(charge)));
  const isUnread =
    ofAccount.some(({ charge }) => wholeOf(charge) === undefined) ||
    linesOf(invoice).some((line) => ownerOf(line) === undefined);
  const rest = total.minus(surcharges).minus(charged);
  const isSmall = rest.abs().lt(500) && rest.abs().times(100).lt(total.abs());
  const reasons: [string, BigNumber, string][] = [
    ['credits ', taken.negated(), ''],
    ['surcharges (lines without an org) ', surcharges, ''],
    isUnread
      ? ['rest ', rest, ' (surcharges that are not readable may be in it)']
      : isSmall
        ? ['rest ', rest, ' (rounding or later revisions)']
        : ['unexplained ', rest, ''],
  ];
  const said = reasons
    .filter(([, amount]) => !amount.isZero())
    .map(([words, amount, why]) => `${words}${signed(amount)}${why}`);
  const both = `Charges of the same months: ${dollars(charged)}`;
  if (said.length === 0) return `${both}, exactly what is on the invoice${before}`;
  return `${both}; invoice${before}: ${dollars(invoiced)}; difference ${signed(invoiced.minus(charged))}: ${said.join(', ')}`;
}

/** What an answer to `/invoices list` says that is not so of all invoices, newest first. */
export function listProblems({ head, rows }: Shown, invoices: readonly Written[]): string[] {
  const unpaid = invoices.filter(isUnpaid);
  const open = unpaid.filter((one) => leftOf(one)?.amount.gt(0));
  const count = (some: readonly Written[]) =>
    `${some.length} invoice${some.length === 1 ? '' : 's'}`;
  const partly = (status: string, words: string) => {
    const those = open.filter((one) => statusOf(one) === status).length;
    return those === 0 ? [] : [open.length === 1 ? words : `${those} of them ${words}`];
  };
  const parts = [
    ...partly('partially-paid', 'partly paid'),
    ...partly('partially-failed', 'partly failed'),
  ];
  const most = open.every((one) => leftOf(one)?.isExact) ? '' : 'at most ';
  const sum = sumOf(open.map((one) => leftOf(one)?.amount));
  const partial = open.filter((one) => statusOf(one).startsWith('partially-')).length;
  const which = partial === 1 ? 'it' : 'each';
  const whole =
    parts.length === 0
      ? ''
      : `, ${parts.join(', ')} (all of ${which} is counted, because how much is paid is not said)`;
  const [unread, unknown] = [
    unpaid.filter((one) => leftOf(one) === undefined),
    invoices.filter(isDoubtful),
  ];
  const [has, is] = [
    (some: readonly Written[]) => (some.length === 1 ? 'has' : 'have'),
    (some: readonly Written[]) => (some.length === 1 ? 'is' : 'are'),
  ];
  const expected = [
    `*${most}${dollars(sum)}* due on ${count(open)} not paid${whole}`,
    ...(unread.length === 0
      ? []
      : [
          `⚠ ${count(unread)} not paid ${has(unread)} a total that cannot be read and ${is(unread)} not counted`,
        ]),
    ...(unknown.length === 0
      ? []
      : [
          `⚠ ${count(unknown)} ${has(unknown)} a status that Purser does not know and ${is(unknown)} not counted`,
        ]),
  ];
  const problems =
    JSON.stringify(head.slice(1)) === JSON.stringify(expected)
      ? []
      : [`the list says ${head.join(' / ')}, and should say ${expected.join(' / ')}`];
  return [
    ...problems,
    ...invoices.flatMap((invoice, at) => {
      const [number, , total, due, status] = rows[at] ?? [];
      const isRight =
        number === invoice.number.toFixed() &&
        total === dollarsOrNot(wholeOf(invoice.totalCharge)) &&
        due === dueCell(invoice) &&
        status === statusInWords(invoice);
      return isRight
        ? []
        : [`the list has ${rows[at]?.join(' | ')}, and should have ${dueCell(invoice)}`];
    }),
  ];
}

function dueCell(invoice: Written): string {
  if (statusOf(invoice) === 'paid') return '–';
  if (isDoubtful(invoice)) return 'not known';
  const left = leftOf(invoice);
  if (left === undefined) return 'not readable';
  if (left.amount.isZero()) return 'nothing';
  return `${left.isExact ? '' : 'at most '}${dollars(left.amount)}`;
}

/** What is wrong with the file of an invoice: each line and credit is in it as it was written. */
export function fileProblems(
  { name, text }: { name: string; text: string },
  invoice: Written,
): string[] {
  const rows = parse<Record<string, string>>(text, { columns: true, record_delimiter: '\r\n' });
  const lines = invoice.periods.flatMap((period) =>
    linesIn(period).map((line) => ({ line, period })),
  );
  const credits = creditsIn(invoice);
  const number = invoice.number.toFixed();
  const told = rows.map((row) => [
    row['kind'],
    row['period start'],
    row['org'],
    row['description'],
    row['charge in smallest unit'],
    row['charge'],
  ]);
  const cents = (said: unknown) => wholeOf(said)?.toFixed() ?? '';
  const whole = (said: unknown) => wholeOf(said)?.div(100).toFixed() ?? '';
  const expected = [
    ...lines.map(({ line, period }) => [
      ownerOf(line) === '' ? 'surcharge' : 'line',
      period.startTime.replace('.000Z', 'Z'),
      ownerOf(line) ?? '',
      line.description,
      cents(line.charge),
      whole(line.charge),
    ]),
    ...credits.map(({ description, charge }) => [
      'credit',
      '',
      '',
      description,
      cents(charge),
      whole(charge),
    ]),
  ];
  const problems = told.flatMap((row, at) =>
    JSON.stringify(row) === JSON.stringify(expected[at])
      ? []
      : [`invoice ${number}: ${row.join(' | ')} is not ${expected[at]?.join(' | ')}`],
  );
  if (told.length !== expected.length)
    problems.push(`invoice ${number}: ${told.length} of ${expected.length} rows`);
  return name === `invoice-${number}.csv` ? problems : [...problems, `${name} is not its file`];
}
