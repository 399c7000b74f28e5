import { PlatformError } from '../platform/errors.ts';
import type { Change } from './change.ts';
import { explained, isDefiniteNo } from './checks.ts';
import type { Conclude } from './conclude.ts';
import type { Sent } from './kinds/kind.ts';
import type { OfficeDeps } from './office.ts';
import type { Settle } from './settle.ts';
import type { Step } from './step.ts';
import { CALL_MS, lastSentAt, LOOK_AGAIN_MS } from './times.ts';

/** Whoever claimed a call sends it within this time, or not at all (ADR 13). Milliseconds. */
const SEND_WITHIN_MS = 10_000;
/** How often a call is sent at most. */
const MAX_SENDINGS = 3;

/** Sends the call of a change that was claimed a moment ago, and goes by the answer (ADR 13). */
export function createCall(deps: OfficeDeps, conclude: Conclude, settle: Settle): Step {
  const { changes, clock, logger, kindOf } = deps;

  /** The platform said no, or nothing that can be understood. */
  async function unanswered(change: Change, error: unknown): Promise<Change | undefined> {
    const isLast = !canBeSentAgain(deps, change);
    const isNo = isDefiniteNo(error) || isUnsent(error) || (isLast && isLimited(error));
    const why = explained(deps, change, error);
    // A no to the second call can mean that the first was done.
    if (isNo && change.sendings === 1) return conclude.failed(change, why);
    const reading = await settle(change);
    if (reading !== 'not done') return reading.change;
    const now = clock.now();
    // The call before may still be on its way.
    const isAlone = change.sendings === 1 || now >= (change.sentAt ?? now) + CALL_MS;
    if ((isNo && isAlone) || (isLast && isAnswered(error))) return conclude.failed(change, why);
    if (isLast && now - lastSentAt(change) >= CALL_MS) return conclude.failed(change, NOT_DONE);
    return changes.move(change, { kind: 'wait', at: now, until: now + LOOK_AGAIN_MS });
  }

  return async (change, held) => {
    if (!held() || clock.now() - lastSentAt(change) > SEND_WITHIN_MS) return undefined;
    let sent: Sent;
    try {
      sent = await kindOf(change.order).send(deps.platform(), change.order);
    } catch (error) {
      logger.warn({ err: error, change: change.id }, 'a change was sent, and not taken');
      return unanswered(change, error);
    }
    return conclude.taken(change, sent);
  };
}

/** Whether a call that was not done may be sent once more (ADR 13). */
export function canBeSentAgain(
  { kindOf }: Pick<OfficeDeps, 'kindOf'>,
  { order, sendings }: Change,
): boolean {
  return kindOf(order).repeatable && sendings < MAX_SENDINGS;
}

/** Whether the platform asks for fewer calls: it did nothing, and another try may be granted. */
function isLimited(error: unknown): boolean {
  return error instanceof PlatformError && error.reason === 'rate-limited';
}

/** Whether the call still waited for its turn at its end, so that nobody heard of it. */
function isUnsent(error: unknown): boolean {
  return error instanceof PlatformError && error.isUnsent;
}

/** Whether the platform itself has broken, so that nothing is under way any more; a gateway may not know. */
function isAnswered(error: unknown): boolean {
  return error instanceof PlatformError && error.reason === 'server-error';
}

/** What is said when reading has shown that a call had no effect. */
export const NOT_DONE =
  'No clear answer came from the platform, and there is nothing that it would have done: please request it again.';
