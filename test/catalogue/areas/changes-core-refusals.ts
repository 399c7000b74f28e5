import { BILLING_OFF } from '../../../src/access/authorizer.ts';
import { STATES, type Change } from '../../../src/changes/change.ts';
import { CHANGES_OFF } from '../../../src/changes/context.ts';
import { createReviewService } from '../../../src/changes/request.ts';
import { changeOf } from '../../support/changes.ts';
import { DAY, MINUTE, NOW, refusal, type Area, type Entry } from '../entry.ts';
import { SILENCE } from './changes-core-books.ts';
import { orderOf } from './changes-core-data.ts';
import {
  billingOff,
  ID,
  openChanges,
  type Known,
  type OpenChanges,
  type Setup,
} from './changes-core-office.ts';
import { ADA, BEN, CLEO, ORDERS } from './changes-feature-data.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

const ALERT = ORDERS['alert.replace'];
const TOKEN = ORDERS['token.create'];
const QUOTA = ORDERS['quota.request'];
const ORG = ORDERS['org.create'];
const NO_CIPHER: Setup = { deps: { cipher: undefined } };

/** Profiles and roles of the person who asks or decides. */
const PERSONS: readonly [name: string, when: string, known: Known][] = [
  ['role', 'has another role', { email: CLEO.email, roles: ['billing_viewer'] }],
  ['roles', 'has two other roles', { email: CLEO.email, roles: ['billing_viewer', 'org_creator'] }],
  ['no-role', 'has no role', { email: CLEO.email, roles: [] }],
  ['no-user', 'is no billing user', { email: CLEO.email, roles: undefined }],
  ['no-email', 'has no e-mail address in Slack', {}],
  ['guest', 'is a guest', { email: CLEO.email, guest: true }],
  ['silent', 'has a profile that Slack does not show just now', { silent: SILENCE }],
  [
    'roles-silent',
    'has roles that the platform does not show just now',
    { email: CLEO.email, roles: SILENCE },
  ],
];

function asks(name: string, when: string, order: ChangeInput, setup: Setup = {}, who = ADA): Entry {
  return refusal(`change-request-${name}`, when, () => openChanges(setup).ask(order, who));
}

export const changeRequestRefusals: Area = {
  id: 'change-request-refusals',
  title: 'Changes: requests that are refused',
  entries: [
    ...PERSONS.map(([name, when, known]) =>
      refusal(
        `change-request-by-${name}`,
        `A person ${when}, and asks for a change of the alert.`,
        () => {
          const office = openChanges();
          office.people.set(CLEO.userId, known);
          return office.ask(ALERT, CLEO);
        },
      ),
    ),
    asks('org-by-viewer', 'A person who only sees bills asks for an org.', ORG, {}, CLEO),
    asks(
      'own-user',
      'A billing_admin asks for other roles of their own.',
      orderOf('user.roles', { email: ADA.email }),
    ),
    asks(
      'solo',
      'No one has to approve here, and a person who could not approve it asks for a quota.',
      QUOTA,
      { deps: { approvals: { required: false, allowSelf: false } } },
      CLEO,
    ),
    refusal(
      'change-request-eleventh',
      'A person who has ten open requests asks for one more.',
      async () => {
        const office = openChanges();
        for (let requestedMax = 1; requestedMax <= 10; requestedMax += 1) {
          await office.changes.create({
            ...changeOf({ id: `quota${requestedMax}` }),
            order: { ...QUOTA, requestedMax },
          });
        }
        return office.ask(ALERT);
      },
    ),
    asks('billing-off', 'Purser has no access to a billing account.', ALERT, {
      deps: billingOff(BILLING_OFF),
    }),
    asks('changes-off', 'Changes are switched off for a bad day.', ALERT, {
      deps: { off: CHANGES_OFF },
    }),
    asks('many-a-day', 'A person has made as many requests as one may in a day.', ALERT, {
      deps: { countRequests: async () => ({ count: 21, leftMs: 180 * MINUTE }) },
    }),
    asks('token-no-key', 'A token is asked for, and Purser cannot seal secrets.', TOKEN, NO_CIPHER),
    asks(
      'org-no-key',
      'An org with a superuser key is asked for, and Purser cannot seal secrets.',
      ORG,
      NO_CIPHER,
    ),
  ],
};

