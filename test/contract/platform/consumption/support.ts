import { BigNumber } from 'bignumber.js';
import { onTestFinished } from 'vitest';
import type {
  ConsumptionQuery,
  ConsumptionSelection,
  TagFilter,
} from '../../../../src/platform/consumption/query.ts';
import {
  readAnswerIn,
  readResult,
  readUsageRow,
  type ConsumptionResult,
  type Period,
} from '../../../../src/platform/consumption/result.ts';
import type { ReadOptions } from '../../../../src/platform/concurrency.ts';
import type { OrgApiOptions } from '../../../../src/platform/http.ts';
import { createUsageClient } from '../../../../src/platform/usage.ts';
import { anyAmount } from '../../../support/reports.ts';
import { startBilling } from '../billing/support.ts';
import { bearer, failureOf } from '../support.ts';

export const SEPTEMBER = { startTime: '2026-09-01T00:00:00Z', endTime: '2026-10-01T00:00:00Z' };
export const CPU = { feature: 'workloads', metric: 'cpu' };
export const MEMORY = { feature: 'workloads', metric: 'memory' };
export const DAY_SECONDS = 86_400;

/** The clients of charges and of usage, on a stand-in at 2026-10-15T12:00Z (see `startBilling`). */
export async function startMetering() {
  const standing = await startBilling();
  const { platform, calls } = standing;
  return {
    ...standing,
    charges: standing.client().charges,
    usage: startUsageClient(platform.usageUrl, {
      credentialOf: (org) => bearer(platform.tokens[org]),
      now: () => platform.clock.now(),
    }),
    /** The sentence that a call was refused with, before any call went out. */
    refusedUnsent: async (call: Promise<unknown>) => {
      const { reason, message } = await failureOf(call);
      const sent = await calls();
      return reason === 'bad-request' && sent.length === 0
        ? message
        : `sent ${sent.length} calls: ${reason} ${message}`;
    },
  };
}

/** A usage client that remembers nothing, of whatever answers at `baseUrl`. */
export function startUsageClient(baseUrl: string, options: Partial<OrgApiOptions> = {}) {
  const client = createUsageClient({
    baseUrl,
    credentialOf: () => bearer('sandbox-key-acme'),
    cacheMs: 0,
    ...options,
  });
  onTestFinished(() => client.close());
  return {
    ...client,
    /** The answer as the report thread reads it. */
    query: async (org: string, query: ConsumptionQuery, options: ReadOptions = {}) => {
      const asked = { ...options, allowance: anyAmount() };
      const { value, readAt } = await client.queryBody(org, query, asked);
      const read = (answer: unknown) => readResult(answer, query.groupBy, readUsageRow);
      return { value: readAnswerIn(value.body, read), readAt };
    },
  };
}

/** One consumption query over the rows of `filterBy`, with the tags that every price takes. */
export function select(filterBy: TagFilter, ...tags: string[]): ConsumptionSelection[] {
  return [{ filterBy, aggregateBy: ['metric', 'locationType', ...tags] }];
}

export function rowsOf<Row>({ periods }: ConsumptionResult<Row>): Row[] {
  return periods.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows));
}

/** The exact sum of a field over rows, in full digits. */
export function sumOf<Field extends string>(
  rows: readonly Readonly<Record<Field, BigNumber>>[],
  field: Field,
): string {
  return rows.reduce((sum, row) => sum.plus(row[field]), new BigNumber(0)).toFixed();
}

export function add(...numbers: readonly string[]): string {
  return numbers.reduce((sum, number) => sum.plus(number), new BigNumber(0)).toFixed();
}

/** Value of the grouped tag -> sum of `value` over the rows of its groups. */
export function valuesBy<Row extends { readonly value: BigNumber }>(
  result: ConsumptionResult<Row>,
  tag: string,
): Record<string, string> {
  const groups = result.periods.flatMap(({ groups }) => groups);
  return Object.fromEntries(groups.map(({ key, rows }) => [key[tag], sumOf(rows, 'value')]));
}

/** Starts of the periods, in order. */
export function startsOf(periods: readonly Period<unknown>[]): string[] {
  return periods.map(({ startMs }) => timeOf(startMs));
}

/** A time as queries have it. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
