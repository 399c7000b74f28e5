import { BigNumber } from 'bignumber.js';
import { toConsumptionQuery } from '../../figures/consumption-query.ts';
import { wholeUnits } from '../../figures/money.ts';
import type { Range } from '../../figures/range.ts';
import type { ChargesClient } from '../../platform/billing/charges.ts';
import type { Charges } from '../../platform/billing/charge-rows.ts';
import { amountDue } from '../../platform/billing/invoices.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import { PlatformError } from '../../platform/errors.ts';
import { explainPlatformError } from '../platform-sentences.ts';
import { isSurcharge, sumOf } from './lines.ts';

/** What an invoice says beside what the charge query says of the same months; all in the smallest unit. */
export interface Comparison {
  readonly charged: BigNumber;
  /** What of the credits counts: the amount due never falls below 0. At most 0. */
  readonly credits: BigNumber;
  /** Lines without an org. */
  readonly surcharges: BigNumber;
  /** What neither explains: tiers over the whole account, rounding, later revisions. */
  readonly rest: BigNumber;
  readonly due: BigNumber;
}

/** Or the sentence why there is none. */
export type Reconciliation = Comparison | { readonly impossible: string };

const HOUR_MS = 3_600_000;
/** An invoice of more different periods than this is not asked for one by one. */
const MAX_PERIODS = 36;
const EVERYTHING = { range: '', by: undefined, of: [], where: {}, orgs: [], step: undefined };

/**
 * Asks for the charges of an invoice's periods and compares (spec 4.1 rule 3, 4.2). A failure of the
 * platform is no failure of the invoice: it becomes a sentence.
 * @param currency what the smallest unit is of, because invoices carry none
 */
export async function reconcile(
  charges: Pick<ChargesClient, 'account'>,
  invoice: Pick<Invoice, 'periods' | 'totalCharge' | 'credits'>,
  currency: string,
): Promise<Reconciliation> {
  const spans = spansOf(invoice);
  if (typeof spans === 'string') return { impossible: spans };
  try {
    const answers = await Promise.all(spans.map((span) => chargesOf(charges, span)));
    const charged = chargedIn(answers, currency);
    return typeof charged === 'string' ? { impossible: charged } : compare(invoice, charged);
  } catch (error) {
    const why = sentenceOf(error);
    if (why === undefined) throw error;
    return { impossible: why };
  }
}

/** How an invoice comes about from what was charged. Pure. */
function compare(
  invoice: Pick<Invoice, 'periods' | 'totalCharge' | 'credits'>,
  charged: BigNumber,
): Comparison {
  const due = amountDue(invoice);
  const surcharges = sumOf(invoice.periods.flatMap(({ items }) => items.filter(isSurcharge)));
  const rest = invoice.totalCharge.minus(surcharges).minus(charged);
  return { charged, credits: due.minus(invoice.totalCharge), surcharges, rest, due };
}

/** The spans that an invoice is of, in their order: several of its periods can be of one and the same. */
function spansOf({ periods }: Pick<Invoice, 'periods'>): Range[] | string {
  if (periods.length === 0) return 'the invoice names no periods.';
  const spans = new Map<string, Range>();
  for (const { startTime: startMs, endTime: endMs } of periods) {
    if (startMs === undefined || endMs === undefined || !isAsked({ startMs, endMs })) {
      return 'a period of the invoice does not begin and end on a whole hour, as charges do.';
    }
    spans.set(`${startMs} ${endMs}`, { startMs, endMs });
  }
  if (spans.size > MAX_PERIODS) return `the invoice has more than ${MAX_PERIODS} periods.`;
  const ordered = [...spans.values()].toSorted((a, b) => a.startMs - b.startMs);
  const isOverlapping = ordered.some(({ startMs }, at) => startMs < (ordered[at - 1]?.endMs ?? 0));
  return isOverlapping
    ? 'periods of the invoice overlap, so that nobody knows whose the charges in both are.'
    : ordered;
}

function isAsked({ startMs, endMs }: Range): boolean {
  return startMs < endMs && startMs % HOUR_MS === 0 && endMs % HOUR_MS === 0;
}

async function chargesOf(charges: Pick<ChargesClient, 'account'>, span: Range): Promise<Charges> {
  const { value } = await charges.account(toConsumptionQuery(EVERYTHING, ['org'], span));
  return value;
}

/** What was charged in the smallest unit, each period rounded as an invoice does; or why nobody can say. */
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

function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof PlatformError)) return undefined;
  const { earliestStart } = error;
  return earliestStart === undefined
    ? explainPlatformError(error)
    : `the platform keeps the charges of parts of a month since ${new Date(earliestStart).toISOString().slice(0, 10)} only.`;
}
