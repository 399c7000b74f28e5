import type { Change } from '../../../src/changes/change.ts';
import { createExecutor } from '../../../src/changes/execute.ts';
import { PlatformError, silenceOf } from '../../../src/platform/errors.ts';
import { DAY, direct, MINUTE, post, type Area, type Entry } from '../entry.ts';
import {
  alertOf,
  isWrite,
  SILENCE,
  type ExpectedState,
  type Troubles,
} from './changes-core-books.ts';
import { orderOf } from './changes-core-data.ts';
import {
  card,
  carriedOut,
  ID,
  openChanges,
  reported,
  type OpenChanges,
  type Setup,
} from './changes-core-office.ts';
import { ADA, BEN, DANA, ORDERS } from './changes-feature-data.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

const ALERT = ORDERS['alert.replace'];
const TOKEN = ORDERS['token.create'];
const QUOTA = ORDERS['quota.request'];
/** Long enough for everything to be given up. */
const EARLIER = 40 * MINUTE;

/** Every call that changes something fails so, and nothing is done. */
const refusing =
  (error: Error): Troubles =>
  (call) =>
    isWrite(call) ? { refused: error } : undefined;
/** It is done, and the answer is lost. */
const losing: Troubles = (call) => (isWrite(call) ? { lost: SILENCE } : undefined);
const done = async (order: ChangeInput, setup: Setup = {}): Promise<Change> =>
  (await carriedOut(order, setup)).change;
const increase = (fields: ExpectedState['increase']): Promise<Change> =>
  done(QUOTA, { books: { increase: fields } });

/** The card and the message to the requester of one ending. */
function ending(name: string, when: string, make: () => Promise<Change>): Entry[] {
  return [
    post(`change-card-${name}`, when, async () => card(await make())),
    direct(`change-end-${name}`, when, async () => reported(await make())),
  ];
}

export const changeSuccesses: Area = {
  id: 'change-successes',
  title: 'Changes: done, and there is more to say',
  entries: [
    ...ending('done-otherwise', 'The platform took it, and the state is another one.', () =>
      done(ALERT, { troubles: (call) => (isWrite(call) ? 'ignored' : undefined) }),
    ),
    ...ending(
      'done-still-there',
      'The platform took the deletion, and the object is still there.',
      () =>
        done(ORDERS['recipient.delete'], {
          troubles: (call) => (isWrite(call) ? 'ignored' : undefined),
        }),
    ),
    ...ending(
      'done-not-there',
      'The platform took the addition, and the object is not there.',
      () =>
        done(ORDERS['user.add'], { troubles: (call) => (isWrite(call) ? 'ignored' : undefined) }),
    ),
    ...ending('done-not-read', 'It is done, and the new state could not be read.', () =>
      done(ALERT, {
        troubles: (_, before) => (before.some(isWrite) ? { refused: SILENCE } : undefined),
      }),
    ),
    ...ending(
      'done-answer-lost',
      'The answer was lost, and the state shows that it was done.',
      () => done(ALERT, { troubles: losing }),
    ),
    ...ending('done-gone-already', 'The alert was deleted by another person a moment before.', () =>
      done(ORDERS['alert.delete'], {
        troubles: (call, _, books) => void (isWrite(call) && (books.alert = undefined)),
      }),
    ),
    ...ending('done-org-there', 'The account had created the org before.', () =>
      done(orderOf('org.create', { name: 'acme-lab' })),
    ),
    ...ending('done-org-keyless', 'The org was created, and the platform gave no key.', () =>
      done(ORDERS['org.create'], { books: { saysKeys: false } }),
    ),
    ...ending('done-org-plain', 'The org was created without a key, as ordered.', () =>
      done(orderOf('org.create', { superuser: false })),
    ),
    ...ending('done-quota-later', 'The platform decides on the quota later.', () =>
      increase({ status: 'pending', org: 'acme', quotaName: 'workloads', requestedMax: '80' }),
    ),
    ...ending('done-quota-silent', 'The platform omits the outcome of the request.', () =>
      increase({}),
    ),
    ...ending('done-quota-status', 'The platform gives a status that Purser does not know.', () =>
      increase({ status: 'in_review', ticket: 'Q-1734' }),
    ),
  ],
};

function platformErrors(): [name: string, when: string, error: PlatformError][] {
  const account = 'account' as const;
  const hint = 'the token may be mistyped, expired or deleted';
  return [
    [
      'key',
      'The platform refuses the key of Purser.',
      new PlatformError('unauthorized', 'invalid token', {
        status: 401,
        credential: account,
        hint,
      }),
    ],
    [
      'right',
      'The key of Purser may not do this.',
      new PlatformError('forbidden', 'insufficient role', { status: 403, credential: account }),
    ],
    [
      'account',
      'The platform does not know the billing account.',
      new PlatformError('not-found', 'not found', { status: 404, credential: account }),
    ],
    [
      'speechless',
      'The platform does not accept it, and gives no reason.',
      new PlatformError('bad-request', silenceOf(400), { status: 400 }),
    ],
    [
      'broken',
      'The platform fails at it.',
      new PlatformError('server-error', 'internal error', { status: 500 }),
    ],
    [
      'limited',
      'The platform takes no more calls just now.',
      new PlatformError('rate-limited', 'slow down', { status: 429 }),
    ],
  ];
}

/** The answer is lost, and then a person loses the role. */
async function notSentAgain(): Promise<Change> {
  const { office } = await carriedOut(ALERT, { askedAgo: EARLIER, troubles: refusing(SILENCE) });
  office.people.set(BEN.userId, { email: BEN.email, roles: [] });
  return office.workFor(3 * MINUTE);
}

