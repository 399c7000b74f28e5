import { z } from 'zod';
import { Refusal } from '../../lib/errors.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Message, MessageContent } from '../../notify/message.ts';
import { writeQuery } from '../../reporting/query.ts';
import { forgetSubject, type OutageServices } from '../../monitors/outages.ts';
import { rollingStep } from '../../reporting/range.ts';
import {
  CADENCES,
  isZone,
  lastSlot,
  nextSlot,
  readTime,
  type Schedule,
} from '../../reporting/schedule.ts';
import type { Services } from '../../services.ts';
import type { AuditLine } from '../../store/audit.ts';
import { Query } from './question.ts';

/** A question that is asked repeatedly for a channel (design section 3). */
export const Saved = z.object({
  source: z.enum(['charges', 'usage']),
  query: Query,
  channel: z.string(),
  /** The member who created or last changed it, whose rights it uses. */
  by: z.object({ userId: z.string(), teamId: z.string() }),
  /** Posts the answer on a schedule, or a message when the sum exceeds an amount. */
  trigger: z.discriminatedUnion('kind', [
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
      /** For a quantity, such as "core-hours"; absent for money, and if it was unknown when this was saved. */
      unit: z.string().optional(),
      /** Raw units of the platform in one `unit`, a decimal number. */
      size: z.string().optional(),
    }),
  ]),
});
export type Saved = z.infer<typeof Saved>;
const Stored = Saved.extend({ madeAt: z.number() });
export type SavedSchedule = Extract<Saved['trigger'], { kind: 'answer' }>;
export type Threshold = Extract<Saved['trigger'], { kind: 'over' }>;

/** `text` is the stored JSON. */
export interface SavedQuestion {
  readonly number: string;
  readonly saved: Saved;
  readonly text: string;
  /** Ms since the epoch. */
  readonly madeAt: number;
  /** Paused, because its owner lost the right to see the answer; ms since the epoch. */
  readonly endedAt?: number | undefined;
  /** Paused, because people from another company read its channel; ms since the epoch. */
  readonly heldSince?: number | undefined;
}

/** A message of a question (design section 4). @param what the rest of its key */
export function messageOf(
  { number, madeAt, saved }: SavedQuestion,
  what: string,
  content: MessageContent,
  channel = saved.channel,
): Message {
  return { channel, key: `@billing/report/${number}/${what}`, madeAt, ...content };
}

/** How long a paused question can be resumed, in ms. */
export const RESUMABLE_MS = 30 * DAY_MS;

/** The state after the last run; moments are ms since the epoch. */
export const SavedMemory = z.object({
  /** Of a schedule: the local day of the last handled slot, "2026-10-14". */
  day: z.string().optional(),
  /** Of an amount: the period of `reported`, as in its key. */
  period: z.string().optional(),
  /** Amounts whose crossing was posted in the period, or since the sum of a rolling range rose over them. */
  reported: z.array(z.string()),
  /** Of a rolling range: since when the sum has not been over the amount. */
  belowSince: z.number().optional(),
  /** The question itself has no answer. */
  failing: z.object({ since: z.number(), retryAt: z.number(), isPosted: z.boolean() }).optional(),
  /** The sum is not over the amount, but may be too low. `key`: that of the post, once there is one. */
  unclear: z
    .object({ since: z.number(), period: z.string(), key: z.string().optional() })
    .optional(),
  /** The day of the last posted answer, and the number of answers on it. */
  answered: z.object({ day: z.string(), count: z.number() }).optional(),
  endedAt: z.number().optional(),
  /** Paused while people from another company read the channel. */
  held: z
    .object({
      since: z.number(),
      retryAt: z.number(),
      /** Posted to the owner; absent: they could not be written to. */
      notice: z.object({ channel: z.string(), key: z.string() }).optional(),
    })
    .optional(),
});
export type SavedMemory = z.infer<typeof SavedMemory>;

/** More would be unreadable as a list, and each queries the platform. */
const MOST_SAVED = 100;
const MOST_OF_ONE = 10;

type StoreServices = OutageServices & Pick<Services, 'jobs'>;
type ReadServices = Pick<StoreServices, 'keys' | 'redis'>;

/** Field with the number of the last saved question. */
export const LAST = 'last';

export function memoryField(number: string): string {
  return `${number}:reported`;
}

/** Oldest first; unreadable ones are left out. */
export async function readAllSaved({ redis, keys }: ReadServices): Promise<SavedQuestion[]> {
  const all = await redis.hgetall(keys.savedQuestions);
  return Object.entries(all)
    .flatMap(([number, text]) => savedOf(number, text, all[memoryField(number)]) ?? [])
    .toSorted((a, b) => Number(a.number) - Number(b.number));
}

