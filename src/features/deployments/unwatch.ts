import type { Clock } from '../../lib/clock.ts';
import type { Message } from '../../notify/message.ts';
import type { Outbox } from '../../notify/outbox.ts';
import type { GvcState } from '../../rollouts/engine/advance.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import type { Mutes } from '../../rollouts/mutes.ts';
import { watchedGvcs } from '../../rollouts/schedule.ts';
import type { WatchedGvc } from '../../rollouts/schedule.ts';
import { placeOf } from '../../rollouts/watches.ts';
import type { Watch, Watches } from '../../rollouts/watches.ts';
import { overlap } from './place.ts';
import type { Scope } from './place.ts';
import { openCards, unwatchedContent } from './unwatched-card.ts';

export interface UnwatchDeps {
  watches: Watches;
  /** Called after the set of watches changed. */
  watchesChanged: () => Promise<void>;
  mutes: Mutes;
  /** Runs work while no poll of the GVC runs. */
  undisturbed: (gvc: WatchedGvc, work: () => Promise<void>) => Promise<void>;
  outbox: Pick<Outbox, 'commit'>;
  /** Told which channels have something to deliver. */
  wake: (channels: readonly string[]) => Promise<void>;
  readGvc: (org: string, gvc: string) => Promise<GvcState>;
  readPulse: (org: string, gvc: string) => Promise<Pulse>;
  clock: Clock;
}

/** What became of the watches that were meant. */
export interface Unwatched {
  removed: Watch[];
  /** Made by the environment: no command can take them away. */
  kept: Watch[];
}

/**
 * Ends those of the watches of a channel that were made by command. Cards that nobody tells on say so,
 * and mutes that silence nothing any more go.
 */
export async function endWatches(
  deps: UnwatchDeps,
  channel: string,
  meant: readonly Watch[],
): Promise<Unwatched> {
  const removed = meant.filter((watch) => !watch.configured);
  const kept = meant.filter((watch) => watch.configured);
  if (removed.length === 0) return { removed, kept };
  const woken = await Promise.all(
    watchedGvcs(removed).map((gvc) => endIn(deps, gvc, { channel, removed })),
  );
  await deps.watchesChanged();
  await deps.wake(woken.flat());
  await liftMutes(deps, await endedIn(deps, { channel, removed }));
  return { removed, kept };
}

/** With what the channel watches once these watches are removed, whether or not they are by now. */
async function endedIn(
  { watches }: Pick<UnwatchDeps, 'watches'>,
  { channel, removed }: Omit<Ended, 'left'>,
): Promise<Ended> {
  const gone = new Set(removed.map(placeOf));
  const left = (await watches.all()).filter(
    (watch) => watch.channel === channel && (watch.configured || !gone.has(placeOf(watch))),
  );
  return { channel, removed, left };
}

/**
 * Closes the cards first: after a crash in between the watch is still there to be ended. A poll that
 * knew of the watch would open them again, so none may run meanwhile.
 * @returns the channels that have something to deliver
 */
async function endIn(
  deps: UnwatchDeps,
  place: WatchedGvc,
  of: Omit<Ended, 'left'>,
): Promise<string[]> {
  let woken: string[] = [];
  await deps.undisturbed(place, async () => {
    const ended = await endedIn(deps, of);
    woken = (await deps.outbox.commit(await closingsOf(deps, place, ended))) ?? [];
    await deps.watches.remove(
      ended.removed.filter(({ org, gvc }) => org === place.org && gvc === place.gvc),
    );
  });
  return woken;
}

interface Ended {
  channel: string;
  removed: readonly Watch[];
  /** What the channel still watches. */
  left: readonly Watch[];
}

/** The last edits of the cards that move and that the channel hears no longer; only of those that are there. */
async function closingsOf(
  deps: UnwatchDeps,
  { org, gvc }: WatchedGvc,
  { channel, removed, left }: Ended,
): Promise<Message[]> {
  const [state, pulse] = await Promise.all([deps.readGvc(org, gvc), deps.readPulse(org, gvc)]);
  return openCards({ org, gvc }, state)
    .filter(({ workload }) => {
      const scope: Scope = { org, gvc, ...(workload === undefined ? {} : { workload }) };
      const heard = (watch: Watch): boolean => overlap(watch, scope);
      return removed.some(heard) && !left.some(heard);
    })
    .map((card) => ({
      channel,
      key: card.key,
      requires: card.key,
      ...unwatchedContent({ org, gvc }, card, pulse.at),
    }));
}

/** Without a watch there is nothing to be silent about, and nothing that would end the mute. */
async function liftMutes(deps: UnwatchDeps, { channel, removed, left }: Ended): Promise<void> {
  for (const mute of await deps.mutes.all(deps.clock.now())) {
    if (mute.channel !== channel) continue;
    const silenced = (watch: Watch): boolean => overlap(watch, mute);
    if (removed.some(silenced) && !left.some(silenced)) await deps.mutes.lift(channel, mute);
  }
}
