import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../lib/clock.ts';
import { plural } from '../../lib/text.ts';
import { placeOf } from '../../rollouts/watches.ts';
import type { Watch } from '../../rollouts/watches.ts';
import { isTokenError } from '../../slack/sender.ts';
import type { Keys } from '../../store/keys.ts';
import type { RedisConnection } from '../../store/redis.ts';
import { judgeChannel } from './channel-judge.ts';
import type { ChannelFacts, ChannelSight, KeptRefusal, UsedChannel } from './channel-judge.ts';
import type { Check, Finding } from './check.ts';
import { broken, doubtful } from './findings.ts';
import { slackFailure } from './slack-failure.ts';
import type { SlackFailure } from './slack-failure.ts';

export interface ChannelCheckDeps {
  readonly client: WebClient;
  readonly redis: RedisConnection;
  readonly keys: Keys;
  /** By their variables: NOTIFY_CHANNEL and its like -> the channel's id. */
  readonly configured: ReadonlyMap<string, string>;
  readonly watches: () => Promise<readonly Watch[]>;
  readonly clock: Clock;
}

/** Slack takes about 50 of these calls a minute, and each channel is two. */
const MAX_CHANNELS = 20;
const AT_ONCE = 5;

/** Every channel that Purser is to post to: that it is there, takes posts, and can be read. */
export function createChannelCheck(deps: ChannelCheckDeps): Check {
  return {
    area: 'Channels',
    async look(signal) {
      // What Redis does not give is a finding of its own check; what is configured is looked at all the same.
      const [watches, refusals] = await Promise.all([
        deps.watches().catch(() => []),
        readRefusals(deps).catch(() => new Map<string, readonly KeptRefusal[]>()),
      ]);
      const all = usedChannels(deps.configured, watches);
      const shown = all.slice(0, MAX_CHANNELS);
      const sights: ChannelSight[] = [];
      for (let from = 0; from < shown.length && !signal.aborted; from += AT_ONCE) {
        const some = shown.slice(from, from + AT_ONCE).map(async (channel) => ({
          channel,
          seen: await readChannel(deps.client, channel.id),
          refusals: refusals.get(channel.id) ?? [],
        }));
        sights.push(...(await Promise.all(some)));
      }
      const refusal = tokenRefusal(sights);
      if (refusal !== undefined) return [refusal];
      const now = deps.clock.now();
      return [
        ...sights.map((sight) => judgeChannel(sight, now)),
        ...left(all.length - sights.length, signal.aborted),
      ];
    },
  };
}

/** Each channel once, those of the configuration first. */
export function usedChannels(
  configured: ReadonlyMap<string, string>,
  watches: readonly Watch[],
): UsedChannel[] {
  const uses = new Map<string, string[]>();
  const add = (id: string, use: string): void => void uses.set(id, [...(uses.get(id) ?? []), use]);
  for (const [variable, id] of configured) add(id, variable);
  for (const watch of watches) {
    add(watch.channel, `${watch.configured ? 'WATCHES' : 'watch'} ${placeOf(watch)}`);
  }
  return [...uses].map(([id, all]) => ({ id, uses: all }));
}

async function readChannel(client: WebClient, id: string): Promise<ChannelFacts | SlackFailure> {
  try {
    const { channel = {} } = await client.conversations.info({ channel: id });
    const member = channel.is_im === true ? true : channel.is_member;
    const isOpen = channel.is_private !== true && channel.is_im !== true;
    const unreadable = member === true ? await readFailure(client, id) : undefined;
    return {
      name: isOpen ? channel.name : undefined,
      archived: channel.is_archived === true,
      member,
      unreadable,
    };
  } catch (error) {
    return slackFailure(error);
  }
}

/** Why the newest message cannot be read, which Purser does after a crash. */
async function readFailure(client: WebClient, id: string): Promise<SlackFailure | undefined> {
  try {
    await client.conversations.history({ channel: id, limit: 1 });
    return undefined;
  } catch (error) {
    return slackFailure(error);
  }
}

/** What was told of Slack's refusals (`notify/refusals.ts`), by channel. */
async function readRefusals({
  redis,
  keys,
}: ChannelCheckDeps): Promise<ReadonlyMap<string, readonly KeptRefusal[]>> {
  const kept = Object.entries(await redis.hgetall(keys.refusals));
  return new Map(kept.map(([channel, text]) => [channel, JSON.parse(text) as KeptRefusal[]]));
}

/** One finding for all of them, where it is not the channels' fault. */
function tokenRefusal(sights: readonly ChannelSight[]): Finding | undefined {
  for (const { seen } of sights) {
    if (!('kind' in seen) || seen.kind !== 'refused' || !isTokenError(seen.word)) continue;
    return broken(
      'All channels',
      `they cannot be looked at: Slack refuses the token (${seen.word})`,
      'mend SLACK_BOT_TOKEN first',
    );
  }
  return undefined;
}

function left(count: number, isLate: boolean): Finding[] {
  if (count <= 0) return [];
  return [
    doubtful(
      'More channels',
      `${plural(count, 'channel')} ${count === 1 ? 'was' : 'were'} not looked at, because Slack ${isLate ? 'is slow' : 'allows few calls'}`,
      'type /deployments watches in the channel that you miss something in',
    ),
  ];
}
