import { Redis } from 'ioredis';
import { Change } from '../../src/changes/change.ts';
import { createSignature } from '../../src/changes/store.ts';
import { dueOf } from '../../src/changes/states.ts';
import { loadConfig } from '../../src/config/config.ts';
import { derivedKeys } from '../../src/lib/derived-key.ts';
import { createKeys } from '../../src/store/redis.ts';
import { get } from './http.ts';
import type { World } from './world.ts';

/** Times of a change, ms since the epoch, by where they are in its record. */
type Aged = Partial<Record<string, unknown>>;
const TIMES = ['requestedAt', 'expiresAt', 'withdrawnAt', 'sentAt', 'resentAt', 'retryAt', 'at'];
const NESTED = ['decision', 'outcome', 'secret'];

/** The Redis keys of the bots of this world. */
export function keysOf(world: World): ReturnType<typeof createKeys> {
  return createKeys(world.environment({ port: 0, opsPort: 0 })['REDIS_PREFIX'] ?? '');
}

/** Signs as the bots of this world do. */
function signatureOf(world: World) {
  const config = loadConfig(world.environment({ port: 0, opsPort: 0 }));
  return createSignature(derivedKeys(config, 'changes'));
}

/** Works with the Redis of this world. */
export async function inRedis<T>(world: World, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(world.redisUrl);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** A change as it is kept. @throws when nothing is there */
export function readChange(world: World, id: string): Promise<Change> {
  return inRedis(world, async (redis) =>
    Change.parse(JSON.parse((await redis.hget(keysOf(world).change(id), 'data')) ?? '')),
  );
}

/**
 * Lets time pass for one change alone, as if everything about it had happened so many milliseconds
 * earlier: a test need not wait for a reminder, an expiry or a lapse. @throws when the bot moved it meanwhile
 */
export async function letPass(world: World, id: string, ms: number): Promise<void> {
  const keys = keysOf(world);
  await inRedis(world, async (redis) => {
    const key = keys.change(id);
    await redis.watch(key);
    const kept = JSON.parse((await redis.hget(key, 'data')) ?? '') as Aged;
    const { sign } = signatureOf(world);
    const change = sign(Change.parse(aged(kept, ms)));
    const due = dueOf(change);
    const steps = redis.multi().hset(key, 'data', JSON.stringify(change));
    if (due !== undefined) steps.zadd(keys.changesDue, due, id);
    if ((await steps.exec()) === null) throw new Error(`${id} was moved meanwhile`);
  });
}

function aged(record: Aged, ms: number): Aged {
  const earlier = ([name, value]: [string, unknown]): [string, unknown] => {
    const isTime = TIMES.includes(name) || name === 'until';
    if (isTime && typeof value === 'number') return [name, value - ms];
    return [name, NESTED.includes(name) && value ? aged(value, ms) : value];
  };
  return Object.fromEntries(Object.entries(record).map(earlier));
}

/** Everything that is in Redis, as text: names and values of every type. */
export function everythingInRedis(world: World): Promise<string> {
  return inRedis(world, async (redis) => {
    const names = await redis.keys('*');
    const texts = names.map(async (name) => `${name} ${await textOf(redis, name)}`);
    return (await Promise.all(texts)).join('\n');
  });
}

const READERS: Readonly<Record<string, (redis: Redis, name: string) => Promise<unknown>>> = {
  none: async () => '',
  string: (redis, name) => redis.get(name),
  hash: (redis, name) => redis.hgetall(name),
  list: (redis, name) => redis.lrange(name, 0, -1),
  set: (redis, name) => redis.smembers(name),
  zset: (redis, name) => redis.zrange(name, '0', '-1', 'WITHSCORES'),
  stream: (redis, name) => redis.xrange(name, '-', '+'),
};

async function textOf(redis: Redis, name: string): Promise<string> {
  const type = await redis.type(name);
  const read = READERS[type];
  if (read === undefined) throw new Error(`${name} is a ${type}, which no reader is for`);
  const value = await read(redis, name);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A call of the Web API as the stand-in took it. */
export interface SlackCall {
  readonly method: string;
  readonly args: Record<string, unknown>;
  readonly ok: boolean;
}

/** Every call of the bot's to Slack, oldest first: all messages and modals that there ever were. */
export const slackCalls = async ({ slackUrl }: World): Promise<SlackCall[]> =>
  (await get<{ requests: SlackCall[] }>(`${slackUrl}/_sandbox/requests`)).requests;

/** Asks the platform without the bot, as a person with a token of their own could. @throws when it refuses */
export async function callPlatform<Answer = void>(
  { billingUrl, environment }: Pick<World, 'billingUrl' | 'environment'>,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const { BILLING_ACCOUNT_ID: account } = environment({ port: 0, opsPort: 0 });
  const answer = await fetch(`${billingUrl}/account/${account}${path}`, {
    method,
    headers: {
      authorization: 'Bearer svc-bsat-sandbox-admin',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Puts a spend alert there. @param amount in the account's currency */
export function giveAlert(world: World, amount = 400): Promise<void> {
  return callPlatform(world, 'POST', '/alert', { alert: { amount, enabled: true } });
}

/** The platform's state of the account that pays for the seeded orgs. */
export interface AccountState {
  readonly id: string;
  readonly alert?: { readonly amount: number; readonly enabled: boolean };
  readonly orgs: readonly { readonly name: string }[];
  readonly users: readonly { readonly email: string; readonly roles: readonly string[] }[];
  readonly tokens: readonly { readonly id: string; readonly name: string }[];
  readonly recipients: readonly { readonly email: string; readonly enabled: boolean }[];
}

export const accountOf = async ({ platformUrl }: World): Promise<AccountState> =>
  (await get<{ accounts: [AccountState] }>(`${platformUrl}/_sandbox/state`)).accounts[0];

/** The tokens that there are on the platform. */
export const tokensThere = async (world: World): Promise<AccountState['tokens']> =>
  (await accountOf(world)).tokens;
