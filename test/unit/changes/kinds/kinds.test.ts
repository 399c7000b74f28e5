import * as fc from '../../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';

import { planHash } from '../../../../src/changes/change.ts';
import { withPassing, type Plan } from '../../../../src/changes/kinds/kind.ts';
import { COMMANDS, createKinds, type ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import { PlatformError, silenceOf } from '../../../../src/platform/errors.ts';
import { platformOf, type PlatformData } from '../forms/harness.ts';
import { anySpend, books, NOW, order } from './any-account.ts';
import { memoryIdentities } from '../../../support/identities.ts';

const kindOf = createKinds('USD', memoryIdentities());
const planOn = async (has: PlatformData, asked: ChangeInput) => {
  const kind = kindOf(asked);
  return kind.plan(await kind.read(platformOf(has), asked), asked, NOW).plan;
};

const ALL: readonly ChangeInput['kind'][] = [
  ...(['alert.create', 'alert.replace', 'alert.delete'] as const),
  ...(['user.add', 'user.roles', 'user.remove', 'token.create', 'token.delete'] as const),
  ...(['org.create', 'recipient.add', 'recipient.enable', 'recipient.disable'] as const),
  ...(['recipient.delete', 'quota.request', 'identity.confirm'] as const),
];

const namesOf = (facts: Plan['before']) => facts.map(({ name }) => name);
const hasSecret = (kind: ChangeInput['kind']) => kind === 'token.create' || kind === 'org.create';

describe('every kind', () => {
  test('is there, and has a command', () => {
    expect(ALL.map((kind) => kindOf({ kind }))).not.toContain(undefined);
    expect(Object.keys(COMMANDS).toSorted()).toEqual(ALL.toSorted());
  });

  test('takes a billing_admin, except for orgs, and to request a quota or a confirmation', () => {
    const needs = ALL.map((kind) => [kind, kindOf({ kind }).needs] as const);
    const admins = { request: { roles: ['billing_admin'] }, approve: { roles: ['billing_admin'] } };
    const creators = { roles: ['billing_admin', 'org_creator'] };

    expect(Object.fromEntries(needs)).toEqual({
      ...Object.fromEntries(ALL.map((kind) => [kind, admins])),
      'org.create': { request: creators, approve: creators },
      'quota.request': { request: 'orgs', approve: { roles: ['billing_admin'] } },
      'identity.confirm': { request: 'oneself', approve: { roles: ['billing_admin'] } },
    });
  });

  test('is sent twice only where that does nothing more than once', () => {
    const once = ALL.filter((kind) => !kindOf({ kind }).repeatable);

    expect(once).toEqual(['token.create', 'org.create', 'quota.request']);
  });

  test('shows the same facts before and after, in one order', async () => {
    await fc.assert(
      fc.asyncProperty(order, books, async (asked, has) => {
        const plan = await planOn(has, asked);

        const isBoth = plan.before.length > 0 && plan.after.length > 0;
        expect(isBoth ? namesOf(plan.before) : []).toEqual(isBoth ? namesOf(plan.after) : []);
      }),
    );
  });

  test('has a plan that is the same as long as no one changes anything, whatever the month costs', async () => {
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

        const [kind, platform] = [kindOf(asked), platformOf(later)];
        const state = await kind.read(platform, asked);
        const further = await kind.consequences(platform, state, asked, NOW);
        const plan = withPassing(await planOn(later, asked), further);

        const before = await planOn(has, asked);
        expect(planHash(plan)).toBe(planHash(before));
        // The costs of the month pass, the last use of a token, and that the account has no card; nothing else does.
        const lasting = ({ consequences, passing = [] }: Plan) =>
          consequences.filter((one) => !passing.includes(one));
        expect(lasting(plan)).toEqual(lasting(before));
        expect(
          (plan.passing ?? []).filter((one) => !/[Tt]his month|has no card|^Last used$/.test(one)),
        ).toEqual([]);
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

test.each([
  { reason: 'not-found', status: 404, credential: 'account' },
  { reason: 'unauthorized', status: 401 },
  { reason: 'forbidden', status: 403 },
  { reason: 'server-error', status: 500 },
  { reason: 'timeout', status: undefined },
] as const)(
  '$reason ($status $credential) is no refusal that a kind explains',
  ({ reason, ...about }) => {
    const error = new PlatformError(reason, 'no', about);
    fc.assert(
      fc.property(order, (asked) => {
        expect(kindOf(asked).explain(asked, error)).toBeUndefined();
      }),
    );
  },
);

test('a refusal without words of the platform quotes none', () => {
  const silent = new PlatformError('bad-request', silenceOf(400), { status: 400 });
  fc.assert(
    fc.property(order, (asked) => {
      const sentence =
        kindOf(asked).explain(asked, silent)?.sentence ?? 'status 400, no reason given';

      expect(sentence).toContain('status 400, no reason given');
      expect(sentence).not.toContain('“');
    }),
  );
});
