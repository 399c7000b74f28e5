import { type Change, STATES } from '../../../src/changes/change.ts';
import { createKinds } from '../../../src/changes/kinds/kinds.ts';
import { createChangesHome } from '../../../src/features/changes/home.ts';
import { homeView } from '../../../src/slack/routing/home.ts';
import { createMemoryChanges } from '../../support/changes.ts';
import { home, HOUR, MINUTE, NOW, type Area, type Entry } from '../entry.ts';
import {
  ADA,
  ago,
  BEN,
  CLEO,
  ORDERS,
  requestOf,
  requests,
  standingOf,
} from './changes-feature-data.ts';
import { memoryIdentities } from '../../support/identities.ts';

const clock = { now: () => NOW };

function shown(id: string, when: string, kept: readonly Change[], who = BEN): Entry {
  return home(`home-changes-${id}`, when, async () => {
    const changes = createMemoryChanges(clock);
    for (const one of kept) await changes.create(one);
    const parts = createChangesHome({
      changes,
      clock,
      kindOf: createKinds('USD', memoryIdentities({ 'ada@acme.example': ['U0OLD'] })),
      approvals: { required: true, allowSelf: false },
    });
    const filled = await Promise.all(
      parts.map(async (part) => ({
        title: part.title,
        blocks: await part.fill(who, async () => standingOf(who)),
      })),
    );
    return homeView({ parts: filled, troubles: [], asOf: NOW, isReading: false });
  });
}

const alert = ORDERS['alert.replace'];

export const changesHome: Area = {
  id: 'home-changes',
  title: 'Home tab: requests for changes',
  entries: [
    shown('none', 'Nothing waits, and the person asked for nothing.', []),
    shown('one-waits', 'One request waits for the person.', [requestOf(alert)]),
    shown('soon-over', 'A request waits that expires in a few minutes.', [
      requestOf(alert, { requestedAt: NOW - 8 * HOUR + 3 * MINUTE }),
    ]),
    shown('many-wait', 'More requests wait than there is room for.', requests(8)),
    shown(
      'own',
      'The person has asked for something, and no one has decided yet.',
      [requestOf(alert)],
      ADA,
    ),
    ...STATES.slice(1).map((state) =>
      shown(
        `own-${state}`,
        `The person has asked for something that is ${state}.`,
        [requestOf(alert, { state })],
        ADA,
      ),
    ),
    shown(
      'own-too-late',
      'The time to decide on the own request is over, and no one has noted it yet.',
      [requestOf(alert, { requestedAt: NOW - 9 * HOUR })],
      ADA,
    ),
    shown('own-many', 'The person has asked for more than there is room for.', requests(8), ADA),
    shown('both', 'Requests wait for the person, who has asked for something, too.', [
      requestOf(ORDERS['user.remove'], { id: 'k3m9x2ac' }),
      requestOf(alert, { requester: BEN, requestedAt: ago(5) }),
      requestOf(ORDERS['alert.delete'], { id: 'k3m9x2ad', requester: BEN, state: 'rejected' }),
    ]),
    shown(
      'no-role',
      'A request waits, and the person has no role to decide on it.',
      [requestOf(alert)],
      CLEO,
    ),
  ],
};
