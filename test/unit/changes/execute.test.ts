import { describe, expect, it } from 'vitest';
import { gone } from '../../../src/changes/kinds/kind.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { createExecutor } from '../../../src/changes/execute.ts';
import type { ChangeStore } from '../../../src/changes/store.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import {
  ADA,
  afterApproval,
  approved,
  BEN,
  fakeContext,
  MINUTE,
  planTo,
  TOKEN,
} from './fake-context.ts';

const SECOND = 1_000;
const NOW = [{ name: 'Amount', text: '$500.00' }];

describe('from approved to the call', () => {
  it('the call is sent once, and what is there then is read back', async () => {
    const fake = await afterApproval();
    fake.planned = { ...fake.planned, baseline: { tokenIds: ['t1'] } };
    fake.send = async () => {
      expect(await fake.now()).toMatchObject({ state: 'executing', sentAt: REQUESTED_AT });
      fake.planned = { ...fake.planned, plan: planTo('as it is'), now: NOW };
      return { note: 'It is on.' };
    };

    await expect(fake.advance()).resolves.toMatchObject({
      state: 'succeeded',
      sendings: 1,
      marks: { tokenIds: ['t1'] },
      outcome: { sentence: 'It is on.', now: NOW },
    });
    await fake.advance();
    expect(fake.calls).toEqual(['send']);
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
    const fake = await afterApproval();
    fake.people.set(userId, { email: 'x@acme.example', roles: ['billing_viewer'] });
    const change = await fake.advance();

    expect(change).toMatchObject({ state: 'refused', sendings: 0 });
    expect(change.outcome?.sentence).toContain(words);
    expect(fake.calls).toEqual([]);
  });

  it('nothing is sent when the change has come to be about one of the two', async () => {
    const fake = await afterApproval();
    fake.subjects = ['ben@acme.example'];

    expect((await fake.advance()).outcome?.sentence).toContain('The approver, ben@acme.example,');
    expect(fake.calls).toEqual([]);
  });

  it('nothing is sent when nobody approved, and the requester could not either', async () => {
    const fake = fakeContext();
    const { decision } = approved();
    await fake.file({
      state: 'approved',
      decision: { verdict: 'approve', at: decision?.at ?? 0, comment: '', self: false },
    });
    fake.people.delete(BEN.userId);
    const needs = { request: 'orgs', approve: { roles: ['org_creator'] } } as const;
    fake.kind = { ...fake.kind, needs };

    expect((await fake.advance()).outcome?.sentence).toContain(
      'The requester, ada@acme.example, may not ask for it',
    );
  });

  it('nothing is sent when things are not as approved, or something stands against it', async () => {
    const fake = await afterApproval();
    fake.planned = { ...fake.planned, plan: planTo('$600.00'), now: NOW };

    await expect(fake.advance()).resolves.toMatchObject({
      state: 'drifted',
      outcome: {
        sentence: 'What is there now is not what was approved.',
        now: NOW,
      },
    });

    const other = await afterApproval();
    other.planned = { ...other.planned, conflict: gone('It is gone: see /alert.') };

    await expect(other.advance()).resolves.toMatchObject({
      state: 'drifted',
      outcome: { code: 'conflict', sentence: 'It is gone: see /alert.' },
    });
    expect([...fake.calls, ...other.calls]).toEqual([]);
  });

  it('nothing is sent without a key to seal the secret', async () => {
    const fake = fakeContext({ cipher: undefined });
    await fake.file({ ...approved(), order: TOKEN });

    expect((await fake.advance()).outcome?.sentence).toContain('SECRET_KEY');
    expect(fake.calls).toEqual([]);
  });

  it('nothing is sent when the platform will not let the bot look, or billing is off', async () => {
    const fake = await afterApproval();
    fake.look = () =>
      Promise.reject(new PlatformError('unauthorized', 'unauthorized', { status: 401 }));

    expect((await fake.advance()).outcome?.sentence).toContain(
      'The platform refuses Purser’s key (unauthorized)',
    );

    const other = await afterApproval({
      billing: () => {
        throw new Refusal('Billing is off here.');
      },
    });

    expect((await other.advance()).outcome?.sentence).toContain('Billing is off here.');
  });

  it('waits while Slack or the platform does not say, and gives up after 15 minutes', async () => {
    const fake = await afterApproval();
    fake.people.set(BEN.userId, new Refusal('Slack does not say.'));

    await expect(fake.advance()).resolves.toMatchObject({
      state: 'approved',
      retryAt: REQUESTED_AT + 10 * SECOND,
    });

    fake.people.set(BEN.userId, { email: 'ben@acme.example', roles: ['billing_admin'] });
    fake.look = () => Promise.reject(new PlatformError('timeout', 'no answer'));
    const stillWaiting = await fake.whileWorking(15 * MINUTE - 10 * SECOND);
    expect(stillWaiting.state).toBe('approved');

    const change = await fake.whileWorking(10 * SECOND);

    expect(change.state).toBe('refused');
    expect(change.outcome?.sentence).toContain('For 15 minutes Slack or the platform did not say');
    expect(fake.calls).toEqual([]);
  });

  it('goes on as soon as they do', async () => {
    const fake = await afterApproval();
    fake.people.set(ADA.userId, new Refusal('Slack does not say.'));
    await fake.advance();
    fake.people.set(ADA.userId, { email: 'ada@acme.example', roles: ['billing_admin'] });

    await expect(fake.advance()).resolves.toMatchObject({ state: 'approved' });

    fake.clock.at += 10 * SECOND;

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('whoever has lost the lock, or comes 10 s late, sends nothing', async () => {
    const fake = await afterApproval();
    fake.held = false;

    await expect(fake.advance()).resolves.toMatchObject({ state: 'approved' });

    fake.held = true;
    const changes: ChangeStore = {
      ...fake.changes,
      async move(change, event) {
        const moved = await fake.changes.move(change, event);
        if (event.kind === 'claim') fake.clock.at += 10 * SECOND + 1;
        return moved;
      },
    };
    await createExecutor({ ...fake.context, changes }).advance('k3m9x2ab');

    expect(fake.calls).toEqual([]);
    await expect(fake.now()).resolves.toMatchObject({ state: 'executing' });
  });

  it('whoever loses the lock between the claim and the call sends nothing', async () => {
    const fake = await afterApproval();
    const changes: ChangeStore = {
      ...fake.changes,
      async move(change, event) {
        fake.held = event.kind !== 'claim';
        return fake.changes.move(change, event);
      },
    };
    await createExecutor({ ...fake.context, changes }).advance('k3m9x2ab');

    expect(fake.calls).toEqual([]);
    await expect(fake.now()).resolves.toMatchObject({ state: 'executing', sendings: 1 });
  });

  it('of two workers one sends the call', async () => {
    const fake = await afterApproval();
    await Promise.all([fake.advance(), fake.advance(), fake.advance()]);

    expect(fake.calls).toEqual(['send']);
    await expect(fake.now()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('is left to whoever has it already', async () => {
    const fake = await afterApproval({ withLock: async () => undefined });

    await expect(fake.advance()).resolves.toMatchObject({ state: 'approved' });
  });

  it('leaves everything as it is when the store does not answer', async () => {
    const fake = await afterApproval();
    const move = () => Promise.reject(new Error('the store is away'));
    const executor = createExecutor({ ...fake.context, changes: { ...fake.changes, move } });

    await expect(executor.advance('k3m9x2ab')).rejects.toThrow('the store is away');
    await expect(fake.now()).resolves.toMatchObject({ state: 'approved' });
  });
});

describe('what waits for a decision', () => {
  it('is reminded of when it is time, and expires after 8 hours', async () => {
    const fake = fakeContext();
    await fake.file();

    await expect(fake.advance()).resolves.toMatchObject({ reminders: 0, version: 1 });

    fake.clock.at += 15 * MINUTE;

    await expect(fake.advance()).resolves.toMatchObject({ reminders: 1 });
    await expect(fake.advance()).resolves.toMatchObject({ reminders: 1 });

    fake.clock.at = REQUESTED_AT + 8 * 60 * MINUTE;

    await expect(fake.advance()).resolves.toMatchObject({ state: 'expired' });
  });

  it('is found by the sweep when something is due', async () => {
    const fake = fakeContext();
    await fake.file();
    const executor = createExecutor(fake.context);
    await executor.sweep();

    expect(fake.advanced).toEqual([]);

    fake.clock.at += 15 * MINUTE;
    await executor.sweep();

    expect(fake.advanced).toEqual(['k3m9x2ab']);
  });

  it('may be gone', async () => {
    const fake = fakeContext();

    await expect(createExecutor(fake.context).advance('nothing1')).resolves.toBeUndefined();
  });
});
