import { rowsOf } from '../../figures/fold.ts';
import type { FoldRules } from '../../figures/fold.ts';
import type { Line } from '../../figures/line.ts';
import { unitsOfMetrics } from '../../figures/quantity.ts';
import type { UnitOfMetric } from '../../figures/quantity.ts';
import type { Range } from '../../figures/range.ts';
import { compareNames } from '../../lib/text.ts';
import type { BillingPeriodCharges, ChargeRow } from '../../platform/billing/charge-rows.ts';
import type { Catalogue } from '../../platform/billing/items.ts';
import { lineKey } from '../consumption/line-id.ts';
import type { Tier } from '../consumption/source.ts';
import { tierKey } from './sums.ts';

/** What the catalogue says of tiers. */
export interface ItemWords {
  /** An item's name by its id. */
  readonly nameOf: (itemId: string) => string | undefined;
  readonly unitOf: UnitOfMetric;
}

/** @param catalogue undefined where it could not be read: tiers then have ids and documented units alone */
export function itemWords(catalogue: Catalogue | undefined): ItemWords {
  const names = new Map(catalogue?.items.map(({ id, name }) => [id, name]));
  return { nameOf: (id) => names.get(id), unitOf: unitsOfMetrics(catalogue?.items) };
}

/**
 * The pricing tiers by `lineKey`, those of equal bounds and rates added up within a billing period.
 * @param words.withOrg the tiers of each org are its own, so they are told with it
 */
export function tiersByLine(
  billingPeriods: readonly BillingPeriodCharges[],
  rules: FoldRules<ChargeRow>,
  { nameOf, unitOf, withOrg }: ItemWords & { readonly withOrg: boolean },
): (line: Line) => readonly Tier[] {
  const byLine = new Map<string, Map<string, Tier>>();
  for (const [index, billingPeriod] of billingPeriods.entries()) {
    const period = spanOf(billingPeriod);
    for (const { key, row } of rowsOf(billingPeriod.results)) {
      const line = lineKey({ labels: rules.labels(key, row), measure: rules.measure(row) });
      const tiers = byLine.get(line) ?? new Map<string, Tier>();
      byLine.set(line, tiers);
      for (const detail of row.details) {
        const same = JSON.stringify([index, usageOf(row), tierKey(detail)]);
        const known = tiers.get(same);
        const item = nameOf(detail.chargeableItemId) ?? detail.chargeableItemId;
        tiers.set(same, {
          period,
          ratePlan: billingPeriod.ratePlan,
          ratePlanItem: detail.ratePlanItem,
          item: withOrg ? `${item} (${row.tags['org'] ?? key['org'] ?? ''})` : item,
          unit: unitOf(row.tags['metric'] ?? ''),
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

/** The part of a billing period that was asked for. */
export function spanOf({ results }: BillingPeriodCharges): Range {
  const periods = results.flatMap((result) => result.periods);
  return {
    startMs: Math.min(...periods.map(({ startMs }) => startMs)),
    endMs: Math.max(...periods.map(({ endMs }) => endMs)),
  };
}

/** What of a row its tiers are told apart by. */
function usageOf({ tags, currency }: ChargeRow): readonly (string | undefined)[] {
  const { feature, metric, locationType, performanceClass } = tags;
  return [feature, metric, locationType, performanceClass, currency];
}

function compareTiers(a: Tier, b: Tier): number {
  return (
    a.period.startMs - b.period.startMs ||
    compareNames(a.item, b.item) ||
    (a.from?.comparedTo(b.from ?? 0) ?? (b.from ? -1 : 0)) ||
    0
  );
}
