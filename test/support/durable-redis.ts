import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitOf, freePort, isFree } from '../../src/sandbox/redis.ts';
import { until } from './until.ts';

/** The program that the set-up installs. */
export const PROGRAM = 'redis-server';

/** A port of a node of a cluster: the nodes talk to each other at 10,000 above it, which other connections may use. */
export async function freeClusterPort(): Promise<number> {
  const port = await freePort();
  return (await isFree(port + 10_000)) ? port : freeClusterPort();
}

/** Starts a Redis that writes to this folder; resolves when it takes connections. */
export async function startRedisServer(
  port: number,
  folder: string,
  words: readonly string[],
): Promise<ChildProcess> {
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const server = spawn(PROGRAM, [...place, '--appendonly', 'yes', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let ready = false;
  server.stdout.on('data', (text: Buffer) => {
    ready ||= text.includes('Ready to accept connections');
  });
  await until('Redis takes connections', () => ready);
  return server;
}

export type DurableRedis = Awaited<ReturnType<typeof createDurableRedis>>;

/**
 * A Redis that writes to disk, on a port that stays, so that it can come back.
 * @param fsync `everysec`, as the bot’s own has it: the last answers can be written down a moment
 *   later. With `no` a copy has every write
 */
export async function createDurableRedis(fsync: 'everysec' | 'no' = 'everysec') {
  const folder = await mkdtemp(join(tmpdir(), 'purser-durable-redis-'));
  const copy = `${folder}-copy`;
  const port = await freePort();
  let server: ChildProcess;

  async function start(): Promise<void> {
    server = await startRedisServer(port, folder, ['--appendfsync', fsync]);
  }
  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    server.kill(signal);
    await exitOf(server);
  }
  async function replace(target: string, source: string): Promise<void> {
    await rm(target, { recursive: true, force: true });
    await cp(source, target, { recursive: true });
  }

  await start().catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    port,
    /** Where it writes. */
    folder,
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    /** Takes a copy of the files now. */
    remember: () => replace(copy, folder),
    /** Its host dies: it comes back with the files of its last copy. */
    async loseTheRest() {
      await stop('SIGKILL');
      await replace(folder, copy);
      await start();
    },
    async close() {
      await stop('SIGKILL');
      for (const one of [folder, copy]) await rm(one, { recursive: true, force: true });
    },
  };
}
