import { rowsOf } from '../../figures/fold.ts';
import { unitsOfMetrics } from '../../figures/quantity.ts';
import type { UnitOfMetric } from '../../figures/quantity.ts';
import { settledWithin } from '../../lib/patience.ts';
import type { Catalogue } from '../../platform/billing/items.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';

/** How long an answer waits for units, which it can do without. Milliseconds. */
const UNITS_WITHIN_MS = 2_000;

/**
 * The units of the metrics in some answers. The chargeable items are asked only where a metric is not
 * documented; without them it keeps its raw number.
 * @param readItems absent when they cannot be asked
 */
export async function unitsFor(
  results: readonly ConsumptionResult<Consumption>[],
  readItems: (() => Promise<Catalogue | undefined>) | undefined,
): Promise<UnitOfMetric> {
  const documented = unitsOfMetrics();
  const metrics = [...rowsOf(results)].flatMap(({ row }) => row.tags['metric'] || []);
  if (readItems === undefined) return documented;
  if (metrics.every((metric) => documented(metric) !== undefined)) return documented;
  const reading = readItems();
  if (!(await settledWithin(reading, UNITS_WITHIN_MS))) return documented;
  return unitsOfMetrics((await reading)?.items);
}
