import type { Change, ChangeKind } from '../../changes/change.ts';
import { REVEAL_ACTION, REVIEW_ACTION, WITHDRAW_ACTION } from '../../changes/messages/actions.ts';
import type { Changes } from '../../changes/store.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Asked } from '../../slack/guard.ts';
import type { Feature } from '../feature.ts';
import { kindAskedBy } from './forms/routes.ts';
import { DECIDED } from './review.ts';
import { NOTHING_TO_DECIDE, Reviewed } from './review-view.ts';

interface RefusedDeps {
  readonly changes: Pick<Changes, 'get' | 'refused'>;
  readonly clock: Clock;
}

const BY_ID: readonly string[] = [REVIEW_ACTION, WITHDRAW_ACTION, REVEAL_ACTION];

/** Writes into the audit who was refused to ask for a change, to decide on it, or to see its secret. */
export function createRefused({ changes, clock }: RefusedDeps): NonNullable<Feature['refused']> {
  /** Undefined for what has to do with no change. */
  async function aboutOf({ what, value = '' }: Asked): Promise<Change | ChangeKind | undefined> {
    if (BY_ID.includes(what)) return changes.get(value);
    if (what !== DECIDED) return kindAskedBy(what);
    return value === NOTHING_TO_DECIDE
      ? undefined
      : changes.get(Reviewed.parse(JSON.parse(value)).id);
  }

  return async (asked, why) => {
    const about = await aboutOf(asked);
    if (about === undefined) return;
    const { userId: by, what } = asked;
    await changes.refused({ at: clock.now(), by, what, why, about });
  };
}
