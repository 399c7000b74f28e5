import { describe, expect, it } from 'vitest';
import { decisionRefusal, requestRefusal, type Principal } from '../../../../src/access/policy.ts';
import { needsReview, rulesOf } from '../../../../src/changes/context.ts';
import { createExecutor } from '../../../../src/changes/execute.ts';
import { createKinds, type ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import { createRequestService, createReviewService } from '../../../../src/changes/request.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import { planHash } from '../../../../src/changes/change.ts';
import { requestedBy } from '../../../support/changes.ts';
import { memoryIdentities } from '../../../support/identities.ts';
import { ADA, BEN, fakeContext } from '../fake-context.ts';
import { platformOf, user } from '../forms/harness.ts';
import { planOn } from './planned.ts';

const ORDER: ChangeInput = {
  kind: 'user.roles',
  email: 'ada@acme.example',
  roles: ['billing_viewer', 'billing_admin'],
  own: true,
};
const ADD: ChangeInput = { ...ORDER, kind: 'user.add' };
const kindOf = createKinds('USD', memoryIdentities());
const ALONE = { required: false, allowSelf: true };

/** A bot in which Ada sees charges and Ben has every right; it keeps each call. */
function officeWith(approvals = { required: true, allowSelf: false }, email = 'ada@acme.example') {
  const sent: unknown[] = [];
  const platform = {
    ...platformOf({ users: [user(email, 'billing_viewer')] }),
    setUserRoles: async (order: unknown) => void sent.push(order),
  } as unknown as BillingClient;
  const fake = fakeContext({ kindOf, approvals, billing: () => platform });
  fake.people.set(ADA.userId, { email: 'ada@acme.example', roles: ['billing_viewer'] });
  const requests = createRequestService(fake.context);
  const reviews = createReviewService(fake.context);
  return {
    fake,
    sent,
    requests,
    ask: async () => (await requestedBy(requests, ADA, ORDER)).change,
    approve: async (person: typeof ADA) => {
      const change = await fake.now();
      return reviews.approve(person, change.id, planHash(change.plan));
    },
    review: (person: typeof ADA, id: string) => reviews.review(person, id),
    work: () => createExecutor(fake.context).advance('k3m9x2ab'),
  };
}

describe('one’s own roles', () => {
  it('are asked for without a role, in an order that says so, and only for oneself', async () => {
    const { ask, requests, fake } = officeWith();

    await expect(requestedBy(requests, BEN, ORDER)).rejects.toMatchObject({ why: 'not-theirs' });
    const plain: ChangeInput = { kind: 'user.roles', email: ORDER.email, roles: ORDER.roles };
    await expect(requestedBy(requests, ADA, plain)).rejects.toMatchObject({ why: 'role' });
    fake.people.set(ADA.userId, { email: ORDER.email, roles: ['billing_admin'] });
    await expect(requestedBy(requests, ADA, plain)).rejects.toMatchObject({ why: 'own-user' });

    await expect(ask()).resolves.toMatchObject({ state: 'pending', order: ORDER });
  });

  it.each([ORDER, ADD])('are marked for the approver ($kind)', async (order) => {
    const users = order.kind === 'user.add' ? [] : [user('ada@acme.example')];
    const planned = async (one: ChangeInput) =>
      kindOf(one).plan(await kindOf(one).read(platformOf({ users }), one), one, 0);

    const { own: _, ...others } = order;
    const warning = '⚠ ada@acme.example asks for these roles for themselves.';
    expect((await planned(order)).plan.consequences.slice(0, 2)).toEqual([
      '⚠ ada@acme.example can then change everything of the account and approve changes.',
      warning,
    ]);
    expect((await planned(others)).plan.consequences).not.toContain(warning);
  });

  it.each([
    [ORDER, [], 'ada@acme.example is not a billing user'],
    [ADD, [user('ada@acme.example')], 'ada@acme.example is a billing user already'],
  ])('lead back to the form that asks for them ($kind)', async (order, users, what) => {
    const { own: _, ...others } = order;
    const of = async (one: ChangeInput) => (await planOn({ users }, one)).conflict;

    await expect(of(order)).resolves.toMatchObject({
      sentence: `${what}: ask again with /purser whoami.`,
      again: true,
    });
    expect((await of(others))?.sentence).toContain(`${what}: `);
    expect((await of(others))?.sentence).toContain('/billing users');
  });

  it('are given once another billing_admin has approved it', async () => {
    const { ask, approve, work, sent, fake } = officeWith();
    await ask();

    await approve(BEN);
    await work();

    expect(sent).toEqual([{ email: 'ada@acme.example', roles: ORDER.roles }]);
    expect((await fake.now()).sentAt).toBeDefined();
  });

  it('are given to the address as the platform spells it, which may know no other', async () => {
    const { ask, approve, work, sent } = officeWith(undefined, 'Ada@Acme.example');

    await expect(ask()).resolves.toMatchObject({ title: expect.stringContaining('Ada@Acme') });
    await approve(BEN);
    await work();

    expect(sent).toEqual([{ email: 'Ada@Acme.example', roles: ORDER.roles }]);
  });

  it.each([{ required: true, allowSelf: true }, { required: false, allowSelf: false }, ALONE])(
    'are never approved by the same person, whatever the settings are: %j',
    async (approvals) => {
      const { ask, approve, review, sent, fake } = officeWith(approvals);
      expect((await ask()).state).toBe('pending');
      // The role came in another way meanwhile.
      fake.people.set(ADA.userId, { email: ORDER.email, roles: ['billing_admin'] });
      const second = { userId: 'U0SECOND', teamId: 'T0ACME' };
      fake.people.set(second.userId, { email: 'ADA@acme.example', roles: ['billing_admin'] });

      await expect(approve(ADA)).rejects.toMatchObject({ why: 'self-review' });
      await expect(approve(second)).rejects.toMatchObject({ why: 'self-review' });

      expect((await review(ADA, 'k3m9x2ab')).noDecision).toContain(
        'Someone else with billing_admin',
      );
      expect(fake.advanced).toEqual([]);
      expect(sent).toEqual([]);
    },
  );

  it('are not given when the address of the requester has changed since the approval', async () => {
    const { ask, approve, work, sent, fake } = officeWith();
    await ask();
    await approve(BEN);
    fake.people.set(ADA.userId, { email: 'new@acme.example', roles: ['billing_viewer'] });

    await work();

    expect(sent).toEqual([]);
    expect(await fake.now()).toMatchObject({
      state: 'refused',
      outcome: { sentence: expect.stringContaining('can no longer ask for it') },
    });
  });

  it('with a new address, the requester is asked to request again', async () => {
    const { ask, review, fake } = officeWith();
    await ask();
    fake.people.set(ADA.userId, { email: 'new@acme.example', roles: ['billing_viewer'] });

    await expect(review(ADA, 'k3m9x2ab')).rejects.toThrow(
      'asked for with another e-mail address than your Slack account has now',
    );
  });

  it('are not given when the approver has lost the role since', async () => {
    const { ask, approve, work, sent, fake } = officeWith();
    await ask();
    await approve(BEN);
    fake.people.set(BEN.userId, { email: 'ben@acme.example', roles: ['billing_viewer'] });

    await work();

    expect(sent).toEqual([]);
    expect((await fake.now()).state).toBe('refused');
  });
});

describe('the rules for one’s own roles', () => {
  const ada: Principal = { userId: 'U0ADA', email: 'ada@acme.example', roles: undefined };
  const ben: Principal = { userId: 'U0BEN', email: 'ben@acme.example', roles: ['billing_admin'] };

  it.each([ORDER, ADD])('are the same for $kind', (order) => {
    const rules = rulesOf({ kindOf }, order);

    expect(requestRefusal(rules, ada)).toBeUndefined();
    expect(needsReview({ required: false }, rules)).toBe(true);
    expect(decisionRefusal(rules, ada, ben, true)).toBeUndefined();
    expect(decisionRefusal(rules, ada, { ...ben, roles: [] }, true)?.why).toBe('role');
    expect(requestRefusal(rules, { ...ada, email: undefined })?.why).toBe('not-theirs');
    expect(requestRefusal(rules, { ...ada, refusal: 'No guests.', why: 'guest' })?.why).toBe(
      'guest',
    );
  });

  it('close them to an account that is not the one of its address', () => {
    const another = {
      ...ada,
      rolesRefusal: 'In use by another account.',
      rolesWhy: 'identity',
    } as const;

    expect(requestRefusal(rulesOf({ kindOf }, ORDER), another)).toEqual({
      why: 'identity',
      sentence: 'In use by another account.',
    });
  });
});
