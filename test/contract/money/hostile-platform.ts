import { Readable } from 'node:stream';

import { BigNumber } from 'bignumber.js';

import type { Charges } from '../../../src/platform/billing/charge-rows.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import type { Invoice, InvoicePeriod, LineItem } from '../../../src/platform/billing/invoices.ts';
import type { ConsumptionQuery } from '../../../src/platform/consumption/query.ts';
import type { ConsumptionResult, UsageRow } from '../../../src/platform/consumption/result.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { UsageClient } from '../../../src/platform/usage.ts';
import { chargesBody, tiersBody, usageBody } from '../../support/platform-bodies.ts';
import { amountAt, nameAt, textAt, type Pool } from './hostile-pool.ts';

export const NOW = Date.parse('2026-10-15T12:34:56Z');
const START = Date.UTC(2026, 8, 1);
const END = Date.UTC(2026, 9, 1);
const DAY_MS = 86_400_000;
const METRICS = ['cpu', 'snapshot-storage', 'volume-set-capacity-bytes', 'volume_set_capacity'];

/**
 * Clients of a platform whose every name, status, note and address is hostile.
 * @param isForgetful the requested span is no longer kept
 */
export function hostilePlatform(pool: Pool, isForgetful = false) {
  const refusal = isForgetful
    ? new PlatformError('bad-request', textAt(pool, 0), { earliestStart: START })
    : undefined;
  const reading = <T>(value: T) => Promise.resolve({ value, readAt: NOW - pool.luck });
  const values = { values: list(pool, (at) => nameAt(pool, at)), skipped: pool.luck % 3 };
  const invoice = invoiceOf(pool);
  const link = (at: number) => ({
    id: textAt(pool, at),
    externalUrl: at % 2 === 0 ? `https://pay.example/${textAt(pool, at)}` : textAt(pool, at),
  });
  const delivery = (at: number) => ({
    recipientEmail: textAt(pool, at),
    status: at % 2 === 0 ? 'permanently_failed' : textAt(pool, at + 1),
    attemptCount: at,
    errorMessages: some(pool, (place) => textAt(pool, place)),
    invoiceId: textAt(pool, 2),
  });
  const charges = {
    account: (query: ConsumptionQuery) => reading(chargesOf(pool, query)),
    async accountBody(query: ConsumptionQuery, { detailed = false }) {
      if (refusal) throw refusal;
      return reading(detailed ? detailedBody(pool, query) : plainBody(pool, query));
    },
    tagValues: () => reading(values),
    chargeableItems: () => reading(catalogueOf(pool)),
    knownItems: () => Promise.resolve(catalogueOf(pool)),
  };
  const billing = {
    charges,
    listOrgs: () =>
      reading({ items: list(pool, (at) => ({ name: nameAt(pool, at) })), skipped: 0 }),
    listInvoices: () => reading({ items: list(pool, () => invoice), skipped: pool.luck % 2 }),
    listPendingInvoices: () => reading({ items: [invoice], skipped: pool.luck % 2 }),
    getInvoice: () => reading(invoice),
    listPaymentLinks: () => Promise.resolve({ items: list(pool, link), skipped: pool.luck % 2 }),
    listDeliveries: () => reading({ items: list(pool, delivery), skipped: 0 }),
    downloadInvoicePdf: () => Promise.resolve(Readable.from([Buffer.from('%PDF-1.7 hostile')])),
  } as unknown as BillingClient;
  const usage = {
    async queryBody(org: string, query: ConsumptionQuery) {
      if (refusal) throw refusal;
      const isRefused = pool.luck % 4 === 0 && org !== 'acme';
      if (isRefused) throw new PlatformError('bad-request', textAt(pool, 0));
      return reading({ body: usageBody(resultOf(pool, query, (row) => row)) });
    },
    tagValues: () => reading(values),
  } as unknown as UsageClient;
  return { billing, usage };
}

function list<T>({ size }: Pool, make: (at: number) => T): T[] {
  return Array.from({ length: size }, (_, at) => make(at));
}

/** A list of at most 30 elements. */
function some<T>(pool: Pool, make: (at: number) => T): T[] {
  return list({ ...pool, size: Math.min(pool.size, 30) }, make);
}

