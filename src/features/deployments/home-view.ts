import type { KnownBlock } from '@slack/types';
import { compareNames, formatAge, plural } from '../../lib/text.ts';
import type { RecordState } from '../../rollouts/engine/classify.ts';
import { URGENCY } from '../../rollouts/engine/urgency.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import { SIGNS } from '../../rollouts/messages/words.ts';
import {
  code,
  context,
  joinMrkdwn,
  lines,
  mentionChannel,
  mrkdwn,
  Mrkdwn,
  section,
} from '../../slack/kit/index.ts';

/** Something that is watched, and how it is. */
export interface WatchedPlace {
  /** `org/gvc` or `org/gvc/workload`. */
  readonly place: string;
  /** That hear of it. */
  readonly channels: readonly string[];
  readonly pulse: Pulse;
  /** Of every workload in every location that is seen there. */
  readonly states: readonly RecordState[];
}

const MOST = 8;
const MOST_CHANNELS = 3;

/** What is watched, trouble first. Pure. @param now ms since the epoch */
export function watchesBlocks(places: readonly WatchedPlace[], now: number): KnownBlock[] {
  if (places.length === 0) {
    return [
      section(
        mrkdwn`Nothing is watched. ${code('/deployments watch GVC')} in a channel tells it of every rollout.`,
      ),
    ];
  }
  const sorted = places.toSorted(
    (a, b) => urgency(a) - urgency(b) || compareNames(a.place, b.place),
  );
  const shown = sorted.slice(0, MOST);
  const hidden = places.length - shown.length;
  return [
    lines(shown.map((one) => placeLine(one, now))),
    ...(hidden > 0
      ? [
          context(
            mrkdwn`… and ${hidden} more, in no worse state: ${code('/deployments watches')} in their channels`,
          ),
        ]
      : []),
  ];
}

function placeLine(one: WatchedPlace, now: number): Mrkdwn {
  const { place, channels } = one;
  return mrkdwn`${signOf(one)} *${place}* in ${channelList(channels)} – ${health(one, now)}`;
}

function channelList(channels: readonly string[]): Mrkdwn {
  const hidden = channels.length - MOST_CHANNELS;
  const named = joinMrkdwn(channels.slice(0, MOST_CHANNELS).map(mentionChannel), ', ');
  return hidden > 0 ? mrkdwn`${named} and ${hidden} more` : named;
}

function health({ pulse, states }: WatchedPlace, now: number): Mrkdwn {
  if (pulse.at === 0) {
    return pulse.failures > 0
      ? mrkdwn`cannot be read, ${plural(pulse.failures, 'try', 'tries')} failed`
      : mrkdwn`not read yet`;
  }
  const read = formatAge(now - pulse.at);
  return pulse.failures > 0
    ? mrkdwn`${counted(states)} · last read ${read}, ${plural(pulse.failures, 'try', 'tries')} failed since`
    : mrkdwn`${counted(states)} · read ${read}`;
}

/** "1 failed, 8 ready, 2 idle": the worst first, and last what is quiet on purpose. */
function counted(states: readonly RecordState[]): string {
  const counts = new Map<RecordState, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  const words = [...counts]
    .toSorted(
      ([a], [b]) =>
        Number(QUIET.has(a)) - Number(QUIET.has(b)) || URGENCY.indexOf(a) - URGENCY.indexOf(b),
    )
    .map(([state, count]) => `${count} ${state}`);
  return words.length === 0 ? 'no deployments' : words.join(', ');
}

/** What is quiet on purpose says nothing of the whole, as long as something is ready beside it. */
const QUIET: ReadonlySet<RecordState> = new Set<RecordState>(['suspended', 'idle', 'gone', 'cron']);

function worstOf(states: readonly RecordState[]): RecordState | undefined {
  const loud = states.filter((state) => !QUIET.has(state));
  return (loud.length > 0 ? loud : [...states]).toSorted(
    (a, b) => URGENCY.indexOf(a) - URGENCY.indexOf(b),
  )[0];
}

/** Smaller is more urgent. */
function urgency({ pulse, states }: WatchedPlace): number {
  if (pulse.failures > 0) return -1;
  const worst = worstOf(states);
  return worst === undefined ? URGENCY.length : URGENCY.indexOf(worst);
}

function signOf({ pulse, states }: WatchedPlace): Mrkdwn {
  if (pulse.failures > 0) return mrkdwn`:warning:`;
  return new Mrkdwn(SIGNS[worstOf(states) ?? 'unknown']);
}
