import { z } from 'zod';
import { CADENCES, isZone, readTime, type Schedule } from '../../reporting/schedule.ts';
import type { Services } from '../../services.ts';
import { Query } from './question.ts';

/** A question that is asked repeatedly for a channel (design section 3). */
export const Saved = z.object({
  source: z.enum(['charges', 'usage']),
  query: Query,
  channel: z.string(),
  /** The member who created or last changed it, whose rights it uses. */
  by: z.object({ userId: z.string(), teamId: z.string() }),
  /** Posts the answer on a schedule, or a message when the sum exceeds an amount. */
  tells: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('answer'),
      every: z.enum(CADENCES),
      /** "09:00". */
      at: z.string().refine((text) => readTime(text) !== undefined),
      zone: z.string().refine(isZone),
    }),
    z.object({
      kind: z.literal('over'),
      /** A decimal number of whole units of the currency or of `unit`. */
      amount: z.string().regex(/^\d+(?:\.\d+)?$/),
      /** For a quantity, such as "core-hour"; absent for money and unknown units. */
      unit: z.string().optional(),
    }),
  ]),
});
export type Saved = z.infer<typeof Saved>;
export type SavedSchedule = Extract<Saved['tells'], { kind: 'answer' }>;
export type Threshold = Extract<Saved['tells'], { kind: 'over' }>;

/** `text` is the stored JSON. */
export interface SavedQuestion {
  readonly number: string;
  readonly saved: Saved;
  readonly text: string;
}

/** The state after the last run. */
export const SavedMemory = z.object({
  /** Of a schedule: the local day of the last handled slot, "2026-10-14". */
  day: z.string().optional(),
  /** Of an amount: the period of `told`, as in its key. */
  period: z.string().optional(),
  /** Amounts whose crossing was posted in the period. */
  told: z.array(z.string()),
  /** Start of a failure, ms since the epoch; absent: the last run succeeded. */
  failingSince: z.number().optional(),
  /** Next attempt after a failure, ms since the epoch. */
  retryAt: z.number().optional(),
  /** The day of the last posted answer, and the number of answers on it. */
  answered: z.object({ day: z.string(), count: z.number() }).optional(),
  /** The failure was posted. */
  failureTold: z.boolean().optional(),
});
export type SavedMemory = z.infer<typeof SavedMemory>;

/** More would be unreadable as a list, and each queries the platform. */
export const MOST_SAVED = 100;

type StoreServices = Pick<Services, 'keys' | 'outbox' | 'redis'>;

/** Field with the number of the last saved question. */
const LAST = 'last';

export function memoryField(number: string): string {
  return `${number}:told`;
}

/** Oldest first; unreadable ones are left out. */
export async function readAllSaved({ redis, keys }: StoreServices): Promise<SavedQuestion[]> {
  const all = Object.entries(await redis.hgetall(keys.savedQuestions));
  return all
    .flatMap(([number, text]) => savedOf(number, text) ?? [])
    .toSorted((a, b) => Number(a.number) - Number(b.number));
}

export async function readSaved(
  { redis, keys }: StoreServices,
  number: string,
): Promise<SavedQuestion | undefined> {
  const text = await redis.hget(keys.savedQuestions, number);
  return text === null ? undefined : savedOf(number, text);
}

function savedOf(number: string, text: string): SavedQuestion | undefined {
  // The hash also contains the memories, and the last number.
  if (!/^\d+$/.test(number)) return undefined;
  try {
    const { data } = Saved.safeParse(JSON.parse(text));
    return data && { number, saved: data, text };
  } catch {
    return undefined;
  }
}

/** Saves a question once. @returns its number; undefined at the limit */
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
    // A second click must not save it twice.
    const same = all.find((one) => one.text === text);
    if (same !== undefined) return same.number;
    if (all.length >= MOST_SAVED) return undefined;
    const number = String(Number(last ?? 0) + 1);
    const written = await outbox.commit([], {
      hash,
      // Also fails if another question is saved at the same time.
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
 * Changes a question and its memory in one step, retrying if either changed meanwhile, so an edit waits for a run.
 * @returns whether the question exists
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
    const [before = null, memoryText = null] = await redis.hmget(hash, number, memoryField(number));
    if (before === null) return false;
    const memory = after(readMemory(memoryText));
    const written = await outbox.commit([], {
      hash,
      expect: { [number]: before, [memoryField(number)]: memoryText },
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

/** @returns whether it existed */
export async function removeSaved(
  { redis, keys }: StoreServices,
  number: string,
): Promise<boolean> {
  return (await redis.hdel(keys.savedQuestions, number, memoryField(number))) > 0;
}

/** @throws TypeError for an invalid time, which `Saved` rejects */
export function scheduleOf({ every, at, zone }: SavedSchedule): Schedule {
  const time = readTime(at);
  if (time === undefined) throw new TypeError(`${at} is no time of day`);
  return { every, time, zone };
}
