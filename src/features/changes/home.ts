import type { Standing } from '../../access/changes.ts';
import type { Change } from '../../changes/change.ts';
import { isOpen } from '../../changes/change.ts';
import type { OfficeDeps } from '../../changes/office.ts';
import { isRequester } from '../../changes/policy.ts';
import type { Changes } from '../../changes/store.ts';
import type { Clock } from '../../lib/clock.ts';
import type { HomePart, Person } from '../../slack/routes.ts';
import { isUndecided, ownBlocks, waitingBlocks } from './home-view.ts';
import { mayDecide } from './sight.ts';

export interface ChangesHomeDeps extends Pick<OfficeDeps, 'kindOf' | 'approvals'> {
  readonly changes: Pick<Changes, 'open' | 'list'>;
  readonly clock: Clock;
}

/** Of the latest requests those are looked at that may have ended a short while ago. */
const LATEST = 100;
/** Who asked for something wants to see for so long how it ended. Milliseconds. */
const RECENT_MS = 24 * 60 * 60_000;

/** Requests that wait for a person, and that person's own, on the home tab (design section 3). */
export function createChangesHome(deps: ChangesHomeDeps): readonly HomePart<Standing>[] {
  const { changes, clock } = deps;
  return [
    {
      title: 'Waiting for you',
      rank: 20,
      fill: async (_, who) => waitingBlocks(await waitingFor(deps, who), clock.now()),
    },
    {
      title: 'Your requests',
      rank: 30,
      async fill(person) {
        const [open, latest] = await Promise.all([changes.open(), changes.list(0, LATEST)]);
        return ownBlocks(ownOf(open, latest, person, clock.now()), clock.now());
      },
    },
  ];
}

/** What a person may decide on now, the nearest deadline first. Without any request nobody is asked who they are. */
async function waitingFor(
  deps: ChangesHomeDeps,
  standing: () => Promise<Standing>,
): Promise<Change[]> {
  const { changes, clock } = deps;
  const undecided = (await changes.open()).filter((change) => isUndecided(change, clock.now()));
  if (undecided.length === 0) return [];
  const who = await standing();
  return undecided
    .filter((change) => mayDecide(deps, change, who))
    .toSorted((a, b) => a.expiresAt - b.expiresAt);
}

/** What is open, and what ended since yesterday; the latest first. */
function ownOf(
  open: readonly Change[],
  latest: readonly Change[],
  person: Person,
  now: number,
): Change[] {
  const ended = latest.filter((change) => !isOpen(change) && change.requestedAt > now - RECENT_MS);
  const own = (all: readonly Change[]) => all.filter((change) => isRequester(change, person));
  return [...own(open).toReversed(), ...own(ended)];
}
