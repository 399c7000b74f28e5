import { describe, expect, it } from 'vitest';
import {
  decisionRefusal,
  requestRefusal,
  soloRefusal,
  type Principal,
} from '../../../../src/access/policy.ts';
import { needsReview, rulesOf } from '../../../../src/changes/context.ts';
import { createKinds } from '../../../../src/changes/kinds/kinds.ts';
import { memoryIdentities } from '../../../support/identities.ts';
import { formHarness, platformOf } from '../forms/harness.ts';

type Pins = Parameters<typeof memoryIdentities>[0];

const EMAIL = 'ada@acme.example';
const ORDER = { kind: 'identity.confirm', email: EMAIL, userId: 'U0NEW' } as const;

function opened(pins: Pins) {
  const identities = memoryIdentities(pins);
  const kind = createKinds('USD', identities)(ORDER);
  const called: string[] = [];
  const platform = platformOf({}, called);
  return {
    identities,
    kind,
    called,
    plan: async () => kind.plan(await kind.read(platform, ORDER), ORDER, 0),
    send: () => kind.send(platform, ORDER),
    settled: async () => kind.settle(await kind.read(platform, ORDER), ORDER, {}),
  };
}

describe('confirming a Slack account', () => {
  it('adds it to the earlier ones, and warns of an address that changed hands', async () => {
    const { plan: look } = opened({ [EMAIL]: ['U0OLD'] });

    const { plan, conflict } = await look();

    expect(conflict).toBeUndefined();
    expect(plan.before).toContainEqual({ name: 'Slack accounts', text: 'U0OLD' });
    expect(plan.after).toContainEqual({ name: 'Slack accounts', text: 'U0OLD, U0NEW' });
    expect(plan.consequences[0]).toMatch(
      /^⚠ .+ ask the owner of ada@acme\.example outside of Slack/,
    );
  });

  it('calls nothing on the platform, and is proven by the stored pin', async () => {
    const { identities, send, settled, called } = opened({ [EMAIL]: ['U0OLD'] });
    await expect(settled()).resolves.toEqual({ kind: 'not done' });

    await send();
    await send();

    await expect(settled()).resolves.toEqual({ kind: 'done' });
    await expect(identities.pinOf(EMAIL)).resolves.toMatchObject({ ids: ['U0OLD', 'U0NEW'] });
    expect(called).toEqual([]);
  });

  it('is another plan when a third account was confirmed since', async () => {
    const { plan: look, identities } = opened({ [EMAIL]: ['U0OLD'] });
    const shown = await look();

    await identities.add(EMAIL, 'U0THIRD');

    expect((await look()).plan.before).not.toEqual(shown.plan.before);
  });

  it('replaces an entry that cannot be verified, and says so', async () => {
    const { plan } = await opened({ [EMAIL]: 'forged' }).plan();

    expect(plan.after).toContainEqual({ name: 'Slack accounts', text: 'U0NEW' });
    expect(plan.consequences.join()).toContain('Approving replaces them by this one.');
  });

  it.each([
    ['is remembered already', { [EMAIL]: ['U0OLD', 'U0NEW'] }, 'is confirmed already'],
    ['has an address that no account is remembered with', {}, 'there is nothing to confirm'],
  ])('is not possible for one that %s', async (_, pins, sentence) => {
    expect((await opened(pins).plan()).conflict?.sentence).toContain(sentence);
  });
});

describe('the right to confirm a Slack account', () => {
  const rules = rulesOf({ kindOf: () => opened({}).kind }, ORDER);
  const person = (userId: string, email: string, roles?: readonly string[]): Principal => ({
    userId,
    email,
    roles,
  });
  const ada = person('U0NEW', EMAIL);
  const ben = person('U0BEN', 'ben@acme.example', ['billing_admin']);
  const refusalTo = (who: Principal, allowSelf = true) =>
    decisionRefusal(rules, ada, who, allowSelf)?.why;

  it('to ask for it takes no role, and is only for oneself', () => {
    expect(requestRefusal(rules, ada)).toBeUndefined();
    expect(requestRefusal(rules, { ...ada, userId: 'U0EVE' })?.why).toBe('not-theirs');
    expect(requestRefusal(rules, { ...ada, email: 'eve@acme.example' })?.why).toBe('not-theirs');
    expect(requestRefusal(rules, { ...ada, email: undefined })?.why).toBe('not-theirs');
  });

  it('is not lost with the roles that another account has', () => {
    const refused = { ...ada, rolesRefusal: 'In use by U0OLD.', rolesWhy: 'identity' } as const;

    expect(requestRefusal(rules, refused)).toBeUndefined();
    // As the form asks, before there is an order.
    expect(requestRefusal({ ...opened({}).kind.needs, subjects: [] }, refused)).toBeUndefined();
  });

  it('is for a billing_admin with another address, whatever the settings allow', () => {
    expect(refusalTo(ben)).toBeUndefined();
    expect(refusalTo({ ...ben, roles: ['billing_viewer'] })).toBe('role');
    expect(refusalTo(person('U0OLD', EMAIL, ['billing_admin']))).toBe('self-review');
    expect(refusalTo({ ...ada, roles: ['billing_admin'] })).toBe('self-review');
    expect(refusalTo(person('U0NEW', 'other@acme.example', ['billing_admin']))).toBe('self-review');
  });

  it('takes a review also with APPROVALS=off, and is never carried out without one', () => {
    expect(needsReview({ required: false }, rules)).toBe(true);
    expect(soloRefusal(rules, ada)?.why).toBe('role');
  });
});

describe('the form to confirm a Slack account', () => {
  it('asks only for a reason, and takes the account and the address from Slack', async () => {
    const { open, submit, orders, reasons } = formHarness();
    const form = await open('identity.confirm', { email: 'eve@acme.example', userId: 'U0EVE' });

    await submit('identity.confirm', form, { Reason: 'I have a new account.' });

    expect(orders).toEqual([
      { kind: 'identity.confirm', email: 'ada@acme.example', userId: 'U0ADA' },
    ]);
    expect(reasons).toEqual(['I have a new account.']);
  });
});
