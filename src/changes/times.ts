import type { Change } from './change.ts';

/** Reminders come after this time, then after twice as much, and so on (ADR 13). Milliseconds. */
export const REMIND_MS = 15 * 60_000;
/** Longer than it takes to show a secret: after that nobody knows whether it was seen. Milliseconds. */
export const OPENING_MS = 60_000;
/** When Slack or the platform does not say, it is asked again after this time. Milliseconds. */
export const LOOK_AGAIN_MS = 10_000;
/** After this time what nobody says is a no, and what is unclear is unknown (ADR 13). Milliseconds. */
export const PATIENCE_MS = 15 * 60_000;
/** A call can no longer be under way when it was sent so long ago (ADR 13). Milliseconds. */
export const CALL_MS = 90_000;

/** Whoever looks again later than this after the time has not looked in between. Milliseconds. */
const LATE_MS = 60_000;

/** Whether a look at `at` follows upon the one before. Both ms since the epoch. */
export function isInRhythm(retryAt: number | undefined, at: number): boolean {
  return retryAt !== undefined && at <= retryAt + LATE_MS;
}

/** Whether Slack or the platform has not said for too long what there is to be known. `at` in ms since the epoch. */
export function isSilentTooLong({ silentSince, retryAt }: Change, at: number): boolean {
  if (silentSince === undefined || !isInRhythm(retryAt, at)) return false;
  return at - silentSince >= PATIENCE_MS;
}

/** When its call was sent, the last time. Ms since the epoch. */
export function lastSentAt({ resentAt, sentAt, requestedAt }: Change): number {
  return resentAt ?? sentAt ?? requestedAt;
}
