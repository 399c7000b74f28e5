import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/lib/refusal.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { createClerk } from '../../../src/changes/execute.ts';
import type { Changes } from '../../../src/changes/store.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { ADA, approved, BEN, fakeOffice, MINUTE, planTo, TOKEN } from './fake-office.ts';

const SECOND = 1_000;
const NOW = [{ name: 'Amount', text: '500.00 USD' }];

/** A change of Ada's that Ben has approved. */
async function afterApproval(overrides: Parameters<typeof fakeOffice>[0] = {}) {
  const office = fakeOffice(overrides);
  await office.file(approved());
  return office;
}

describe('from approved to the call', () => {
  it('the call is sent once, and what is there then is read back', async () => {
    const office = await afterApproval();
    office.sight = { ...office.sight, marks: { tokenIds: ['t1'] } };
    office.send = async () => {
      expect(await office.now()).toMatchObject({ state: 'executing', sentAt: REQUESTED_AT });
      office.sight = { ...office.sight, plan: planTo('as it is'), now: NOW };
      return { note: 'It is on.' };
    };

    await expect(office.advance()).resolves.toMatchObject({
      state: 'succeeded',
      sendings: 1,
      marks: { tokenIds: ['t1'] },
      outcome: { sentence: 'Done. It is on.', now: NOW },
    });
    await office.advance();
    expect(office.calls).toEqual(['send']);
  });

  it.each([
    [
      'the requester has lost the role',
      ADA.userId,
      'The requester, ada@acme.example, may not ask for it any more',
    ],
    [
      'the approver has lost the role',
      BEN.userId,
      'The approver, ben@acme.example, may not approve it any more',
    ],
  ])('nothing is sent when %s', async (_, userId, words) => {
    const office = await afterApproval();
    office.people.set(userId, { email: 'x@acme.example', roles: ['billing_viewer'] });
    const change = await office.advance();

    expect(change).toMatchObject({ state: 'failed', sendings: 0 });
    expect(change.outcome?.sentence).toContain(`Nothing was sent. ${words}`);
    expect(office.calls).toEqual([]);
  });

  it('nothing is sent when the change has come to be about one of the two', async () => {
    const office = await afterApproval();
    office.subjects = ['ben@acme.example'];

    expect((await office.advance()).outcome?.sentence).toContain('The approver, ben@acme.example,');
    expect(office.calls).toEqual([]);
  });

  it('nothing is sent when nobody approved, and the requester could not either', async () => {
    const office = fakeOffice();
    const { decision } = approved();
    await office.file({
      state: 'approved',
      decision: { verdict: 'approve', at: decision?.at ?? 0, comment: '', self: false },
    });
    office.people.delete(BEN.userId);
    const needs = { request: 'orgs', approve: { roles: ['org_creator'] } } as const;
    office.kind = { ...office.kind, needs };

    expect((await office.advance()).outcome?.sentence).toContain(
      'The requester, ada@acme.example, may not ask for it',
    );
  });

  it('nothing is sent when things are not as approved, or something stands against it', async () => {
    const office = await afterApproval();
    office.sight = { ...office.sight, plan: planTo('600.00 USD'), now: NOW };

    await expect(office.advance()).resolves.toMatchObject({
      state: 'drifted',
      outcome: {
        sentence: 'Nothing was sent. What is there now is not what was approved.',
        now: NOW,
      },
    });

    const other = await afterApproval();
    other.sight = { ...other.sight, conflict: 'It is gone: see /alert.' };

    await expect(other.advance()).resolves.toMatchObject({
      state: 'drifted',
      outcome: { sentence: 'Nothing was sent. It is gone: see /alert.' },
    });
    expect([...office.calls, ...other.calls]).toEqual([]);
  });

  it('nothing is sent without a key to seal the secret', async () => {
    const office = fakeOffice({ vault: undefined });
    await office.file({ ...approved(), order: TOKEN });

    expect((await office.advance()).outcome?.sentence).toContain('SECRET_KEY');
    expect(office.calls).toEqual([]);
  });

  it('nothing is sent when the platform will not let the bot look, or billing is off', async () => {
    const office = await afterApproval();
    office.look = () =>
      Promise.reject(new PlatformError('unauthorized', 'unauthorized', { status: 401 }));

    expect((await office.advance()).outcome?.sentence).toContain('It says: unauthorized.');

    const other = await afterApproval({
      platform: () => {
        throw new Refusal('Billing is off here.');
      },
    });

    expect((await other.advance()).outcome?.sentence).toContain('Billing is off here.');
  });

  it('waits while Slack or the platform does not say, and gives up after 15 minutes', async () => {
    const office = await afterApproval();
    office.people.set(BEN.userId, new Refusal('Slack does not say.'));

    await expect(office.advance()).resolves.toMatchObject({
      state: 'approved',
      retryAt: REQUESTED_AT + 10 * SECOND,
    });

    office.people.set(BEN.userId, { email: 'ben@acme.example', roles: ['billing_admin'] });
    office.look = () => Promise.reject(new PlatformError('timeout', 'no answer'));
    const stillWaiting = await office.whileWorking(15 * MINUTE - 10 * SECOND);
    expect(stillWaiting.state).toBe('approved');

    const change = await office.whileWorking(10 * SECOND);

    expect(change.state).toBe('failed');
    expect(change.outcome?.sentence).toContain('For 15 minutes Slack or the platform did not say');
    expect(office.calls).toEqual([]);
  });

  it('goes on as soon as they do', async () => {
    const office = await afterApproval();
    office.people.set(ADA.userId, new Refusal('Slack does not say.'));
    await office.advance();
    office.people.set(ADA.userId, { email: 'ada@acme.example', roles: ['billing_admin'] });

    await expect(office.advance()).resolves.toMatchObject({ state: 'approved' });

    office.clock.at += 10 * SECOND;

    await expect(office.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('whoever has lost the lock, or comes 10 s late, sends nothing', async () => {
    const office = await afterApproval();
    office.held = false;

    await expect(office.advance()).resolves.toMatchObject({ state: 'approved' });

    office.held = true;
    const changes: Changes = {
      ...office.changes,
      async move(change, event) {
        const moved = await office.changes.move(change, event);
        if (event.kind === 'claim') office.clock.at += 10 * SECOND + 1;
        return moved;
      },
    };
    await createClerk({ ...office.deps, changes }).advance('k3m9x2ab');

    expect(office.calls).toEqual([]);
    await expect(office.now()).resolves.toMatchObject({ state: 'executing' });
  });

  it('whoever loses the lock between the claim and the call sends nothing', async () => {
    const office = await afterApproval();
    const changes: Changes = {
      ...office.changes,
      async move(change, event) {
        office.held = event.kind !== 'claim';
        return office.changes.move(change, event);
      },
    };
    await createClerk({ ...office.deps, changes }).advance('k3m9x2ab');

    expect(office.calls).toEqual([]);
    await expect(office.now()).resolves.toMatchObject({ state: 'executing', sendings: 1 });
  });

  it('of two workers one sends the call', async () => {
    const office = await afterApproval();
    await Promise.all([office.advance(), office.advance(), office.advance()]);

    expect(office.calls).toEqual(['send']);
    await expect(office.now()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('is left to whoever has it already', async () => {
    const office = await afterApproval({ alone: async () => undefined });

    await expect(office.advance()).resolves.toMatchObject({ state: 'approved' });
  });

  it('leaves everything as it is when the store does not answer', async () => {
    const office = await afterApproval();
    const move = () => Promise.reject(new Error('the store is away'));
    const clerk = createClerk({ ...office.deps, changes: { ...office.changes, move } });

    await expect(clerk.advance('k3m9x2ab')).rejects.toThrow('the store is away');
    await expect(office.now()).resolves.toMatchObject({ state: 'approved' });
  });
});

describe('what waits for a decision', () => {
  it('is reminded of when it is time, and expires after 8 hours', async () => {
    const office = fakeOffice();
    await office.file();

    await expect(office.advance()).resolves.toMatchObject({ reminders: 0, version: 1 });

    office.clock.at += 15 * MINUTE;

    await expect(office.advance()).resolves.toMatchObject({ reminders: 1 });
    await expect(office.advance()).resolves.toMatchObject({ reminders: 1 });

    office.clock.at = REQUESTED_AT + 8 * 60 * MINUTE;

    await expect(office.advance()).resolves.toMatchObject({ state: 'expired' });
  });

  it('is found by the sweep when something is due', async () => {
    const office = fakeOffice();
    await office.file();
    const clerk = createClerk(office.deps);
    await clerk.sweep();

    expect(office.advanced).toEqual([]);

    office.clock.at += 15 * MINUTE;
    await clerk.sweep();

    expect(office.advanced).toEqual(['k3m9x2ab']);
  });

  it('may be gone', async () => {
    const office = fakeOffice();

    await expect(createClerk(office.deps).advance('nothing1')).resolves.toBeUndefined();
  });
});
