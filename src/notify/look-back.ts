import type { Clock } from '../lib/clock.ts';
import type { ReadResult } from '../slack/own-posts.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { FindResult, Message, MessageSender } from './message.ts';
import { LOOK_MARGIN_MS, searchPlaces } from './message.ts';

/** The result of a search for a first post. `told`: another post stands for the message. */
export type SearchResult = FindResult | { kind: 'told'; by: string };

/**
 * Finds what Redis has forgotten. Redis writes to disk once a second, and a replica is behind by as much:
 * after the crash of its host, or a fail-over, it does not know the last posts, and the bot would post them
 * again. So for some minutes each first post is looked for by its key (ADR 19).
 */
export interface LookBack {
  /** To be called every few seconds: what was posted since the last time is what can be forgotten. */
  noteRun(): Promise<void>;
  /** Whether first posts are looked for now. */
  isOpen(): Promise<boolean>;
  /**
   * Looks for a message that has no post as far as Redis knows; undefined when Redis has forgotten
   * nothing. A channel, and a thread, is read once.
   * @param older posts that had its key before
   */
  find(
    message: Pick<Message, 'channel' | 'key'>,
    threadTs: string | undefined,
    older: readonly string[],
  ): Promise<SearchResult | undefined>;
}

/** For this time after its return: polls that failed meanwhile, and an outage of Slack, are over by then. */
const WINDOW_MS = 15 * 60_000;

/**
 * Compares the run of Redis with the one that was seen last. Each start has a run of its own, and so has
 * each node of a cluster. Where Redis does not say which it is (ACL), nothing is looked for.
 *
 * KEYS: run, window. ARGV: now, milliseconds of a window. @returns since when to look, or nil; the run
 */
const SEE_RUN = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
local seen, at = unpack(redis.call('HMGET', KEYS[1], 'run', 'at'))
if seen == run then
  -- A Redis that takes no writes now keeps an earlier time, and the search goes further back.
  redis.pcall('HSET', KEYS[1], 'at', ARGV[1])
else
  if seen then
    redis.call('SET', KEYS[2], redis.call('GET', KEYS[2]) or at, 'PX', ARGV[2])
  end
  redis.call('HSET', KEYS[1], 'run', run, 'at', ARGV[1])
end
return { redis.call('GET', KEYS[2]), run }`;

export function createLookBack(deps: {
  redis: RedisConnection;
  keys: Keys;
  sender: Pick<MessageSender, 'read' | 'time'>;
  clock: Clock;
}): LookBack {
  const { redis, keys, sender, clock } = deps;
  const readings = createReadings(sender);

  async function see(): Promise<Window | undefined> {
    const now = (await sender.time()) ?? clock.now();
    const [since, run] = (await redis.eval(
      SEE_RUN,
      2,
      keys.redisRun,
      keys.lookBack,
      String(now),
      String(WINDOW_MS),
    )) as [string | null, string];
    return since === null ? undefined : { name: `${since} ${run}`, since: Number(since) };
  }

  return {
    async noteRun() {
      await see();
    },
    async isOpen() {
      return (await see()) !== undefined;
    },
    async find(message, threadTs, older) {
      const window = await see();
      if (window === undefined) return readings.close();
      return searchPlaces(threadTs, async (place) =>
        endOf(await readings.of(window, message.channel, place), message.key, older),
      );
    },
  };
}

interface Window {
  name: string;
  since: number;
}

/** The channels and threads that were read in a window. What is posted later, Redis knows. */
function createReadings(sender: Pick<MessageSender, 'read'>) {
  const readings = new Map<string, ReadResult>();
  let current = '';
  return {
    close(): undefined {
      readings.clear();
    },
    async of(window: Window, channel: string, threadTs: string | undefined): Promise<ReadResult> {
      if (window.name !== current) readings.clear();
      current = window.name;
      const place = `${channel} ${threadTs ?? ''}`;
      const known = readings.get(place);
      if (known !== undefined) return known;
      const seen = await sender.read(channel, window.since - LOOK_MARGIN_MS, threadTs);
      const isFinal = seen.kind === 'read' || seen.kind === 'unknown';
      if (isFinal && window.name === current) readings.set(place, seen);
      return seen;
    },
  };
}

function endOf(seen: ReadResult, key: string, older: readonly string[]): SearchResult {
  if (seen.kind !== 'read') return seen;
  const posts = seen.posts.filter(({ ts }) => !older.includes(ts));
  const own = posts.find((post) => post.key === key);
  if (own !== undefined) return { kind: 'found', ts: own.ts, hidden: own.hidden };
  const teller = posts.find(({ covers }) => covers.includes(key));
  if (teller !== undefined) return { kind: 'told', by: teller.key };
  return seen.whole ? { kind: 'absent' } : { kind: 'unknown', error: 'too many pages' };
}
