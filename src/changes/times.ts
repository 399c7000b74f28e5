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

/** When its call was sent, the last time. Ms since the epoch. */
export function lastSentAt({ resentAt, sentAt, requestedAt }: Change): number {
  return resentAt ?? sentAt ?? requestedAt;
}
