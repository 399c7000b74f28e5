import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../../src/lib/logger.ts';
import { Secret } from '../../../src/lib/secret.ts';
import {
  connectRedis,
  createKeys,
  redisReady,
  type Keys,
  type RedisConnection,
} from '../../../src/store/redis.ts';
import { createRewrite } from '../../../src/store/server.ts';
import { createDurableRedis, type DurableRedis } from '../../support/durable-redis.ts';
import { connectTo, useConnection } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { silentLogger } from '../notify/support.ts';

const shared = useConnection();
let server: DurableRedis;
let redis: RedisConnection;
let keys: Keys;

beforeAll(async () => {
  server = await createDurableRedis('no');
  redis = await connectTo(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});
beforeEach(async () => {
  await redis.flushall();
  await redis.config('RESETSTAT');
  keys = createKeys(`test-${randomUUID()}`);
});

/** As a process of its own has it. */
const rewriteBy = (connection: RedisConnection) =>
  createRewrite({ redis: connection, keys, logger: silentLogger });

/** All that the server has written. */
async function written(): Promise<string> {
  const all = await readdir(server.folder, { recursive: true, withFileTypes: true });
  const files = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  // A file of the rewrite can be gone by now.
  const texts = files.map((path) => readFile(path, 'latin1').catch(() => ''));
  return (await Promise.all(texts)).join('');
}

async function orders(): Promise<number> {
  return Number(/bgrewriteaof:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
}

const isBusy = async (): Promise<boolean> =>
  (await redis.info('persistence')).includes('aof_rewrite_in_progress:1');

const rested = () => until('the rewrite to be over', async () => !(await isBusy()));

it('deleted and expired secrets are gone from the disk', async () => {
  await redis.set('revealed', 'secret-that-was-revealed');
  await redis.getdel('revealed');
  await redis.set('answer', 'figures-that-expired', 'PX', 20);
  await redis.set('watch', 'that-stays');
  await until('the answer to expire', async () => (await redis.exists('answer')) === 0);
  expect(await written()).toContain('secret-that-was-revealed');
  expect(await written()).toContain('figures-that-expired');

  await rewriteBy(redis)();
  await until('the secret to be gone', async () => {
    return !(await written()).includes('secret-that-was-revealed');
  });

  expect(await written()).not.toContain('figures-that-expired');
  expect(await written()).toContain('that-stays');
});

it('one rewrite serves a day, whichever process asks', async () => {
  await Promise.all([rewriteBy(redis)(), rewriteBy(redis)()]);
  await rested();
  await rewriteBy(redis)();

  expect(await orders()).toBe(1);
  const hours = (await redis.pttl(keys.rewritten)) / 3_600_000;
  expect(hours).toBeGreaterThan(22.9);
  expect(hours).toBeLessThanOrEqual(23);
});

/** The server begins a rewrite that takes some seconds. */
async function beginSlowly(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await redis.set(`key-${count}`, 'value');
  await redis.config('SET', 'rdb-key-save-delay', '100000');
  await redis.bgrewriteaof();
  await until('the rewrite to begin', isBusy);
  await redis.config('SET', 'rdb-key-save-delay', '0');
}

it('nothing is asked for while a rewrite is in progress, and the next hour tries again', async () => {
  await beginSlowly();
  await rewriteBy(redis)();
  expect(await orders()).toBe(1);
  expect(await redis.exists(keys.rewritten)).toBe(0);

  await rested();
  await rewriteBy(redis)();
  expect(await orders()).toBe(2);
  await rested();
});

it('a rewrite that failed is tried again within the day', async () => {
  await rewriteBy(redis)();
  await rested();
  await beginSlowly();
  process.kill(await childOfServer(), 'SIGKILL');
  await until('the failure', async () =>
    (await redis.info('persistence')).includes('aof_last_bgrewrite_status:err'),
  );

  await rewriteBy(redis)();
  await rested();
  expect(await redis.info('persistence')).toContain('aof_last_bgrewrite_status:ok');
});

async function childOfServer(): Promise<number> {
  const pid = /process_id:(\d+)/.exec(await redis.info('server'))?.[1];
  return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}

/** Runs it twice, and returns the log. */
async function logOf(connection: RedisConnection): Promise<unknown[]> {
  const lines: unknown[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ level: 'info', secrets: [], destination });
  const rewrite = createRewrite({ redis: connection, keys, logger });
  await rewrite();
  await rewrite();
  return lines;
}

it.each(['bgrewriteaof', 'info'])('a user without %s skips it, with one line', async (command) => {
  await redis.call(
    'ACL',
    'SETUSER',
    'limited',
    'reset',
    'on',
    '>pass',
    '~*',
    '+@all',
    `-${command}`,
  );
  const node = { host: '127.0.0.1', port: server.port, db: 0, tls: false, username: 'limited' };
  const nodes = [{ ...node, password: new Secret('pass') }];
  const limited = connectRedis({ nodes }, 'commands', silentLogger);
  await redisReady(limited, 5_000);

  expect(await logOf(limited)).toMatchObject([
    { msg: 'The append-only file of Redis is not rewritten', why: 'the server does not allow it' },
  ]);
  expect(await orders()).toBe(0);
  limited.disconnect();
});

it('a server without an append-only file skips it, with one line', async () => {
  expect(await logOf(shared.redis)).toHaveLength(1);
  expect(await shared.redis.exists(keys.rewritten)).toBe(0);
});