export async function readSaved(
  { redis, keys }: ReadServices,
  number: string,
): Promise<SavedQuestion | undefined> {
  const [text, memory] = await redis.hmget(keys.savedQuestions, number, memoryField(number));
  return typeof text === 'string' ? savedOf(number, text, memory) : undefined;
}

function savedOf(
  number: string,
  text: string,
  memory: string | null | undefined,
): SavedQuestion | undefined {
  // The hash also contains the memories, and the last number.
  if (!/^\d+$/.test(number)) return undefined;
  try {
    const { madeAt, ...saved } = Stored.parse(JSON.parse(text));
    const { endedAt, held } = readMemory(memory);
    return { number, saved, text, madeAt, endedAt, heldSince: held?.since };
  } catch {
    return undefined;
  }
}

/** The act of a member, for the audit. */
type SavedEvent = 'report.add' | 'report.change' | 'report.resume' | 'report.stop';

function auditLine(
  { clock }: Pick<StoreServices, 'clock'>,
  event: SavedEvent,
  number: string,
  { by, saved, before }: { by: string; saved: Saved; before?: Saved | undefined },
): AuditLine {
  return {
    at: clock.now(),
    event,
    by,
    number,
    ...partsOf(saved),
    ...(before && { before: partsOf(before) }),
  };
}

function partsOf({ source, query, channel, trigger }: Saved): Record<string, unknown> {
  return { what: `/${source} ${writeQuery(query)}`, channel, trigger };
}

/**
 * Saves a question once; one with an amount is checked at once.
 * @throws Refusal at the limits: of all people, and of one (PERSON_LIMIT)
 */
export async function makeSaved(
  services: StoreServices,
  saved: Saved,
  memory = baseline(saved, services.clock.now()),
): Promise<MadeQuestion> {
  const { redis, keys, outbox, clock } = services;
  const hash = keys.savedQuestions;
  const asked = JSON.stringify(Saved.parse(saved));
  const text = JSON.stringify({ ...saved, madeAt: clock.now() });
  const made = async (number: string) => {
    await checkNow(services, number, saved);
    return { number, saved };
  };
  for (;;) {
    const last = await redis.hget(hash, LAST);
    const running = runningIn(await readAllSaved(services));
    // A second click must not save it twice.
    const same = running.find((one) => JSON.stringify(one.saved) === asked);
    if (same !== undefined) return made(same.number);
    const full = fullSentence(services, running, saved.source, saved.by.userId);
    if (full !== undefined) throw new Refusal(full);
    const number = String(Number(last ?? 0) + 1);
    const written = await outbox.commit([], {
      hash,
      // Also fails if another question is saved at the same time.
      expect: { [LAST]: last },
      set: { [LAST]: number, [number]: text, [memoryField(number)]: JSON.stringify(memory) },
      remove: [],
      audit: auditLine(services, 'report.add', number, { by: saved.by.userId, saved }),
    });
    if (written !== undefined) return made(number);
  }
}

/** `day`: the local day of the last slot of a schedule that is over and done with. */
type MadeQuestion = Pick<SavedQuestion, 'number' | 'saved'> & Pick<SavedMemory, 'day'>;

function runningIn(all: readonly SavedQuestion[]): SavedQuestion[] {
  return all.filter(({ endedAt }) => endedAt === undefined);
}

function fullSentence(
  { config: { personLimit } }: Pick<Services, 'config'>,
  running: readonly SavedQuestion[],
  source: Saved['source'],
  userId: string,
): string | undefined {
  const own = running.filter(({ saved }) => saved.by.userId === userId).length;
  if (personLimit > 0 && own >= MOST_OF_ONE) {
    return `You have ${own} saved questions, the most that one person can have: end one with /${source} unwatch N.`;
  }
  if (running.length < MOST_SAVED) return undefined;
  return `There are ${MOST_SAVED} saved questions already: end one with /${source} unwatch N.`;
}

/** Why this person cannot save another question; undefined: there is room. @throws when the store does not answer */
export async function savedLimit(
  services: ReadServices & Pick<Services, 'config'>,
  source: Saved['source'],
  userId: string,
): Promise<string | undefined> {
  return fullSentence(services, runningIn(await readAllSaved(services)), source, userId);
}

/**
 * Changes a question and its memory in one step, retrying if either changed meanwhile, so an edit waits for a run. One
 * that is paused goes on.
 * @param saved `by` is who changes it
 * @param isWanted false leaves it as it is
 * @throws Refusal if the question no longer exists
 */
