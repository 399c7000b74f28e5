import { canBeSentAgain, createCall, NOT_DONE } from './call.ts';
import type { Change } from './change.ts';
import { createCheck } from './checks.ts';
import { createConclude } from './conclude.ts';
import type { OfficeDeps } from './office.ts';
import { createSettle } from './settle.ts';
import type { Step } from './step.ts';
import { createTurn } from './turn.ts';
import { CALL_MS, isSilentTooLong, lastSentAt, LOOK_AGAIN_MS } from './times.ts';

/** The one call of a change, from its approval to its end (ADR 13): `begin` sends it, `goOn` does the rest. */
export function createCarryOut(deps: OfficeDeps): { readonly begin: Step; readonly goOn: Step } {
  const { changes, clock } = deps;
  const check = createCheck(deps);
  const conclude = createConclude(deps);
  const settle = createSettle(deps, conclude);
  const call = createCall(deps, conclude, settle);
  const inTurn = createTurn(deps);

  const wait = (change: Change, until = clock.now() + LOOK_AGAIN_MS) =>
    changes.move(change, { kind: 'wait', at: clock.now(), until });
  const waitInSilence = (change: Change, at: number) =>
    changes.move(change, { kind: 'wait', at, until: at + LOOK_AGAIN_MS, silent: true });
  const refuse = (change: Change, why: string) =>
    changes.move(change, { kind: 'refuse', at: clock.now(), sentence: `${NOTHING_SENT} ${why}` });

  const begin = inTurn(async (change, held) => {
    const checked = await check(change);
    const at = clock.now();
    switch (checked.kind) {
      case 'go': {
        if (!held()) return undefined;
        const claimed = await changes.move(change, { kind: 'claim', at, marks: checked.marks });
        return claimed && call(claimed, held);
      }
      case 'drift': {
        const sentence = `${NOTHING_SENT} ${checked.sentence}`;
        return changes.move(change, { kind: 'drift', at, sentence, now: checked.now });
      }
      case 'no':
        return refuse(change, checked.sentence);
      case 'silence':
        return isSilentTooLong(change, at) ? refuse(change, SILENT) : waitInSilence(change, at);
    }
  });

  /** The call was sent, and had no effect. */
  const sendAgain = inTurn(async (change, held) => {
    const checked = await check(change);
    const at = clock.now();
    if (checked.kind === 'go') {
      if (!held()) return undefined;
      const again = await changes.move(change, { kind: 'resend', at });
      return again && call(again, held);
    }
    const isSilent = checked.kind === 'silence';
    if (isSilent && !isSilentTooLong(change, at)) return waitInSilence(change, at);
    // What is on its way can still be done.
    if (at < lastSentAt(change) + CALL_MS) return wait(change);
    const why = isSilent ? SILENT : checked.sentence;
    return conclude.failed(change, `The platform did not do it, and it was not sent again. ${why}`);
  });

  const goOn: Step = async (change, held) => {
    if (change.refusal !== undefined) return conclude.failed(change, change.refusal);
    const endsAt = lastSentAt(change) + CALL_MS;
    const isOver = clock.now() >= endsAt;
    if (change.retryAt === undefined && !isOver) return wait(change, endsAt);
    const reading = await settle(change);
    if (reading !== 'not done') return reading.change;
    if (canBeSentAgain(deps, change)) return sendAgain(change, held);
    return isOver ? conclude.failed(change, NOT_DONE) : wait(change);
  };

  return { begin, goOn };
}

const NOTHING_SENT = 'Nothing was sent.';
const SILENT =
  'For 15 minutes Slack or the platform did not say whether it still may be: please request it again.';
