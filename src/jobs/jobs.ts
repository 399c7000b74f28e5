import { createHash } from 'node:crypto';
import { Queue } from 'bullmq';
import { settledWithin } from '../lib/time.ts';
import type { Logger } from '../lib/logger.ts';
import { record } from '../metrics.ts';
import type { RedisConnection } from '../store/redis.ts';
import { createWorkers, type QueueName, type WorkerSetup, type WorkersHealth } from './workers.ts';

export interface Schedule {
  id: string;
  name: string;
  data: Record<string, string>;
  everyMs: number;
  /** Shifts the runs within `everyMs`, so that schedules do not coincide. */
  offsetMs: number;
}

/**
 * The queues of design section 8, with the jobs of each that run at once in one process. A poll mostly waits
 * for the platform: 100 GVCs of several orgs are polled every 10 s while an answer takes less than 3 s, even
 * beside an org that does not answer and fills all of its own places.
 */
const QUEUES = {
  rollouts: { concurrency: 48 },
  notifications: { concurrency: 16 },
  changes: { concurrency: 4 },
  // One place for each kind of check, so that one that hangs holds back no other.
  billing: { concurrency: 12 },
} as const satisfies Record<QueueName, { concurrency: number }>;
const NAMES = Object.keys(QUEUES) as QueueName[];

/** Data holds names only: it is clear text in Redis (no secret, no response body). */
export interface JobKind {
  queue: QueueName;
  name: string;
  /** May run again after a crash, so it must be repeatable. */
  run(data: Record<string, string>): Promise<void>;
  /** Milliseconds; the job is then scheduled, in one process at a time. */
  every?: number;
}

export interface QueueStatus {
  readonly queue: string;
  readonly waiting: number;
  /** How long the first waiting job could have run, in milliseconds; undefined when none waits. */
  readonly oldestMs: number | undefined;
  readonly failed: number;
}

export interface Jobs {
  add(queue: QueueName, name: string, data: Record<string, string>): Promise<void>;
  /**
   * Makes the schedules of a queue with this id prefix exactly these; unchanged ones are not written.
   * @param leave runs before a schedule is removed. If it fails, that is logged and the schedule stays, so
   *   that the next call tries again
   */
  reconcile(
    queue: QueueName,
    idPrefix: string,
    wanted: readonly Schedule[],
    leave?: (id: string) => Promise<void>,
  ): Promise<void>;
  /** Times in milliseconds since the epoch. @throws when the store does not answer */
  inspect(times: { now: number; failedSince: number }): Promise<QueueStatus[]>;
  /** For the metrics of all queues. @throws when the store does not answer */
  measure(): Promise<void>;
  work(kinds: readonly JobKind[]): Promise<void>;
  health(): WorkersHealth;
  /** Stops taking jobs; waits for running ones, and hands back those that take longer than 10 s. */
  stopWorking(): Promise<void>;
  close(): Promise<void>;
}

/** How long a stop waits for running jobs, and a close for Redis. Milliseconds. */
const STOP_MS = 10_000;
const CLOSE_MS = 2_000;
const REASSERT_MS = 10_000;
/**
 * For this time after its start it also removes schedules of unknown kinds, which an older version puts back
 * as long as it runs. Not forever: an older version must not remove those of a newer one. Milliseconds.
 */
const CLEARING_MS = 30 * 60_000;

