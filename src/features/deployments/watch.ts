import { nearest } from '../../lib/nearest.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import { muteOf } from '../../rollouts/mutes.ts';
import type { Mutes } from '../../rollouts/mutes.ts';
import { outspokenBy } from '../../rollouts/watches.ts';
import type { Watch, Watches } from '../../rollouts/watches.ts';
import type { Answer, CommandContext, Person } from '../../slack/routes.ts';
import type { DeploymentsCommand } from './parse.ts';
import { settleOrg } from './place.ts';
import type { Orgs, Target } from './place.ts';
import { readTargeted } from './read.ts';
import type { ReadDeps } from './read.ts';
import { watchAddedAnswer } from './watch-view.ts';
import type { Unlisted } from './watch-view.ts';
import { watchesAnswer } from './watches-view.ts';

export interface WatchDeps extends ReadDeps {
  orgs: Orgs;
  watches: Watches;
  mutes: Mutes;
  readPulse: (org: string, gvc: string) => Promise<Pulse>;
  /** Whether the bot can post there; undefined when Slack does not say. */
  isMember: (channel: string) => Promise<boolean | undefined>;
  /** Whether a person is in a channel; undefined when Slack does not say. */
  hasMember: (channel: string, userId: string) => Promise<boolean | undefined>;
  /** Called after the set of watches changed. */
  watchesChanged: () => Promise<void>;
  /** Asks for a poll at once, so that what a new watch takes as known is what is there now. */
  pollSoon: (org: string, gvc: string) => Promise<void>;
}

/** Makes a watch, or changes the one that the channel has of the same place. */
export async function watch(
  deps: WatchDeps,
  command: Extract<DeploymentsCommand, { kind: 'watch' }>,
  context: CommandContext,
): Promise<Answer> {
  const { target, only, quiet } = command;
  const org = settleOrg(command.org, deps.orgs);
  const channel = command.channel ?? context.channelId;
  await requireAim(deps, context, channel);
  const unlisted = await readUnlisted(deps, { org, target, here: channel === context.channelId });
  if ((await deps.isMember(channel)) === false) {
    throw new Refusal(
      'Purser is not in that channel, so it could not post there: type "/invite @Purser" in the channel, then this command again.',
    );
  }
  const wanted: Watch = {
    org,
    gvc: target.gvc,
    ...(target.workload === undefined ? {} : { workload: target.workload }),
    channel,
    ...(only === undefined ? {} : { only }),
    quiet,
    configured: false,
    by: context.person.userId,
  };
  const replaced = await deps.watches.add(wanted);
  await deps.watchesChanged();
  await deps.pollSoon(org, target.gvc);
  const now = deps.clock.now();
  return watchAddedAnswer(wanted, {
    replaced,
    wider: outspokenBy(wanted, await deps.watches.all()),
    mute: muteOf(await deps.mutes.all(now), channel, wanted, now),
    unlisted,
  });
}

/**
 * Of a place where nothing is listed, the nearest name of its GVC: it may be new, or mistyped. Undefined
 * for one where something is. @throws as `readTargeted`
 */
async function readUnlisted(
  deps: WatchDeps,
  { org, target, here }: { org: string; target: Target; here: boolean },
): Promise<Unlisted | undefined> {
  const { gvc, workload } = target;
  const { deployments, skipped } = await readTargeted(deps, org, target);
  if (deployments.length + skipped > 0) return undefined;
  const { fallback: defaultOrg } = deps.orgs;
  if (workload === undefined) return { defaultOrg, here };
  const listed = (await readTargeted(deps, org, { gvc })).deployments.map((one) => one.workload);
  const meant = nearest(workload, listed);
  return { defaultOrg, here, ...(meant === undefined ? {} : { meant: { gvc, workload: meant } }) };
}

/**
 * Nobody decides what another channel hears unless Slack says that they are in it. Where something is
 * typed, its author is. @throws Refusal
 */
export async function requireAim(
  { hasMember }: Pick<WatchDeps, 'hasMember'>,
  { person, channelId }: { person: Person; channelId: string },
  channel: string,
): Promise<void> {
  if (channel === channelId) return;
  const isIn = channel.startsWith('D') ? false : await hasMember(channel, person.userId);
  if (isIn !== true) throw new Refusal(isIn === false ? OUTSIDE : NOBODY_SAYS);
}

const OUTSIDE =
  'You are not in that channel, so what it hears is not yours to decide: join it first, or ask somebody there to type this.';
const NOBODY_SAYS =
  'Slack does not say whether you are in that channel, so nothing was done: type this in the channel itself.';

/** The watches of a channel, and how reading what they are about goes. */
export async function listWatches(deps: WatchDeps, channel: string): Promise<Answer> {
  const now = deps.clock.now();
  const [all, mutes, isMember] = await Promise.all([
    deps.watches.all(),
    deps.mutes.all(now),
    deps.isMember(channel),
  ]);
  const own = all.filter((one) => one.channel === channel);
  const entries = own.map(async (one) => ({
    watch: one,
    pulse: await deps.readPulse(one.org, one.gvc),
  }));
  return watchesAnswer({
    channel,
    outside: isMember === false,
    entries: await Promise.all(entries),
    mutes: mutes.filter((mute) => mute.channel === channel),
    elsewhere: all.length - own.length,
    now,
  });
}
