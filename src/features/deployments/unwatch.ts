import type { Clock } from '../../lib/clock.ts';
import type { Message } from '../../notify/message.ts';
import type { Outbox } from '../../notify/outbox.ts';
import type { GvcState } from '../../rollouts/engine/advance.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import type { Mutes } from '../../rollouts/mutes.ts';
import { watchedGvcs } from '../../rollouts/schedule.ts';
import type { WatchedGvc } from '../../rollouts/schedule.ts';
import type { Watch, Watches } from '../../rollouts/watches.ts';
import { overlap } from './place.ts';
import type { Scope } from './place.ts';
import { openCards, unwatchedContent } from './unwatched-card.ts';

export interface UnwatchDeps {
  watches: Watches;
  /** Called after the set of watches changed. */
  watchesChanged: () => Promise<void>;
  mutes: Mutes;
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
  await deps.watches.remove(removed);
  const left = (await deps.watches.all()).filter((watch) => watch.channel === channel);
  await deps.watchesChanged();
  const ended = { channel, removed, left };
  const closings = await Promise.all(
    watchedGvcs(removed).map((gvc) => closingsOf(deps, gvc, ended)),
  );
  await deps.wake((await deps.outbox.commit(closings.flat())) ?? []);
  await liftMutes(deps, ended);
  return { removed, kept };
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
