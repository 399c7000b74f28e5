import { rowsOf } from '../../figures/fold.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';
import { code, joinMrkdwn, moment, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';

/** Spec section 8. */
const REVISION_MS = 48 * 3_600_000;
/** Priced from the cloud provider's bill (spec 2.11). */
const REVISABLE = ['snapshot-storage', 'load-balancer-processed-bytes'];
/** The same volumes, measured in two ways (spec 2.11). */
const TWICE = ['volume-set-capacity-bytes', 'volume_set_capacity'];

export const NOT_COMPARED = mrkdwn`The span before could not be read, so nothing is said of the change.`;

/** What keeps people from reading metered values wrongly, as far as it applies. `askedAt`: ms since the epoch. */
export function meteringCaveats(
  results: readonly ConsumptionResult<Consumption>[],
  askedAt: number,
): Mrkdwn[] {
  const cutoff = askedAt - REVISION_MS;
  const present = new Set<string>();
  const recent = new Set<string>();
  for (const { row, endMs } of rowsOf(results)) {
    const { metric } = row.tags;
    if (metric === undefined || row.value.isZero()) continue;
    present.add(metric);
    if (endMs > cutoff) recent.add(metric);
  }
  const revisable = REVISABLE.filter((metric) => recent.has(metric));
  return [
    ...(revisable.length === 0
      ? []
      : [
          mrkdwn`${listOf(revisable)} of the last 48 h (since ${moment(cutoff)}) come from the cloud provider’s bill and can still be revised.`,
        ]),
    ...(TWICE.every((metric) => present.has(metric))
      ? [
          mrkdwn`${listOf(TWICE)} are the same volumes measured in two ways: their quantities are never added.`,
        ]
      : []),
  ];
}

function listOf(metrics: readonly string[]): Mrkdwn {
  return joinMrkdwn(
    metrics.map((metric) => code(metric)),
    ' and ',
  );
}
