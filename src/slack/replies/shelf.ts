import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Keys, RedisConnection } from '../../store/redis.ts';
import type { ActionContext, Answer, Asked } from '../routing/routes.ts';

/** People come back to an answer on the same day. Milliseconds. */
const KEEP_MS = DAY_MS;

/** The ending of a second key of a value, which is forgotten with it. */
const BESIDE = ':shared';

/** Each takes up to 20 KB. */
const MOST_ANSWERS = 50;
const MOST_FORMS = 100;

export const OLD_ANSWER = 'This answer is too old: run the command again.';

/**
 * Keeps a value, and forgets the oldest ones of the same person beyond the most that are kept. KEYS: the value, the
 * index of the person's values by time. ARGV: id, value, ms to keep it, ms to keep the index, most. The time is that of
 * Redis, the same for all processes; a repeat after a lost connection changes nothing.
 */
const PUT = `
local id, most = ARGV[1], tonumber(ARGV[5])
local base = string.sub(KEYS[1], 1, -1 - #id)
local time = redis.call('TIME')
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[2], string.format('%.0f', time[1] * 1000000 + time[2]), id)
redis.call('PEXPIRE', KEYS[2], ARGV[4])
for _, old in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1 - most)) do
  redis.call('DEL', base .. old, base .. old .. '${BESIDE}')
  redis.call('ZREM', KEYS[2], old)
end
return 0
`;

/** Things that one person left behind, under ids that cannot be guessed and are of no use to another. */
export interface Shelf<Value> {
  /** Returns the id; undefined when it could not be kept, which is logged. @param forMs a day when absent */
  put(
    userId: string,
    value: Value,
    options?: { id?: string; forMs?: number },
  ): Promise<string | undefined>;
  /** Undefined when it is too old, forgotten for newer ones, or another person's. @throws when the store does not answer */
  get(userId: string, id: string): Promise<Value | undefined>;
  /** True once for every value. @throws when the store does not answer */
  claim(userId: string, id: string): Promise<boolean>;
}

interface ShelfServices {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly logger: Logger;
  readonly config: { readonly personLimit: number };
}

/** @param index the key of the index of a person @param most things of one person, with PERSON_LIMIT */
function createShelf<Value>(
  { redis, logger, config }: ShelfServices,
  keyOf: (id: string) => string,
  index: (userId: string) => string,
  most: number,
): Shelf<Value> {
  const isLimited = config.personLimit > 0;
  const keyFor = (userId: string, id: string): string => keyOf(`${userId}:${id}`);
  return {
    async put(userId, value, { id = randomUUID(), forMs = KEEP_MS } = {}) {
      const [key, text] = [keyFor(userId, id), JSON.stringify(value)];
      try {
        if (isLimited) await redis.eval(PUT, 2, key, index(userId), id, text, forMs, KEEP_MS, most);
        else await redis.set(key, text, 'PX', forMs);
        return id;
      } catch (error) {
        logger.warn({ err: error }, 'What a button stands for was not kept');
        return undefined;
      }
    },
    async get(userId, id) {
      const text = await redis.get(keyFor(userId, id));
      return text === null ? undefined : (JSON.parse(text) as Value);
    },
    async claim(userId, id) {
      return (await redis.set(`${keyFor(userId, id)}${BESIDE}`, '1', 'PX', KEEP_MS, 'NX')) === 'OK';
    },
  };
}

/** Answers as they were shown, and where open forms answer. */
export interface Kept {
  readonly answers: Shelf<Answer>;
  readonly forms: Shelf<unknown>;
}

export function createKept(services: ShelfServices): Kept {
  const { keys } = services;
  return {
    answers: createShelf(services, keys.answer, keys.answersOf, MOST_ANSWERS),
    forms: createShelf(services, keys.kept, keys.keptOf, MOST_FORMS),
  };
}

/** The question of the clicked answer. @throws Refusal when it is too old; when the store does not answer */
export async function askedIn(
  { answers }: Pick<Kept, 'answers'>,
  { person, answerId }: Pick<ActionContext, 'person' | 'answerId'>,
): Promise<Asked> {
  const answer = answerId === undefined ? undefined : await answers.get(person.userId, answerId);
  if (answer?.asked === undefined) throw new Refusal(OLD_ANSWER);
  return answer.asked;
}

/** As `askedIn`, its question. @throws Refusal for a question of another version, too */
export async function questionIn<Schema extends z.ZodType>(
  kept: Pick<Kept, 'answers'>,
  context: Pick<ActionContext, 'person' | 'answerId'>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return readQuestion(schema, (await askedIn(kept, context)).question);
}

/** @throws Refusal */
export function readQuestion<Schema extends z.ZodType>(
  schema: Schema,
  question: unknown,
): z.infer<Schema> {
  const { data, success } = schema.safeParse(question);
  if (!success) throw new Refusal(OLD_ANSWER);
  return data;
}
