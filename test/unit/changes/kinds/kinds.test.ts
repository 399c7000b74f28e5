import * as fc from '../../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';

import { fingerprint } from '../../../../src/changes/change.ts';
import type { Plan } from '../../../../src/changes/kinds/kind.ts';
import {
  createKinds,
  type ChangeInput,
  type InputOf,
} from '../../../../src/changes/kinds/kinds.ts';
import type { BillingRole } from '../../../../src/platform/billing/roles.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { platformOf } from '../forms/harness.ts';
import { anySpend, books, NOW, order, token } from './any-account.ts';

const kindOf = createKinds('USD', { now: () => NOW });

const ALL: readonly ChangeInput['kind'][] = [
  ...(['alert.create', 'alert.replace', 'alert.delete'] as const),
  ...(['user.add', 'user.roles', 'user.remove', 'token.create', 'token.delete'] as const),
  ...(['org.create', 'recipient.add', 'recipient.enable', 'recipient.disable'] as const),
  ...(['recipient.delete', 'quota.request'] as const),
];

const namesOf = (facts: Plan['before']) => facts.map(({ name }) => name);
/** Ends with a period, and nothing that looks like the end of another one is in it. */
const isSentence = (text: string) => /^\S.*[^.]\.$/.test(text) && !/[.!?] +[A-Z⚠]/.test(text);
const hasSecret = (kind: ChangeInput['kind']) => kind === 'token.create' || kind === 'org.create';

describe('every kind', () => {
  test('is there, and is asked for by the name of the order', () => {
    expect(ALL.map((kind) => kindOf({ kind }).kind)).toEqual(ALL);
  });

  test('takes a billing_admin, except for orgs and for the request of a quota', () => {
    const needs = ALL.map((kind) => [kind, kindOf({ kind }).needs] as const);
    const admins = { request: { roles: ['billing_admin'] }, approve: { roles: ['billing_admin'] } };
    const creators = { roles: ['billing_admin', 'org_creator'] };

    expect(Object.fromEntries(needs)).toEqual({
      ...Object.fromEntries(ALL.map((kind) => [kind, admins])),
      'org.create': { request: creators, approve: creators },
      'quota.request': { request: 'orgs', approve: { roles: ['billing_admin'] } },
    });
  });

  test('is sent twice only where that does nothing more than once', () => {
    const once = ALL.filter((kind) => !kindOf({ kind }).repeatable);

    expect(once).toEqual(['token.create', 'org.create', 'quota.request']);
  });

  test('shows the same facts before and after, in one order', async () => {
    await fc.assert(
      fc.asyncProperty(order, books, async (asked, has) => {
        const { plan } = await kindOf(asked).plan(platformOf(has), asked);

        const isBoth = plan.before.length > 0 && plan.after.length > 0;
        expect(isBoth ? namesOf(plan.before) : []).toEqual(isBoth ? namesOf(plan.after) : []);
      }),
    );
  });

  test('says everything in single sentences, and its title in one line', async () => {
    await fc.assert(
      fc.asyncProperty(order, books, async (asked, has) => {
        const kind = kindOf(asked);
        const { conflict, plan } = await kind.plan(platformOf(has), asked);
        const sentences = [...plan.consequences, ...(conflict === undefined ? [] : [conflict])];

        expect(sentences.filter((sentence) => !isSentence(sentence))).toEqual([]);
        expect(kind.title(asked)).toMatch(/^[A-Z].{4,100}[^.]$/);
      }),
    );
  });

  test('explains a refusal in one sentence, and nothing that it does not know', () => {
    const statuses = fc.constantFrom(400, 401, 403, 404, 409, 500, undefined);
    const reasonOf = new Map([
      [400, 'bad-request' as const],
      [401, 'unauthorized' as const],
      [403, 'forbidden' as const],
      [404, 'not-found' as const],
      [409, 'conflict' as const],
      [500, 'server-error' as const],
    ]);

    fc.assert(
      fc.property(order, statuses, (asked, status) => {
        const reason = reasonOf.get(status ?? 400) ?? 'bad-request';
        const error = new PlatformError(reason, 'that is wrong.\n', { status });
        const explained = kindOf(asked).explain(asked, error);

        const isKnown = status !== undefined && [400, 404, 409].includes(status);
        expect(explained === undefined || (isKnown && isSentence(explained))).toBe(true);
        expect(status === 400 ? explained : '(“that is wrong”)').toContain('(“that is wrong”)');
      }),
    );
  });

  test('has a plan that is the same as long as nobody changes anything, whatever the month costs', async () => {
    await fc.assert(
      fc.asyncProperty(order, books, anySpend, async (asked, has, spend) => {
        const later = {
          ...has,
          // One that has never fired stays so.
          alert: has.alert && { ...has.alert, alertedTimes: has.alert.alertedTimes && 99 },
          users: has.users.toReversed(),
          tokens: has.tokens.map((one) => ({ ...one, lastUsedAt: NOW })).toReversed(),
          recipients: has.recipients.toReversed(),
          orgs: has.orgs.toReversed(),
          spend,
        };

        const { plan } = await kindOf(asked).plan(platformOf(later), asked);

        const before = (await kindOf(asked).plan(platformOf(has), asked)).plan;
        expect(fingerprint(plan)).toBe(fingerprint(before));
        // What passes is what the month costs, and nothing else.
        const lasting = ({ consequences, passing = [] }: Plan) =>
          consequences.filter((one) => !passing.includes(one));
        expect(lasting(plan)).toEqual(lasting(before));
        expect((plan.passing ?? []).filter((one) => !/[Tt]his month/.test(one))).toEqual([]);
      }),
    );
  });
});

