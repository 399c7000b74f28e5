import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitOf, freePort } from '../../src/sandbox/redis.ts';
import { until } from '../support/until.ts';

const PROGRAM = 'redis-server';

/** A Redis that writes down what it is told, on a port that stays, so that it can come back. */
export interface DurableRedis {
  readonly port: number;
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  /** Takes a copy of what is written down now. */
  remember(): Promise<void>;
  /** Its host dies: it comes back with what it was told until it last took a copy. */
  loseTheRest(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param fsync `everysec`, as the bot’s own has it: what was just answered can be written down a moment
 *   later. With `no` a copy has all of it
 */
export async function createDurableRedis(
  fsync: 'everysec' | 'no' = 'everysec',
): Promise<DurableRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-chaos-'));
  const port = await freePort();
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    const started = spawn(PROGRAM, [...words, '--appendonly', 'yes', '--appendfsync', fsync], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    server = started;
    let ready = false;
    started.stdout.on('data', (text: Buffer) => {
      ready ||= text.includes('Ready to accept connections');
    });
    await until('Redis takes connections', () => ready);
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    server?.kill(signal);
    if (server !== undefined) await exitOf(server);
  }

  const copy = `${folder}-copy`;
  const replace = async (target: string, source: string): Promise<void> => {
    await rm(target, { recursive: true, force: true });
    await cp(source, target, { recursive: true });
  };

  await start();
  return {
    port,
    start,
    stop,
    remember: () => replace(copy, folder),
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

/** The moments of a script of the bot's own at which a worker can die: not yet run, and run unheard. */
export type ScriptMoment = 'script asked' | 'script done';

/** A way to Redis that sees the scripts go by. */
export interface Tap {
  readonly port: number;
  close(): Promise<void>;
}

/** The command as ioredis writes it; BullMQ's own scripts go by their hash. */
const SCRIPT = /\r\n\$4\r\neval\r\n/i;

/** @param strike kills the worker of this tap, if it is to die now; @returns whether it did */
export async function createTap(
  redisPort: number,
  strike: (moment: ScriptMoment) => boolean,
): Promise<Tap> {
  const sockets = new Set<Socket>();
  const server = createServer((worker) => {
    const redis = connect(redisPort, '127.0.0.1');
    let running = false;
    worker.on('data', (chunk: Buffer) => {
      const isScript = SCRIPT.test(chunk.toString('latin1'));
      if (isScript && strike('script asked')) return void redis.destroy();
      running ||= isScript;
      redis.write(chunk);
    });
    redis.on('data', (chunk: Buffer) => {
      if (running && strike('script done')) return void worker.destroy();
      running = false;
      worker.write(chunk);
    });
    for (const [one, other] of [
      [worker, redis],
      [redis, worker],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    port,
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
