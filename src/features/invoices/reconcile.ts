import type { KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { HOUR_MS } from '../../lib/time.ts';
import { factOf, type Fact } from '../../monitors/monitor.ts';
import type { ChargesClient } from '../../platform/billing/charges.ts';
import type { Charges } from '../../platform/billing/charge-rows.ts';
import { amountDue, type Invoice, type LineItem } from '../../platform/billing/invoices.ts';
import { explainPlatformError, type PlatformError } from '../../platform/errors.ts';
import { describeDay, toConsumptionQuery, type Range } from '../../reporting/range.ts';
import { wholeUnits } from '../../reporting/amounts.ts';
import { EVERYTHING } from '../../reporting/spend.ts';
import { lines, sign } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { isSurcharge, countUnread, signed, spanOf, sumOf, type Money } from './sheet.ts';

/** `impossible`: the reason, as a sentence. */
export type Reconciliation = Comparison | { readonly impossible: string };

/** The charges of each span of an invoice, in order; empty if it has no spans that can be asked for. */
export type ChargesFact = Fact<readonly Charges[]>;

/** Each distinct period is one query. */
const MAX_PERIODS = 36;
/** Each line of an invoice is rounded, and the charges of each span: by half a smallest unit at most. */
const ROUNDING = 0.5;
/** Part of the total by which usage is revised after an invoice was issued, in this one or the next. */
const REVISED = 0.002;

/** The end of an invoice, or of its last period, ms since the epoch; 0: unknown. */
export function endOf({ endTime = 0, periods }: Pick<Invoice, 'endTime' | 'periods'>): number {
  return Math.max(endTime, ...periods.map((period) => period.endTime ?? 0));
}

type Reconciled = Pick<Invoice, 'periods' | 'totalCharge' | 'credits'>;
type ChargesReader = Pick<ChargesClient, 'account'>;

/**
 * Reads the charges of an invoice's periods and compares (spec 4.1 rule 3, 4.2).
 * @param currency of the smallest unit, because invoices carry none
 */
export async function reconcile(
  charges: ChargesReader,
  invoice: Reconciled,
  currency: string,
): Promise<Reconciliation> {
  return compareCharges(invoice, await readCharges(charges, invoice), currency);
}

export async function readCharges(
  charges: ChargesReader,
  invoice: Reconciled,
): Promise<ChargesFact> {
  const spans = spansOf(invoice);
  if (typeof spans === 'string') return { value: [] };
  const chargesOf = async (span: Range) => {
    const { value } = await charges.account(toConsumptionQuery(EVERYTHING, ['org'], span));
    return value;
  };
  return factOf(Promise.all(spans.map(chargesOf)));
}

/** A failure of the platform must not fail the invoice: it becomes a sentence. Pure. */
export function compareCharges(
  invoice: Reconciled,
  charges: ChargesFact,
  currency: string,
): Reconciliation {
  const spans = spansOf(invoice);
  if (typeof spans === 'string') return { impossible: spans };
  if ('unread' in charges) return { impossible: sentenceOf(charges.unread) };
  const charged = chargedIn(charges.value, currency);
  if (typeof charged === 'string') return { impossible: charged };
  const mayBeTooLow = charges.value.some((one) => one.mayBeTooLow);
  return { ...comparisonOf(invoice, charged, spans.length), mayBeTooLow };
}

interface Comparison extends ReturnType<typeof comparisonOf> {
  /** Some usage may not have been priced when the charges were queried. */
  readonly mayBeTooLow: boolean;
}

/** All amounts are in the smallest unit. @param charged of the months of the invoice, which are `spans` queries */
function comparisonOf(invoice: Reconciled, charged: BigNumber, spans: number) {
  const { totalCharge = charged, periods } = invoice;
  const due = amountDue(invoice);
  // An amount due is never below 0, so for a total below 0 the difference would look like a credit.
  const isAfterCredits = due?.isExact === true && totalCharge.gt(0);
  const invoiced = isAfterCredits ? due.amount : totalCharge;
  const lines = periods.flatMap(({ items }) => items);
  const surcharges = sumOf(lines.filter(isSurcharge));
  const rest = totalCharge.minus(surcharges).minus(charged);
  const rounded = spans + lines.filter((line) => !isSurcharge(line)).length;
  return {
    charged,
    /** Applied credits: at most the total. 0 or negative. */
    credits: invoiced.minus(totalCharge),
    /** Lines without an org. */
    surcharges,
    rest,
    /** Rounding and later revisions can explain the rest. */
    isRestSmall: rest
      .abs()
      .lte(BigNumber.max(ROUNDING * rounded, totalCharge.abs().times(REVISED))),
    /** A possible surcharge cannot be read, so the rest may be a surcharge. */
    hasUnreadSurcharges: lines.some(
      ({ org, charge }) => org === undefined || (org === '' && charge === undefined),
    ),
    /** After credits, or before them if one cannot be read or nothing is owed. */
    invoiced,
    isBeforeCredits: !isAfterCredits && invoice.credits.length > 0,
  };
}

/** The distinct spans of an invoice, in order, or why it cannot be compared. Several periods can have the same span. */
function spansOf({ periods, totalCharge }: Reconciled): Range[] | string {
  if (totalCharge === undefined) return 'the total of the invoice cannot be read.';
  if (periods.length === 0) return 'the invoice names no periods.';
  const spans = new Map<string, Range>();
  for (const { startTime: startMs, endTime: endMs } of periods) {
    if (startMs === undefined || endMs === undefined || startMs >= endMs) {
      return 'the times of a period of the invoice cannot be read.';
    }
    if (startMs % HOUR_MS !== 0 || endMs % HOUR_MS !== 0) {
      return 'a period of the invoice does not begin and end on a whole hour, as charges do.';
    }
    spans.set(`${startMs} ${endMs}`, { startMs, endMs });
  }
  if (spans.size > MAX_PERIODS) return `the invoice has more than ${MAX_PERIODS} periods.`;
  const ordered = [...spans.values()].toSorted((a, b) => a.startMs - b.startMs);
  const isOverlapping = ordered.some(({ startMs }, at) => startMs < (ordered[at - 1]?.endMs ?? 0));
  return isOverlapping
    ? 'periods of the invoice overlap, so charges in both cannot be assigned.'
    : ordered;
}

/** The charges in the smallest unit, each period rounded as on an invoice; or the reason why they are unknown. */
function chargedIn(answers: readonly Charges[], currency: string): BigNumber | string {
  if (answers.some(({ skipped }) => skipped > 0)) return 'a part of the charges cannot be read.';
  const oneUnit = wholeUnits(new BigNumber(1), currency);
  let charged = new BigNumber(0);
  const currencies = new Set<string>();
  for (const { periods } of answers) {
    const rows = periods.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows));
    const total = rows.reduce((sum, row) => sum.plus(row.total), new BigNumber(0));
    charged = charged.plus(total.div(oneUnit).integerValue(BigNumber.ROUND_HALF_UP));
    for (const row of rows) if (row.currency !== undefined) currencies.add(row.currency);
  }
  const foreign = [...currencies].filter((one) => one.toUpperCase() !== currency.toUpperCase());
  if (foreign.length === 0) return charged;
  return `the charges are in ${[...currencies].toSorted().join(' and ')}, and the invoice is read as ${currency}.`;
}

