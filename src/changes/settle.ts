import type { Change } from './change.ts';
import { SETTLED } from './conclude.ts';
import type { Conclude } from './conclude.ts';
import type { Settled } from './kinds/kind.ts';
import type { OfficeDeps } from './office.ts';
import { removeToken } from './remove-token.ts';
import { isSilentTooLong, LOOK_AGAIN_MS, PATIENCE_MS } from './times.ts';

/** What came of reading: the change as it is then (undefined: somebody else has it), or nothing was done. */
type Reading = 'not done' | { readonly change: Change | undefined };

/** What reading gave, if it gave anything. */
type Verdict = Settled | { readonly kind: 'silence' };

/** Settles a call without a clean answer by reading what is there now (ADR 13). */
export type Settle = (change: Change) => Promise<Reading>;

export function createSettle(deps: OfficeDeps, conclude: Conclude): Settle {
  const { changes, clock, logger } = deps;

  async function verdictOn({ id, order, marks = {}, sentAt = 0 }: Change): Promise<Verdict> {
    try {
      return await deps.kindOf(order).settle(deps.platform(), order, { marks, sentAt });
    } catch (error) {
      logger.warn({ err: error, change: id }, 'whether a change was done is not known yet');
      return { kind: 'silence' };
    }
  }

  function wait(change: Change, silence: { silent?: true } = {}): Promise<Change | undefined> {
    const at = clock.now();
    return changes.move(change, { kind: 'wait', at, until: at + LOOK_AGAIN_MS, ...silence });
  }

  function doubt(change: Change, sentence: string): Promise<Change | undefined> {
    return changes.move(change, { kind: 'doubt', at: clock.now(), sentence });
  }

  /** The platform does not say what is there: waits for as long as there is patience. */
  function silence(change: Change, sentence: string): Promise<Change | undefined> {
    return isSilentTooLong(change, clock.now())
      ? doubt(change, sentence)
      : wait(change, { silent: true });
  }

  /** What is there does not tell, and may do so later. */
  function unclear(change: Change): Promise<Change | undefined> {
    const isOver = clock.now() - (change.sentAt ?? 0) >= PATIENCE_MS;
    return isOver ? doubt(change, UNCLEAR) : wait(change);
  }

  /** First comes a move, so that nobody who still has the secret can have it sealed after this. */
  async function deleted(change: Change, tokenIds: readonly string[]): Promise<Change | undefined> {
    const fenced = await wait(change, { silent: true });
    if (fenced === undefined) return undefined;
    try {
      for (const tokenId of tokenIds) await removeToken(deps, tokenId);
    } catch (error) {
      logger.warn({ err: error, change: change.id }, 'a token without its secret is still there');
      return silence(fenced, NOT_DELETED);
    }
    return conclude.failed(fenced, DELETED);
  }

  return async (change) => {
    const verdict = await verdictOn(change);
    switch (verdict.kind) {
      case 'done':
        return { change: await conclude.taken(change, { note: SETTLED }) };
      case 'secret lost': {
        const { what, tokenIds } = verdict;
        const isDeletable = tokenIds.length > 0;
        return {
          change: await (isDeletable
            ? deleted(change, tokenIds)
            : conclude.takenWithout(change, what)),
        };
      }
      case 'unclear':
        return { change: await unclear(change) };
      case 'silence':
        return { change: await silence(change, UNCLEAR) };
      case 'not done':
        return 'not done';
    }
  };
}

const UNCLEAR =
  'The platform’s answer was lost, and what is there does not show whether it was done: look before you ask for it again.';
const DELETED =
  'The platform created the token and its secret was lost on the way, so it was deleted: please request it again.';
const NOT_DELETED =
  'The platform created the token, its secret was lost on the way, and it could not be deleted: delete it with /billing tokens delete.';
