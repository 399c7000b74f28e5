import type { KnownBlock } from '@slack/types';
import { rowsOf } from '../../figures/fold.ts';
import { describeMoment } from '../../figures/range.ts';
import { plural } from '../../lib/text.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';
import { code, context, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/index.ts';
import type { Found } from './source.ts';

/** Spec section 8. */
const REVISION_MS = 48 * 3_600_000;
/** Priced from the cloud provider's bill (spec 2.11). */
const REVISABLE = ['snapshot-storage', 'load-balancer-processed-bytes'];
/** The same volumes, measured in two ways (spec 2.11). */
const TWICE = ['volume-set-capacity-bytes', 'volume_set_capacity'];

const FLAW = '⚠';

/** A line about figures that are wrong or incomplete. */
export function flaw(text: Mrkdwn): Mrkdwn {
  return mrkdwn`${FLAW} ${text}`;
}

/** A line that explains figures which are right. */
export function note(text: Mrkdwn): Mrkdwn {
  return mrkdwn`ℹ ${text}`;
}

/** A note that a person needs in full once a day; `short` stands for it in further answers of the day. */
export class DailyNote extends Mrkdwn {
  readonly short: Mrkdwn;

  constructor(full: Mrkdwn, short: Mrkdwn) {
    super(full.text);
    this.short = short;
  }
}

/** Whether a line tells of figures that are wrong or incomplete. */
function isFlaw({ text }: Mrkdwn): boolean {
  return text.startsWith(FLAW);
}

/** What makes the figures of an answer wrong or incomplete. */
export function flawsOf({ skipped, caveats }: Pick<Found, 'skipped' | 'caveats'>): Mrkdwn[] {
  return [...skippedCaveat(skipped), ...caveats.filter(isFlaw)];
}

/** Caveats as small print, one line each, flaws first: the end may find no room. Nothing where there are none. */
export function caveatBlocks(caveats: readonly Mrkdwn[]): KnownBlock[] {
  const ordered = caveats.toSorted((a, b) => Number(isFlaw(b)) - Number(isFlaw(a)));
  return caveats.length === 0 ? [] : [context(joinMrkdwn(ordered, '\n'))];
}

/** What could not be read makes every sum too low. */
export function skippedCaveat(skipped: number): Mrkdwn[] {
  if (skipped === 0) return [];
  const rows = plural(skipped, 'row');
  return [
    flaw(mrkdwn`${rows} of the platform’s answer could not be read, so the totals are too low.`),
  ];
}

/**
 * What keeps people from reading metered values wrongly, as far as it applies. `nowMs`: since the epoch.
 * `counts`: whether a row is in a figure that is shown.
 */
export function meteringCaveats<Row extends Consumption>(
  results: readonly ConsumptionResult<Row>[],
  { nowMs, counts }: { readonly nowMs: number; readonly counts: (row: Row) => boolean },
): Mrkdwn[] {
  const cutoff = nowMs - REVISION_MS;
  const counted = new Set<string>();
  const recent = new Set<string>();
  for (const { row, endMs } of rowsOf(results)) {
    const { metric } = row.tags;
    if (metric === undefined || row.value.isZero()) continue;
    if (counts(row)) counted.add(metric);
    if (endMs > cutoff) recent.add(metric);
  }
  const revisable = REVISABLE.filter((metric) => recent.has(metric));
  return [
    ...(revisable.length === 0
      ? []
      : [
          note(
            mrkdwn`${listOf(revisable)} of the last 48 h (since ${describeMoment(cutoff)}) can still be revised.`,
          ),
        ]),
    ...(TWICE.every((metric) => counted.has(metric))
      ? [
          note(
            mrkdwn`${listOf(TWICE)} are the same volumes measured in two ways: their quantities are never added.`,
          ),
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
