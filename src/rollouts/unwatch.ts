import type { Message } from '../notify/message.ts';
import type { Services } from '../services.ts';
import { section, topText } from '../slack/kit/blocks.ts';
import { moment, mrkdwn, Mrkdwn } from '../slack/kit/text.ts';
import {
  createMutes,
  createWatches,
  overlaps,
  placeOf,
  watchedGvcs,
  type Scope,
  type Watch,
  type WatchedGvc,
} from './watches.ts';
import type { GvcState } from './engine/advance.ts';
import { cardNumber } from './engine/rollout.ts';
import { SIGNS } from './engine/states.ts';
import { readGvc, readPollStatus } from './gvc-store.ts';
import { RECONCILE_WATCHES } from './jobs.ts';
import { cardKey, gvcKey } from './messages/audience.ts';
import { whereAndWhen, nameOf, wordOf } from './messages/view-parts.ts';
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
  channel: string,
  meant: readonly Watch[],
): Promise<Unwatched> {
  const removed = meant.filter((watch) => !watch.configured);
  const kept = meant.filter((watch) => watch.configured);
  if (removed.length === 0) return { removed, kept };
  const woken = await Promise.all(
    watchedGvcs(removed).map((gvc) => endIn(services, gvc, { channel, removed })),
  );
  await services.jobs.add('rollouts', RECONCILE_WATCHES, {});
  await services.wake(woken.flat());
  await liftMutes(services, await endedIn(services, { channel, removed }));
  return { removed, kept };
}

/** Adds the remaining watches of the channel, whether or not these are removed by now. */
async function endedIn(
  services: Parameters<typeof createWatches>[0],
  { channel, removed }: Omit<Ended, 'left'>,
): Promise<Ended> {
  const gone = new Set(removed.map(placeOf));
  const left = (await createWatches(services).all()).filter(
    (watch) => watch.channel === channel && (watch.configured || !gone.has(placeOf(watch))),
  );
  return { channel, removed, left };
}

/**
 * Closes the cards first: after a crash in between the watch still exists and can be ended. No poll may run
 * meanwhile: one that knew of the watch would reopen the cards.
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
    woken = (await services.outbox.commit(await closingsOf(services, place, ended))) ?? [];
    await createWatches(services).remove(
      ended.removed.filter(({ org, gvc }) => org === place.org && gvc === place.gvc),
    );
  });
  return woken;
}

interface Ended {
  channel: string;
  removed: readonly Watch[];
  left: readonly Watch[];
}

/** The last edits of open, posted cards that no watch of the channel covers any longer. */
async function closingsOf(
  { redis, keys }: UnwatchServices,
  { org, gvc }: WatchedGvc,
  { channel, removed, left }: Ended,
): Promise<Message[]> {
  const [{ state }, poll] = await Promise.all([
    readGvc(redis, keys, org, gvc),
    readPollStatus(redis, keys, org, gvc),
  ]);
  return openCards({ org, gvc }, state)
    .filter(({ workload }) => {
      const scope: Scope = { org, gvc, ...(workload === undefined ? {} : { workload }) };
      const isCovered = (watch: Watch): boolean => overlaps(watch, scope);
      return removed.some(isCovered) && !left.some(isCovered);
    })
    .map((card) => ({
      channel,
      key: card.key,
      requires: card.key,
      ...unwatchedContent({ org, gvc }, card, poll.at),
    }));
}

/** Without a watch a mute has no effect, and nothing would end it. */
async function liftMutes(
  services: UnwatchServices,
  { channel, removed, left }: Ended,
): Promise<void> {
  const mutes = createMutes(services);
  for (const mute of await mutes.all(services.clock.now())) {
    if (mute.channel !== channel) continue;
    const silenced = (watch: Watch): boolean => overlaps(watch, mute);
    if (removed.some(silenced) && !left.some(silenced)) await mutes.lift(channel, mute);
  }
}

interface OpenCard {
  key: string;
  /** Absent: the card of the whole GVC. */
  workload?: string;
  /** "v12", "GVC v3" */
  version: string;
  /** The worst state, as last seen. */
  word: string;
  /** Milliseconds since the epoch; null when unknown. */
  startedAt: number | null;
}

/** Cards of a GVC that are opened and not final; empty before the first poll. Pure. */
function openCards(place: WatchedGvc, state: GvcState): OpenCard[] {
  const cards: OpenCard[] = [];
  if (state.meta === undefined) return cards;
  for (const [workload, rollout] of Object.entries(state.rollouts)) {
    const { version, startedAt, ending, told } = rollout;
    if (ending !== null || told[`${version}/card`] === undefined) continue;
    const key = cardKey(place, { workload, version, card: cardNumber(rollout) });
    const word = worstStateIn(state, `${workload}/`);
    cards.push({ key, workload, version: `v${version}`, word, startedAt });
  }
  const gvc = state.gvcLevel?.gvc;
  if (gvc?.ending === null) {
    const key = gvcKey(place, gvc.version, 'card');
    const word = worstStateIn(state, '');
    cards.push({ key, version: `GVC v${gvc.version}`, word, startedAt: gvc.startedAt });
  }
  return cards;
}

/** @param prefix of the record keys that count, `workload/location` */
function worstStateIn({ records }: GvcState, prefix: string): string {
  const own = Object.entries(records).filter(([key, { cron }]) => key.startsWith(prefix) && !cron);
  return wordOf(
    null,
    own.map(([, record]) => record),
  );
}

/**
 * The last edit of a card that is no longer updated, without buttons. Pure.
 * @param at of the last poll, milliseconds since the epoch, 0 = none
 */
export function unwatchedContent(
  place: WatchedGvc,
  { workload, version, word, startedAt }: OpenCard,
  at: number,
): Pick<Message, 'text' | 'blocks'> {
  const name = nameOf(place, workload);
  const seen = at === 0 ? mrkdwn`` : mrkdwn`, ${moment(at)}`;
  const state = mrkdwn`no longer watched here · last seen ${word}${seen}`;
  const last = whereAndWhen(place, startedAt);
  return {
    text: topText(mrkdwn`${name} ${version} ${state}`),
    blocks: [section(mrkdwn`*${name}* ${version}\n${new Mrkdwn(SIGNS.gone)} ${state}${last}`)],
  };
}
