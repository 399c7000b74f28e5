import { Refusal } from '../../lib/errors.ts';
import {
  nameOf,
  readTargeted,
  resolveOrg,
  type Target,
} from '../../platform/deployments/target.ts';
import { readPollStatus } from '../../rollouts/gvc-store.ts';
import { RECONCILE_WATCHES } from '../../rollouts/jobs.ts';
import {
  createMutes,
  createWatches,
  muteOf,
  outspokenBy,
  type Watch,
} from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { isMember, requireChannelMember } from '../../slack/directory.ts';
import type { Answer, CommandContext } from '../../slack/routing/routes.ts';
import { absentPlace, likelyPlace, type NameServices } from './names.ts';
import type { DeploymentsCommand } from './parse.ts';
import { orgWords } from './place.ts';
import { watchAddedAnswer, watchesAnswer, type Unlisted } from './watch-view.ts';

type WatchServices = NameServices & Pick<Services, 'jobs' | 'slack' | 'orgs'>;

/** Makes a watch, or changes the channel's watch of the same place. */
export async function watch(
  services: WatchServices,
  command: Extract<DeploymentsCommand, { kind: 'watch' }>,
  context: CommandContext,
): Promise<Answer> {
  const { target, only, quiet } = command;
  const org = resolveOrg(command.org, services.orgs);
  const channel = command.channel ?? context.channelId;
  await requireChannelMember(services.slack, context, channel);
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
  const unlisted = await readUnlisted(services, wanted, channel === context.channelId);
  if ((await isMember(services.slack, channel)) === false) {
    throw new Refusal(
      'Purser is not in that channel, so it could not post there: type "/invite @Purser" in the channel, then this command again.',
    );
  }
  const watches = createWatches(services);
  const replaced = await watches.add(wanted);
  await services.jobs.add('rollouts', RECONCILE_WATCHES, {});
  // At once, so that the new watch takes what is there now as known.
  await services.jobs.add('rollouts', 'poll', { org, gvc: target.gvc });
  const now = services.clock.now();
  return watchAddedAnswer(wanted, {
    replaced,
    wider: outspokenBy(wanted, await watches.all()),
    mute: muteOf(await createMutes(services).all(now), channel, wanted, now),
    unlisted,
  });
}

/**
 * For a place where nothing is listed, the place that was probably meant: it may be new, or mistyped.
 * Undefined where something is listed. @throws as `readTargeted`
 */
async function readUnlisted(
  services: WatchServices,
  wanted: Watch,
  here: boolean,
): Promise<Unlisted | undefined> {
  const { org, gvc, workload } = wanted;
  const target = { gvc, ...(workload === undefined ? {} : { workload }) };
  const { fallback: defaultOrg } = services.orgs;
  const command = (meant: Target): string => commandAgain(wanted, meant, { here, defaultOrg });
  const absent = () => absentPlace(services, { org, target }, command);
  const { deployments, skipped } = await readTargeted(services, org, target, absent);
  if (deployments.length + skipped > 0) return undefined;
  const meant = (await likelyPlace(services, org, target))?.meant;
  if (meant === undefined) return { defaultOrg, here };
  return { defaultOrg, here, meant: { target: meant, command: command(meant) } };
}

/** The command that makes such a watch of another place. */
function commandAgain(
  { org, channel, only, quiet }: Watch,
  target: Target,
  { here, defaultOrg }: Pick<Unlisted, 'here' | 'defaultOrg'>,
): string {
  const where = here ? '' : ` in <#${channel}>`;
  const outcomes = only === undefined ? '' : ` only ${only.join(',')}`;
  return `/deployments watch ${nameOf(target)}${orgWords(org, defaultOrg)}${where}${outcomes}${quiet ? ' quiet' : ''}`;
}

/** The watches of a channel, and how reading what they are about goes. */
export async function listWatches(services: WatchServices, channel: string): Promise<Answer> {
  const { redis, keys } = services;
  const now = services.clock.now();
  const [all, mutes, isIn] = await Promise.all([
    createWatches(services).all(),
    createMutes(services).all(now),
    isMember(services.slack, channel),
  ]);
  const own = all.filter((one) => one.channel === channel);
  const entries = own.map(async (one) => ({
    watch: one,
    poll: await readPollStatus(redis, keys, one.org, one.gvc),
  }));
  return watchesAnswer({
    channel,
    outside: isIn === false,
    entries: await Promise.all(entries),
    mutes: mutes.filter((mute) => mute.channel === channel),
    elsewhere: all.length - own.length,
    now,
  });
}
