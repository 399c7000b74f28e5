import * as fc from 'fast-check';
import type { Change } from '../../../src/changes/change.ts';
import type { Plan } from '../../../src/changes/kinds/kind.ts';
import type { ChangeEvent } from '../../../src/changes/states.ts';
import { changeOf, REQUESTED_AT } from '../../support/changes.ts';
import { BEA, MINUTE } from './stages.ts';
import type { ChangeKind, ChangeInput } from '../../../src/changes/kinds/kinds.ts';

/** As what is read from JSON. */
const PLAIN = { noNullPrototype: true };
const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const anyRoles = fc.uniqueArray(
  fc.constantFrom('billing_admin' as const, 'billing_viewer' as const, 'org_creator' as const),
  { minLength: 1 },
);
const alert = { amount: fc.nat(), enabled: fc.boolean() };
const user = { email: word, roles: anyRoles };
const recipient = { recipientId: word, email: word };

/** The parts of an order of each kind. */
const ORDERS: { readonly [Kind in ChangeKind]: Record<string, fc.Arbitrary<unknown>> } = {
  'alert.create': alert,
  'alert.replace': alert,
  'alert.delete': {},
  'user.add': user,
  'user.roles': user,
  'user.remove': { email: word },
  'token.create': { name: word, description: word, roles: anyRoles },
  'token.delete': { tokenId: word, name: word },
  'org.create': {
    name: word,
    description: word,
    invitees: fc.array(word, { minLength: 1, maxLength: 3 }),
    superuser: fc.boolean(),
  },
  'recipient.add': { email: word, enabled: fc.boolean() },
  'recipient.enable': recipient,
  'recipient.disable': recipient,
  'recipient.delete': recipient,
  'quota.request': { org: word, quotaName: word, requestedMax: fc.nat() },
};

export const anyOrder: fc.Arbitrary<ChangeInput> = fc
  .constantFrom(...(Object.keys(ORDERS) as ChangeKind[]))
  .chain(
    (kind) =>
      fc.record({ kind: fc.constant(kind), ...ORDERS[kind] }, PLAIN) as fc.Arbitrary<ChangeInput>,
  );

const facts = fc.array(fc.record({ name: word, text: word }, PLAIN), { maxLength: 3 });
export const anyPlan: fc.Arbitrary<Plan> = fc.record(
  { before: facts, after: facts, consequences: fc.array(word, { maxLength: 2 }) },
  PLAIN,
);

/** A request that nobody has decided on. */
export const anyRequest: fc.Arbitrary<Change> = fc
  .record({ order: anyOrder, plan: anyPlan, title: word })
  .map((parts) => changeOf(parts));

const requester = changeOf().requester;
const secret = fc.record(
  {
    state: fc.constantFrom('sealed' as const, 'lost' as const),
    what: fc.constantFrom('token' as const, 'superuser key' as const),
    until: fc.integer({ min: 0, max: 700 }).map((minutes) => REQUESTED_AT + minutes * MINUTE),
    tokenId: word,
  },
  { requiredKeys: ['state', 'what', 'until'], ...PLAIN },
);

/** What each kind of event brings with it, beside its time. */
const PARTS: { readonly [Kind in ChangeEvent['kind']]: Record<string, fc.Arbitrary<unknown>> } = {
  remind: {},
  approve: {
    by: fc.constantFrom(BEA, requester),
    comment: word,
    plan: anyPlan,
    self: fc.boolean(),
  },
  reject: { by: fc.constantFrom(BEA, requester), comment: word },
  withdraw: {},
  expire: {},
  drift: { sentence: word, now: facts },
  claim: {
    baseline: fc.dictionary(
      fc.constantFrom('tokenIds', 'roles', 'orgs', 'amount'),
      fc.array(word, { maxLength: 2 }),
      { maxKeys: 2, ...PLAIN },
    ),
  },
  refuse: { sentence: word },
  resend: {},
  wait: { until: fc.integer({ min: REQUESTED_AT, max: REQUESTED_AT + 700 * MINUTE }) },
  succeed: { sentence: word, now: facts, secret },
  fail: { sentence: word, now: facts },
  doubt: { sentence: word },
  open: {},
  reveal: {},
  lapse: {},
  clean: { sentence: word },
};

const OPTIONAL = new Set(['now', 'secret', 'by']);

/** What lies on the way to a secret comes more often, else few would get there. */
const ON_THE_WAY = new Set(['approve', 'claim', 'succeed', 'open', 'lapse']);
const anyKind = fc.oneof(
  ...(Object.keys(PARTS) as ChangeEvent['kind'][]).map((kind) => {
    return { arbitrary: fc.constant(kind), weight: ON_THE_WAY.has(kind) ? 8 : 1 };
  }),
);

function anyEventAt(at: number): fc.Arbitrary<ChangeEvent> {
  return anyKind.chain((kind) => {
    const model = { kind: fc.constant(kind), at: fc.constant(at), ...PARTS[kind] };
    const isNeeded = (name: string): boolean =>
      !OPTIONAL.has(name) || kind === 'drift' || kind === 'reject';
    const requiredKeys = Object.keys(model).filter(isNeeded) as never[];
    return fc.record(model, { requiredKeys, ...PLAIN }) as unknown as fc.Arbitrary<ChangeEvent>;
  });
}

/** Events one after another, over the hours in which a request can be decided on and some more. */
export const anyEvents: fc.Arbitrary<ChangeEvent[]> = fc
  .array(fc.integer({ min: 0, max: 600 }), { maxLength: 25, size: 'max' })
  .chain((minutes) => {
    const times = minutes.toSorted((a, b) => a - b).map((at) => REQUESTED_AT + at * MINUTE);
    return fc.tuple(...times.map(anyEventAt));
  });
