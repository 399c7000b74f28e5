import { describe, expect, it } from 'vitest';
import { KEPT } from '../../../src/changes/ends.ts';
import type { Change } from '../../../src/changes/change.ts';
import { createReviewService } from '../../../src/changes/request.ts';
import { createSecretReveal } from '../../../src/changes/reveal.ts';
import type { Reconciled, Sent } from '../../../src/changes/kinds/kind.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
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
  it('is not sent 15 minutes later, and says that it is too late', async () => {
    const fake = await afterApproval();
    fake.clock.at += 15 * MINUTE;

    await expect(fake.advance()).resolves.toMatchObject({
      state: 'refused',
      outcome: { sentence: expect.stringContaining('approved too long ago') },
    });
    expect(fake.calls).toEqual([]);
  });

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

  it('cannot be withdrawn once it was sent', async () => {
    const fake = await afterApproval();
    await fake.advance();

    await expect(createReviewService(fake.context).withdraw(ADA, 'k3m9x2ab')).rejects.toThrow(
      'was carried out',
    );
  });
});

describe('a claim that no replica of Redis confirms', () => {
  it('is taken back, and tried again until the approval is too old; nothing was sent', async () => {
    const fake = await approvedToken();
    fake.durability.isConfirmed = false;

    await expect(fake.advance()).resolves.toMatchObject({
      state: 'approved',
      sendings: 0,
      retryAt: REQUESTED_AT + 10 * SECOND,
    });
    const ended = await fake.whileWorking(15 * MINUTE);
    expect(ended.state).toBe('refused');
    expect(ended.outcome?.sentence).toMatch(/^Redis did not confirm /);
    expect(fake.calls).toEqual([]);
  });

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

describe('after Redis came back with another run', () => {
  async function restarted(settle: Reconciled, over: Partial<Change> = {}) {
    const fake = await approvedToken();
    await goBackTo(fake, { ...(await fake.now()), ...over });
    fake.durability.run = 'second';
    fake.settle = () => settle;
    await fake.advance();
    fake.clock.at += 90 * SECOND;
    return { fake, ended: await fake.advance() };
  }

  it.each([
    [{ kind: 'done' }, 'succeeded', 'what is there shows that it was done'],
    [{ kind: 'not done' }, 'unknown', 'What is there shows no effect'],
    [{ kind: 'unclear' }, 'unknown', 'cannot know whether it was sent'],
    [TOKEN_THERE, 'unknown', 'cannot know whether it was revealed'],
  ] as const)(
    'a change that was approved before is only reconciled: %j ends %s',
    async (settle, state, words) => {
      const { fake, ended } = await restarted(settle);

      expect(ended.state).toBe(state);
      expect(ended.outcome?.sentence).toContain(words);
      expect(ended.outcome?.sentence).not.toContain('Nothing was sent');
      expect(fake.calls).toEqual([]);
    },
  );

  it('a call that was under way is not sent again, either', async () => {
    const over = { state: 'executing', sentAt: REQUESTED_AT, sendings: 1 } as const;
    const { fake, ended } = await restarted({ kind: 'not done' }, over);

    expect(ended.state).toBe('unknown');
    expect(fake.calls).toEqual([]);
  });

  it('a token that waited to be revealed is not deleted, because it may be in use', async () => {
    const fake = await approvedToken();
    await fake.advance();
    fake.durability.run = 'second';
    fake.clock.at += 15 * MINUTE;

    const ended = await fake.advance();
    expect(ended.secret).toMatchObject({
      state: 'lapsed',
      cleaned: KEPT,
    });
    expect(fake.calls).toEqual(['send']);
  });
});
