import { Queue } from 'bullmq';
import type { Logger } from '../lib/logger.ts';
import { settledWithin } from '../lib/patience.ts';
import type { RedisConnection } from '../store/redis.ts';
import { createCrew } from './crew.ts';
import type { CrewDeps } from './crew.ts';
import type { WorkersHealth } from './health.ts';
import { lookAtQueue } from './look.ts';
import type { QueueLook } from './look.ts';
import {
  alignSchedules,
  assertSchedules,
  removeSchedules,
  unwantedSchedules,
} from './schedules.ts';
import type { Schedule, Shelf } from './schedules.ts';

/**
 * The queues of design section 8 and how many jobs of each run at once in one process. A poll waits for
 * the platform most of its time: 100 GVCs of several orgs keep a beat of 10 s while an answer takes less
 * than 3 s, beside an org that hangs with the places that it may have.
 */
const QUEUES = {
  rollouts: { concurrency: 48 },
  notifications: { concurrency: 16 },
  changes: { concurrency: 4 },
  billing: { concurrency: 2 },
} as const;
export type QueueName = keyof typeof QUEUES;
const NAMES = Object.keys(QUEUES) as QueueName[];

/** One kind of job. Data holds names only: it is clear text in Redis (no secret, no response body). */
export interface JobKind {
  queue: QueueName;
  name: string;
  /** May run again after a crash, so it has to bear that. */
  run(data: Record<string, string>): Promise<void>;
  /** Milliseconds; a job of this kind then runs by itself, in one place at a time. */
  every?: number;
}

export interface Jobs {
  add(queue: QueueName, name: string, data: Record<string, string>): Promise<void>;
  /**
   * Makes the schedules of a queue with this id prefix exactly these; what is right stays untouched.
   * @param leave what has to be done before a schedule goes. Where that fails, it is logged and the
   *   schedule stays, so that the next call tries again
   */
  reconcile(
    queue: QueueName,
    idPrefix: string,
    wanted: readonly Schedule[],
    leave?: (id: string) => Promise<void>,
  ): Promise<void>;
  /** How each queue stands. Times in milliseconds since the epoch. @throws when the store does not answer */
  look(times: { now: number; failedSince: number }): Promise<QueueLook[]>;
  /** Starts the workers and the kinds that run by themselves. */
  work(kinds: readonly JobKind[]): Promise<void>;
  /** How the workers of this process stand. */
  health(): WorkersHealth;
  /** Stops taking jobs; waits for those that run, and hands back what takes longer than 10 s. */
  stopWorking(): Promise<void>;
  close(): Promise<void>;
}

/** How long a stop waits for jobs that run, and for Redis to take leave. Milliseconds. */
const STOP_MS = 10_000;
const CLOSE_MS = 2_000;
/** How often a process looks that its own schedules are still there. */
const REASSERT_MS = 10_000;
/**
 * So long after its start it also removes those of kinds that it does not know, which an older version
 * puts back as long as it runs. Not for ever: an older one must not remove those of a newer. Milliseconds.
 */
const CLEARING_MS = 30 * 60_000;

export interface JobsDeps extends CrewDeps {
  /** For adding: fails at once while Redis is away. */
  commands: RedisConnection;
}

export function createJobs(deps: JobsDeps): Jobs {
  const { logger } = deps;
  const queues = new Map<QueueName, Queue>();
  const crew = createCrew(deps);
  const aligned = new Set<string>();
  let reassert: NodeJS.Timeout | undefined;

  function queueOf(name: QueueName): Queue {
    const queue = queues.get(name) ?? openQueue(name, deps);
    queues.set(name, queue);
    return queue;
  }

  const shelfOf = (name: QueueName): Shelf => ({ queue: queueOf(name), redis: deps.commands });

  return {
    async add(queue, name, data) {
      await queueOf(queue).add(name, data);
    },
    async reconcile(name, idPrefix, wanted, leave) {
      const place = `${name} ${idPrefix}`;
      const unwanted = await alignSchedules(shelfOf(name), idPrefix, wanted, !aligned.has(place));
      aligned.add(place);
      await removeSchedules(queueOf(name), unwanted, { leave, logger });
    },
    look: (times) =>
      Promise.all(NAMES.map((name) => lookAtQueue(queueOf(name), deps.commands, times))),
    async work(kinds) {
      for (const name of NAMES) {
        const own = kinds.filter((kind) => kind.queue === name);
        if (own.length > 0) crew.open({ queue: name, ...QUEUES[name], kinds: own });
      }
      crew.opened();
      const assertOwn = async (isClearing: boolean): Promise<void> => {
        for (const [name, own] of ownSchedules(kinds)) {
          await assertOnShelf(shelfOf(name), own, { isClearing, logger });
        }
      };
      await assertOwn(true);
      const clearUntil = performance.now() + CLEARING_MS;
      // A Redis that was emptied has lost the schedules, and with them whoever would notice.
      reassert ??= setInterval(() => {
        if (crew.isResting()) return;
        assertOwn(performance.now() < clearUntil).catch((error: unknown) => {
          logger.debug({ err: error }, 'The schedules could not be looked at');
        });
      }, REASSERT_MS);
    },
    health: () => crew.health(),
    async stopWorking() {
      clearInterval(reassert);
      if (await crew.stop(STOP_MS)) return;
      // Their locks run out, and another worker takes them up: that is handing back, not a failure.
      logger.warn({}, 'Jobs that were still running are handed back');
    },
    async close() {
      await settledWithin(
        Promise.all([...queues.values()].map((queue) => queue.close())),
        CLOSE_MS,
      );
      crew.disconnect();
    },
  };
}

/** Makes the schedules of kinds what they are to be. @param isClearing those of other kinds go */
async function assertOnShelf(
  shelf: Shelf,
  own: readonly Schedule[],
  { isClearing, logger }: { isClearing: boolean; logger: Logger },
): Promise<void> {
  await assertSchedules(shelf.queue, own);
  if (!isClearing) return;
  const unwanted = await unwantedSchedules(shelf, 'every:', own);
  await removeSchedules(shelf.queue, unwanted, { leave: undefined, logger });
}

/** The schedules of the kinds that run by themselves, by queue. */
function ownSchedules(kinds: readonly JobKind[]): [QueueName, Schedule[]][] {
  return NAMES.map((name): [QueueName, Schedule[]] => [
    name,
    kinds.filter((kind) => kind.queue === name).flatMap(ownSchedule),
  ]).filter(([, own]) => own.length > 0);
}

function ownSchedule(kind: JobKind): Schedule[] {
  if (kind.every === undefined) return [];
  return [
    { id: `every:${kind.name}`, name: kind.name, data: {}, everyMs: kind.every, offsetMs: 0 },
  ];
}

function openQueue(name: QueueName, deps: JobsDeps): Queue {
  const queue = new Queue(name, {
    connection: deps.commands,
    prefix: deps.prefix,
    streams: { events: { maxLen: 1_000 } },
    skipWaitingForReady: true,
    defaultJobOptions: { stackTraceLimit: 3 },
  });
  queue.on('error', (error) => deps.logger.debug({ err: error, queue: name }, 'Queue error'));
  return queue;
}