function sentenceOf(error: PlatformError): string {
  const { earliestStart } = error;
  return earliestStart === undefined
    ? (explainPlatformError(error) ?? error.message)
    : `the platform keeps the charges of parts of a month since ${describeDay(earliestStart)} only.`;
}

type Totalled = Pick<Invoice, 'totalCharge' | 'periods'>;
const MAX_DISAGREEMENTS = 5;

/** Empty without contradictions. @param invoices each with its name in a sentence, as in "the invoice" */
export function disagreementsBlock(
  invoices: readonly { readonly invoice: Totalled; readonly name: string }[],
  money: Money,
): KnownBlock[] {
  const found = invoices.flatMap(({ invoice, name }) => disagreementsOf(invoice, name, money));
  return found.length === 0 ? [] : [lines(found, MAX_DISAGREEMENTS)];
}

/**
 * Contradictions between an invoice and its own periods or lines (spec 2.8). Parts are added up only if all exist and
 * can be read. If the only period has the invoice's total, its lines are checked once. A period with a charge but no
 * lines counts if others have lines.
 */
function disagreementsOf({ totalCharge, periods }: Totalled, name: string, money: Money): Mrkdwn[] {
  const compare = (
    parts: string,
    items: readonly Pick<LineItem, 'charge'>[],
    whole: string,
    stated: BigNumber | undefined,
  ) => {
    const added = sumOf(items);
    if (stated === undefined || countUnread(items) > 0 || added.eq(stated)) return [];
    const difference = signed(money, stated.minus(added));
    return [
      mrkdwn`⚠ ${parts} add up to ${money(added)}, but the total of ${whole} is ${money(stated)}: difference ${difference}`,
    ];
  };
  if (periods.length === 0) return [];
  const totals = periods.map((period) => ({ charge: period.totalCharge }));
  const all = periods.flatMap(({ items }) => items);
  const isSame = periods.length === 1 && totals[0]?.charge?.eq(totalCharge ?? Number.NaN) === true;
  const bare = periods.filter((one) => one.items.length === 0 && !one.totalCharge?.isZero());
  return [
    ...compare('The periods', totals, name, totalCharge),
    ...periods.flatMap((period) =>
      isSame || period.items.length === 0
        ? []
        : compare(`The lines of ${spanOf(period)}`, period.items, 'the period', period.totalCharge),
    ),
    ...bare.flatMap((period) =>
      all.length === 0 || period.totalCharge === undefined
        ? []
        : [
            mrkdwn`⚠ The platform names no lines of ${spanOf(period)} (${money(period.totalCharge)})`,
          ],
    ),
    ...(bare.length > 0 ? [] : compare('All lines together', all, name, totalCharge)),
  ];
}

