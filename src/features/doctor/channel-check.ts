import { formatDuration, plural } from '../../lib/text.ts';
import { placeOf, type Watch, type Watches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { isTokenError } from '../../slack/sender.ts';
import {
  broken,
  compact,
  doubtful,
  listed,
  RUN_AGAIN,
  well,
  type Check,
  type Finding,
} from './check.ts';
import {
  addScopes,
  rateLimited,
  slackFailure,
  tokenRefused,
  unansweredBySlack,
  type SlackFailure,
} from './slack-check.ts';

/** A channel that Purser posts to, and all that is known of it. */
export interface ChannelStatus {
  readonly id: string;
  /** Why it posts there: "NOTIFY_CHANNEL", "watch acme/shop". */
  readonly uses: readonly string[];
  readonly facts: ChannelFacts | SlackFailure;
  readonly refusals: readonly RefusedPost[];
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

/** A post that Slack refused, and none has succeeded since (`notify/channels.ts`); ms since the epoch. */
type RefusedPost = { readonly error: string; readonly since: number };
type UsedChannel = Pick<ChannelStatus, 'id' | 'uses'>;
type ChannelServices = Pick<Services, 'slack' | 'redis' | 'keys' | 'clock'>;

/** Slack takes about 50 of these calls a minute, and each channel is two. */
const MAX_CHANNELS = 20;
const AT_ONCE = 5;
const MAX_USES = 3;

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
      const words = known.map(({ facts }) =>
        'kind' in facts && facts.kind === 'refused' ? facts.word : '',
      );
      const refused = words.find(isTokenError);
      // One finding for all channels, where it is not their fault.
      if (refused !== undefined) return [tokenRefused('All channels', 'they', refused)];
      const now = services.clock.now();
      const left = all.length - known.length;
      const were = `${plural(left, 'channel')} ${left === 1 ? 'was' : 'were'} not checked`;
      const why = signal.aborted ? 'is slow' : 'allows few calls';
      const fix = 'type `/deployments watches` in the channel where you miss something';
      return compact([
        ...known.map((status) => judgeChannel(status, now)),
        left > 0 && doubtful('More channels', `${were}: Slack ${why}`, fix),
      ]);
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
  { slack }: ChannelServices,
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
async function readRefusals({ redis, keys }: ChannelServices) {
  const kept = Object.entries(await redis.hgetall(keys.refusals));
  return new Map(kept.map(([channel, text]) => [channel, JSON.parse(text) as RefusedPost[]]));
}

/** @param now milliseconds since the epoch */
export function judgeChannel(channel: ChannelStatus, now: number): Finding {
  const { facts, id, refusals, uses } = channel;
  const name = 'kind' in facts || facts.name === undefined ? id : `#${facts.name}`;
  const what = `${name} (${listed(uses, MAX_USES)})`;
  if ('kind' in facts) return unknownChannel(what, facts, otherwise(uses));
  if (facts.archived) {
    const fix = `unarchive it and type \`/invite @Purser\`, ${otherwise(uses)}`;
    return broken(what, 'it is archived', fix);
  }
  if (facts.member === false) {
    const says = 'Purser is not in it, so nothing reaches it';
    return broken(what, says, `type \`/invite @Purser\` in it, ${otherwise(uses)}`);
  }
  const [refusal] = refusals;
  if (refusal !== undefined) {
    const refused = `Slack refused a post ${formatDuration(now - refusal.since)} ago`;
    const fix = 'check who may post in the channel, and that the token and the scopes are right';
    return broken(what, `${refused} (${refusal.error}), and took none since`, fix);
  }
  if (facts.unreadable !== undefined) {
    const { kind, word } = facts.unreadable;
    const says = `Purser cannot read it (${word}), so after a crash a message may come twice`;
    const add = addScopes('`channels:history` and `groups:history`');
    return doubtful(what, says, kind === 'refused' ? add : RUN_AGAIN);
  }
  if (facts.member) return well(what, 'Purser is a member');
  const says = 'Slack does not say whether Purser is in it';
  return doubtful(
    what,
    says,
    'type `/invite @Purser` in it, which does no harm if it is there already',
  );
}

/** @param instead what else can be done than to invite Purser */
function unknownChannel(what: string, { kind, word }: SlackFailure, instead: string): Finding {
  if (kind === 'limited') return rateLimited(what);
  if (kind === 'away') return unansweredBySlack(what, word);
  if (word === 'channel_not_found' || word === 'not_in_channel') {
    const says = 'there is no such channel, or it is private and Purser is not in it';
    const invite = 'if it is right, type `/invite @Purser` in the channel';
    return broken(what, says, `check the id; ${invite}, ${instead}`);
  }
  const unseen = 'it cannot be checked without the scopes channels:read and groups:read';
  if (word === 'missing_scope') return doubtful(what, unseen, addScopes('them'));
  return broken(what, `Slack does not show it (${word})`, `check the id, ${instead}`);
}

/** What else can be done than to invite Purser. */
function otherwise(uses: readonly string[]): string {
  const variables = uses.filter((use) => /^[A-Z_]+$/.test(use));
  if (variables.length > 0) return `or set another one in ${listed(variables)}`;
  return uses.some((use) => use.startsWith('WATCHES'))
    ? 'or change `WATCHES`'
    : 'or end its watches with `/deployments unwatch`';
}
