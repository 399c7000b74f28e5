import type { Asked } from './billing-books.ts';
import { callPlatform } from './changes-raw.ts';
import {
  HOUR_MS,
  openHours,
  playHours,
  POLL_SECONDS,
  type Course,
  type Made,
} from './hour-by-hour.ts';
import { dayOf, noteBooks } from './noted-books.ts';
import { saveQuestion } from './save-question.ts';
import { everythingIn } from './told.ts';
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
