import type { ChangeContext } from '../../../src/changes/context.ts';
import { createSecretReveal } from '../../../src/changes/reveal.ts';
import { MINUTE, refusal, type Area, type Entry } from '../entry.ts';
import { SILENCE } from './changes-core-books.ts';
import { carriedOut, ID, openChanges, cipherOf, type OpenChanges } from './changes-core-office.ts';
import { ADA, BEN, ORDERS } from './changes-feature-data.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

const ALERT = ORDERS['alert.replace'];
const TOKEN = ORDERS['token.create'];
const ORG = ORDERS['org.create'];

const SECRETS = [
  { name: 'token', what: 'token', order: TOKEN },
  { name: 'key', what: 'superuser key', order: ORG },
] as const;
type SecretOf = (typeof SECRETS)[number];

/** An office with a waiting secret, and events before a person asks for it. */
function reveals(
  name: string,
  when: string,
  order: ChangeInput,
  before: (office: OpenChanges) => unknown = () => undefined,
  who = ADA,
): Entry {
  return refusal(`change-reveal-${name}`, when, async () => {
    const { office } = await carriedOut(order);
    await before(office);
    return office.counter.take(who, ID);
  });
}

const BEFORE: readonly [
  name: string,
  when: (what: string) => string,
  before: (office: OpenChanges) => unknown,
][] = [
  [
    'late',
    (what) => `The ${what} was not revealed in time, and is about to be given up.`,
    ({ clock }) => (clock.at += 20 * MINUTE),
  ],
  [
    'busy',
    (what) => `Reveal is clicked twice, and the ${what} is being shown.`,
    ({ counter }) => counter.take(ADA, ID),
  ],
  [
    'again',
    (what) => `The ${what} was revealed already.`,
    async ({ counter }) => (await counter.take(ADA, ID)).shown(),
  ],
  [
    'lapsed',
    (what) => `The ${what} was given up.`,
    async ({ counter }) => (await counter.take(ADA, ID)).lost(),
  ],
];

/** The secret was sealed with another key than there is now. */
async function revealWith(cipher: ChangeContext['cipher']): Promise<unknown> {
  const { office } = await carriedOut(TOKEN);
  return createSecretReveal({ ...office.deps, cipher }).take(ADA, ID);
}

export const changeRevealRefusals: Area = {
  id: 'change-reveal-refusals',
  title: 'Changes: secrets that cannot be revealed',
  entries: [
    ...SECRETS.flatMap((one: SecretOf) =>
      BEFORE.map(([name, when, before]) =>
        reveals(`${one.name}-${name}`, when(one.what), one.order, before),
      ),
    ),
    reveals('nothing', 'The change has no secret.', ALERT),
    refusal('change-reveal-nothing-there', 'The change no longer exists.', () =>
      openChanges().counter.take(ADA, ID),
    ),
    reveals('not-yours', 'Another person wants to see the secret.', TOKEN, () => undefined, BEN),
    reveals('lost-role', 'The requester has lost the role since.', TOKEN, ({ people }) =>
      people.set(ADA.userId, { email: ADA.email, roles: [] }),
    ),
    refusal(
      'change-reveal-key-lost',
      'The answer of the platform with the key was lost.',
      async () => {
        const { office } = await carriedOut(ORG, {
          troubles: (call) => (call === 'createOrg' ? { lost: SILENCE } : undefined),
        });
        return office.counter.take(ADA, ID);
      },
    ),
    refusal(
      'change-reveal-no-key',
      'Purser was restarted without the key that opens secrets.',
      () => revealWith(undefined),
    ),
    refusal('change-reveal-unreadable', 'Purser was restarted with another key.', () =>
      revealWith(cipherOf(8)),
    ),
  ],
};
