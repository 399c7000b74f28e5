import type { Principal } from '../../../src/access/policy.ts';
import { createRequestService } from '../../../src/changes/request.ts';
import type { Change } from '../../../src/changes/change.ts';
import {
  createKinds,
  type ChangeInput,
  type ChangeKind,
  type InputOf,
} from '../../../src/changes/kinds/kinds.ts';
import { KINDS } from '../../../src/changes/messages/plan-view.ts';
import type { ChangeContext } from '../../../src/changes/context.ts';
import type { ChangeEvent } from '../../../src/changes/states.ts';
import { changeOf, requestedBy } from '../../support/changes.ts';
import { fakeContext } from '../../unit/changes/fake-context.ts';
import { platformOf, user, type PlatformData } from '../../unit/changes/forms/harness.ts';
import { DAY, HOUR, MINUTE, NOW } from '../entry.ts';
import { memoryIdentities } from '../../support/identities.ts';

const personOf = (name: string) => ({
  userId: `U0${name.toUpperCase()}`,
  teamId: 'T0ACME',
  email: `${name}@acme.example`,
});
/** Ada and Ben are billing_admins, Cleo sees bills, and Dana creates orgs. */
export const ADA = personOf('ada');
export const BEN = personOf('ben');
export const CLEO = personOf('cleo');
export const DANA = personOf('dana');
export type Someone = typeof ADA;

const ROLES: Readonly<Record<string, readonly string[]>> = {
  U0ADA: ['billing_admin'],
  U0BEN: ['billing_admin'],
  U0CLEO: ['billing_viewer'],
  U0DANA: ['org_creator'],
};

export function standingOf({ userId, email }: Someone): Principal {
  return { userId, email, roles: ROLES[userId] };
}

export const ago = (minutes: number): number => NOW - minutes * MINUTE;

/** An account with something of everything. */
export const GROUND: PlatformData = {
  alert: { lastTriggered: NOW - 40 * DAY, created: NOW - 200 * DAY },
  users: [
    user('ada@acme.example', 'billing_admin'),
    user('ben@acme.example', 'billing_admin', 'org_creator'),
    user('cleo@acme.example', 'billing_viewer'),
    { email: 'eve@acme.example', roles: [] },
  ],
  tokens: [
    { id: 'f3b1c0de-1', name: 'ci', roles: ['billing_viewer'], created: NOW - 90 * DAY },
    { id: 'a7e2d1fa-2', name: 'reports', roles: ['billing_viewer', 'org_creator'] },
  ],
  recipients: [
    { id: 'r-1', email: 'books@acme.example', enabled: true },
    { id: 'r-2', email: 'old-books@acme.example', enabled: false },
    { id: 'r-3', email: 'cfo@acme.example', enabled: undefined },
  ],
  quotas: [
    { name: 'workloads', max: '50', unit: 'workloads', current: '41' },
    { name: 'gvcs', max: '10' },
  ],
  account: {
    orgQuota: 5,
    enabled: true,
    tou: true,
    paymentMethods: [{ brand: 'visa', last4: '4242' }],
  },
  orgs: 3,
};

/** An order of each kind that can be carried out on that account. */
export const ORDERS: { readonly [Kind in ChangeKind]: InputOf<Kind> } = {
  'alert.create': { kind: 'alert.create', amount: 500, enabled: true },
  'alert.replace': { kind: 'alert.replace', amount: 500, enabled: true },
  'alert.delete': { kind: 'alert.delete' },
  'user.add': { kind: 'user.add', email: 'finn@acme.example', roles: ['billing_viewer'] },
  'user.roles': {
    kind: 'user.roles',
    email: 'cleo@acme.example',
    roles: ['billing_viewer', 'org_creator'],
  },
  'user.remove': { kind: 'user.remove', email: 'cleo@acme.example' },
  'token.create': {
    kind: 'token.create',
    name: 'nightly-report',
    description: 'Reads the charges every night',
    roles: ['billing_viewer'],
    expiresAt: '2027-12-31T23:59:59Z',
  },
  'token.delete': { kind: 'token.delete', tokenId: 'f3b1c0de-1', name: 'ci' },
  'org.create': {
    kind: 'org.create',
    name: 'acme-staging',
    description: 'For trying things out',
    invitees: ['dana@acme.example', 'finn@acme.example'],
    superuser: true,
  },
  'recipient.add': { kind: 'recipient.add', email: 'audit@acme.example', enabled: true },
  'recipient.enable': {
    kind: 'recipient.enable',
    recipientId: 'r-2',
    email: 'old-books@acme.example',
  },
  'recipient.disable': {
    kind: 'recipient.disable',
    recipientId: 'r-1',
    email: 'books@acme.example',
  },
  'recipient.delete': {
    kind: 'recipient.delete',
    recipientId: 'r-2',
    email: 'old-books@acme.example',
  },
  'quota.request': {
    kind: 'quota.request',
    org: 'acme',
    quotaName: 'workloads',
    requestedMax: 80,
  },
  'identity.confirm': {
    kind: 'identity.confirm',
    email: 'ada@acme.example',
    userId: 'U0ADA',
  },
};

const kindOf = createKinds('USD', memoryIdentities({ 'ada@acme.example': ['U0OLD'] }));

/** A request of Ada's, two hours old, as lists show it. */
export function requestOf(order: ChangeInput, over: Partial<Change> = {}): Change {
  const requestedAt = over.requestedAt ?? NOW - 2 * HOUR;
  return changeOf({
    order,
    title: kindOf(order).title(order),
    requester: ADA,
    channel: 'C0APPROVE',
    requestedAt,
    expiresAt: requestedAt + 8 * HOUR,
    ...over,
  });
}