/** Invoice and charges differ by more than rounding, and the charges are certain. */
export function isOff(one: Reconciliation): boolean {
  if ('impossible' in one || one.mayBeTooLow || one.rest.isZero()) return false;
  return !one.isRestSmall || one.hasUnreadSurcharges;
}

/** Whether the charges can no longer be revised: a difference is an error only then. */
interface Finality {
  readonly isFinal: boolean;
}

export function reconciliationHead(one: Reconciliation, money: Money, { isFinal }: Finality) {
  if ('impossible' in one) {
    return mrkdwn`${sign('unknown')} *Reconciliation not possible${isFinal ? '' : ' yet'}*`;
  }
  if (isOff(one)) {
    const mark = sign(isFinal ? 'wrong' : 'underWay');
    const by = signed(money, one.rest);
    return one.hasUnreadSurcharges
      ? mrkdwn`${mark} *Difference of ${by}* between invoice and charges, perhaps an unreadable surcharge`
      : mrkdwn`${mark} *Unexplained difference of ${by}* between invoice and charges`;
  }
  return one.mayBeTooLow
    ? mrkdwn`${sign('unknown')} *Reconciliation not certain*`
    : mrkdwn`${sign('good')} *Reconciliation adds up*`;
}

/**
 * The comparison with the charge query of the same months, and the next step: the same in an answer and in a reply.
 * @param how `of`: what follows the first line
 */
export function reconciliationText(
  one: Reconciliation,
  money: Money,
  { isFinal, of = mrkdwn`` }: Finality & { readonly of?: Mrkdwn },
): Mrkdwn {
  const head = mrkdwn`${reconciliationHead(one, money, { isFinal })}${of}`;
  if ('impossible' in one) {
    const why = mrkdwn`No comparison with the charges of the same months: ${one.impossible}`;
    return joinMrkdwn([head, why], '\n');
  }
  const steps = one.hasUnreadSurcharges ? [SEE_IN_PDF] : isFinal ? [SEND_FILES] : [];
  return joinMrkdwn(
    [
      head,
      comparisonLine(one, money, { isFinal }),
      ...(isOff(one) ? steps : []),
      ...(one.mayBeTooLow ? [MAY_BE_TOO_LOW] : []),
    ],
    '\n',
  );
}

const SEE_IN_PDF = mrkdwn`→ See it in the PDF`;
const SEND_FILES = mrkdwn`→ Send the PDF and the CSV to the platform’s support`;
const MAY_BE_TOO_LOW = mrkdwn`⚠ These charges may be too low, because the chargeable items could not be read: some usage may count as 0`;

/** The parts of the difference. */
function comparisonLine(one: Comparison, money: Money, { isFinal }: Finality): Mrkdwn {
  const { charged, invoiced, isBeforeCredits } = one;
  const reasons = Object.entries({
    credits: one.credits,
    'surcharges (lines without an org)': one.surcharges,
    [whyRest(one, isFinal)]: one.rest,
  }).filter(([, amount]) => !amount.isZero());
  const parts = reasons.map(([why, amount]) =>
    reasons.length === 1 ? why : `${why} ${signed(money, amount)}`,
  );
  const both = mrkdwn`Charges of the same months: ${money(charged)}`;
  const before = isBeforeCredits ? ' before credits' : '';
  const difference = signed(money, invoiced.minus(charged));
  return parts.length === 0
    ? mrkdwn`${both}, exactly what is on the invoice${before}`
    : mrkdwn`${both}; invoice${before}: ${money(invoiced)}; difference ${difference}: ${parts.join(', ')}`;
}

function whyRest({ hasUnreadSurcharges, isRestSmall, mayBeTooLow }: Comparison, isFinal: boolean) {
  if (hasUnreadSurcharges) return 'perhaps unreadable surcharges';
  if (isRestSmall) return 'rounding or later revisions';
  if (mayBeTooLow) return 'perhaps incomplete charges';
  return isFinal ? 'unexplained' : 'not explained yet';
}
