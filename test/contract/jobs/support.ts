import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { onTestFinished } from 'vitest';
import type { StoreOutage } from '../../../src/jobs/workers.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import type { Jobs, QueueName } from '../../../src/jobs/jobs.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import type { Metrics } from '../../../src/lib/metrics.ts';
import { exitOf, freePort } from '../../../src/sandbox/redis.ts';
import { connectRedis, redisReady } from '../../../src/store/redis.ts';
import type { RedisConnection, RedisUse } from '../../../src/store/redis.ts';

export const SECRET = 'known-to-the-bot-alone';
const READY_MS = 10_000;
const PROGRAM = 'redis-server';

/** One process of the bot, as far as its jobs go. */
export interface Process {
  jobs: Jobs;
  metrics: Metrics;
  redis: RedisConnection;
  /** What it logged, parsed. */
  log(): Record<string, unknown>[];
  stop(): Promise<void>;
}

export async function openProcess(
  redisUrl: string,
  prefix: string,
  outage?: StoreOutage,
): Promise<Process> {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'info', secrets: [SECRET], destination });
  const { hostname, port } = new URL(redisUrl);
  const address = { host: hostname, port: Number(port || 6379), db: 0, tls: false };
  const connect = (use: RedisUse) => connectRedis([address], use, logger);
  const redis = connect('commands');
  await redisReady(redis, READY_MS);
  const metrics = createMetrics();
  const jobs = createJobs({
    commands: redis,
    connectWorker: () => connect('worker'),
    prefix,
    heartbeat: () => redis.set(`${prefix}:beat`, '1'),
    ...(outage && { outage }),
    logger,
    finished: metrics.counter('jobs', 'Jobs by queue, name and result'),
  });
  return {
    jobs,
    metrics,
    redis,
    log: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    async stop() {
      await jobs.stopWorking();
      await jobs.close();
      redis.disconnect();
    },
  };
}

/** The same, closed when the test ends. */
export async function openProcessForTest(
  redisUrl: string,
  prefix: string,
  outage?: StoreOutage,
): Promise<Process> {
  const one = await openProcess(redisUrl, prefix, outage);
  onTestFinished(() => one.stop());
  return one;
}

/** A look into a queue from outside. */
export function lookInto(name: QueueName, { redis }: Process, prefix: string): Queue {
  return new Queue(name, { connection: redis, prefix });
}

interface DurableRedis {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A Redis that writes down what it is told, on a port that stays, so that it can come back. */
export async function startDurableRedis(): Promise<DurableRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-durable-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;
  async function start(): Promise<void> {
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    const child = spawn(PROGRAM, [...place, '--save', '', '--appendonly', 'yes']);
    server = child;
    let said = '';
    while (!said.includes('Ready to accept connections')) {
      said += String(await once(child.stdout, 'data'));
    }
    child.stdout.resume();
  }
  async function stop(): Promise<void> {
    if (server === undefined) return;
    server.kill('SIGTERM');
    await exitOf(server);
  }
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  return { url: `redis://127.0.0.1:${port}`, start, stop };
}

/** A name that leads to one server, and from some moment on to another; who is connected stays so. */
export async function startSwitch(url: string) {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const redis = connect(Number(target.port), target.hostname);
    for (const [one, another] of [
      [client, redis],
      [redis, client],
    ] as const) {
      sockets.add(one);
      one.pipe(another);
      one.on('error', () => another.destroy());
      one.on('close', () => another.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (other: string): void => void (target = new URL(other)),
  };
}
