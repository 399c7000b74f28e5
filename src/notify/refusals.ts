import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { Keys } from '../store/keys.ts';
import { isTokenError, isWorkspaceError } from '../slack/sender.ts';
import { withLock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { Message } from './message.ts';
import { numbered } from './numbered.ts';
import type { Outbox } from './outbox.ts';
import { mendedContent, refusalContent } from './refusal-view.ts';

export interface RefusalDeps {
  redis: RedisConnection;
  keys: Keys;
  outbox: Outbox;
  /** Told which channels have something to deliver. */
  wake: (channels: readonly string[]) => Promise<void>;
  /** Who runs the bot reads here. */
  opsChannel: string;
  clock: Clock;
  logger: Logger;
}

/** What of Slack needs a person: a channel that takes no post, a token or a right that is gone. */
export interface Refusals {
  /** Tells the ops channel once, until a post to this channel succeeds. `error`: Slack's word for it. */
  refused(message: Refused, error: string): Promise<void>;
  /** A post to the channel succeeded. */
  worked(channel: string): Promise<void>;
}

type Refused = Pick<Message, 'channel' | 'key'>;

/** What was told of a refusal. */
interface Told extends Refused {
  error: string;
  /** The message was of a watch. */
  watched: boolean;
  /** Milliseconds since the epoch. */
  since: number;
}

/** Without the token, a scope or the workspace nothing works anywhere: that is told for one channel. */
const isEverywhere = (error: string): boolean =>
  isTokenError(error) || isWorkspaceError(error) || error === 'missing_scope';
/** Messages of watches are named after what they tell of; all others begin with an @. */
const isOfWatch = ({ key }: Refused): boolean => !key.startsWith('@') || key.startsWith('@digest/');
const LOCK_TIMES = { ttlMs: 5_000, patienceMs: 5_000 };

export function createRefusals(deps: RefusalDeps): Refusals {
  const { redis, keys, outbox, clock, opsChannel } = deps;
  const told = async (): Promise<Told[]> =>
    Object.values(await redis.hgetall(keys.refusals)).flatMap((text) => JSON.parse(text) as Told[]);
  const isTold = (all: readonly Told[], channel: string, error: string): boolean =>
    all.some((one) => one.error === error && (one.channel === channel || isEverywhere(error)));

  /** The ops channel is a help, so its troubles must not stop what is under way. */
  async function quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      deps.logger.warn({ err: error }, 'A refusal of Slack could not be told');
    }
  }

  async function tell(refused: Refused, error: string): Promise<void> {
    const { channel } = refused;
    await withLock(redis, keys.lock('refusals'), LOCK_TIMES, async (lock) => {
      const all = await told();
      if (isTold(all, channel, error)) return;
      const key = await numbered(redis, keys, `@slack/${channel}/${error}`);
      const watched = isOfWatch(refused);
      const refusal: Told = { key, channel, error, watched, since: clock.now() };
      const own = [...all.filter((one) => one.channel === channel), refusal];
      const message = { channel: opsChannel, key, ...refusalContent(refusal) };
      const set = { [channel]: JSON.stringify(own) };
      const change = { lock, hash: keys.refusals, set, remove: [] };
      await deps.wake((await outbox.commit([message], change)) ?? []);
    });
  }

  async function tellMended(channel: string): Promise<void> {
    await withLock(redis, keys.lock('refusals'), LOCK_TIMES, async (lock) => {
      const own = (await told()).filter((one) => one.channel === channel);
      const messages = own.map((refusal) => ({
        channel: opsChannel,
        key: refusal.key,
        requires: refusal.key,
        ...mendedContent(refusal, clock.now()),
      }));
      const change = { lock, hash: keys.refusals, set: {}, remove: [channel] };
      await deps.wake((await outbox.commit(messages, change)) ?? []);
    });
  }

  return {
    async refused(message, error) {
      const { channel } = message;
      // What the ops channel itself refuses can only stand in the log.
      if (channel === opsChannel && !isEverywhere(error)) return;
      await quietly(async () => {
        if (!isTold(await told(), channel, error)) await tell(message, error);
      });
    },
    async worked(channel) {
      await quietly(async () => {
        if ((await redis.hexists(keys.refusals, channel)) === 1) await tellMended(channel);
      });
    },
  };
}
