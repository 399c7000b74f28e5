import type { Change } from '../../../src/changes/change.ts';
import { direct, HOUR, MINUTE, post, type Area } from '../entry.ts';
import { isWrite, no, SILENCE } from './changes-core-books.ts';
import { CASES, VARIANTS, type Case } from './changes-core-data.ts';
import {
  card,
  carriedOut,
  LONG_AGO,
  openChanges,
  pending,
  reported,
} from './changes-core-office.ts';

const setupOf = ({ books = {} }: Case) => ({ books });

export const changeCardsPending: Area = {
  id: 'change-cards-pending',
  title: 'Changes: the card of a request, for each kind',
  entries: [...CASES, ...VARIANTS].map((one) =>
    post(`change-card-${one.name}`, `A request to ${one.what} waits for a review.`, async () =>
      card(await pending(one.order, setupOf(one))),
    ),
  ),
};

export const changeCardsSucceeded: Area = {
  id: 'change-cards-succeeded',
  title: 'Changes: the card and the direct message when it is done, for each kind',
  entries: CASES.flatMap((one) => {
    const done = async () => (await carriedOut(one.order, setupOf(one))).change;
    return [
      post(
        `change-card-${one.name}-succeeded`,
        `To ${one.what} was approved, and is done.`,
        async () => card(await done()),
      ),
      direct(
        `change-end-${one.name}-succeeded`,
        `The requester is notified that it is done: to ${one.what}.`,
        async () => reported(await done()),
      ),
    ];
  }),
};

async function expired(one: Case) {
  const office = openChanges({ ...setupOf(one), askedAgo: LONG_AGO });
  await office.ask(one.order);
  office.clock.at += 8 * HOUR;
  return office.work();
}

/** Its answer is lost, and whether it was done cannot be read. */
async function unknown(one: Case) {
  const { office } = await carriedOut(one.order, {
    ...setupOf(one),
    askedAgo: 40 * MINUTE,
    troubles: (call, before) =>
      [call, ...before].some(isWrite) ? { refused: SILENCE } : undefined,
  });
  return office.workFor(20 * MINUTE);
}

/** The platform's own words, by status. */
const WORDS = { 400: 'the account is suspended', 404: 'not found', 409: 'already exists' } as const;

/** The platform says no to the call. */
async function refused(one: Case, status: keyof typeof WORDS) {
  const { change } = await carriedOut(one.order, {
    ...setupOf(one),
    troubles: (call) => (isWrite(call) ? { refused: no(status, WORDS[status]) } : undefined),
  });
  return change;
}

interface End {
  readonly name: string;
  readonly when: string;
  readonly kinds?: RegExp;
  readonly make: (one: Case) => Promise<Change>;
}

/** The other kinds do not use it. */
const OF_THE_PLATFORM = /^(?!identity)/;

const ENDS: readonly End[] = [
  { name: 'expired', when: 'No one decided in time on a request to', make: expired },
  {
    name: 'unknown',
    when: 'Its outcome stays unknown: to',
    kinds: OF_THE_PLATFORM,
    make: unknown,
  },
  {
    name: 'refused',
    kinds: OF_THE_PLATFORM,
    when: 'The platform does not accept the order (400): to',
    make: (one) => refused(one, 400),
  },
  {
    name: 'conflict',
    when: 'The platform says that there is one already (409): to',
    kinds: /create|add|quota|replace/,
    make: (one) => refused(one, 409),
  },
  {
    name: 'gone',
    when: 'The platform does not find the object to be changed (404): to',
    kinds: /replace|roles|remove|token-delete|able|recipient-delete|quota/,
    make: (one) => refused(one, 404),
  },
];

/** The message to the requester, with the next step: the commands differ by kind. */
export const changeEndsByKind: readonly Area[] = ENDS.map(({ name, when, kinds = /./, make }) => ({
  id: `change-end-${name}`,
  title: `Changes: the message to the requester, for each kind (${name})`,
  entries: CASES.filter((one) => kinds.test(one.name)).map((one) =>
    direct(`change-end-${one.name}-${name}`, `${when} ${one.what}.`, async () =>
      reported(await make(one)),
    ),
  ),
}));
