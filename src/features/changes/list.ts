import type { Standing } from '../../access/changes.ts';
import type { Change } from '../../changes/change.ts';
import type { Changes } from '../../changes/store.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keep } from '../../slack/keep.ts';
import type { Answer } from '../../slack/routes.ts';
import { listAnswer, nearestPage } from './list-view.ts';
import { isAdmin, isOwn, maySee } from './sight.ts';
import { ANY_KIND } from './state.ts';
import type { ListState } from './state.ts';

export interface ListDeps {
  readonly changes: Changes;
  readonly keep: Keep;
  readonly clock: Clock;
}

/** Requests that are read at once, and at most for one list: who wants older ones takes the audit. */
const BATCH = 200;
const MOST = 2_000;

/** A page of the requests that this person may see. @throws when the store does not answer */
export async function list(deps: ListDeps, who: Standing, asked: ListState): Promise<Answer> {
  const { found, isCut } = await find(deps.changes, who, asked);
  const state = { ...asked, page: nearestPage(found.length, asked.page) };
  const kept = await deps.keep.put(who.userId, state);
  return listAnswer({ found, isCut, state, kept, isAdmin: isAdmin(who), now: deps.clock.now() });
}

async function find(
  changes: Changes,
  who: Standing,
  { which, of }: ListState,
): Promise<{ found: Change[]; isCut: boolean }> {
  const isListed = (change: Change): boolean =>
    maySee(change, who) &&
    (of === ANY_KIND || change.order.kind === of) &&
    isMeant(change, which, who);
  if (which === 'open') return { found: (await changes.open()).filter(isListed), isCut: false };
  const found: Change[] = [];
  for (let from = 0; from < MOST; from += BATCH) {
    const batch = await changes.list(from, BATCH);
    found.push(...batch.filter(isListed));
    if (batch.length < BATCH) return { found, isCut: false };
  }
  return { found, isCut: (await changes.count()) > MOST };
}

/** All that are open are read as such. */
function isMeant(change: Change, which: ListState['which'], who: Standing): boolean {
  if (which === 'mine') return isOwn(change, who);
  return which === 'open' || which === 'all' || change.state === which;
}
