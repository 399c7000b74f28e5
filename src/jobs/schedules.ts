import { createHash } from 'node:crypto';
import type { Queue } from 'bullmq';
import type { Logger } from '../lib/logger.ts';
import type { RedisConnection } from '../store/redis.ts';

export interface Schedule {
  id: string;
  name: string;
  data: Record<string, string>;
  everyMs: number;
  /** Shifts the beat within `everyMs`, so that many schedules do not fall on one moment. */
  offsetMs: number;
}

/** A queue with the connection that it stands on. */
export interface Shelf {
  queue: Queue;
  redis: RedisConnection;
}

/**
 * A schedule is only written when it is missing, differs or stands still: a changed or repeated upsert can
 * lose its next job (BullMQ #3063, #3262), so removing and adding one id in a row is avoided, too.
 */
async function put(queue: Queue, { id, name, data, everyMs, offsetMs }: Schedule): Promise<void> {
  await queue.upsertJobScheduler(id, { every: everyMs, offset: offsetMs }, { name, data });
}

function isOverdue(next: number | undefined, everyMs: number): boolean {
  return next !== undefined && next < Date.now() - 3 * everyMs - 60_000;
}

/** Makes the schedules of these ids what they are to be; no other is looked at. */
export async function assertSchedules(queue: Queue, wanted: readonly Schedule[]): Promise<void> {
  for (const schedule of wanted) {
    const current = await queue.getJobScheduler(schedule.id);
    const isRight = current?.every === schedule.everyMs;
    if (!isRight || isOverdue(current.next, schedule.everyMs)) await put(queue, schedule);
  }
}

/** The ids with this prefix that are there and not wanted. */
export async function unwantedSchedules(
  shelf: Shelf,
  idPrefix: string,
  wanted: readonly Schedule[],
): Promise<string[]> {
  return unwantedOf(await nextTimes(shelf), idPrefix, wanted);
}

/**
 * Makes the schedules with an id prefix exactly these. Ids and next times of all come by one command; a
 * schedule itself is read when it is new, stands still, or when others are wanted than last time, by
 * whichever process that was.
 * @param isFirst nothing that was noted before counts
 * @returns the ids that are there and no longer wanted
 */
export async function alignSchedules(
  { queue, redis }: Shelf,
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
  const paces = await pacesOf({ queue, redis }, doubtful);
  const wrong = doubtful.filter(
    ({ id, everyMs }, index) =>
      !known.has(id) || paces[index] !== everyMs || isOverdue(known.get(id), everyMs),
  );
  // From the first change to the last, nobody may take them for what the note says.
  if (wrong.length > 0 && noted !== null) await redis.del(noteKey);
  for (const schedule of wrong) await put(queue, schedule);
  if (wrong.length > 0 || noted !== note) await redis.set(noteKey, note);
  return unwantedOf(known, idPrefix, wanted);
}

/** Removes schedules. @param leave what has to be done before; where it fails, the schedule stays for the next time */
export async function removeSchedules(
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

/** Ids of all schedules of a queue, with when each runs next (ms since the epoch). */
async function nextTimes({ queue, redis }: Shelf): Promise<Map<string, number>> {
  const flat = await redis.zrange(queue.toKey('repeat'), 0, '-1', 'WITHSCORES');
  const pairs = flat.flatMap((id, index) =>
    index % 2 === 0 ? [[id, Number(flat[index + 1])] as const] : [],
  );
  return new Map(pairs);
}

/** How often each of these runs now, in milliseconds; NaN where nobody knows. */
async function pacesOf(
  { queue, redis }: Shelf,
  schedules: readonly Schedule[],
): Promise<readonly number[]> {
  const asked = schedules.map(({ id }) => redis.hget(queue.toKey(`repeat:${id}`), 'every'));
  return (await Promise.all(asked)).map((every) => Number(every ?? Number.NaN));
}
