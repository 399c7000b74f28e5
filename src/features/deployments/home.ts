import type { KnownBlock } from '@slack/types';
import type { Principal } from '../../access/policy.ts';
import { compareNames, formatAge, plural } from '../../lib/text.ts';
import type { GvcState } from '../../rollouts/engine/advance.ts';
import { SIGNS, URGENCY } from '../../rollouts/engine/states.ts';
import type { RecordState } from '../../rollouts/engine/states.ts';
import { readGvc, readPollStatus } from '../../rollouts/gvc-store.ts';
import type { PollStatus } from '../../rollouts/gvc-store.ts';
import { createWatches, placeOf, watchedGvcs } from '../../rollouts/watches.ts';
import type { Watch } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { context, lines, section } from '../../slack/kit/blocks.ts';
import { code, joinFirst, mentionChannel, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { HomePart } from '../../slack/routing/routes.ts';

type HomeServices = Pick<Services, 'config' | 'redis' | 'keys' | 'access' | 'clock'>;

/** What is watched and how it is, on the home tab (design section 3): all from the store, nothing from the platform. */
export function createWatchesPart(services: HomeServices): HomePart<Principal> {
  return {
    title: 'Watches',
    rank: 50,
    async fill(person) {
      await services.access.requireOrgAccess(person);
      return watchesBlocks(await readPlaces(services), services.clock.now());
    },
    refusal: ({ orgRefusal }) => orgRefusal,
  };
}

async function readPlaces(services: HomeServices) {
  const { redis, keys } = services;
  const all = await createWatches(services).all();
  const places = await Promise.all(
    watchedGvcs(all).map(async ({ org, gvc }) => {
      const [{ state }, poll] = await Promise.all([
        readGvc(redis, keys, org, gvc),
        readPollStatus(redis, keys, org, gvc),
      ]);
      const here = all.filter((watch) => watch.org === org && watch.gvc === gvc);
      return placesIn(here, state.records, poll);
    }),
  );
  return places.flat();
}

/** What is watched of one GVC: the GVC, workloads of it, or both. */
function placesIn(
  watches: readonly Watch[],
  records: GvcState['records'],
  poll: PollStatus,
): WatchedPlace[] {
  const places = new Map(watches.map((watch) => [placeOf(watch), watch]));
  return [...places].map(([place, watch]) => {
    const channels = watches.filter((one) => placeOf(one) === place).map(({ channel }) => channel);
    return { place, channels: [...new Set(channels)], poll, states: statesOf(watch, records) };
  });
}

/** Of what the watch is about; what is gone is not there any more. */
function statesOf({ workload }: Watch, records: GvcState['records']): WatchedPlace['states'] {
  return Object.entries(records)
    .filter(([name]) => workload === undefined || name.startsWith(`${workload}/`))
    .map(([, { state }]) => state)
    .filter((state) => state !== 'gone');
}

/** Something that is watched, and how it is. */
export interface WatchedPlace {
  /** `org/gvc` or `org/gvc/workload`. */
  readonly place: string;
  /** Where it is watched. */
  readonly channels: readonly string[];
  readonly poll: PollStatus;
  /** Of every workload in every location that is seen there. */
  readonly states: readonly RecordState[];
}

const MAX_PLACES = 8;
const MAX_CHANNELS = 3;

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
  const shown = sorted.slice(0, MAX_PLACES);
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
  const list = joinFirst(channels.map(mentionChannel), MAX_CHANNELS);
  return mrkdwn`${signOf(one)} *${place}* in ${list} – ${health(one, now)}`;
}

function health({ poll, states }: WatchedPlace, now: number): Mrkdwn {
  if (poll.at === 0) {
    return poll.failures > 0
      ? mrkdwn`cannot be read, ${plural(poll.failures, 'try', 'tries')} failed`
      : mrkdwn`not read yet`;
  }
  const read = formatAge(now - poll.at);
  return poll.failures > 0
    ? mrkdwn`${counted(states)} · last read ${read}, ${plural(poll.failures, 'try', 'tries')} failed since`
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
function urgency({ poll, states }: WatchedPlace): number {
  if (poll.failures > 0) return -1;
  const worst = worstOf(states);
  return worst === undefined ? URGENCY.length : URGENCY.indexOf(worst);
}

function signOf({ poll, states }: WatchedPlace): Mrkdwn {
  if (poll.failures > 0) return mrkdwn`:warning:`;
  return new Mrkdwn(SIGNS[worstOf(states) ?? 'unknown']);
}
