import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/changes/change.ts';
import { createReviewService } from '../../../src/changes/request.ts';
import { createSecretReveal } from '../../../src/changes/reveal.ts';
import type { Reconciled, Sent } from '../../../src/changes/kinds/kind.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { ADA, afterApproval, approved, BEN, fakeContext, MINUTE, TOKEN } from './fake-context.ts';

const SECOND = 1_000;
const CREATED: Sent = {
  secret: { value: new Secret('svc-bsat-canary'), what: 'token', tokenId: 't2' },
};
const TOKEN_THERE: Reconciled = { kind: 'secret lost', what: 'token', tokenIds: ['t2'] };

async function approvedToken() {
  const fake = fakeContext();
  fake.repeatable = false;
  await fake.file({ ...approved(), order: TOKEN });
  fake.send = async () => CREATED;
  return fake;
}

/** Redis holds this again. */
async function goBackTo(fake: ReturnType<typeof fakeContext>, then: Change): Promise<void> {
  await fake.changes.put(then);
}

describe('an approved change that no worker takes up', () => {
  it('is sent a moment before that', async () => {
    const fake = await afterApproval();
    fake.clock.at += 15 * MINUTE - 1;

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });

  it('is too old by the clock of Redis as well, if that is ahead', async () => {
    const fake = fakeContext();
    const { decision } = approved();
    await fake.file({ ...approved(), decision: { ...decision!, storedAt: 1_000 } });
    fake.durability.moment = async () => ({ run: undefined, at: 1_000 + 15 * MINUTE });

    await expect(fake.advance()).resolves.toMatchObject({ state: 'refused' });
    expect(fake.calls).toEqual([]);
  });

  it('can be withdrawn by its requester, and by any approver, and by no other', async () => {
    for (const person of [ADA, BEN]) {
      const fake = await afterApproval();
      const reviews = createReviewService(fake.context);

      await expect(
        reviews.withdraw({ userId: 'U0EVE', teamId: 'T0ACME' }, 'k3m9x2ab'),
      ).rejects.toThrow('billing_admin');
      await expect(reviews.withdraw(person, 'k3m9x2ab')).resolves.toMatchObject({
        state: 'withdrawn',
        withdrawnBy: person.userId,
      });
      await fake.advance();
      expect(fake.calls).toEqual([]);
    }
  });
});

describe('a claim that no replica of Redis confirms', () => {
  it('is sent once a replica confirms it', async () => {
    const fake = await approvedToken();
    fake.durability.confirmed = () => Promise.reject(new Error('Redis does not answer'));
    await fake.advance();
    fake.durability.confirmed = async () => true;
    fake.clock.at += 10 * SECOND;

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
    expect(fake.calls).toEqual(['send']);
  });

  it('is not needed where sending twice does no harm', async () => {
    const fake = await afterApproval();
    fake.durability.isConfirmed = false;

    await expect(fake.advance()).resolves.toMatchObject({ state: 'succeeded' });
  });
});

describe('a change that Redis set back to the time before its call', () => {
  it('during the call: its result is kept, with its secret', async () => {
    const fake = await approvedToken();
    const before = await fake.now();
    fake.send = async () => {
      await goBackTo(fake, before);
      return CREATED;
    };

    const ended = await fake.advance();
    expect(ended).toMatchObject({ state: 'succeeded', sendings: 1, secret: { state: 'sealed' } });
    const { secret } = await createSecretReveal(fake.context).take(ADA, 'k3m9x2ab');
    expect(secret.reveal()).toBe('svc-bsat-canary');
    expect(fake.calls).toEqual(['send']);
  });

  it('after the call: the same process does not send it again', async () => {
    const fake = await approvedToken();
    const before = await fake.now();
    const executor = fake.executor();
    await executor.advance('k3m9x2ab');
    await goBackTo(fake, before);
    fake.settle = () => TOKEN_THERE;

    await executor.advance('k3m9x2ab');
    fake.clock.at += 90 * SECOND;
    await executor.advance('k3m9x2ab');

    await expect(fake.now()).resolves.toMatchObject({ state: 'unknown' });
    expect(fake.calls).toEqual(['send']);
  });

  it('to another one’s hands: the token of a secret that cannot be stored is deleted', async () => {
    const fake = await approvedToken();
    fake.send = async () => {
      const now = await fake.now();
      await goBackTo(fake, { ...now, state: 'withdrawn', version: now.version + 5 });
      return CREATED;
    };

    await expect(fake.advance()).resolves.toMatchObject({ state: 'withdrawn' });
    expect(fake.calls).toEqual(['send', 'remove t2']);
    const audit = [];
    for await (const line of fake.changes.audit('k3m9x2ab')) audit.push(line);
    expect(audit.at(-1)).toMatchObject({
      event: 'discard',
      sentence: expect.stringContaining('so it was deleted'),
    });
  });
});
