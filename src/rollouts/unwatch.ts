import { plural } from '../lib/text.ts';
import type { Message } from '../notify/message.ts';
import type { Services } from '../services.ts';
import { section, sign } from '../slack/kit/blocks.ts';
import { contentOf } from '../slack/kit/message-text.ts';
import { moment, mrkdwn } from '../slack/kit/text.ts';
import {
  createWatches,
  liftMutes,
  overlaps,
  placeOf,
  readMutes,
  removeWatches,
  watchedGvcs,
  type Scope,
  type Watch,
  type WatchedGvc,
} from './watches.ts';
import { readGvc, readOrg, readPollStatus } from './gvc-store.ts';
import { RECONCILE_WATCHES } from './jobs.ts';
import { cardKey, groupKey } from './render/messages.ts';
import { dotted, nameOf, short } from './render/parts.ts';
import type { GvcState } from './watch/advance.ts';
import type { Group, OrgState } from './watch/group.ts';
import { stateWord } from './watch/status.ts';
import { withPollLockSoon } from './poll.ts';

/** How long to wait for a running poll, in milliseconds: a user is waiting for the answer. */
const PATIENCE_MS = 5_000;

type UnwatchServices = Pick<
  Services,
  'config' | 'redis' | 'keys' | 'jobs' | 'outbox' | 'wake' | 'clock'
>;

export interface Unwatched {
  removed: Watch[];
  /** Made by the environment: no command can remove them. */
  kept: Watch[];
}

/**
 * Ends those of these watches of a channel that were made by command. Cards without a watch get a last edit,
 * and mutes without a watch end.
 */
export async function endWatches(
  services: UnwatchServices,
  { channel, by }: { channel: string; by: string },
  meant: readonly Watch[],
): Promise<Unwatched> {
  const removed = meant.filter((watch) => !watch.configured);
  const kept = meant.filter((watch) => watch.configured);
  if (removed.length === 0) return { removed, kept };
  const woken = await Promise.all(
    watchedGvcs(removed).map((gvc) => endIn(services, gvc, { channel, by, removed })),
  );
  await services.jobs.add('rollouts', RECONCILE_WATCHES, {});
  await services.wake(woken.flat());
  await liftIdleMutes(services, await endedIn(services, { channel, by, removed }));
  return { removed, kept };
}

/** Adds the remaining watches of the channel, whether or not these are removed by now. */
async function endedIn(
  services: Parameters<typeof createWatches>[0],
  { channel, by, removed }: Omit<Ended, 'left'>,
): Promise<Ended> {
  const gone = new Set(removed.map(placeOf));
  const left = (await createWatches(services).all()).filter(
    (watch) => watch.channel === channel && (watch.configured || !gone.has(placeOf(watch))),
  );
  return { channel, by, removed, left };
}

/**
 * Closes the cards in the same step. No poll may run meanwhile: one that knew of the watch would reopen them.
 * @returns the channels that have something to deliver
 */
async function endIn(
  services: UnwatchServices,
  place: WatchedGvc,
  of: Omit<Ended, 'left'>,
): Promise<string[]> {
  let woken: string[] = [];
  await withPollLockSoon(services, place, PATIENCE_MS, async () => {
    const ended = await endedIn(services, of);
    const messages = await closingsOf(services, place, ended);
    const here = ended.removed.filter(({ org, gvc }) => org === place.org && gvc === place.gvc);
    woken = await removeWatches(services, here, { ...of, messages });
  });
  return woken;
}

interface Ended {
  channel: string;
  /** Slack user id. */
  by: string;
  removed: readonly Watch[];
  left: readonly Watch[];
}

/** The last edits of open, posted cards that no watch of the channel covers any longer. */
async function closingsOf(
  { redis, keys }: UnwatchServices,
  { org, gvc }: WatchedGvc,
  { channel, removed, left }: Ended,
): Promise<Message[]> {
  const [{ state }, shared, poll] = await Promise.all([
    readGvc(redis, keys, org, gvc),
    readOrg(redis, keys, org),
    readPollStatus(redis, keys, org, gvc),
  ]);
  if (state.meta === undefined) return [];
  return [...openCards({ org, gvc }, state), ...openGroups(org, shared.state)]
    .filter(({ scopes }) => {
      const isCovered = (watch: Watch): boolean => scopes.some((scope) => overlaps(watch, scope));
      return removed.some(isCovered) && !left.some(isCovered);
    })
    .map((card) => ({
      channel,
      key: card.key,
      editOnly: true,
      ...unwatchedContent(card, poll.at),
    }));
}

/** Without a watch a mute has no effect, and nothing would end it. */
async function liftIdleMutes(
  services: UnwatchServices,
  { channel, by, removed, left }: Ended,
): Promise<void> {
  for (const mute of await readMutes(services, services.clock.now())) {
    if (mute.channel !== channel) continue;
    const silenced = (watch: Watch): boolean => overlaps(watch, mute);
    if (removed.some(silenced) && !left.some(silenced)) {
      await liftMutes(services, { ...mute, by });
    }
  }
}

interface OpenCard {
  key: string;
  /** The places on it. */
  scopes: readonly Scope[];
  /** "shop/cart", and "v12" */
  name: string;
  version: string;
  /** The state word, as last seen; '' of a whole GVC. */
  word: string;
  /** Milliseconds since the epoch; absent when unknown. */
  startedAt: number | undefined;
}

/** Cards of rollouts that still change. */
function openCards(place: WatchedGvc, { workloads }: GvcState): OpenCard[] {
  return Object.entries(workloads)
    .filter(([, { card, ends, episode }]) => {
      const isFinal = ends.ready !== undefined && episode === undefined;
      return card !== undefined && !isFinal;
    })
    .map(([workload, state]) => ({
      key: cardKey(place, workload, state),
      scopes: [{ ...place, workload }],
      name: nameOf(place, workload),
      version: `v${state.version}`,
      word: stateWord(state),
      startedAt: state.startedAt,
    }));
}

/** Messages of locations and cards of GVC versions that still change. */
function openGroups(org: string, { groups }: OrgState): OpenCard[] {
  return Object.values(groups)
    .filter(({ readyAt, closedAt, supersededBy }) => {
      return (readyAt ?? closedAt ?? supersededBy) === undefined;
    })
    .map((group) => ({
      key: groupKey(org, group),
      scopes: group.kind === 'gvc' ? [{ org, gvc: group.name }] : membersOf(org, group),
      name: short(group.name),
      version:
        group.kind === 'gvc'
          ? `GVC v${group.n}`
          : plural(Object.keys(group.members).length, 'workload'),
      word: '',
      startedAt: group.openedAt,
    }));
}

function membersOf(org: string, { members }: Group): Scope[] {
  return Object.keys(members).map((name) => {
    const [gvc = '', workload = ''] = name.split('/');
    return { org, gvc, workload };
  });
}

/**
 * The last edit of a card that is no longer updated, without buttons. Pure.
 * @param at of the last poll, milliseconds since the epoch, 0 = none
 */
export function unwatchedContent(
  { name, version, word, startedAt }: OpenCard,
  at: number,
): Pick<Message, 'text' | 'blocks'> {
  const seen = at === 0 ? mrkdwn`` : mrkdwn`, ${moment(at)}`;
  const state = dotted([
    'no longer watched here',
    word === '' ? '' : mrkdwn`last seen ${word}${seen}`,
  ]);
  const began = startedAt === undefined ? mrkdwn`` : mrkdwn`started ${moment(startedAt)}`;
  return contentOf([
    section(mrkdwn`*${name}* ${version}\n${sign('over')} ${dotted([state, began])}`),
  ]);
}
