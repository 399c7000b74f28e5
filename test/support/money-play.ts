import type { Asked } from './billing-books.ts';
import { callPlatform } from './changes-raw.ts';
import {
  HOUR_MS,
  hourName,
  openHours,
  playHours,
  POLL_SECONDS,
  type Course,
  type Made,
} from './hour-by-hour.ts';
import { dayOf, FINAL_MS, ISSUED_MS, noteBooks, type Span } from './noted-books.ts';
import { saveQuestion } from './save-question.ts';
import { everythingIn } from './reported.ts';
import type { SeenMessage } from './world.ts';

/** The kinds of monitors of money. */
export const LOOKS = [
  'digest',
  'alert',
  'invoices',
  'deliveries',
  'tokens',
  'charges-schedules',
  'charges-thresholds',
];

export const DAY_MS = 24 * HOUR_MS;

/** So many days from this one on: "2026-10-06". */
export function daysFrom(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => dayOf(Date.parse(day) + at * DAY_MS));
}

/**
 * The days of a variant of the play: as many as CI plays, or PLAY_WEEKS weeks (`npm run test:weeks`).
 * @throws TypeError unless that is a whole number from 2 to 8
 */
export function daysOfPlay(first: string, usual: number): string[] {
  const { PLAY_WEEKS: weeks } = process.env;
  if (weeks === undefined) return daysFrom(first, usual);
  if (!/^[2-8]$/.test(weeks)) throw new TypeError(`PLAY_WEEKS is 2 to 8, and not ${weeks}`);
  return daysFrom(first, 7 * Number(weeks));
}

/** The end of a play of these days, one hour after the last one. */
export const endOf = (days: readonly string[]): string =>
  hourName(Date.parse(days.at(-1) ?? '') + DAY_MS + HOUR_MS);

/** So many restarts for these days: three a week. */
export const restartsIn = (days: readonly string[]): number => Math.round((days.length * 3) / 7);

/** How long a play of these days may take, in ms: several times as long as it takes on two busy cores. */
export const patienceOf = (days: readonly string[]): number => days.length * 75_000;

/** A month whose invoice becomes final in a play. */
export interface Invoiced {
  /** Of the invoice. */
  readonly number: number;
  /** The books when it is issued, and when nothing of the month can be revised later. */
  readonly issued: Span;
  readonly final: Span;
}

/** The last invoice of the stand-in before October. */
const BEFORE_OCTOBER = 12;

/** The months of a play of 2026 that are invoiced in it. */
export function invoicedIn(days: readonly string[]): Invoiced[] {
  const endOfPlay = Date.parse(days.at(-1) ?? '') + DAY_MS;
  return [9, 10, 11].flatMap((month, at) => {
    const [startMs, endMs] = [Date.UTC(2026, month), Date.UTC(2026, month + 1)];
    if (endMs < Date.parse(days[0] ?? '') || endMs + FINAL_MS > endOfPlay) return [];
    const number = BEFORE_OCTOBER + 1 + at;
    const span = (name: string, afterMs: number): Span => ({
      at: hourName(endMs + afterMs),
      name: `${name}/${number}`,
      startMs,
      endMs,
    });
    return [{ number, issued: span('issued', ISSUED_MS), final: span('final', FINAL_MS) }];
  });
}

/** The amount that the card of an invoice names: October has credits, and the stand-in adds 3% from November on. */
export function chargedOn(
  books: ReturnType<typeof noteBooks>,
  { number, issued }: Invoiced,
): string {
  return number === BEFORE_OCTOBER + 1
    ? `${books.ofSpan(issued.name)} before credits`
    : `${books.ofSpan(issued.name, 1.03)} charged`;
}

/** The steps of an alert, by the end of their key. */
const STEPS = [
  ['50', 0.5],
  ['75', 0.75],
  ['90', 0.9],
  ['fired', 1],
] as const;

/** The steps of the alert of a play, by its books. In the first month the bot begins past 75%, and posts the later ones. */
export function stepsOf(books: ReturnType<typeof noteBooks>, amount: number, firstMonth: string) {
  return STEPS.flatMap(([step, share]) =>
    books
      .monthsOver(amount * share)
      .filter((month) => month !== firstMonth || share > 0.75)
      .map((month) => ({ key: `alert/${month}/${step}`, month, share })),
  );
}

/** The keys of such a step, as `byChannel` has them. */
export const keysOfStep = ({ key, month }: { key: string; month: string }): string =>
  key.endsWith('/fired') ? `${key} + alert/${month}/100` : key;

/** Of these days, those whose digests are corrected by the end of a play: the last two are still provisional. */
export const correctedOf = (days: readonly string[]): string[] => days.slice(0, -2);

type Stage = Awaited<ReturnType<typeof openStage>>;

/** A play of messages about money, by the hour. The bot knows nothing of billing until it is restarted. */
export async function openStage(
  start: string,
  prefix: string,
  { currency, moversBy, environment, ...made }: Made & Pick<Asked, 'currency' | 'moversBy'> = {},
) {
  const hours = await openHours(start, prefix, {
    ...made,
    environment: { BILLING_POLL_SECONDS: String(POLL_SECONDS), ...environment },
  });
  const { house } = hours;
  const asked: Asked = {
    billingUrl: house.money['BILLING_URL'] ?? '',
    environment: () => house.money,
    ...(currency && { currency }),
    ...(moversBy && { moversBy }),
  };
  return {
    hours,
    asked,
    /** A control of the stand-in. */
    platform: (path: string, body: object) => house.platform(path, body),
    /** A call of the API, past Purser. */
    call: <Answer = void>(method: string, path: string, body?: object) =>
      callPlatform<Answer>(asked, method, path, body),
    /** Ada saves questions. */
    async save(...lines: readonly string[]): Promise<void> {
      for (const line of lines) await saveQuestion(house, house.user('U0ADA'), line);
    },
    close: () => hours.close(),
  };
}

/** Plays it to the end. @returns all messages of the workspace, and the books meanwhile */
export async function playMoney(
  { hours, asked }: Stage,
  course: Omit<Course, 'note'>,
  digestDays: readonly string[],
  spans: Parameters<typeof noteBooks>[2],
) {
  const books = noteBooks(() => asked, digestDays, spans);
  // The first run is about the hour before the first one that is played.
  await books.note(hours.time.at());
  await playHours(hours, { ...course, note: (now) => books.note(now) });
  const messages: readonly SeenMessage[] = await everythingIn(hours.house.slackUrl);
  return { books, messages };
}
