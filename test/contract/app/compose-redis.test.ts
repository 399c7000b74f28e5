import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { exitOf, freePort } from '../../../src/sandbox/redis.ts';
import { until } from '../../support/until.ts';

const COMPOSE = new URL('../../../compose.yaml', import.meta.url);
const PASSWORD = 'Of0the1compose2file';

interface Compose {
  readonly services: {
    readonly redis: {
      readonly command: readonly [string, string, string];
      readonly healthcheck: { readonly test: readonly [string, string] };
    };
  };
}

/** As Compose passes a text on to the shell of the container. */
const inContainer = (text: string): string => text.replaceAll('$$', '$');

it('the Redis of compose.yaml asks for its password, and is healthy with it alone', async () => {
  const { redis } = (parse(await readFile(COMPOSE, 'utf8'), { merge: true }) as Compose).services;
  const folder = await mkdtemp(join(tmpdir(), 'purser-compose-'));
  const port = await freePort();
  const env = { PATH: process.env['PATH'], REDIS_PASSWORD: PASSWORD };
  const [shell, option, script] = redis.command;
  const here = `redis-server - --port ${port} --bind 127.0.0.1 --dir ${folder}`;
  const words = [option, inContainer(script).replace('redis-server -', here)];
  const server = spawn(shell, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    server.kill('SIGTERM');
    await exitOf(server);
    await rm(folder, { recursive: true, force: true });
  });
  let log = '';
  server.stdout.on('data', (text: Buffer) => (log += text.toString()));
  await until('Redis to start', () => log.includes('Ready to accept connections'));

  const open = new Redis({ port, enableReadyCheck: false });
  open.on('error', () => undefined);
  await expect(open.get('x')).rejects.toThrow('NOAUTH');
  open.disconnect();
  const admin = new Redis({ port, password: PASSWORD });
  expect(await admin.config('GET', 'auto-aof-rewrite-min-size')).toContain('4194304');
  expect(await admin.config('GET', 'maxmemory')).toContain(String(384 * 2 ** 20));
  expect(await admin.config('GET', 'appendonly')).toContain('yes');
  admin.disconnect();
  const healthy = async (password: string): Promise<boolean> => {
    const check = inContainer(redis.healthcheck.test[1]).replace(
      'redis-cli',
      `redis-cli -p ${port}`,
    );
    const asking = promisify(execFile)('sh', ['-c', check], {
      env: { ...env, REDIS_PASSWORD: password },
    });
    return asking.then(
      () => true,
      () => false,
    );
  };
  expect(await healthy(PASSWORD)).toBe(true);
  expect(await healthy('another')).toBe(false);
  // The shell became the server, so that SIGTERM reaches it; its words are no secret.
  const { pid } = server;
  const running = await readFile(`/proc/${pid}/cmdline`, 'utf8');
  expect(running).toContain('redis-server');
  expect(running).not.toContain(PASSWORD);
});
