import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { StartRefused } from '../../../src/lib/errors.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { ensureSchema, SCHEMA, type Migration } from '../../../src/store/schema.ts';
import { useConnection } from '../../support/redis.ts';

const server = useConnection();

/** A store of its own, with this number if any. */
async function storeWith(held?: string) {
  const keys = createKeys(`test-${randomUUID()}`);
  const { redis } = server;
  const logger = { info: vi.fn<(facts: object) => void>() };
  if (held !== undefined) await redis.set(keys.schema, held);
  return {
    keys,
    logger,
    deps: { redis, keys, logger },
    held: () => redis.get(keys.schema),
    names: () => redis.keys(`{${/\{(.+)\}/.exec(keys.schema)?.[1] ?? ''}}*`),
  };
}

/** Notes each run in a list, as a migration of data would write. */
const noting =
  (name: string): Migration =>
  async (redis, keys) => {
    await redis.rpush(keys.watches, name);
  };

/** A release that knows schema 4, and leads there from 2. */
const LATER = {
  schema: 4,
  migrations: new Map([
    [2, noting('2 to 3')],
    [3, noting('3 to 4')],
  ]),
};

it('an empty store gets the number, without an end', async () => {
  const store = await storeWith();

  await ensureSchema(store.deps);

  expect(await store.held()).toBe(String(SCHEMA));
  expect(await server.redis.ttl(store.keys.schema)).toBe(-1);
  expect(await store.names()).toEqual([store.keys.schema]);
});

it('a store of this schema stays as it is', async () => {
  const store = await storeWith(String(SCHEMA));

  await ensureSchema(store.deps);

  expect(await store.held()).toBe(String(SCHEMA));
  expect(await store.names()).toEqual([store.keys.schema]);
});

it('an older store is migrated step by step, and each step is logged', async () => {
  const store = await storeWith('2');

  await ensureSchema(store.deps, LATER);

  expect(await store.held()).toBe('4');
  expect(await server.redis.lrange(store.keys.watches, 0, -1)).toEqual(['2 to 3', '3 to 4']);
  expect(store.logger.info.mock.calls.map(([facts]) => facts)).toEqual([
    { from: 2, to: 3 },
    { from: 3, to: 4 },
  ]);
  expect((await store.names()).toSorted()).toEqual([store.keys.schema, store.keys.watches]);
});

it('an older store without a migration has nothing to rewrite and gets the number', async () => {
  const store = await storeWith('0');

  await ensureSchema(store.deps);

  expect(await store.held()).toBe(String(SCHEMA));
  expect(await store.names()).toEqual([store.keys.schema]);
});

it('a migration that fails keeps the number, and the next start goes on from there', async () => {
  const store = await storeWith('2');
  const failing = new Map(LATER.migrations).set(3, () => Promise.reject(new Error('out of luck')));

  await expect(ensureSchema(store.deps, { ...LATER, migrations: failing })).rejects.toThrow(
    'out of luck',
  );
  expect(await store.held()).toBe('3');
  await ensureSchema(store.deps, LATER);

  expect(await store.held()).toBe('4');
  expect(await server.redis.lrange(store.keys.watches, 0, -1)).toEqual(['2 to 3', '3 to 4']);
});

it.each([['absent', undefined] as const, ['older', '2'] as const])(
  'of ten that start at once on a store that is %s, one writes',
  async (_, held) => {
    const store = await storeWith(held);

    await Promise.all(Array.from({ length: 10 }, () => ensureSchema(store.deps, LATER)));

    expect(await store.held()).toBe('4');
    const runs = await server.redis.lrange(store.keys.watches, 0, -1);
    expect(runs).toEqual(held === undefined ? [] : ['2 to 3', '3 to 4']);
  },
);

it('a migration whose lock went to another process does not advance the number', async () => {
  const store = await storeWith('3');
  const losing: Migration = async (redis, keys) => {
    await redis.set(keys.lock('schema'), 'another process', 'PX', 60_000);
  };

  await expect(
    ensureSchema(store.deps, { schema: 4, migrations: new Map([[3, losing]]) }),
  ).rejects.toThrow('another process migrates schema 3');
  expect(await store.held()).toBe('3');
});

it.each([
  ['newer', '999', 'data of schema 999, this Purser knows schema 1: start the newer release, or'],
  ['no number', 'seven', 'data of schema "seven", this Purser knows schema 1: restore the key'],
  ['empty', '', 'data of schema "", this Purser knows schema 1'],
  ['negative', '-1', 'data of schema "-1", this Purser knows schema 1'],
  ['longer than a line', '9'.repeat(5_000), `data of schema "${'9'.repeat(40)}", this`],
])('a number that is %s ends the start, and nothing is written', async (_, held, sentence) => {
  const store = await storeWith(held);

  const error: unknown = await ensureSchema(store.deps).catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(StartRefused);
  expect(String(error)).toContain(`Redis holds ${sentence}`);
  expect(String(error)).toContain('point REDIS_URL or REDIS_PREFIX at an empty store');
  expect(await store.held()).toBe(held);
  expect(await store.names()).toEqual([store.keys.schema]);
});

it('a key of another type ends the start as well', async () => {
  const store = await storeWith();
  await server.redis.rpush(store.keys.schema, '1');

  await expect(ensureSchema(store.deps)).rejects.toThrow(StartRefused);
  expect(await store.names()).toEqual([store.keys.schema]);
});
