import type { Change } from '../../../src/changes/change.ts';
import { DAY, direct, MINUTE, post, reply, type Area, type Entry } from '../entry.ts';
import { SILENCE } from './changes-core-books.ts';
import {
  card,
  carriedOut,
  ID,
  lapsed,
  NO_DM,
  reported,
  type OpenChanges,
  type Setup,
} from './changes-core-office.ts';
import { ADA, ORDERS } from './changes-feature-data.ts';

const WHATS = [
  { name: 'token', what: 'token', order: ORDERS['token.create'] },
  { name: 'key', what: 'superuser key', order: ORDERS['org.create'] },
] as const;
type What = (typeof WHATS)[number];

const EARLIER: Setup = { askedAgo: 40 * MINUTE };

const sealed = ({ order }: What, setup: Setup = EARLIER): Promise<{ office: OpenChanges }> =>
  carriedOut(order, setup);

async function opening(one: What, setup?: Setup): Promise<Change> {
  const { office } = await sealed(one, setup);
  return (await office.counter.take(ADA, ID)).change;
}

async function revealed(one: What, setup?: Setup): Promise<Change> {
  const { office } = await sealed(one, setup);
  office.clock.at += 2 * MINUTE;
  await (await office.counter.take(ADA, ID)).shown();
  return office.now();
}

/** No one knows whether it was seen. */
async function unseen(one: What, setup?: Setup): Promise<OpenChanges> {
  const { office } = await sealed(one, setup);
  await (await office.counter.take(ADA, ID)).lost();
  return office;
}

/** No one came for it in time. */
async function late(one: What, setup?: Setup): Promise<OpenChanges> {
  const { office } = await sealed(one, setup);
  office.clock.at += 15 * MINUTE;
  await office.happen({ kind: 'lapse', at: office.clock.at });
  return office;
}

/** The answer with the key was lost. */
async function lost(one: What): Promise<OpenChanges> {
  const { office } = await carriedOut(one.order, {
    ...EARLIER,
    troubles: (call) => (call === 'createOrg' ? { lost: SILENCE } : undefined),
  });
  return office;
}

/** Its token cannot be deleted for a day. */
async function left(one: What): Promise<Change> {
  const office = await late(one, {
    askedAgo: DAY + 40 * MINUTE,
    troubles: (call) => (call === 'removeToken' ? { refused: SILENCE } : undefined),
  });
  office.clock.at += DAY;
  return office.work();
}

const STATES: readonly [name: string, when: string, make: (one: What) => Promise<Change>][] = [
  ['sealed', 'waits for the requester', async (one) => (await sealed(one, {})).office.now()],
  ['opening', 'is being shown to the requester', opening],
  ['revealed', 'was shown to the requester', revealed],
];

const GIVEN_UP: readonly [name: string, when: string, make: (one: What) => Promise<OpenChanges>][] =
  [
    ['late', 'was not revealed in time', late],
    ['unseen', 'was perhaps not seen', unseen],
  ];

export const changeSecrets: Area = {
  id: 'change-secrets',
  title: 'Changes: secrets that wait and are shown',
  entries: [
    ...WHATS.flatMap((one) =>
      STATES.flatMap(([name, when, make]) => [
        post(`change-secret-${one.name}-${name}`, `The ${one.what} ${when}.`, async () =>
          card(await make(one)),
        ),
        direct(`change-secret-${one.name}-${name}-told`, `The ${one.what} ${when}.`, async () =>
          reported(await make(one)),
        ),
      ]),
    ),
    ...WHATS.flatMap((one) => {
      const make = async () => (await sealed(one, NO_DM)).office.now();
      const when = `The ${one.what} waits, and Slack does not open the messages with the requester.`;
      return [
        post(`change-secret-${one.name}-sealed-no-dm`, when, async () => card(await make())),
        reply(`change-secret-${one.name}-sealed-no-dm-told`, when, async () =>
          reported(await make()),
        ),
      ];
    }),
  ],
};

/** The card, the message about its end, and the one about its secret. */
function givenUp(id: string, when: string, make: () => Promise<Change>): Entry[] {
  return [
    post(id, when, async () => card(await make())),
    direct(`${id}-told`, when, async () => reported(await make())),
    direct(`${id}-lapsed`, when, async () => lapsed(await make())),
  ];
}

export const changeSecretsGivenUp: Area = {
  id: 'change-secrets-given-up',
  title: 'Changes: secrets that no one saw',
  entries: [
    ...WHATS.flatMap((one) =>
      GIVEN_UP.flatMap(([name, when, make]) =>
        givenUp(`change-secret-${one.name}-${name}`, `The ${one.what} ${when}.`, async () =>
          (await make(one)).now(),
        ),
      ),
    ),
    ...GIVEN_UP.flatMap(([name, when, make]) => {
      const id = `change-secret-token-${name}-deleted`;
      const why = `The token ${when}, and was deleted.`;
      const cleared = async () => (await make(WHATS[0])).work();
      return [
        post(id, why, async () => card(await cleared())),
        direct(`${id}-lapsed`, why, async () => lapsed(await cleared())),
      ];
    }),
    ...givenUp(
      'change-secret-token-left',
      'The token was not revealed in time, and for a day it could not be deleted.',
      () => left(WHATS[0]),
    ),
    // Nothing waited for the requester, so one message shows it all.
    ...givenUp(
      'change-secret-key-lost',
      'The org was created, and the answer with the key was lost.',
      async () => (await lost(WHATS[1])).work(),
    ).slice(0, 2),
    reply(
      'change-secret-token-lapsed-no-dm',
      'Slack omits where to write to the requester alone.',
      async () => lapsed(await (await late(WHATS[0], { ...EARLIER, ...NO_DM })).work()),
    ),
  ],
};
