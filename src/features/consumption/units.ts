import { rowsOf } from '../../figures/fold.ts';
import { unitsOfMetrics } from '../../figures/quantity.ts';
import type { UnitOfMetric } from '../../figures/quantity.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';
import type { Bodies } from './bodies.ts';

/**
 * The units of the metrics in some answers; undefined when the chargeable items are to be asked for them,
 * because a metric is not documented. Without the items such a metric keeps its raw number.
 */
export function unitsFor(
  results: readonly ConsumptionResult<Consumption>[],
  items: Bodies['items'],
): UnitOfMetric | undefined {
  const documented = unitsOfMetrics();
  if (items !== 'unasked') return items === undefined ? documented : unitsOfMetrics(items.items);
  for (const { row } of rowsOf(results)) {
    const { metric } = row.tags;
    if (metric && documented(metric) === undefined) return undefined;
  }
  return documented;
}