/** @param setup `commands`: the connection for adding, which fails at once while Redis is away */
export function createJobs(setup: WorkerSetup & { commands: RedisConnection }): Jobs {
  const { commands, logger } = setup;
  const queues = new Map<QueueName, Queue>();
  const workers = createWorkers(setup);
  const aligned = new Set<string>();
  let reassert: NodeJS.Timeout | undefined;

  function queueOf(name: QueueName): Queue {
    const queue = queues.get(name) ?? openQueue(name, setup);
    queues.set(name, queue);
    return queue;
  }

  const storeOf = (name: QueueName): ScheduleStore => ({ queue: queueOf(name), redis: commands });

  return {
    async add(queue, name, data) {
      await queueOf(queue).add(name, data);
    },
    async reconcile(name, idPrefix, wanted, leave) {
      const place = `${name} ${idPrefix}`;
      const unwanted = await alignSchedules(storeOf(name), idPrefix, wanted, !aligned.has(place));
      aligned.add(place);
      await removeSchedules(queueOf(name), unwanted, { leave, logger });
    },
    inspect: (times) =>
      Promise.all(NAMES.map((name) => inspectQueue(queueOf(name), commands, times))),
    measure: () => measureQueues(queueOf),
    async work(kinds) {
      for (const name of NAMES) {
        const own = kinds.filter((kind) => kind.queue === name);
        if (own.length > 0) workers.open({ queue: name, ...QUEUES[name], kinds: own });
      }
      workers.watch();
      const assertOwn = async (isClearing: boolean): Promise<void> => {
        for (const [name, own] of ownSchedules(kinds)) {
          await assertStored(storeOf(name), own, { isClearing, logger });
        }
      };
      await assertOwn(true);
      const clearUntil = performance.now() + CLEARING_MS;
      // A Redis that was emptied has lost the schedules, and with them the jobs that would notice.
      reassert ??= setInterval(() => {
        if (workers.isPaused()) return;
        assertOwn(performance.now() < clearUntil).catch((error: unknown) => {
          logger.debug({ err: error }, 'The schedules could not be looked at');
        });
      }, REASSERT_MS);
    },
    health: () => workers.health(),
    async stopWorking() {
      clearInterval(reassert);
      if (await workers.stop(STOP_MS)) return;
      // Their locks expire and another worker takes them: that is no failure.
      logger.warn({}, 'Jobs that were still running are handed back');
    },
    async close() {
      await settledWithin(
        Promise.all([...queues.values()].map((queue) => queue.close())),
        CLOSE_MS,
      );
      workers.disconnect();
    },
  };
}

/**
 * @param redis the connection of the queue
 * @param times milliseconds since the epoch
 */
async function inspectQueue(
  queue: Queue,
  redis: RedisConnection,
  { now, failedSince }: { now: number; failedSince: number },
): Promise<QueueStatus> {
  const [waiting, [oldest], failed] = await Promise.all([
    queue.getWaitingCount(),
    queue.getJobs(['waiting'], 0, 0, true),
    // They are ordered by their end.
    redis.zcount(queue.toKey('failed'), failedSince, '+inf'),
  ]);
  const runnable = oldest === undefined ? undefined : oldest.timestamp + (oldest.opts.delay ?? 0);
  return {
    queue: queue.name,
    waiting,
    oldestMs: runnable === undefined ? undefined : Math.max(0, now - runnable),
    failed,
  };
}

async function measureQueues(queueOf: (name: QueueName) => Queue): Promise<void> {
  await Promise.all(NAMES.map((name) => measureQueue(name, queueOf(name))));
}

async function measureQueue(name: QueueName, queue: Queue): Promise<void> {
  const counts = await queue.getJobCounts(...JOB_STATES);
  for (const state of JOB_STATES) {
    record.queueJobs.set({ queue: name, state }, counts[state] ?? 0);
  }
}

const JOB_STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** @param isClearing also removes schedules of other kinds */
async function assertStored(
  store: ScheduleStore,
  own: readonly Schedule[],
  { isClearing, logger }: { isClearing: boolean; logger: Logger },
): Promise<void> {
  await assertSchedules(store.queue, own);
  if (!isClearing) return;
  const unwanted = await unwantedSchedules(store, 'every:', own);
  await removeSchedules(store.queue, unwanted, { leave: undefined, logger });
}

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

function openQueue(
  name: QueueName,
  {
    commands,
    prefix,
    telemetry,
    logger,
  }: Pick<WorkerSetup, 'prefix' | 'telemetry' | 'logger'> & { commands: RedisConnection },
): Queue {
  const queue = new Queue(name, {
    connection: commands,
    prefix,
    streams: { events: { maxLen: 1_000 } },
    skipWaitingForReady: true,
    defaultJobOptions: { stackTraceLimit: 3 },
    ...(telemetry && { telemetry }),
  });
  queue.on('error', (error) => logger.debug({ err: error, queue: name }, 'Queue error'));
  return queue;
}

interface ScheduleStore {
  queue: Queue;
  redis: RedisConnection;
}

/**
 * A schedule is only written when it is missing, differs or is overdue: a repeated upsert can lose its next
 * job (BullMQ #3063, #3262). For the same reason an id is never removed and added in a row.
 */
