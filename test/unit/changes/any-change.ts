import * as fc from 'fast-check';
import type { Change } from '../../../src/changes/change.ts';
import type { Plan } from '../../../src/changes/kinds/kind.ts';
import type { ChangeEvent } from '../../../src/changes/states.ts';
import { changeOf, REQUESTED_AT } from '../../support/changes.ts';
import { BILLING_ROLES } from '../../../src/platform/billing/roles.ts';
import { BEA, MINUTE } from './stages.ts';
import { End } from '../../../src/changes/ends.ts';
import type { ChangeKind, ChangeInput } from '../../../src/changes/kinds/kinds.ts';

/** As what is read from JSON. */
const PLAIN = { noNullPrototype: true };
const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });

/** Values for the fields of orders; `time` in ms since the epoch. */
interface Fields {
  readonly id: fc.Arbitrary<string>;
  readonly email: fc.Arbitrary<string>;
  readonly name: fc.Arbitrary<string>;
  readonly description: fc.Arbitrary<string>;
  readonly amount: fc.Arbitrary<number>;
  readonly time: fc.Arbitrary<number>;
}

/** Orders of all kinds. */
export function ordersOf(fields: Fields): fc.Arbitrary<ChangeInput> {
  const { id, email, name, description, amount, time } = fields;
  const roles = fc.uniqueArray(fc.constantFrom(...BILLING_ROLES), { minLength: 1 });
  const enabled = fc.boolean();
  const recipient = { recipientId: id, email };
  const kinds: { readonly [Kind in ChangeKind]: Record<string, fc.Arbitrary<unknown>> } = {
    'alert.create': { amount, enabled },
    'alert.replace': { amount, enabled },
    'alert.delete': {},
    'user.add': { email, roles },
    'user.roles': { email, roles },
    'user.remove': { email },
    'token.create': {
      name,
      description,
      roles,
      expiresAt: time.map((at) => new Date(at).toISOString()),
    },
    'token.delete': { tokenId: id, name },
    'org.create': {
      name,
      description,
      tags: fc.dictionary(name, name, { minKeys: 1, maxKeys: 2, ...PLAIN }),
      invitees: fc.array(email, { minLength: 1, maxLength: 3 }),
      superuser: fc.boolean(),
    },
    'recipient.add': { email, enabled },
    'recipient.enable': recipient,
    'recipient.disable': recipient,
    'recipient.delete': recipient,
    'quota.request': { org: name, quotaName: name, requestedMax: amount },
    'identity.confirm': { email, userId: id },
  };
  return fc.constantFrom(...(Object.keys(kinds) as ChangeKind[])).chain((kind) => {
    const parts = { kind: fc.constant(kind), ...kinds[kind] };
    return recordOf(parts, ['expiresAt', 'tags']) as unknown as fc.Arbitrary<ChangeInput>;
  });
}

/** @param optional what may be absent */
function recordOf(parts: Record<string, fc.Arbitrary<unknown>>, optional: readonly string[]) {
  const requiredKeys = Object.keys(parts).filter((name) => !optional.includes(name));
  return fc.record(parts, { requiredKeys, ...PLAIN });
}

export const anyOrder = ordersOf({
  id: word,
  email: word,
  name: word,
  description: word,
  amount: fc.nat(),
  time: fc.integer({ min: REQUESTED_AT, max: REQUESTED_AT + 9e9 }),
});

const facts = fc.array(fc.record({ name: word, text: word }, PLAIN), { maxLength: 3 });
const anyPlan: fc.Arbitrary<Plan> = fc.record(
  { before: facts, after: facts, consequences: fc.array(word, { maxLength: 2 }) },
  PLAIN,
);

/** A pending request. */
export const anyRequest: fc.Arbitrary<Change> = fc
  .record({ order: anyOrder, plan: anyPlan, title: word })
  .map((parts) => changeOf(parts));

const requester = changeOf().requester;
const secret = recordOf(
  {
    state: fc.constantFrom('sealed' as const, 'lost' as const),
    what: fc.constantFrom('token' as const, 'superuser key' as const),
    until: fc.integer({ min: 0, max: 700 }).map((minutes) => REQUESTED_AT + minutes * MINUTE),
    tokenId: word,
  },
  ['tokenId'],
);

const end = fc.record({ code: fc.constantFrom(...End.shape.code.options), sentence: word }, PLAIN);

/** The fields of each kind of event, beside its time. */
const PARTS: { readonly [Kind in ChangeEvent['kind']]: Record<string, fc.Arbitrary<unknown>> } = {
  remind: {},
  approve: {
    by: fc.constantFrom(BEA, requester),
    comment: word,
    plan: anyPlan,
    self: fc.boolean(),
  },
  reject: { by: fc.constantFrom(BEA, requester), comment: word },
  withdraw: { by: fc.constant('U0ADA') },
  expire: {},
  drift: { end, now: facts },
  claim: {
    baseline: fc.dictionary(
      fc.constantFrom('tokenIds', 'roles', 'orgs', 'amount'),
      fc.array(word, { maxLength: 2 }),
      { maxKeys: 2, ...PLAIN },
    ),
  },
  unclaim: { until: fc.integer({ min: REQUESTED_AT, max: REQUESTED_AT + 700 * MINUTE }) },
  suspect: {},
  disown: { end },
  refuse: { end },
  resend: {},
  wait: { until: fc.integer({ min: REQUESTED_AT, max: REQUESTED_AT + 700 * MINUTE }) },
  succeed: { end, now: facts, secret },
  fail: { end, now: facts },
  doubt: { end },
  open: {},
  reveal: {},
  lapse: {},
  clean: { end },
};

/** Events on the way to a secret are more frequent, else few runs would reach one. */
const ON_THE_WAY = new Set(['approve', 'claim', 'succeed', 'open', 'lapse']);
/** A record is disowned whatever its state. */
const isOrdinary = (kind: ChangeEvent['kind']): boolean => kind !== 'disown';
const anyKind = fc.oneof(
  ...(Object.keys(PARTS) as ChangeEvent['kind'][]).filter(isOrdinary).map((kind) => {
    return { arbitrary: fc.constant(kind), weight: ON_THE_WAY.has(kind) ? 8 : 1 };
  }),
);

function anyEventAt(at: number): fc.Arbitrary<ChangeEvent> {
  return anyKind.chain((kind) => {
    const parts = { kind: fc.constant(kind), at: fc.constant(at), ...PARTS[kind] };
    const optional = ['drift', 'reject', 'withdraw'].includes(kind) ? [] : ['now', 'secret', 'by'];
    return recordOf(parts, optional) as unknown as fc.Arbitrary<ChangeEvent>;
  });
}

/** Events one after another, over the hours in which a request can be decided on and some more. */
export const anyEvents: fc.Arbitrary<ChangeEvent[]> = fc
  .array(fc.integer({ min: 0, max: 600 }), { maxLength: 25, size: 'max' })
  .chain((minutes) => {
    const times = minutes.toSorted((a, b) => a - b).map((at) => REQUESTED_AT + at * MINUTE);
    return fc.tuple(...times.map(anyEventAt));
  });
