import type { Message } from '../notify/message.ts';
import { PlatformError } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { changeMemory, type MemoryServices } from './memory.ts';
import {
  causeOf,
  EMPTY_BOOK,
  withFailure,
  withRefusal,
  withoutFailure,
  type OutageBook,
  type OutageStep,
  type Subject,
} from './outage.ts';
import { outageMessages } from './outage-view.ts';
import { isMonitored, isTopic } from './topics.ts';

export type OutageServices = MemoryServices & Pick<Services, 'billing' | 'clock' | 'config'>;

/** The field of the hash of memories. */
const FIELD = 'outages';

/** Whether it failed a moment ago: it is asked again at about the next BILLING_POLL_SECONDS. */
export async function isResting(services: OutageServices, { place }: Subject): Promise<boolean> {
  const { clock, config, keys, redis } = services;
  const at = toBook(await redis.hget(keys.reported, FIELD)).failing[place]?.at;
  return at !== undefined && clock.now() - at < config.billingPollMs / 2;
}

/**
 * A run failed. Posted in OPS_CHANNEL from the third in a row on, and where its messages go after an hour.
 * @returns whether it counts: a right that BILLING_TOKEN lacks is no failure
 */
export async function noteFailure(
  services: OutageServices,
  subject: Subject,
  error: unknown,
): Promise<boolean> {
  const access = await accountAccess(services, error);
  if (access === 'given') {
    await change(services, (book) => withRefusal(book, subject.place));
    return false;
  }
  const { billing } = services.config.channels;
  const known = billing === undefined ? [] : [billing];
  const now = services.clock.now();
  const cause = { ...causeOf(error), isSure: access === 'refused' };
  await change(services, (book) => withFailure(book, subject, cause, now, known));
  return true;
}

/** A run read everything. @param messages what it posts */
export async function noteBack(
  services: OutageServices,
  { place }: Subject,
  messages: readonly Message[],
): Promise<void> {
  const { billing } = services.config.channels;
  const news = messages.filter(({ channel, editOnly }) => channel === billing && !editOnly);
  const lines = news.map(({ text }) => text.split('\n')[0] ?? '');
  await change(services, (book) => withoutFailure(book, place, lines));
}

/** It is no longer monitored. */
export async function forgetSubject(services: OutageServices, place: string): Promise<void> {
  await change(services, (book) => withoutFailure(book, place, undefined));
}

/** The platform refuses a call, and takes BILLING_TOKEN for the account itself (spec section 5). */
export async function lacksRight(
  services: Pick<OutageServices, 'billing'>,
  error: unknown,
): Promise<boolean> {
  return (await accountAccess(services, error)) === 'given';
}

/** After a refused call: whether BILLING_TOKEN still opens the account; undefined: no such call, or not known. */
async function accountAccess(
  { billing }: Pick<OutageServices, 'billing'>,
  error: unknown,
): Promise<'given' | 'refused' | undefined> {
  if (!isRefusal(error) || error.credential !== 'account') return undefined;
  try {
    await billing().getAccount({ fresh: true });
    return 'given';
  } catch (reason) {
    if (!(reason instanceof PlatformError)) throw reason;
    return isRefusal(reason) ? 'refused' : undefined;
  }
}

function isRefusal(error: unknown): error is PlatformError {
  return (
    error instanceof PlatformError &&
    (error.reason === 'unauthorized' || error.reason === 'forbidden')
  );
}

/** Changes the book, and posts about the outages that changed. */
async function change(
  services: OutageServices,
  step: (book: OutageBook) => OutageStep,
): Promise<void> {
  const { clock, config } = services;
  await changeMemory(services, FIELD, async (text) => {
    const before = toBook(text);
    const left = await leftOf(services, before);
    const outages = new Map<number, OutageStep['outages'][number]>();
    let book = before;
    const steps = left.map((place) => (one: OutageBook) => withoutFailure(one, place, undefined));
    for (const one of [step, ...steps]) {
      const next = one(book);
      book = next.book;
      for (const changed of next.outages) outages.set(changed.outage.number, changed);
    }
    if (book === before) return undefined;
    const messages = [...outages.values()].flatMap((one) =>
      outageMessages(one, config.channels, clock.now()),
    );
    return { memory: book, messages };
  });
}

function toBook(text: string | null): OutageBook {
  return text === null ? EMPTY_BOOK : (JSON.parse(text) as OutageBook);
}

/** Places that fail and are no longer monitored, as the configuration and the saved questions are now. */
async function leftOf(
  { config, redis, keys }: OutageServices,
  { failing }: OutageBook,
): Promise<string[]> {
  const left: string[] = [];
  for (const place of Object.keys(failing)) {
    const number = place.startsWith('report/') ? place.slice('report/'.length) : undefined;
    const isThere =
      number === undefined
        ? isTopic(place) && isMonitored(place, config)
        : (await redis.hexists(keys.savedQuestions, number)) === 1;
    if (!isThere) left.push(place);
  }
  return left;
}
