import { Queue } from 'bullmq';
import { onTestFinished } from 'vitest';
import type { QueueName, StoreOutage } from '../../../src/jobs/workers.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { connectRedis, redisReady, type RedisUse } from '../../../src/store/redis.ts';
import { startProxy } from '../../support/http.ts';

export const SECRET = 'known-to-the-bot-alone';
const READY_MS = 10_000;

export type Process = Awaited<ReturnType<typeof openProcess>>;

/** One process of the bot, as far as its jobs go. */
export async function openProcess(redisUrl: string, prefix: string, outage?: StoreOutage) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'info', secrets: [SECRET], destination });
  const { hostname, port } = new URL(redisUrl);
  const address = { host: hostname, port: Number(port || 6379), db: 0, tls: false };
  const connect = (use: RedisUse) => connectRedis({ nodes: [address] }, use, logger);
  const redis = connect('commands');
  await redisReady(redis, READY_MS);
  const jobs = createJobs({
    commands: redis,
    connectWorker: () => connect('worker'),
    prefix,
    heartbeat: () => redis.set(`${prefix}:beat`, '1'),
    ...(outage && { outage }),
    logger,
  });
  return {
    jobs,
    redis,
    /** The log, parsed. */
    log: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    stop: async (): Promise<void> => {
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

/** A queue, seen from another process. */
export function lookInto(name: QueueName, { redis }: Process, prefix: string): Queue {
  return new Queue(name, { connection: redis, prefix });
}

/** A name that leads to one server, and from some moment on to another; who is connected stays so. */
export async function startSwitch(url: string) {
  let target = new URL(url);
  const { url: own, close } = await startProxy(() => target);
  onTestFinished(async () => void (await close()));
  return { url: own, leadTo: (other: string): void => void (target = new URL(other)) };
}