/** A change in that state, decided on by Ben. @param state `pending`: its time is over */
function inState(state: Change['state'], by: Partial<typeof BEN>): Partial<Change> {
  const isDecided = !['pending', 'expired', 'withdrawn'].includes(state);
  const verdict = state === 'rejected' ? ('reject' as const) : ('approve' as const);
  const decision = { verdict, by: { ...BEN, ...by }, at: NOW, comment: '', self: false };
  return { state, ...(isDecided && { decision }) };
}

/** A person decides on a change that is over in that way. */
async function decideLate(state: Change['state'], by: Partial<typeof BEN> = {}): Promise<unknown> {
  const office = openChanges();
  const change = await office.ask(ALERT);
  const later = openChanges();
  await later.changes.create({ ...change, ...inState(state, by) });
  if (state === 'pending') later.clock.at += DAY;
  return later.bench.review(CLEO, ID);
}

async function asked(order: ChangeInput = ALERT, setup: Setup = {}): Promise<OpenChanges> {
  const office = openChanges(setup);
  await office.ask(order);
  office.clock.at += 5 * MINUTE;
  return office;
}

const decides = (name: string, when: string, attempt: () => Promise<unknown>): Entry =>
  refusal(`change-decide-${name}`, when, attempt);
const SHOWN = 'the hash of another plan';

export const changeDecisionRefusals: Area = {
  id: 'change-decision-refusals',
  title: 'Changes: decisions that cannot be made',
  entries: [
    ...STATES.map((state) =>
      decides(
        `already-${state}`,
        state === 'pending'
          ? 'A person opens a request whose time was over a moment ago.'
          : `A person opens a request that has come to the state ${state}.`,
        () => decideLate(state),
      ),
    ),
    decides('already-by-no-one', 'A person opens a request that took no approval.', async () => {
      const office = openChanges({ deps: { approvals: { required: false, allowSelf: false } } });
      await office.ask(ALERT);
      return office.bench.review(BEN, ID);
    }),
    ...PERSONS.map(([name, when, known]) =>
      decides(`by-${name}`, `A person ${when}, and opens the review.`, async () => {
        const office = await asked();
        office.people.set(CLEO.userId, known);
        return office.bench.review(CLEO, ID);
      }),
    ),
    decides(
      'org-by-viewer',
      'A person who only sees bills opens the review of a new org.',
      async () => (await asked(ORG)).bench.review(CLEO, ID),
    ),
    decides('own-request', 'The requester approves their own request.', async () =>
      (await asked()).bench.approve(ADA, ID, SHOWN),
    ),
    decides('own-user', 'A billing_admin reviews a change of their own roles.', async () =>
      (await asked(orderOf('user.roles', { email: BEN.email }))).bench.review(BEN, ID),
    ),
    decides('nothing-there', 'The change no longer exists.', () =>
      openChanges().bench.review(BEN, ID),
    ),
    decides('changed-since', 'The state has changed since the review was opened.', async () =>
      (await asked()).bench.approve(BEN, ID, SHOWN),
    ),
    decides('conflict', 'The alert was deleted since the review was opened.', async () => {
      const office = await asked();
      office.books.alert = undefined;
      return office.bench.approve(BEN, ID, SHOWN);
    }),
    decides('no-key', 'A token is approved, and Purser can no longer seal secrets.', async () => {
      const { deps } = await asked(TOKEN);
      return createReviewService({ ...deps, cipher: undefined }).approve(BEN, ID, SHOWN);
    }),
    decides('withdraw-not-yours', 'Another person withdraws the request.', async () =>
      (await asked()).bench.withdraw(BEN, ID),
    ),
    decides(
      'requester-lost-role',
      'The requester, who has lost the role, opens the review.',
      async () => {
        const office = await asked();
        office.people.set(ADA.userId, { email: ADA.email, roles: ['billing_viewer'] });
        return office.bench.review(ADA, ID);
      },
    ),
  ],
};
