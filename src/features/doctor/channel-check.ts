import { plural } from '../../lib/text.ts';
import { placeOf } from '../../rollouts/watches.ts';
import type { Watch, Watches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { isTokenError } from '../../slack/sender.ts';
import { ago, broken, doubtful, listed, RUN_AGAIN, well } from './check.ts';
import type { Check, Finding } from './check.ts';
import { rateLimited, slackFailure, unansweredBySlack } from './slack-failure.ts';
import type { SlackFailure } from './slack-failure.ts';

/** A channel that Purser posts to, and why: "NOTIFY_CHANNEL", "watch acme/shop". */
interface UsedChannel {
  readonly id: string;
  readonly uses: readonly string[];
}

/** What Slack says of a channel. */
export interface ChannelFacts {
  /** Undefined for what has none, and for a private one: everybody reads the answer. */
  readonly name: string | undefined;
  readonly archived: boolean;
  /** Undefined: Slack does not say. */
  readonly member: boolean | undefined;
  /** Why its messages cannot be read; undefined: they can, or it was not tried. */
  readonly unreadable: SlackFailure | undefined;
}

/** A post that Slack refused, and none has succeeded since (`notify/channels.ts`). */
interface RefusedPost {
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** All that is known of a channel. */
export interface ChannelStatus extends UsedChannel {
  readonly facts: ChannelFacts | SlackFailure;
  readonly refusals: readonly RefusedPost[];
}

type ChannelServices = Pick<Services, 'slack' | 'redis' | 'keys' | 'clock'>;

/** Slack takes about 50 of these calls a minute, and each channel is two. */
const MAX_CHANNELS = 20;
const AT_ONCE = 5;

/** Every channel that Purser is to post to: that it is there, takes posts, and can be read. */
export function createChannelCheck(
  services: ChannelServices & { config: { channels: Readonly<Record<string, string>> } },
  watches: Pick<Watches, 'all'>,
): Check {
  return {
    area: 'Channels',
    async run(signal) {
      // A Redis that fails is a finding of its own check; the configured channels are read all the same.
      const [watched, refusals] = await Promise.all([
        watches.all().catch(() => []),
        readRefusals(services).catch(() => new Map<string, readonly RefusedPost[]>()),
      ]);
      const all = usedChannels(services.config.channels, watched);
      const shown = all.slice(0, MAX_CHANNELS);
      const known: ChannelStatus[] = [];
      for (let from = 0; from < shown.length && !signal.aborted; from += AT_ONCE) {
        const some = shown.slice(from, from + AT_ONCE).map(async (channel) => ({
          ...channel,
          facts: await readChannel(services, channel.id),
          refusals: refusals.get(channel.id) ?? [],
        }));
        known.push(...(await Promise.all(some)));
      }
      const refused = tokenRefusal(known);
      if (refused !== undefined) return [refused];
      const now = services.clock.now();
      const findings = known.map((status) => judgeChannel(status, now));
      return [...findings, ...unreadChannels(all.length - known.length, signal.aborted)];
    },
  };
}

/** Each channel once, those of the configuration first. @param channels by what is posted there */
export function usedChannels(
  channels: Readonly<Record<string, string>>,
  watches: readonly Watch[],
): UsedChannel[] {
  const uses = new Map<string, string[]>();
  const add = (id: string, use: string): void => void uses.set(id, [...(uses.get(id) ?? []), use]);
  for (const [name, id] of Object.entries(channels)) add(id, `${name.toUpperCase()}_CHANNEL`);
  for (const watch of watches) {
    add(watch.channel, `${watch.configured ? 'WATCHES' : 'watch'} ${placeOf(watch)}`);
  }
  return [...uses].map(([id, all]) => ({ id, uses: all }));
}

async function readChannel(
  { slack }: Pick<Services, 'slack'>,
  id: string,
): Promise<ChannelFacts | SlackFailure> {
  try {
    const { channel = {} } = await slack.conversations.info({ channel: id });
    const member = channel.is_im === true ? true : channel.is_member;
    const isOpen = channel.is_private !== true && channel.is_im !== true;
    // After a crash, Purser reads what it posted last.
    const read = () => slack.conversations.history({ channel: id, limit: 1 });
    return {
      name: isOpen ? channel.name : undefined,
      archived: channel.is_archived === true,
      member,
      unreadable: member === true ? await read().then(() => undefined, slackFailure) : undefined,
    };
  } catch (error) {
    return slackFailure(error);
  }
}

/** By channel. */
async function readRefusals({
  redis,
  keys,
}: ChannelServices): Promise<ReadonlyMap<string, readonly RefusedPost[]>> {
  const kept = Object.entries(await redis.hgetall(keys.refusals));
  return new Map(kept.map(([channel, text]) => [channel, JSON.parse(text) as RefusedPost[]]));
}

/** One finding for all channels, where it is not their fault. */
function tokenRefusal(known: readonly ChannelStatus[]): Finding | undefined {
  for (const { facts } of known) {
    if (!('kind' in facts) || facts.kind !== 'refused' || !isTokenError(facts.word)) continue;
    const says = `they cannot be looked at: Slack refuses the token (${facts.word})`;
    return broken('All channels', says, 'mend SLACK_BOT_TOKEN first');
  }
  return undefined;
}

function unreadChannels(count: number, isLate: boolean): Finding[] {
  if (count <= 0) return [];
  return [
    doubtful(
      'More channels',
      `${plural(count, 'channel')} ${count === 1 ? 'was' : 'were'} not looked at, because Slack ${isLate ? 'is slow' : 'allows few calls'}`,
      'type /deployments watches in the channel that you miss something in',
    ),
  ];
}

/** @param now milliseconds since the epoch */
export function judgeChannel(channel: ChannelStatus, now: number): Finding {
  const { facts, refusals } = channel;
  const what = nameOf(channel, 'kind' in facts ? undefined : facts.name);
  if ('kind' in facts) return unknownChannel(what, facts, channel);
  if (facts.archived) {
    const fix = `unarchive it and invite Purser, ${otherwise(channel)}`;
    return broken(what, 'it is archived', fix);
  }
  if (facts.member === false) {
    const says = 'Purser is not in it, so nothing reaches it';
    return broken(what, says, `type /invite @Purser in it, ${otherwise(channel)}`);
  }
  const [refusal] = refusals;
  if (refusal !== undefined) {
    return broken(
      what,
      `Slack refused a post ${ago(now - refusal.since)} (${refusal.error}), and took none since`,
      'look whether the channel restricts who may post, and whether the token and the scopes are right',
    );
  }
  if (facts.unreadable !== undefined) return unreadable(what, facts.unreadable);
  if (facts.member) return well(what, 'Purser is a member');
  const says = 'Slack does not say whether Purser is in it';
  return doubtful(what, says, 'type /invite @Purser in it, which does no harm if it is');
}

function unknownChannel(what: string, { kind, word }: SlackFailure, channel: UsedChannel): Finding {
  if (kind === 'limited') return rateLimited(what);
  if (kind === 'away') return unansweredBySlack(what, word);
  if (word === 'channel_not_found' || word === 'not_in_channel') {
    const says = 'there is no such channel, or it is private and Purser is not in it';
    const fix = `check the id; if it is right, type /invite @Purser in the channel, ${otherwise(channel)}`;
    return broken(what, says, fix);
  }
  if (word === 'missing_scope') {
    const says = 'it cannot be looked at without the scopes channels:read and groups:read';
    return doubtful(what, says, 'add them under OAuth & Permissions and reinstall the app');
  }
  return broken(what, `Slack does not show it (${word})`, `check the id, ${otherwise(channel)}`);
}

function unreadable(what: string, { kind, word }: SlackFailure): Finding {
  return doubtful(
    what,
    `Purser cannot read it (${word}), so after a crash a message may come twice`,
    kind === 'refused'
      ? 'add channels:history and groups:history under OAuth & Permissions and reinstall the app'
      : RUN_AGAIN,
  );
}

/** What else can be done than to invite Purser. */
function otherwise({ uses }: UsedChannel): string {
  const variables = uses.filter((use) => /^[A-Z_]+$/.test(use));
  if (variables.length > 0) return `or set another one in ${listed(variables)}`;
  return uses.some((use) => use.startsWith('WATCHES'))
    ? 'or change WATCHES'
    : 'or end its watches with /deployments unwatch';
}

const MAX_USES = 3;

function nameOf({ id, uses }: UsedChannel, name: string | undefined): string {
  return `${name === undefined ? id : `#${name}`} (${listed(uses, MAX_USES)})`;
}
