import { rowsOf } from '../../figures/fold.ts';
import type { FoldRules } from '../../figures/fold.ts';
import type { Line } from '../../figures/line.ts';
import type { Range } from '../../figures/range.ts';
import type {
  BillingPeriodCharges,
  ChargeRow,
  ChargeTier,
  DetailedCharges,
  DetailedChargeRow,
} from '../../platform/billing/charge-rows.ts';
import { lineKey } from '../consumption/line-id.ts';
import type { Tier } from '../consumption/source.ts';

/** The pricing tiers by `lineKey`, those of equal bounds and rates added up within a billing period. */
export function tiersByLine(
  { billingPeriods }: DetailedCharges,
  rules: FoldRules<ChargeRow>,
  nameOf: (itemId: string) => string | undefined,
): (line: Line) => readonly Tier[] {
  const byLine = new Map<string, Map<string, Tier>>();
  for (const [index, billingPeriod] of billingPeriods.entries()) {
    const period = spanOf(billingPeriod);
    for (const { key, row } of rowsOf(billingPeriod.results)) {
      const line = lineKey({ labels: rules.labels(key, row), measure: rules.measure(row) });
      const tiers = byLine.get(line) ?? new Map<string, Tier>();
      byLine.set(line, tiers);
      for (const detail of row.details) {
        const same = tierKey(index, row, detail);
        const known = tiers.get(same);
        tiers.set(same, {
          period,
          ratePlan: billingPeriod.ratePlan,
          ratePlanItem: detail.ratePlanItem,
          item: nameOf(detail.chargeableItemId) ?? detail.chargeableItemId,
          metric: row.tags['metric'] ?? '',
          from: detail.from,
          to: detail.to,
          units: known?.units.plus(detail.units) ?? detail.units,
          rate: detail.rate,
          amount: known?.amount.plus(detail.amount) ?? detail.amount,
          currency: row.currency,
        });
      }
    }
  }
  return (line) => [...(byLine.get(lineKey(line))?.values() ?? [])].sort(compareTiers);
}

function spanOf({ results }: BillingPeriodCharges): Range {
  const periods = results.flatMap((result) => result.periods);
  return {
    startMs: Math.min(...periods.map(({ startMs }) => startMs)),
    endMs: Math.max(...periods.map(({ endMs }) => endMs)),
  };
}

function tierKey(billingPeriod: number, row: DetailedChargeRow, tier: ChargeTier): string {
  const { feature, metric, locationType, performanceClass } = row.tags;
  const bounds = [tier.from, tier.to, tier.rate].map((bound) => bound?.toFixed());
  return JSON.stringify([
    billingPeriod,
    [feature, metric, locationType, performanceClass, row.currency],
    [tier.chargeableItemId, tier.ratePlanItem, ...bounds],
  ]);
}

function compareTiers(a: Tier, b: Tier): number {
  return (
    a.period.startMs - b.period.startMs ||
    a.item.localeCompare(b.item, 'en') ||
    (a.from?.comparedTo(b.from ?? 0) ?? (b.from ? -1 : 0)) ||
    0
  );
}
