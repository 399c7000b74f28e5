import { settledWithin } from '../lib/patience.ts';
import type { Logger } from '../lib/logger.ts';
import type { Counter } from '../lib/metrics.ts';
import type { RedisConnection } from '../store/redis.ts';
import { createBackOff } from './back-off.ts';
import type { StoreOutage } from './back-off.ts';
import { createHealth } from './health.ts';
import type { WorkersHealth } from './health.ts';
import { openWorker } from './worker.ts';
import type { QueueWorker, QueueWorkerDeps } from './worker.ts';

export interface CrewDeps {
  /** Opens a connection for workers, which waits for Redis. */
  connectWorker: () => RedisConnection;
  prefix: string;
  /** Notes for all processes that a worker lives: one small write, which also says whether Redis takes any. */
  beat: () => Promise<unknown>;
  /** Told of the time in which Redis refuses what the workers write. */
  outage?: StoreOutage;
  logger: Logger;
  /** Jobs by queue, name and result. */
  finished: Counter;
}

/** The workers of a process, one for each queue. */
export interface Crew {
  /** Opens the worker of a queue, once. */
  open(one: Pick<QueueWorkerDeps, 'queue' | 'concurrency' | 'kinds'>): void;
  /** All that there are were opened: they are watched from now on. */
  opened(): void;
  /** Whether they rest because Redis refuses what they write. */
  isResting(): boolean;
  health(): WorkersHealth;
  /** Stops taking jobs; waits for those that run, but no longer than this. @returns whether all have ended */
  stop(limitMs: number): Promise<boolean>;
  disconnect(): void;
}

export function createCrew(deps: CrewDeps): Crew {
  const workers = new Map<string, QueueWorker>();
  const connections: RedisConnection[] = [];
  const backOff = createBackOff({
    workers: () => [...workers.values()].map(({ worker }) => worker),
    probe: deps.beat,
    outage: deps.outage,
    logger: deps.logger,
  });
  const health = createHealth({
    workers: () => [...workers.values()],
    beat: deps.beat,
    refusal: () => backOff.word(),
  });
  return {
    open(one) {
      if (workers.has(one.queue)) return;
      const connection = deps.connectWorker();
      connections.push(connection);
      workers.set(one.queue, openWorker({ ...deps, ...one, connection, ...backOff }));
    },
    opened: () => health.start(),
    isResting: () => backOff.word() !== undefined,
    health: () => health.now(),
    stop(limitMs) {
      health.stop();
      backOff.stop();
      const closed = Promise.all([...workers.values()].map(({ worker }) => worker.close()));
      return settledWithin(closed, limitMs);
    },
    disconnect() {
      for (const connection of connections) connection.disconnect();
    },
  };
}
