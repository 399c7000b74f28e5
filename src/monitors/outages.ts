import type { Message } from '../notify/message.ts';
import { PlatformError } from '../platform/errors.ts';
import type { Services } from '../services.ts';
import { causeOf, isRefused } from './cause.ts';
import {
  EMPTY_BOOK,
  withFailure,
  withRefusal,
  withoutFailure,
  type OutageBook,
  type OutageStep,
  type Subject,
} from './outage.ts';
import { outageMessages } from './outage-view.ts';
import { channelOf, isTopic } from './topics.ts';

export type OutageServices = Pick<
  Services,
  'billing' | 'clock' | 'config' | 'keys' | 'outbox' | 'redis' | 'wake'
>;

/** The field of the hash of memories. */
const FIELD = 'outages';

/** Whether it failed a moment ago: it is asked again at about the next BILLING_POLL_SECONDS. */
export async function isResting(services: OutageServices, { place }: Subject): Promise<boolean> {
  const { book } = await readBook(services);
  const at = book.failing[place]?.at;
  return at !== undefined && services.clock.now() - at < services.config.billingPollMs / 2;
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
  if (await lacksRight(services, error)) {
    await change(services, (book) => withRefusal(book, subject.place));
    return false;
  }
  const { billing } = services.config.channels;
  const known = billing === undefined ? [] : [billing];
  const now = services.clock.now();
  await change(services, (book) => withFailure(book, subject, causeOf(error), now, known));
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
  { billing }: Pick<OutageServices, 'billing'>,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof PlatformError)) return false;
  if (!isRefused(error) || error.credential !== 'account' || error.reason === 'not-found') {
    return false;
  }
  try {
    await billing().getAccount({ fresh: true });
    return true;
  } catch (reason) {
    if (reason instanceof PlatformError) return false;
    throw reason;
  }
}

/** Changes the book and posts in one step; again if another process changed it meanwhile. */
async function change(
  services: OutageServices,
  step: (book: OutageBook) => OutageStep,
): Promise<void> {
  const { clock, config, keys, outbox, wake } = services;
  for (;;) {
    const { book: before, text } = await readBook(services);
    const left = await leftOf(services, before);
    const steps = [
      step,
      ...left.map((place) => (book: OutageBook) => withoutFailure(book, place, undefined)),
    ];
    const outages = new Map<number, OutageStep['outages'][number]>();
    let book = before;
    for (const one of steps) {
      const next = one(book);
      book = next.book;
      for (const changed of next.outages) outages.set(changed.outage.number, changed);
    }
    if (book === before) return;
    const messages = [...outages.values()].flatMap((one) =>
      outageMessages(one, config.channels, clock.now()),
    );
    const channels = await outbox.commit(messages, {
      hash: keys.told,
      expect: { [FIELD]: text },
      set: { [FIELD]: JSON.stringify(book) },
      remove: [],
    });
    if (channels === undefined) continue;
    await wake(channels);
    return;
  }
}

async function readBook({
  redis,
  keys,
}: OutageServices): Promise<{ book: OutageBook; text: string | null }> {
  const text = await redis.hget(keys.told, FIELD);
  return { book: text === null ? EMPTY_BOOK : (JSON.parse(text) as OutageBook), text };
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
        ? isTopic(place) && channelOf(place, config) !== undefined
        : (await redis.hexists(keys.savedQuestions, number)) === 1;
    if (!isThere) left.push(place);
  }
  return left;
}
