import type { Clock } from '../../lib/clock.ts';
import { muteOf } from '../../rollouts/mutes.ts';
import type { Mute, Mutes } from '../../rollouts/mutes.ts';
import type { Watches } from '../../rollouts/watches.ts';
import type { Answer, Person } from '../../slack/routes.ts';
import { mutedAnswer, mutesAnswer, nothingWatchedAnswer, unmutedAnswer } from './mute-view.ts';
import type { Hearing } from './mute-view.ts';
import { overlap } from './place.ts';
import type { Orgs, Scope } from './place.ts';

export interface MuteDeps {
  mutes: Mutes;
  watches: Watches;
  orgs: Orgs;
  clock: Clock;
}

/** What is to be silent or heard again, and where. */
export interface MuteWish {
  scope: Scope;
  channel: string;
  /** Where the person is. */
  typedIn: string | undefined;
}

/** Silences a scope in a channel (ADR 11). @param forMs milliseconds */
export async function mute(
  deps: MuteDeps,
  wish: MuteWish,
  { forMs, person }: { forMs: number; person: Person },
): Promise<Answer> {
  const { scope, channel } = wish;
  const watched = (await deps.watches.all()).some(
    (watch) => watch.channel === channel && overlap(watch, scope),
  );
  if (!watched) return nothingWatchedAnswer(hearingOf(deps, wish));
  const now = deps.clock.now();
  const made: Mute = { ...scope, channel, since: now, until: now + forMs, by: person.userId };
  await deps.mutes.set(made);
  const holding = muteOf(await deps.mutes.all(now), channel, scope, now);
  const longer = holding !== undefined && holding.until > made.until ? holding : undefined;
  return mutedAnswer(hearingOf(deps, wish), made, longer);
}

/** Ends the mutes of a scope and of what is in it, before their time. */
export async function unmute(deps: MuteDeps, wish: MuteWish): Promise<Answer> {
  const { scope, channel } = wish;
  const now = deps.clock.now();
  const lifted = (await deps.mutes.lift(channel, scope)).filter((one) => one.until > now).length;
  const wider = muteOf(await deps.mutes.all(now), channel, scope, now);
  return unmutedAnswer(hearingOf(deps, wish), lifted, wider);
}

/** What a channel has muted. */
export async function listMutes(deps: MuteDeps, channel: string): Promise<Answer> {
  const all = await deps.mutes.all(deps.clock.now());
  return mutesAnswer(
    channel,
    all.filter((one) => one.channel === channel),
  );
}

function hearingOf({ orgs }: MuteDeps, { scope, channel, typedIn }: MuteWish): Hearing {
  return { scope, channel, here: channel === typedIn, defaultOrg: orgs.fallback };
}
