import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { StartRefused } from '../../../src/lib/errors.ts';
import { connectRedis, createKeys, redisReady, requireDatabase } from '../../../src/store/redis.ts';
import { ensureSchema, SCHEMA } from '../../../src/store/schema.ts';
import { useConnection, useRedis } from '../../support/redis.ts';
import { listeningLogger } from '../slack/support.ts';

const server = useConnection();

/** A store of its own, with this number if any. */
async function storeWith(held?: string) {
  const prefix = `test-${randomUUID()}`;
  const keys = createKeys(prefix);
  const { redis } = server;
  if (held !== undefined) await redis.set(keys.schema, held);
  return {
    keys,
    ensure: () => ensureSchema(redis, keys),
    held: () => redis.get(keys.schema),
    names: () => redis.keys(`{${prefix}}*`),
  };
}

it('an empty store gets the number, without an end, also of ten that start at once', async () => {
  const store = await storeWith();

  await Promise.all(Array.from({ length: 10 }, () => store.ensure()));

  expect(await store.held()).toBe(String(SCHEMA));
  expect(await server.redis.ttl(store.keys.schema)).toBe(-1);
  expect(await store.names()).toEqual([store.keys.schema]);
});

it.each([
  ['newer', '999', 'data of schema 999, this Purser knows schema 1: start the newer release, or'],
  ['older', '0', 'data of schema 0, this Purser knows schema 1: start the older release, or'],
  ['no number', 'seven', 'data of schema "seven", this Purser knows schema 1: restore the key'],
  ['empty', '', 'data of schema "", this Purser knows schema 1'],
  ['negative', '-1', 'data of schema "-1", this Purser knows schema 1'],
  ['longer than a line', '9'.repeat(5_000), `data of schema "${'9'.repeat(40)}", this`],
])('a number that is %s ends the start, and nothing is written', async (_, held, sentence) => {
  const store = await storeWith(held);

  const error: unknown = await store.ensure().catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(StartRefused);
  expect(String(error)).toContain(`Redis holds ${sentence}`);
  expect(String(error)).toContain('point REDIS_URL or REDIS_PREFIX at an empty store');
  expect(await store.held()).toBe(held);
  expect(await store.names()).toEqual([store.keys.schema]);
});

it('a key of another type ends the start as well', async () => {
  const store = await storeWith();
  await server.redis.rpush(store.keys.schema, '1');

  await expect(store.ensure()).rejects.toThrow(StartRefused);
  expect(await store.names()).toEqual([store.keys.schema]);
});

it.each([
  [1, undefined],
  [99, StartRefused],
])('database %i of a server with sixteen', async (db, refusal) => {
  const { hostname: host, port } = new URL(useRedis().url);
  const node = { host, port: Number(port), db, tls: false };
  const connection = connectRedis({ nodes: [node] }, 'commands', listeningLogger().logger);
  onTestFinished(() => connection.disconnect());
  await redisReady(connection, 5_000);

  const error: unknown = await requireDatabase(connection).catch((reason: unknown) => reason);

  expect((error as Error | undefined)?.constructor).toBe(refusal);
});
