import * as fc from 'fast-check';
import { REQUESTED_AT } from '../../support/changes.ts';
import { BILLING_ROLES } from '../../../src/platform/billing/roles.ts';
import type { ChangeKind, ChangeInput } from '../../../src/changes/kinds/kinds.ts';

/** Objects with a prototype, as parsed JSON has them. */
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

/** @param optional members that may be absent */
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
