import { describe, expect, it } from 'vitest';
import { PlatformError } from '../../../src/platform/errors.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { approved, fakeOffice } from './fake-office.ts';

const NOW = [{ name: 'Amount', text: '500.00 USD' }];

/** A change of Ada's that Ben has approved. */
async function afterApproval() {
  const office = fakeOffice();
  await office.file(approved());
  return office;
}

describe('after an answer', () => {
  it('a no of the platform is one sentence', async () => {
    const office = await afterApproval();
    office.send = () => Promise.reject(new PlatformError('conflict', 'exists', { status: 409 }));

    await expect(office.advance()).resolves.toMatchObject({
      state: 'failed',
      outcome: { sentence: 'It is there already: see /alert.' },
    });
  });

  it('what our side refused was never sent', async () => {
    const office = await afterApproval();
    office.send = () => Promise.reject(new PlatformError('bad-request', 'no amount'));

    expect((await office.advance()).outcome?.sentence).toBe('It says: no amount.');
  });

  it('what waited for its turn until it was too late has failed, and nothing is unknown', async () => {
    const office = await afterApproval();
    const unsent = () =>
      Promise.reject(new PlatformError('timeout', 'not asked', { isUnsent: true }));
    office.send = () => {
      office.look = unsent;
      return unsent();
    };

    expect((await office.advance()).state).toBe('failed');
  });

  it('a request that was taken and denied has failed', async () => {
    const office = await afterApproval();
    office.send = async () => ({ denied: 'The platform denied the quota.', said: NOW });

    await expect(office.advance()).resolves.toMatchObject({
      state: 'failed',
      outcome: { sentence: 'The platform denied the quota.', now: NOW },
    });
  });

  it('what the answer says stands beside what was read back', async () => {
    const office = await afterApproval();
    office.sight = { ...office.sight, now: NOW };
    office.send = async () => ({
      said: [...NOW, { name: 'Status', text: 'pending' }],
    });

    expect((await office.advance()).outcome?.now).toEqual([
      ...NOW,
      { name: 'Status', text: 'pending' },
    ]);
  });

  it('the change is done even where reading back fails, and says so', async () => {
    const office = await afterApproval();
    office.send = async () => {
      office.look = () => Promise.reject(new PlatformError('timeout', 'no answer'));
      return {};
    };
    const { state, outcome } = await office.advance();

    expect(state).toBe('succeeded');
    expect(outcome?.sentence).toContain('Reading back what is there now failed.');
    expect(outcome).not.toHaveProperty('now');
  });

  it('is kept although somebody has touched the change meanwhile', async () => {
    const office = await afterApproval();
    office.send = async () => {
      const change = await office.now();
      await office.changes.move(change, { kind: 'wait', at: REQUESTED_AT, until: REQUESTED_AT });
      return {};
    };

    await expect(office.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('is not kept when somebody else has sent it again, or brought it to its end', async () => {
    const resent = await afterApproval();
    resent.send = async () => {
      await resent.changes.move(await resent.now(), { kind: 'resend', at: REQUESTED_AT });
      return {};
    };
    const over = await afterApproval();
    over.send = async () => {
      const sentence = 'It was settled.';
      await over.changes.move(await over.now(), { kind: 'fail', at: REQUESTED_AT, sentence });
      return {};
    };

    await expect(resent.advance()).resolves.toMatchObject({ state: 'executing', sendings: 2 });
    await expect(over.advance()).resolves.toMatchObject({
      outcome: { sentence: 'It was settled.' },
    });
  });

  it('that was not read back shows at least what the platform said', async () => {
    const office = await afterApproval();
    office.send = async () => {
      office.look = () => Promise.reject(new PlatformError('timeout', 'no answer'));
      return { said: NOW };
    };

    expect((await office.advance()).outcome).toMatchObject({
      sentence: expect.stringContaining('Reading back'),
      now: NOW,
    });
  });
});
