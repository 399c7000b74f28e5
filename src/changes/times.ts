import type { Change } from './change.ts';

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
