import { describe, expect, it } from 'vitest';
import { PlatformError } from '../../../src/platform/errors.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { afterApproval } from './fake-context.ts';

const NOW = [{ name: 'Amount', text: '$500.00' }];

describe('after an answer', () => {
  it('a no of the platform is one sentence', async () => {
    const fake = await afterApproval();
    fake.send = () => Promise.reject(new PlatformError('conflict', 'exists', { status: 409 }));

    await expect(fake.advance()).resolves.toMatchObject({
      state: 'failed',
      outcome: { sentence: 'It is there already: see /alert.' },
    });
  });

  it('what our side refused was never sent', async () => {
    const fake = await afterApproval();
    fake.send = () => Promise.reject(new PlatformError('bad-request', 'no amount'));

    expect((await fake.advance()).outcome?.sentence).toBe('No amount.');
  });

  it('what waited for its turn until it was too late has failed, and nothing is unknown', async () => {
    const fake = await afterApproval();
    const unsent = () =>
      Promise.reject(new PlatformError('timeout', 'not asked', { isUnsent: true }));
    fake.send = () => {
      fake.look = unsent;
      return unsent();
    };

    expect((await fake.advance()).state).toBe('failed');
  });

  it('a request that was taken and denied has failed', async () => {
    const fake = await afterApproval();
    fake.send = async () => ({ denied: 'The platform denied the quota.', facts: NOW });

    await expect(fake.advance()).resolves.toMatchObject({
      state: 'failed',
      outcome: { sentence: 'The platform denied the quota.', now: NOW },
    });
  });

  it('what the answer says stands beside what was read back', async () => {
    const fake = await afterApproval();
    fake.planned = { ...fake.planned, now: NOW };
    fake.send = async () => ({
      facts: [...NOW, { name: 'Status', text: 'pending' }],
    });

    expect((await fake.advance()).outcome?.now).toEqual([
      ...NOW,
      { name: 'Status', text: 'pending' },
    ]);
  });

  it('is kept although somebody has touched the change meanwhile', async () => {
    const fake = await afterApproval();
    fake.send = async () => {
      const change = await fake.now();
      await fake.changes.move(change, { kind: 'wait', at: REQUESTED_AT, until: REQUESTED_AT });
      return {};
    };

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('is not kept when somebody else has sent it again, or brought it to its end', async () => {
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