/** One period, or one for each of some steps, with as many groups as the pool says. */
function resultOf<Row>(
  pool: Pool,
  { groupBy, startTime, endTime, aggregateByTimeStep }: ConsumptionQuery,
  toRow: (row: UsageRow, at: number) => Row,
): ConsumptionResult<Row> {
  const [start, end] = [Date.parse(startTime), Date.parse(endTime)];
  const groups = list(pool, (at) => {
    const key = Object.fromEntries(groupBy.map((tag, index) => [tag, nameAt(pool, at + index)]));
    const metric = pool.luck % 2 === 0 ? METRICS[at % METRICS.length]! : textAt(pool, at);
    // The tags of a row agree with the key of its group.
    const tags = { metric, feature: textAt(pool, at + 1), locationType: 'byok', ...key };
    const value = amountAt(pool, at).abs();
    return { key, rows: [toRow({ value, tags, projectedValue: value.times(2) }, at)] };
  });
  // One period, or the first two days.
  const days = [start, start + DAY_MS].map((startMs) => ({ startMs, endMs: startMs + DAY_MS }));
  const spans = aggregateByTimeStep === true ? days : [{ startMs: start, endMs: end }];
  const reported = {
    totalSeconds: undefined,
    elapsedSeconds: undefined,
    consumptionCount: pool.size,
  };
  const periods = spans.map((span) => ({ ...span, ...reported, groups }));
  return {
    periods: pool.size === 0 ? [] : periods,
    consumptionCount: undefined,
    skipped: pool.luck % 3,
  };
}

function chargesOf(pool: Pool, query: ConsumptionQuery): Charges {
  const result = resultOf(pool, query, (row, at) => chargeRow(pool, row, at));
  return {
    ...result,
    aggregateBy: [textAt(pool, 3)],
    catalogue: catalogueOf(pool),
    mayBeTooLow: pool.luck % 2 === 0,
  };
}

function plainBody(pool: Pool, query: ConsumptionQuery) {
  const { aggregateBy, catalogue, mayBeTooLow, ...charges } = chargesOf(pool, query);
  return { body: chargesBody(charges), aggregateBy, catalogue, mayBeTooLow };
}

function chargeRow(pool: Pool, { value, tags }: UsageRow, at: number) {
  const total = amountAt(pool, at + 1);
  const currencies = ['USD', 'JPY', textAt(pool, 2)];
  const currency = currencies[pool.luck % 7 < 3 ? at % 3 : 0];
  const ratePlans = total.isZero() ? [] : [textAt(pool, at)];
  return { value, tags, total, projectedTotal: total.times(2), currency, ratePlans };
}

function detailedBody(pool: Pool, query: ConsumptionQuery) {
  const tier = (at: number) => ({
    amount: amountAt(pool, at),
    units: amountAt(pool, at + 1),
    rate: amountAt(pool, at + 2),
    from: at === 0 ? new BigNumber(0) : amountAt(pool, at).abs(),
    to: at % 2 === 0 ? undefined : amountAt(pool, at).abs(),
    chargeableItemId: textAt(pool, at),
    ratePlanItem: textAt(pool, at + 1),
  });
  const results = resultOf(pool, query, (row, at) => ({
    ...chargeRow(pool, row, at),
    details: some(pool, tier),
  }));
  const periods = [{ ratePlan: textAt(pool, 1), results: [results] }];
  return {
    body: tiersBody(periods, pool.luck % 2),
    aggregateBy: [textAt(pool, 3)],
    mayBeTooLow: pool.luck % 3 === 0,
  };
}

function catalogueOf(pool: Pool) {
  const items = list(pool, (at) => ({
    id: nameAt(pool, at),
    name: nameAt(pool, at),
    description: textAt(pool, at + 1),
    consumptionTags: { metric: textAt(pool, at), [textAt(pool, at + 1)]: textAt(pool, at + 2) },
    unit: textAt(pool, at + 2),
    type: undefined,
  }));
  return { items, skipped: pool.luck % 2 };
}

function invoiceOf(pool: Pool): Invoice {
  const line = (at: number): LineItem => ({
    description: `${textAt(pool, at)}${at % 2 === 0 ? ': cpu (cores * seconds), Quantity: 1' : ''}`,
    quantity: amountAt(pool, at),
    charge: (pool.luck + at) % 7 === 0 ? undefined : amountAt(pool, at + 1).integerValue(),
    org: at % 3 === 0 ? '' : nameAt(pool, at),
  });
  const charge = pool.luck % 5 === 0 ? undefined : amountAt(pool, 0).integerValue().abs();
  const period: InvoicePeriod = {
    startTime: START,
    endTime: END,
    totalCharge: charge,
    status: textAt(pool, 1),
    items: list(pool, line),
  };
  return {
    id: textAt(pool, 2),
    accountId: textAt(pool, 1),
    number: pool.luck % 2 === 0 ? pool.luck : undefined,
    startTime: START,
    endTime: END,
    totalCharge: charge,
    status: textAt(pool, 0),
    orgNames: list(pool, (at) => nameAt(pool, at)),
    periods: list(pool, () => period).slice(0, pool.luck % 10 === 0 ? 20 : 2),
    credits: some(pool, line),
  };
}
