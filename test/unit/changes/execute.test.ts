import { describe, expect, it } from 'vitest';
import { gone } from '../../../src/changes/kinds/kind.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { PlatformError, reasonOfStatus } from '../../../src/platform/errors.ts';
import { createExecutor, isDefiniteRefusal } from '../../../src/changes/execute.ts';
import type { ChangeStore } from '../../../src/changes/store.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { ADA, afterApproval, approved, BEN, fakeContext, MINUTE, planTo } from './fake-context.ts';

const SECOND = 1_000;
const NOW = [{ name: 'Amount', text: '$500.00' }];

describe('from approved to the call', () => {
  it('the call is sent once, and the new state is read back', async () => {
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

  it('nothing is sent when no one approved, and the requester could not either', async () => {
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
      'The requester, ada@acme.example, can no longer ask for it',
    );
  });

  it('nothing is sent when something conflicts with the change', async () => {
    const fake = await afterApproval();
    fake.planned = { ...fake.planned, conflict: gone('It is gone: see /alert.') };

    await expect(fake.advance()).resolves.toMatchObject({
      state: 'drifted',
      outcome: { code: 'conflict', sentence: 'It is gone: see /alert.' },
    });
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

  it('waits while Slack or the platform is silent, and gives up after 15 minutes', async () => {
    const fake = await afterApproval();
    fake.people.set(BEN.userId, new Refusal('Slack is silent.'));

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
    expect(change.outcome?.sentence).toContain(
      'For 15 minutes Slack or the platform did not confirm',
    );
    expect(fake.calls).toEqual([]);
  });

  it('anyone who has lost the lock, or comes 10 s late, sends nothing', async () => {
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

  it('anyone who loses the lock between the claim and the call sends nothing', async () => {
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
});

describe('a definite no', () => {
  const answered = (status: number) => new PlatformError(reasonOfStatus(status), 'no', { status });

  it.each([
    ...[400, 401, 403, 404, 409, 422, 499].map((status) => [answered(status), true] as const),
    ...[201, 302, 408, 429, 500, 502, 503, 504].map((status) => [answered(status), false] as const),
    // Refused before it was sent.
    [new PlatformError('bad-request', 'no'), true],
    [new PlatformError('unauthorized', 'no'), true],
    [new PlatformError('forbidden', 'no'), true],
    [new PlatformError('timeout', 'no'), false],
    [new PlatformError('unreachable', 'no'), false],
    [new PlatformError('malformed', 'no'), false],
    [new PlatformError('not-found', 'no'), false],
    [new Refusal('Billing is off here.'), true],
    [new Error('a defect'), false],
  ] as const)('%#: %o is one: %s', (error, isDefinite) => {
    expect(isDefiniteRefusal(error)).toBe(isDefinite);
  });
});

describe('the rights that execution needs', () => {
  const NEEDS = { request: 'orgs', approve: { roles: ['billing_admin'] } } as const;

  it('a requester who could not approve it, because another person did', async () => {
    const fake = fakeContext();
    fake.kind = { ...fake.kind, needs: NEEDS };
    fake.people.set(ADA.userId, { email: 'ada@acme.example' });
    await fake.file(approved());

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('a requester who could approve it, where no one did (APPROVALS=off)', async () => {
    const fake = fakeContext();
    fake.kind = { ...fake.kind, needs: NEEDS };
    fake.people.delete(BEN.userId);
    const decision = { verdict: 'approve', at: REQUESTED_AT, comment: '', self: false } as const;
    await fake.file({ state: 'approved', decision });

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('the requester alone, only as long as one alone may (ALLOW_SELF_APPROVAL)', async () => {
    const by = { ...ADA, email: 'ada@acme.example' };
    const decision = { verdict: 'approve', by, at: REQUESTED_AT, comment: '', self: true } as const;
    const allowed = fakeContext({ approvals: { required: true, allowSelf: true } });
    await allowed.file({ state: 'approved', decision });
    const revoked = fakeContext();
    await revoked.file({ state: 'approved', decision });

    await expect(allowed.advance()).resolves.toMatchObject({ state: 'succeeded' });
    expect((await revoked.advance()).outcome?.sentence).toContain(
      'The approver, ada@acme.example, can no longer approve it',
    );
  });
});

describe('a defect', () => {
  it('on the way to the call sends nothing, and is looked at again', async () => {
    const fake = fakeContext();
    fake.look = () => Promise.reject(new Error('a defect'));
    await fake.file(approved());

    await expect(fake.advance()).resolves.toMatchObject({ state: 'approved' });
    expect(fake.calls).toEqual([]);
  });

  it('in the call is settled by reading', async () => {
    const fake = fakeContext();
    fake.send = () => Promise.reject(new Error('a defect'));
    fake.settle = () => ({ kind: 'done' });
    await fake.file(approved());

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });
});

describe('after an answer', () => {
  it('a call that waited for its turn until it was too late has failed, and nothing is unknown', async () => {
    const fake = await afterApproval();
    const unsent = () =>
      Promise.reject(new PlatformError('timeout', 'not asked', { isUnsent: true }));
    fake.send = () => {
      fake.look = unsent;
      return unsent();
    };

    expect((await fake.advance()).state).toBe('failed');
  });

  it('is kept although a person has touched the change meanwhile', async () => {
    const fake = await afterApproval();
    fake.send = async () => {
      const change = await fake.now();
      await fake.changes.move(change, { kind: 'wait', at: REQUESTED_AT, until: REQUESTED_AT });
      return {};
    };

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('is not kept when another person has sent it again, or brought it to its end', async () => {
    const resent = await afterApproval();
    resent.send = async () => {
      await resent.changes.move(await resent.now(), { kind: 'resend', at: REQUESTED_AT });
      return {};
    };
    const over = await afterApproval();
    over.send = async () => {
      await over.changes.move(await over.now(), {
        kind: 'fail',
        at: REQUESTED_AT,
        end: { code: 'not-done', sentence: 'It was settled.' },
      });
      return {};
    };

    await expect(resent.advance()).resolves.toMatchObject({ state: 'executing', sendings: 2 });
    await expect(over.advance()).resolves.toMatchObject({
      outcome: { sentence: 'It was settled.' },
    });
  });

  it.each([
    ['nothing', {}, undefined],
    ['the facts of the answer', { facts: NOW }, NOW],
  ])('the change is done where reading back fails, and shows %s', async (_, answer, now) => {
    const fake = await afterApproval();
    fake.send = async () => {
      fake.look = () => Promise.reject(new PlatformError('timeout', 'no answer'));
      return answer;
    };
    const { state, outcome } = await fake.advance();

    expect(state).toBe('succeeded');
    expect(outcome).toMatchObject({ code: 'unread', ...(now && { now }) });
    expect('now' in (outcome ?? {})).toBe(now !== undefined);
  });
});

describe('a pending request', () => {
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
});
