import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
  Change,
  fingerprint,
  isOpen,
  inputKey,
  planHash,
  STATES,
} from '../../../src/changes/change.ts';
import { changeOf } from '../../support/changes.ts';
import { anyOrder } from './any-order.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

describe('a plan', () => {
  const { plan } = changeOf();

  it('has a fingerprint of all that it says', () => {
    const [fact] = plan.before;
    const others = [
      { ...plan, before: [] },
      { ...plan, before: [{ name: 'Amount', text: '$401.00' }] },
      { ...plan, before: [{ name: 'amount', text: '$400.00' }] },
      { ...plan, before: [...plan.before, ...plan.before] },
      { ...plan, after: plan.before },
      { ...plan, consequences: [] },
      { before: plan.after, after: plan.before, consequences: plan.consequences },
    ];
    expect(fact).toBeDefined();
    expect(new Set([plan, ...others].map(fingerprint)).size).toBe(8);
    expect(new Set([plan, ...others].map(planHash)).size).toBe(8);
  });

  it('has the same one however it was put together', () => {
    const other = {
      consequences: ['Saving re-arms the alert.'],
      after: [{ text: '$500.00', name: 'Amount' }],
      before: [{ text: '$400.00', name: 'Amount' }],
    };
    expect(fingerprint(other)).toBe(fingerprint(plan));
    expect(planHash(other)).toBe(planHash(plan));
  });
});

describe('an order', () => {
  const add: ChangeInput = {
    kind: 'user.add',
    email: 'Ada@acme.example',
    roles: ['org_creator', 'billing_viewer'],
  };

  it('is the same in any order, and in any spelling of an e-mail', () => {
    const again: ChangeInput = {
      roles: ['billing_viewer', 'org_creator'],
      email: 'ada@ACME.example',
      kind: 'user.add',
    };
    expect(inputKey(again)).toBe(inputKey(add));
    const [org, other] = [
      ['Bea@acme.example', 'ada@acme.example'],
      ['ADA@acme.example', 'bea@acme.example'],
    ].map((invitees) =>
      inputKey({ kind: 'org.create', name: 'x', description: '', invitees, superuser: false }),
    );
    expect(other).toBe(org);
  });

  it('is another with any other value, or of another kind', () => {
    const others: ChangeInput[] = [
      add,
      { ...add, kind: 'user.roles' },
      { ...add, roles: ['billing_viewer'] },
      { ...add, email: 'bea@acme.example' },
      { kind: 'token.create', name: 'ci', description: '', roles: ['billing_viewer'] },
      { kind: 'token.create', name: 'CI', description: '', roles: ['billing_viewer'] },
      { kind: 'alert.create', amount: 500, enabled: true },
      { kind: 'alert.create', amount: 500, enabled: false },
    ];
    expect(new Set(others.map(inputKey)).size).toBe(others.length);
  });

  it('of every kind is kept whole', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(Change.parse(changeOf({ order })).order).toStrictEqual(order);
      }),
      { numRuns: 300 },
    );
  });
});

it('a change is open until it is over', () => {
  expect(STATES.filter((state) => isOpen({ state }))).toEqual(['pending', 'approved', 'executing']);
});

describe('not a valid change', () => {
  const broken: readonly [string, object][] = [
    ['has no id', { id: '' }],
    ['is in no state', { state: 'done' }],
    ['orders nothing that there is', { order: { kind: 'org.delete', name: 'acme' } }],
    ['gives no role', { order: { kind: 'user.add', email: 'a@b.c', roles: [] } }],
    [
      'gives a role that there is not',
      { order: { kind: 'user.add', email: 'a@b.c', roles: ['x'] } },
    ],
    ['has a secret in no state', { secret: { state: 'shown', what: 'token', at: 1, until: 2 } }],
    ['has an invalid decision', { decision: { verdict: 'maybe', at: 1, comment: '', self: true } }],
  ];

  it.each(broken)('%s', (_, parts) => {
    expect(Change.safeParse({ ...changeOf(), ...parts }).success).toBe(false);
  });
});