/** Slack no longer answers about the requester. @param isSent the first call was lost before that */
async function silent(isSent: boolean): Promise<Change> {
  const silence = ({ people }: OpenChanges) => void people.set(ADA.userId, { silent: SILENCE });
  const { office } = await carriedOut(ALERT, {
    askedAgo: EARLIER,
    troubles: refusing(SILENCE),
    ...(!isSent && { meanwhile: silence }),
  });
  silence(office);
  return office.workFor(20 * MINUTE);
}

/** The key that seals secrets is no longer set. */
async function withoutKey(): Promise<Change> {
  const office = openChanges();
  await office.ask(TOKEN);
  office.clock.at += 10 * MINUTE;
  await office.approve();
  await createExecutor({ ...office.deps, cipher: undefined }).advance(ID);
  return office.now();
}

/** A member without an e-mail address asks, and is a guest by the time of the call. */
async function requesterLost(): Promise<Change> {
  const office = openChanges();
  office.people.set(DANA.userId, {});
  await office.ask(QUOTA, DANA);
  office.clock.at += 10 * MINUTE;
  await office.approve();
  office.people.set(DANA.userId, { guest: true });
  return office.work();
}

const meanwhile = (
  change: (office: OpenChanges) => void,
): Setup & { meanwhile: (office: OpenChanges) => void } => ({
  meanwhile: change,
});

export const changeFailures: Area = {
  id: 'change-failures',
  title: 'Changes: not done',
  entries: [
    ...platformErrors().flatMap(([name, when, error]) =>
      ending(`failed-${name}`, when, async () => {
        const { office } = await carriedOut(TOKEN, {
          askedAgo: EARLIER,
          troubles: refusing(error),
        });
        return office.workFor(3 * MINUTE);
      }),
    ),
    ...ending(
      'failed-no-answer',
      'The platform did not answer, and nothing was done.',
      async () => {
        const { office } = await carriedOut(ALERT, {
          askedAgo: EARLIER,
          troubles: refusing(SILENCE),
        });
        return office.workFor(10 * MINUTE);
      },
    ),
    ...ending(
      'failed-token-deleted',
      'A token was created, its secret was lost, and it was deleted.',
      () =>
        done(TOKEN, {
          troubles: (call) => (call === 'createToken' ? { lost: SILENCE } : undefined),
        }),
    ),
    ...ending('failed-quota-denied', 'The platform denies the higher quota.', () =>
      increase({
        status: 'denied',
        org: 'acme',
        quotaName: 'workloads',
        requestedMax: '80',
        reason: 'no capacity in aws-eu-central-1',
      }),
    ),
    ...ending(
      'failed-requester-lost',
      'The requester, who has no e-mail address, has become a guest.',
      requesterLost,
    ),
    ...ending('failed-requester-role', 'The requester has lost the role since the approval.', () =>
      done(
        ALERT,
        meanwhile(
          ({ people }) =>
            void people.set(ADA.userId, { email: ADA.email, roles: ['billing_viewer'] }),
        ),
      ),
    ),
    ...ending('failed-approver-role', 'The approver has lost the role since the approval.', () =>
      done(
        ALERT,
        meanwhile(({ people }) => void people.set(BEN.userId, { email: BEN.email, roles: [] })),
      ),
    ),
    ...ending(
      'failed-no-secret-key',
      'Purser was restarted without the key that secrets are sealed with.',
      withoutKey,
    ),
    ...ending('failed-silence', 'For 15 minutes the roles could not be checked.', () =>
      silent(false),
    ),
    ...ending(
      'failed-not-sent-again',
      'The first call was lost, and by then the approver had lost the role.',
      notSentAgain,
    ),
    ...ending(
      'failed-silence-after-call',
      'The first call was lost, and then the roles could not be checked.',
      () => silent(true),
    ),
  ],
};

/** Its token cannot be deleted either. */
async function tokenLeft(): Promise<Change> {
  const { office } = await carriedOut(TOKEN, {
    askedAgo: EARLIER,
    troubles: (call) => {
      if (call === 'createToken') return { lost: SILENCE };
      return call === 'removeToken' ? { refused: SILENCE } : undefined;
    },
  });
  return office.workFor(20 * MINUTE);
}

/** The state is neither the one before nor the ordered one. */
async function unclear(): Promise<Change> {
  const { office } = await carriedOut(ALERT, {
    askedAgo: EARLIER,
    troubles: refusing(SILENCE),
  });
  office.books.alert = alertOf({ amount: undefined, lastModified: office.clock.now() - DAY });
  return office.workFor(20 * MINUTE);
}

export const changeDoubts: Area = {
  id: 'change-doubts',
  title: 'Changes: unknown or overtaken',
  entries: [
    ...ending(
      'unclear',
      'The answer was lost, and the state does not show whether it was done.',
      unclear,
    ),
    ...ending(
      'unknown-token-left',
      'A token was created, its secret was lost, and it cannot be deleted.',
      tokenLeft,
    ),
    ...ending(
      'drifted-conflict',
      'The billing user was removed by another person after the approval.',
      () =>
        done(
          ORDERS['user.roles'],
          meanwhile(({ books }) => void (books.users = books.users.slice(0, 2))),
        ),
    ),
    ...ending(
      'drifted-changed',
      'The roles were changed by another person after the approval.',
      () =>
        done(
          ORDERS['user.roles'],
          meanwhile(({ books }) => {
            books.users = books.users.map((user) =>
              user.email.startsWith('cleo') ? { ...user, roles: ['org_creator'] } : user,
            );
          }),
        ),
    ),
  ],
};