/** So many requests about billing users, each asked for a while before the one before. */
export function requests(count: number, over: Partial<Change> = {}): Change[] {
  return Array.from({ length: count }, (_, index) =>
    requestOf(
      { ...ORDERS['user.add'], email: `new-${index + 1}@acme.example` },
      {
        id: `k3m9${String(index + 1).padStart(4, '0')}`,
        requestedAt: ago(5 + 12 * index),
        ...over,
      },
    ),
  );
}

/** One request of each kind, in states that repeat. */
export function oneOfEach(states: readonly Change['state'][]): Change[] {
  return KINDS.map((kind, index) =>
    requestOf(ORDERS[kind], {
      id: `q7w2${String(index + 1).padStart(4, '0')}`,
      state: states[index % states.length] ?? 'pending',
      requestedAt: ago(5 + 30 * index),
      requester: index % 3 === 1 ? BEN : ADA,
    }),
  );
}

/** Everybody who handles changes, between an account that can change meanwhile and four people. */
export function fakeOf(over: Partial<ChangeContext> = {}) {
  const ids = ['k3m9x2ab', 'p7q4w8zt'];
  const account: { platformData: PlatformData } = { platformData: GROUND };
  const fake = fakeContext({
    kindOf,
    billing: () => platformOf(account.platformData, []),
    channel: 'C0APPROVE',
    groupFor: async () => undefined,
    newId: () => ids.shift() ?? 'z0z0z0z0',
    ...over,
  });
  for (const one of [ADA, BEN, CLEO, DANA]) fake.people.set(one.userId, standingOf(one));
  fake.clock.at = NOW;
  return Object.assign(fake, { account });
}
export type CatalogueFake = ReturnType<typeof fakeOf>;

/** Files a request on an account as it was then. @param minutes how long ago */
export async function filed(
  fake: CatalogueFake,
  order: ChangeInput,
  { minutes = 40, who = ADA, platformData = GROUND } = {},
): Promise<Change> {
  const { account, clock, context } = fake;
  const now = { at: clock.at, platformData: account.platformData };
  clock.at = ago(minutes);
  account.platformData = platformData;
  const { change } = await requestedBy(createRequestService(context), who, order);
  clock.at = now.at;
  account.platformData = now.platformData;
  return change;
}

/** Lets things happen to the only change of an fake, one after another. */
export async function happen(
  { changes }: CatalogueFake,
  ...events: readonly ChangeEvent[]
): Promise<Change> {
  let [change] = await changes.list(0, 1);
  for (const event of events) {
    change = change && (await changes.move(change, event));
    if (change === undefined) throw new Error(`${event.kind} cannot happen to this change`);
  }
  if (change === undefined) throw new Error('there is no change');
  return change;
}

/** Possible events of a change with that plan, in this order of time. */
export function eventsOf({ plan }: Pick<Change, 'plan'>) {
  const secret = { what: 'token', until: ago(-5), tokenId: 'c4f9ab12-3' } as const;
  return {
    approve: approvedBy(BEN, plan, 'As agreed with finance on Friday.'),
    reject: { kind: 'reject', at: ago(30), by: BEN, comment: 'Too much for this year.' },
    withdraw: { kind: 'withdraw', at: ago(30), by: ADA.userId },
    expire: { kind: 'expire', at: ago(10) },
    drift: {
      kind: 'drift',
      at: ago(29),
      end: {
        code: 'conflict',
        sentence: 'A person has changed it meanwhile: ask again.',
        again: true,
      },
      now: [{ name: 'Amount', text: '$450.00' }],
    },
    claim: { kind: 'claim', at: ago(28), baseline: {} },
    refuse: {
      kind: 'refuse',
      at: ago(28),
      end: { code: 'approver-lost', sentence: 'ben@acme.example has no role any more.' },
    },
    resend: { kind: 'resend', at: ago(26) },
    succeed: { kind: 'succeed', at: ago(25), end: { code: 'done', sentence: '' }, now: plan.after },
    fail: {
      kind: 'fail',
      at: ago(25),
      end: { code: 'denied', sentence: 'The platform says no: ask for less.' },
    },
    doubt: {
      kind: 'doubt',
      at: ago(13),
      end: { code: 'unclear', sentence: 'No one can know whether it was done: look.' },
    },
    sealed: {
      kind: 'succeed',
      at: ago(10),
      end: { code: 'done', sentence: '' },
      secret: { ...secret, state: 'sealed' },
    },
    lost: {
      kind: 'succeed',
      at: ago(10),
      end: { code: 'done', sentence: '' },
      secret: { ...secret, state: 'lost' },
    },
    open: { kind: 'open', at: ago(6) },
    reveal: { kind: 'reveal', at: ago(6) },
    lapse: { kind: 'lapse', at: ago(5) },
    clean: {
      kind: 'clean',
      at: ago(4),
      end: { code: 'cleaned', sentence: 'The token is deleted.' },
    },
  } as const satisfies Record<string, ChangeEvent>;
}

export function approvedBy(
  by: Someone | undefined,
  plan: Change['plan'],
  comment = '',
): ChangeEvent {
  const event = { kind: 'approve', at: ago(30), comment, plan, self: by === ADA } as const;
  return by === undefined ? event : { ...event, by };
}