test('a secret is expected of tokens, and of orgs whose superuser key was ordered', () => {
  fc.assert(
    fc.property(order, (asked) => {
      const isOrdered = asked.kind !== 'org.create' || asked.superuser;

      expect(kindOf(asked).hasSecret(asked)).toBe(hasSecret(asked.kind) && isOrdered);
    }),
  );
});

test('a 404 of the account itself is nothing that a kind explains', () => {
  const error = new PlatformError('not-found', 'no', { status: 404, credential: 'account' });
  const asked: ChangeInput = { kind: 'user.remove', email: 'ada@acme.example' };

  expect(kindOf(asked).explain(asked, error)).toBeUndefined();
});

describe('a token whose secret was lost', () => {
  const created = fc.record({
    kind: fc.constant('token.create' as const),
    name: fc.constant('ci'),
    description: fc.constant(''),
    roles: fc.constant<BillingRole[]>(['billing_viewer']),
  });
  const ours = { name: 'ci', roles: ['billing_viewer'] as BillingRole[], expiresAt: undefined };
  const tokens = fc.uniqueArray(
    fc.oneof(
      token,
      token.map((one) => ({ ...one, ...ours })),
    ),
    { selector: ({ id }) => id, maxLength: 6 },
  );

  test('is never one that may be somebody else’s', async () => {
    await fc.assert(
      fc.asyncProperty(
        created,
        tokens,
        fc.nat(6),
        async (asked: InputOf<'token.create'>, all, count) => {
          const before = all.slice(0, count);
          const baseline = { tokenIds: before.map(({ id }) => id) };

          const settled = await kindOf(asked).reconcile(platformOf({ tokens: all }), asked, {
            baseline,
            sentAt: NOW,
          });

          const newcomers = all.slice(count).filter(({ name }) => name === 'ci');
          const given = 'tokenIds' in settled ? settled.tokenIds : [];
          expect(newcomers.map(({ id }) => id)).toEqual(
            given.length > 0 ? given : newcomers.map(({ id }) => id),
          );
          expect(given.length).toBeLessThan(2);
          expect(settled.kind === 'not done').toBe(newcomers.length === 0);
        },
      ),
    );
  });
});
