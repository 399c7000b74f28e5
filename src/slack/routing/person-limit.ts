import type { Logger } from '../../lib/logger.ts';
import { formatDuration } from '../../lib/text.ts';
import { within } from '../../lib/time.ts';
import type { Keys, RedisConnection } from '../../store/redis.ts';

/** Commands and clicks that a person may send at once. */
const BURST = 20;
const MINUTE_MS = 60_000;
/** Slack waits three seconds for the acknowledgement. Milliseconds. */
const WAIT_MS = 300;

/**
 * A token bucket as one number, the time at which it is full again (GCRA). Answers 0, or the milliseconds until the next
 * token, for which nothing is written. The time is that of Redis, the same for all processes.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local each, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local wait = full - now - each * (burst - 1)
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%d', full + each), 'PX', string.format('%d', full + each - now))
return 0
`;

/** Takes a token of a person. @returns why the person has to wait, and until when; undefined: go on */
export type PersonLimit = (userId: string) => Promise<string | undefined>;

/** One bucket for the commands and clicks of each person (PERSON_LIMIT). While Redis is away there is no limit. */
export function createPersonLimit({
  redis,
  keys,
  logger,
  config,
}: {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly logger: Logger;
  /** A minute; 0: no limit. */
  readonly config: { readonly personLimit: number };
}): PersonLimit {
  const { personLimit } = config;
  if (personLimit === 0) return () => Promise.resolve(undefined);
  const each = Math.ceil(MINUTE_MS / personLimit);
  return async (userId) => {
    const taken = redis
      .eval(TAKE, 1, keys.personLimit(userId), each, BURST)
      .catch((error: unknown) => {
        logger.warn({ err: error, user: userId }, 'The limit of a person was not checked');
        return 0;
      });
    const waitMs = Number(await within(taken, WAIT_MS, 0));
    if (waitMs === 0) return undefined;
    logger.info({ user: userId, waitMs }, 'A person reached PERSON_LIMIT');
    const wait = formatDuration(Math.ceil(waitMs / 1_000) * 1_000);
    return `Purser takes ${personLimit} commands and clicks a minute from one person, and these were more: go on in ${wait}.`;
  };
}
