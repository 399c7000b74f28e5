import { STATES, type Change } from '../../../src/changes/change.ts';
import { CHANGES_HELP, parseChanges } from '../../../src/features/changes/feature.ts';
import {
  FIRST,
  list,
  LIST_ACTIONS,
  type ListQuestion,
} from '../../../src/features/changes/list.ts';
import { splitWords } from '../../../src/lib/words.ts';
import { createHarness } from '../../unit/features/changes/harness.ts';
import { createMemoryChanges } from '../../support/changes.ts';
import { answer, HOUR, NOW, refusal, type Area, type Entry } from '../entry.ts';
import {
  ago,
  BEN,
  CLEO,
  DANA,
  fakeOf,
  oneOfEach,
  ORDERS,
  requestOf,
  requests,
  standingOf,
} from './changes-feature-data.ts';

const clock = { now: () => NOW };

async function storeOf(kept: readonly Change[]) {
  const changes = createMemoryChanges(clock);
  for (const one of kept) await changes.create(one);
  return changes;
}

/** The rooms around a store of changes. */
const around = (changes: Awaited<ReturnType<typeof storeOf>>) => ({
  ...fakeOf().context,
  changes,
  clock,
});

function listed(
  id: string,
  when: string,
  kept: readonly Change[],
  asked: Partial<ListQuestion> = {},
  who = BEN,
): Entry {
  return answer(`changes-list-${id}`, when, async () =>
    list(around(await storeOf(kept)), standingOf(who), { ...FIRST, ...asked }),
  );
}

/** In every state, of every kind. */
const ALL = oneOfEach(STATES);
const OPEN = [
  requestOf(ORDERS['alert.replace'], { id: 'k3m9x2ab', requestedAt: ago(5) }),
  requestOf(ORDERS['token.create'], { id: 'k3m9x2ac', requestedAt: NOW - 8 * HOUR + 60_000 * 12 }),
  requestOf(ORDERS['user.remove'], { id: 'k3m9x2ad', requestedAt: NOW - 8 * HOUR }),
  requestOf(ORDERS['org.create'], { id: 'k3m9x2ae', state: 'approved', requester: DANA }),
  requestOf(ORDERS['quota.request'], {
    id: 'k3m9x2af',
    state: 'executing',
    requester: { userId: 'U0CLEO', teamId: 'T0ACME' },
  }),
];

/** No one has more than ten: they are of several people. */
const FORTY = requests(40).map((request, index) => ({
  ...request,
  requester: {
    ...request.requester,
    userId: `U0ADA${index % 4}`,
    email: `ada-${index % 4}@acme.example`,
  },
}));

/** More than are looked at for one list. */
async function endless() {
  const changes = await storeOf([]);
  const some = requests(200, { state: 'succeeded' });
  return { ...changes, list: async () => some, count: async () => 2_400 };
}

export const changesList: Area = {
  id: 'changes-list',
  title: '/changes: the list of requests',
  entries: [
    listed('none', 'Nothing waits.', []),
    listed('none-for-you', 'Nothing waits that this person may see.', OPEN.slice(0, 3), {}, DANA),
    listed('one', 'One request waits.', OPEN.slice(0, 1)),
    listed(
      'open',
      'Several requests are open: one that expires soon, one that is over and not yet found to be, and two that are approved.',
      OPEN,
    ),
    listed(
      'open-some',
      'A person who is no billing_admin sees their own requests and those that they could approve.',
      OPEN,
      {},
      DANA,
    ),
    listed('mine', 'A person looks at the own requests.', ALL, { which: 'mine' }),
    listed(
      'mine-none',
      'A person looks at the own requests, and has none.',
      ALL,
      { which: 'mine' },
      CLEO,
    ),
    listed('all', 'A person looks at all requests, of every kind and in every state.', ALL, {
      which: 'all',
    }),
    listed('all-none', 'A person looks at all requests, and no one ever asked for anything.', [], {
      which: 'all',
    }),
    ...STATES.map((state) =>
      listed(`state-${state}`, `A person looks at the requests that are ${state}.`, ALL, {
        which: state,
      }),
    ),
    listed('state-none', 'No request is in the state that was chosen.', [], { which: 'drifted' }),
    listed('kind', 'A person looks at all requests of one kind.', ALL, {
      which: 'all',
      of: 'token.create',
    }),
    listed('kind-state', 'A person looks at the requests of one kind in one state.', ALL, {
      which: 'approved',
      of: 'alert.replace',
    }),
    listed('kind-none', 'No open request is of the kind that was chosen.', [], {
      of: 'org.create',
    }),
    listed('kind-mine-none', 'The person asked for nothing of the kind that was chosen.', [], {
      which: 'mine',
      of: 'org.create',
    }),
    listed('many', 'There are many requests.', FORTY),
    answer(
      'changes-list-older-not-looked-at',
      'There are more requests than are looked at for one list.',
      async () =>
        list(around(await endless()), standingOf(BEN), {
          ...FIRST,
          which: 'all',
        }),
    ),
    answer(
      'changes-list-older-for-some',
      'The same for a person who is no billing_admin.',
      async () =>
        list(
          around(await endless()),
          { ...standingOf(CLEO), userId: 'U0ADA' },
          { ...FIRST, which: 'mine' },
        ),
    ),
  ],
};

const LINES = {
  'unknown-word': 'pending',
  'mistyped-show': 'shwo k3m9x2ab',
  'mistyped-list': 'lsit',
  'bare-id': 'k3m9x2ab',
  'list-with-more': 'list mine',
  'confirm-with-more': 'confirm ada',
  'show-without-id': 'show',
  'show-two': 'show k3m9x2ab p7q4w8zt',
} as const;

export const changesRefusals: Area = {
  id: 'changes-refused',
  title: '/changes: refusals',
  entries: [
    ...Object.entries(LINES).map(([id, line]) =>
      refusal(
        `changes-unreadable-${id}`,
        `A person types: /changes ${line}`,
        () => {
          const split = splitWords(line);
          return 'words' in split ? parseChanges(split.words) : split.problem;
        },
        CHANGES_HELP,
      ),
    ),
    refusal('changes-list-too-old', 'A menu of a list is used that was made long ago.', async () =>
      (await createHarness()).click('U0ADA', LIST_ACTIONS.which, 'mine'),
    ),
    refusal(
      'changes-audit-no-role',
      'A person who is no billing_admin clicks on the audit.',
      async () => {
        const access = { principal: async () => standingOf(CLEO) };
        return (await createHarness([], { access })).click(CLEO.userId, LIST_ACTIONS.audit);
      },
    ),
  ],
};
