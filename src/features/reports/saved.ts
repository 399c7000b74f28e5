import { z } from 'zod';
import { CADENCES, isZone, readTime, type Schedule } from '../../reporting/schedule.ts';
import type { Services } from '../../services.ts';
import { Query } from './question.ts';

/** A question that is asked again and again for a channel (design section 3). */
export const Saved = z.object({
  source: z.enum(['charges', 'usage']),
  query: Query,
  channel: z.string(),
  /** Who made it, or changed it last: it is asked with the rights of this person. */
  by: z.object({ userId: z.string(), teamId: z.string() }),
  /** What is told: the answer, at these times; or that the sum is over an amount. */
  tells: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('answer'),
      every: z.enum(CADENCES),
      /** "09:00" */
      at: z.string().refine((text) => readTime(text) !== undefined),
      zone: z.string().refine(isZone),
    }),
    z.object({
      kind: z.literal('over'),
      /** A decimal number, of whole units of the currency or of `unit`. */
      amount: z.string().regex(/^\d+(?:\.\d+)?$/),
      /** Of a quantity: what it is counted in, such as "core-hour"; absent for money, and where the platform says none. */
      unit: z.string().optional(),
    }),
  ]),
});
export type Saved = z.infer<typeof Saved>;
export type SavedSchedule = Extract<Saved['tells'], { kind: 'answer' }>;
export type Threshold = Extract<Saved['tells'], { kind: 'over' }>;

/** With its number, and as it stands in the store. */
export interface SavedQuestion {
  readonly number: string;
  readonly saved: Saved;
  readonly text: string;
}

/** What the last run of a saved question told. */
export const SavedMemory = z.object({
  /** Of an answer: the local day of the last slot that is over with, "2026-10-14". */
  day: z.string().optional(),
  /** Of an amount: the period that `told` is of, as in its key. */
  period: z.string().optional(),
  /** The amounts that were told to be crossed in it. */
  told: z.array(z.string()).default([]),
  /** Since when it cannot be answered, ms since the epoch; absent: it was answered. */
  failingSince: z.number().optional(),
  /** When it is asked again after it could not be answered, ms since the epoch. */
  retryAt: z.number().optional(),
  /** The day of the last answer that was posted, and how many it had. */
  answered: z.object({ day: z.string(), count: z.number() }).optional(),
  /** That it cannot be answered was told. */
  failureTold: z.boolean().optional(),
});
export type SavedMemory = z.infer<typeof SavedMemory>;

/** More are no overview any more, and each asks the platform. */
export const MOST_SAVED = 100;

type StoreServices = Pick<Services, 'keys' | 'outbox' | 'redis'>;

/** The field that has the number of the last question that was saved. */
const LAST = 'last';

/** The name of the field that has what the last run told. */
export function memoryField(number: string): string {
  return `${number}:told`;
}

/** All saved questions, the oldest first; what cannot be read is left out. */
export async function readAllSaved({ redis, keys }: StoreServices): Promise<SavedQuestion[]> {
  const all = Object.entries(await redis.hgetall(keys.savedQuestions));
  return all
    .flatMap(([number, text]) => savedOf(number, text) ?? [])
    .toSorted((a, b) => Number(a.number) - Number(b.number));
}

/** One of them; undefined where there is none. */
export async function readSaved(
  { redis, keys }: StoreServices,
  number: string,
): Promise<SavedQuestion | undefined> {
  const text = await redis.hget(keys.savedQuestions, number);
  return text === null ? undefined : savedOf(number, text);
}

function savedOf(number: string, text: string): SavedQuestion | undefined {
  // Beside the questions stand the memories, and the number of the last.
  if (!/^\d+$/.test(number)) return undefined;
  try {
    const { data } = Saved.safeParse(JSON.parse(text));
    return data && { number, saved: data, text };
  } catch {
    return undefined;
  }
}

/** Saves a question, once. @returns its number; undefined when there are as many as there may be */
export async function addSaved(
  services: StoreServices,
  saved: Saved,
  memory: SavedMemory,
): Promise<string | undefined> {
  const { redis, keys, outbox } = services;
  const hash = keys.savedQuestions;
  const text = JSON.stringify(saved);
  for (;;) {
    const last = await redis.hget(hash, LAST);
    const all = await readAllSaved(services);
    // Whoever clicks twice wants it once.
    const same = all.find((one) => one.text === text);
    if (same !== undefined) return same.number;
    if (all.length >= MOST_SAVED) return undefined;
    const number = String(Number(last ?? 0) + 1);
    const written = await outbox.commit([], {
      hash,
      // Whoever saves another one at the same time changes it, too.
      expect: { [LAST]: last },
      set: {
        [LAST]: number,
        [number]: text,
        [memoryField(number)]: JSON.stringify(memory),
      },
      remove: [],
    });
    if (written !== undefined) return number;
  }
}

/**
 * Changes a question, and what is known of its last run, as long as neither changed meanwhile: an edit
 * during a run waits for it. @returns whether the question was there
 */
export async function changeSaved(
  services: StoreServices,
  number: string,
  saved: Saved,
  after: (memory: SavedMemory) => SavedMemory,
): Promise<boolean> {
  const { redis, keys, outbox } = services;
  const hash = keys.savedQuestions;
  for (;;) {
    const [before = null, told = null] = await redis.hmget(hash, number, memoryField(number));
    if (before === null) return false;
    const memory = after(readMemory(told));
    const written = await outbox.commit([], {
      hash,
      expect: { [number]: before, [memoryField(number)]: told },
      set: { [number]: JSON.stringify(saved), [memoryField(number)]: JSON.stringify(memory) },
      remove: [],
    });
    if (written !== undefined) return true;
  }
}

function readMemory(text: string | null): SavedMemory {
  try {
    return SavedMemory.parse(JSON.parse(text ?? ''));
  } catch {
    return { told: [] };
  }
}

/** Ends a saved question. @returns whether it was there */
export async function removeSaved(
  { redis, keys }: StoreServices,
  number: string,
): Promise<boolean> {
  return (await redis.hdel(keys.savedQuestions, number, memoryField(number))) > 0;
}

/** When an answer is told. @throws TypeError for a time that is none, which `Saved` lets nobody save */
export function scheduleOf({ every, at, zone }: SavedSchedule): Schedule {
  const time = readTime(at);
  if (time === undefined) throw new TypeError(`${at} is no time of day`);
  return { every, time, zone };
}
