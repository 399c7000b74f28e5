import type {
  BillingPeriodCharges,
  ChargeRow,
  DetailedChargeRow,
} from '../../src/platform/billing/charge-rows.ts';
import type {
  Consumption,
  ConsumptionResult,
  UsageRow,
} from '../../src/platform/consumption/result.ts';

/** Writes answers of a query as the platform does (spec 2.7), from the results of reading such answers. */

export function usageBody(usage: ConsumptionResult<UsageRow>): Uint8Array {
  return written(
    resultOf(usage, ({ value, tags, projectedValue }) => ({ value, tags, projectedValue })),
  );
}

export function chargesBody(charges: ConsumptionResult<ChargeRow>): Uint8Array {
  return written({ results: resultOf(charges, (row) => row) });
}

export function tiersBody(periods: readonly BillingPeriodCharges[], skipped = 0): Uint8Array {
  const detailedResults = periods.map(({ ratePlan, results }) => ({
    accountState: { ratePlan },
    results: results.map((result) => resultOf(result, tiersOf)),
  }));
  return written({ detailedResults: [...detailedResults, ...times(skipped)] });
}

function tiersOf({ details, ...row }: DetailedChargeRow): object {
  return {
    ...row,
    details: details.map(({ from = null, to = -1, ...tier }) => ({ from, to, ...tier })),
  };
}

/** Unreadable rows go into a period without times. */
function resultOf<Row extends Consumption>(
  { periods, skipped }: ConsumptionResult<Row>,
  rowOf: (row: Row) => object,
): object {
  const reported = periods.map(({ startMs, endMs, groups, ...counts }) => ({
    ...counts,
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
    groups: groups.map(({ key, rows }) => ({ key, consumptions: rows.map(rowOf) })),
  }));
  const unreadable = { groups: [{ consumptions: times(skipped) }] };
  return { periods: skipped === 0 ? reported : [...reported, unreadable] };
}

function times(count: number): object[] {
  return Array.from({ length: count }, () => ({}));
}

/** Exact numbers are written as text, which the platform may do. */
function written(answer: object): Uint8Array {
  return Buffer.from(JSON.stringify(answer));
}
