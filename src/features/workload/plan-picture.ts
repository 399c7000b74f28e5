import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import type { RolloutPlan } from '../../platform/workload/plan.ts';
import { code, lines, mrkdwn } from '../../slack/kit/index.ts';

/** The shape tells the version, and what is filled serves; every font has them, and no colour is needed. */
const OLD = '■';
const FRESH = '●';
const STARTING = '○';

/** Signs of the widest moment; a telephone shows about as many in one line. */
const WIDTH = 20;
/** Moments of a long plan: its first batches and its last one. */
const FIRST_MOMENTS = 5;

/** What is there at one moment. */
interface Moment {
  name: string;
  old: number;
  fresh: number;
  starting: number;
}

/** A row of signs for each moment of a rollout, one sign per replica or for as many as fit. */
export function planPicture(plan: RolloutPlan): KnownBlock {
  const { batches, replicas } = plan;
  const perSign = Math.ceil(Math.max(...momentsOf(plan).map(sizeOf)) / WIDTH);
  const during = batches.map((batch, index) => ({
    name: `batch ${(index + 1).toLocaleString('en-US')}`,
    ...batch,
  }));
  const hidden = during.length - FIRST_MOMENTS - 1;
  const row = (moment: Moment) => mrkdwn`${code(signs(moment, perSign))} ${moment.name}`;
  const middle =
    hidden > 1
      ? [
          ...during.slice(0, FIRST_MOMENTS).map(row),
          mrkdwn`… ${plural(hidden, 'more batch', 'more batches')}`,
          ...during.slice(-1).map(row),
        ]
      : during.map(row);
  const legend = mrkdwn`${OLD} old · ${STARTING} new, starting · ${FRESH} new${perSign > 1 ? ` (a sign is up to ${perSign} replicas)` : ''}`;
  return lines([
    row({ name: 'before', old: replicas, fresh: 0, starting: 0 }),
    ...middle,
    row({ name: 'end', old: 0, fresh: replicas, starting: 0 }),
    legend,
  ]);
}

function momentsOf({ batches, replicas }: RolloutPlan): Omit<Moment, 'name'>[] {
  return [{ old: replicas, fresh: 0, starting: 0 }, ...batches];
}

function sizeOf({ old, fresh, starting }: Omit<Moment, 'name'>): number {
  return old + fresh + starting;
}

function signs({ old, fresh, starting }: Moment, perSign: number): string {
  // Borders are rounded, not lengths: as many replicas are as many signs at every moment.
  const upTo = (count: number): number => Math.ceil(count / perSign);
  const serving = upTo(fresh);
  const there = upTo(fresh + starting);
  return (
    FRESH.repeat(serving) +
    STARTING.repeat(there - serving) +
    OLD.repeat(upTo(fresh + starting + old) - there)
  );
}
