import type { Change, Sealed } from './change.ts';
import type { OfficeDeps } from './office.ts';
import { removeToken } from './remove-token.ts';
import type { Step } from './step.ts';

/** Pauses between tries to delete a token, and how long it is tried. Milliseconds. */
const SHORTEST_MS = 10_000;
const LONGEST_MS = 10 * 60_000;
const TRY_FOR_MS = 24 * 3_600_000;

/** Gives up a secret that nobody has seen in time, and deletes its token, until that succeeds (ADR 13). */
export function createClearAway(deps: OfficeDeps): Step {
  const { changes, clock, logger } = deps;

  const clean = (change: Change, sentence: string) =>
    changes.move(change, { kind: 'clean', at: clock.now(), sentence });

  async function cleared(change: Change, secret: Sealed): Promise<Change | undefined> {
    if (secret.what === 'superuser key') return clean(change, KEY_STAYS);
    try {
      for (const tokenId of await tokensOf(change, secret)) await removeToken(deps, tokenId);
    } catch (error) {
      logger.warn({ err: error, change: change.id }, 'a token that nobody has is still there');
      const at = clock.now();
      const passed = at - secret.at;
      if (passed >= TRY_FOR_MS) return clean(change, NOT_DELETED);
      // As long again as it took so far: each pause doubles the time.
      const pause = Math.min(Math.max(passed, SHORTEST_MS), LONGEST_MS);
      return changes.move(change, { kind: 'wait', at, until: at + pause });
    }
    return clean(change, DELETED);
  }

  /** The platform need not have said which token it created. @throws when that cannot be told */
  async function tokensOf(change: Change, { tokenId }: Sealed): Promise<readonly string[]> {
    if (tokenId !== undefined) return [tokenId];
    const { order, marks = {}, sentAt = 0 } = change;
    const verdict = await deps.kindOf(order).settle(deps.platform(), order, { marks, sentAt });
    if (verdict.kind === 'secret lost') return verdict.tokenIds;
    if (verdict.kind === 'not done') return [];
    throw new Error('which token was created cannot be told from the list');
  }

  return async (change) => {
    const { secret } = change;
    if (secret === undefined) return undefined;
    if (secret.state === 'lapsed' || secret.state === 'lost') return cleared(change, secret);
    return changes.move(change, { kind: 'lapse', at: clock.now() }, { secret: 'drop' });
  };
}

const KEY_STAYS =
  'No API deletes such a key: delete it in the org itself, under its service accounts.';
const DELETED = 'The token was deleted; it may go on working for up to 5 minutes.';
const NOT_DELETED = 'The token could not be deleted: delete it with /billing tokens delete.';
