import type { Message } from '../notify/message.ts';
import type { Services } from '../services.ts';

/** What fails: its name among the monitors, and how a sentence calls it. */
export interface Subject {
  /** "alert", "report/3". */
  readonly place: string;
  /** "the spend alert", "saved question 3". */
  readonly what: string;
  /** Where it posts, if not in BILLING_CHANNEL. */
  readonly channel?: string | undefined;
}

export type OutageServices = Pick<
  Services,
  'billing' | 'clock' | 'config' | 'keys' | 'outbox' | 'redis' | 'wake'
>;

/** Whether it failed a moment ago, and is not asked again before the next BILLING_POLL_SECONDS. */
export async function isResting(_services: OutageServices, _subject: Subject): Promise<boolean> {
  return Promise.resolve(false);
}

/** A run failed. */
export async function noteFailure(
  _services: OutageServices,
  _subject: Subject,
  _error: unknown,
): Promise<void> {
  return Promise.resolve();
}

/** A run read everything. @param messages what it posts */
export async function noteBack(
  _services: OutageServices,
  _subject: Subject,
  _messages: readonly Message[],
): Promise<void> {
  return Promise.resolve();
}

/** It is no longer monitored. */
export async function forgetSubject(_services: OutageServices, _place: string): Promise<void> {
  return Promise.resolve();
}