export async function replaceSaved(
  services: StoreServices,
  number: string,
  saved: Saved,
  {
    isWanted = () => true,
    messages = [],
    event = 'report.change',
  }: {
    readonly isWanted?: (memory: SavedMemory) => boolean;
    readonly messages?: readonly Message[];
    readonly event?: Extract<SavedEvent, 'report.change' | 'report.resume'>;
  } = {},
): Promise<MadeQuestion> {
  const { redis, keys, outbox, wake, clock } = services;
  const hash = keys.savedQuestions;
  const field = memoryField(number);
  for (;;) {
    const [text = null, memoryText = null] = await redis.hmget(hash, number, field);
    const before = readMemory(memoryText);
    if (text === null || !isWanted(before)) {
      throw new Refusal(`Saved question ${number} no longer exists.`);
    }
    const { saved: old, madeAt = clock.now() } = savedOf(number, text, memoryText) ?? {};
    const memory = nextMemory(saved, before, old, clock.now());
    const set = {
      [number]: JSON.stringify({ ...saved, madeAt }),
      [field]: JSON.stringify(memory),
    };
    const written = await outbox.commit(messages, {
      hash,
      expect: { [number]: text, [field]: memoryText },
      set,
      remove: [],
      audit: auditLine(services, event, number, { by: saved.by.userId, saved, before: old }),
    });
    if (written === undefined && !(await isStored(services, set))) continue;
    await wake(written ?? []);
    // The failure may be that of the question before.
    await forgetSubject(services, subjectOf(number));
    await checkNow(services, number, saved);
    return { number, saved, day: memory.day };
  }
}

/** The memory of a changed question. @param old the question before; undefined: unreadable */
function nextMemory(
  saved: Saved,
  before: SavedMemory,
  old: Saved | undefined,
  now: number,
): SavedMemory {
  const fresh = baseline(saved, now);
  // A slot of the same day that had no answer yet is due at once, whatever its new time.
  const isDue = before.endedAt === undefined && isUnanswered(before, old, fresh.day, now);
  const { range } = saved.query;
  const isOther = rollingStep(range) !== undefined && old?.query.range !== range;
  const { period, answered, day } = before;
  // A posted period is not posted again, even if the question is changed and changed back.
  const reported = isOther ? [] : before.reported;
  return { ...fresh, ...(isDue && { day }), answered, period, reported };
}

/** A write whose answer was lost is refused when the client repeats it. */
async function isStored(
  { redis, keys }: ReadServices,
  fields: Readonly<Record<string, string>>,
): Promise<boolean> {
  const stored = await redis.hmget(keys.savedQuestions, ...Object.keys(fields));
  return Object.values(fields).every((text, index) => stored[index] === text);
}

function readMemory(text: string | null | undefined): SavedMemory {
  try {
    return SavedMemory.parse(JSON.parse(text ?? ''));
  } catch {
    return { reported: [] };
  }
}

/** @param by Slack user id @param farewell the message that is posted with it @returns the question; undefined if it did not exist */
export async function removeSaved(
  services: StoreServices,
  number: string,
  by: string,
  farewell: (one: SavedQuestion) => readonly Message[] = () => [],
): Promise<SavedQuestion | undefined> {
  const { keys, outbox, wake } = services;
  for (;;) {
    const one = await readSaved(services, number);
    if (one === undefined) return undefined;
    const written = await outbox.commit(farewell(one), {
      hash: keys.savedQuestions,
      expect: { [number]: one.text },
      set: {},
      remove: [number, memoryField(number)],
      audit: auditLine(services, 'report.stop', number, { by, saved: one.saved }),
    });
    if (written === undefined) continue;
    await wake(written);
    await forgetSubject(services, subjectOf(number));
    return one;
  }
}

/** @throws TypeError for an invalid time, which `Saved` rejects */
export function scheduleOf({ every, at, zone }: SavedSchedule): Schedule {
  const time = readTime(at);
  if (time === undefined) throw new TypeError(`${at} is no time of day`);
  return { every, time, zone };
}

export function subjectOf(number: string): string {
  return `report/${number}`;
}

/** Whether the schedule before had a slot on this local day, and no answer to it yet. */
function isUnanswered(
  { day = '' }: SavedMemory,
  before: Saved | undefined,
  ofDay: string | undefined,
  now: number,
): boolean {
  if (before?.trigger.kind !== 'answer' || ofDay === undefined || day >= ofDay) return false;
  const schedule = scheduleOf(before.trigger);
  return [lastSlot(schedule, now), nextSlot(schedule, now)].some((slot) => slot.day === ofDay);
}

/** A schedule starts at its next slot; earlier slots are not posted. */
function baseline({ trigger }: Saved, now: number): SavedMemory {
  return trigger.kind === 'answer'
    ? { day: lastSlot(scheduleOf(trigger), now).day, reported: [] }
    : { reported: [] };
}

async function checkNow({ jobs }: StoreServices, number: string, { source, trigger }: Saved) {
  if (trigger.kind !== 'over') return;
  // The question is saved; if the job cannot be queued, the next regular run checks it.
  await jobs.add('billing', thresholdJob(source), { number }).catch(() => undefined);
}

/** Checks one threshold at once, or all of a source. */
export function thresholdJob(source: Saved['source']): string {
  return `${source}-thresholds`;
}