async function put(queue: Queue, { id, name, data, everyMs, offsetMs }: Schedule): Promise<void> {
  await queue.upsertJobScheduler(id, { every: everyMs, offset: offsetMs }, { name, data });
}

function isOverdue(next: number | undefined, everyMs: number): boolean {
  return next !== undefined && next < Date.now() - 3 * everyMs - 60_000;
}

async function assertSchedules(queue: Queue, wanted: readonly Schedule[]): Promise<void> {
  for (const schedule of wanted) {
    const current = await queue.getJobScheduler(schedule.id);
    const isRight = current?.every === schedule.everyMs;
    if (!isRight || isOverdue(current.next, schedule.everyMs)) await put(queue, schedule);
  }
}

async function unwantedSchedules(
  store: ScheduleStore,
  idPrefix: string,
  wanted: readonly Schedule[],
): Promise<string[]> {
  return unwantedOf(await nextTimes(store), idPrefix, wanted);
}

/**
 * Makes the schedules with an id prefix exactly these. One command gives ids and next times of all; a
 * schedule itself is read when it is new or overdue, or when the set differs from the stored note.
 * @param isFirst ignores the note
 * @returns the existing ids that are no longer wanted
 */
async function alignSchedules(
  { queue, redis }: ScheduleStore,
  idPrefix: string,
  wanted: readonly Schedule[],
  isFirst: boolean,
): Promise<string[]> {
  const noteKey = queue.toKey(`schedules:${idPrefix}`);
  const note = noteOf(wanted);
  const [known, noted] = await Promise.all([nextTimes({ queue, redis }), redis.get(noteKey)]);
  const isNoted = !isFirst && noted === note;
  const doubtful = wanted.filter(
    ({ id, everyMs }) => !isNoted || !known.has(id) || isOverdue(known.get(id), everyMs),
  );
  const intervals = await intervalsOf({ queue, redis }, doubtful);
  const wrong = doubtful.filter(
    ({ id, everyMs }, index) =>
      !known.has(id) || intervals[index] !== everyMs || isOverdue(known.get(id), everyMs),
  );
  // While they change, the note must not vouch for them.
  if (wrong.length > 0 && noted !== null) await redis.del(noteKey);
  for (const schedule of wrong) await put(queue, schedule);
  if (wrong.length > 0 || noted !== note) await redis.set(noteKey, note);
  return unwantedOf(known, idPrefix, wanted);
}

/** @param leave runs before; if it fails, the schedule stays for the next time */
async function removeSchedules(
  queue: Queue,
  ids: readonly string[],
  { leave, logger }: { leave: ((id: string) => Promise<void>) | undefined; logger: Logger },
): Promise<void> {
  for (const id of ids) {
    try {
      await leave?.(id);
      await queue.removeJobScheduler(id);
    } catch (error) {
      logger.warn(
        { err: error, schedule: id },
        'A schedule stays for now, what it leaves is not done',
      );
    }
  }
}

function noteOf(wanted: readonly Schedule[]): string {
  const lines = wanted.map(({ id, everyMs }) => `${id} ${everyMs}`).sort();
  return createHash('sha1').update(lines.join('\n')).digest('base64url');
}

function unwantedOf(
  known: ReadonlyMap<string, number>,
  idPrefix: string,
  wanted: readonly Schedule[],
): string[] {
  const ids = new Set(wanted.map(({ id }) => id));
  return [...known.keys()].filter((id) => id.startsWith(idPrefix) && !ids.has(id));
}

/** All schedules of a queue: id -> next run (ms since the epoch). */
async function nextTimes({ queue, redis }: ScheduleStore): Promise<Map<string, number>> {
  const flat = await redis.zrange(queue.toKey('repeat'), 0, '-1', 'WITHSCORES');
  const pairs = flat.flatMap((id, index) =>
    index % 2 === 0 ? [[id, Number(flat[index + 1])] as const] : [],
  );
  return new Map(pairs);
}

/** The current intervals in milliseconds; NaN when unknown. */
async function intervalsOf(
  { queue, redis }: ScheduleStore,
  schedules: readonly Schedule[],
): Promise<readonly number[]> {
  const asked = schedules.map(({ id }) => redis.hget(queue.toKey(`repeat:${id}`), 'every'));
  return (await Promise.all(asked)).map((every) => Number(every ?? Number.NaN));
}
