import { describe, expect, it } from 'vitest';
import { KEY_STAYS } from '../../../src/changes/ends.ts';
import type { Change } from '../../../src/changes/change.ts';
import { messagesOf } from '../../../src/changes/messages/messages.ts';
import type { Reconciled } from '../../../src/changes/kinds/kind.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { ADA, approved, fakeContext, MINUTE, planTo, TOKEN } from './fake-context.ts';

const SECOND = 1_000;
const CLAIMED: Partial<Change> = {
  ...approved(),
  state: 'executing',
  sentAt: REQUESTED_AT,
  sendings: 1,
  marks: {},
};
const LOST = new PlatformError('timeout', 'no answer');
const LIMITED = new PlatformError('rate-limited', 'slow down', { status: 429 });
const BROKEN = new PlatformError('server-error', 'it broke', { status: 500 });

/** A change in that state, and the result of reading the platform. */
async function fake(state: Partial<Change>, settled: Reconciled['kind'] = 'not done') {
  const made = fakeContext();
  made.settle = () => ({ kind: settled }) as Reconciled;
  await made.file(state);
  return made;
}

describe('a call without a clean answer', () => {
  it('is done when reading shows it', async () => {
    const one = await fake(approved(), 'done');
    one.send = () => Promise.reject(LOST);

    await expect(one.advance()).resolves.toMatchObject({
      state: 'succeeded',
      outcome: { sentence: expect.stringContaining('what is there shows that it was done') },
    });
  });

  it('is sent again where that does no harm, three times at most', async () => {
    const one = await fake(approved());
    one.send = () => Promise.reject(BROKEN);
    await one.advance();
    one.clock.at += 10 * SECOND;
    await one.advance();
    one.clock.at += 10 * SECOND;
    const change = await one.advance();

    expect(one.calls).toEqual(['send', 'send', 'send']);
    expect(change).toMatchObject({
      state: 'failed',
      sendings: 3,
      resentAt: REQUESTED_AT + 20 * SECOND,
      outcome: {
        sentence: 'The platform failed at that. It says: it broke.',
      },
    });
  });

  it.each([LOST, LIMITED])('may be done in a later try: %s', async (heard) => {
    const one = await fake(approved());
    one.send = () => Promise.reject(heard);
    await one.advance();
    one.send = async () => ({});
    one.clock.at += 10 * SECOND;

    await expect(one.advance()).resolves.toMatchObject({ state: 'succeeded', sendings: 2 });
  });

  it('was done by the first when the second is refused as there already', async () => {
    const one = await fake({ ...CLAIMED, retryAt: REQUESTED_AT });
    one.send = async () => {
      one.settle = () => ({ kind: 'done' });
      throw new PlatformError('conflict', 'exists', { status: 409 });
    };

    await expect(one.advance()).resolves.toMatchObject({ state: 'succeeded', sendings: 2 });
  });

  it('has failed when the second is refused, nothing is there, and the first cannot be on its way', async () => {
    const one = await fake({ ...CLAIMED, retryAt: REQUESTED_AT });
    one.send = () => Promise.reject(new PlatformError('conflict', 'exists', { status: 409 }));

    await expect(one.advance()).resolves.toMatchObject({ state: 'executing', sendings: 2 });
    await expect(one.whileWorking(120 * SECOND)).resolves.toMatchObject({
      state: 'failed',
      outcome: { sentence: expect.stringContaining('did not confirm it') },
    });
  });

  it('is never called lost when the platform asked for fewer calls', async () => {
    const one = await fake(approved());
    one.send = () => Promise.reject(LIMITED);
    const texts = [await one.advance(), await one.whileWorking(120 * SECOND)].flatMap(messagesOf);

    expect((await one.now()).state).toBe('failed');
    expect(texts.map(({ text }) => text).join()).not.toContain('lost');
  });

  it('is not sent again when it is no longer allowed', async () => {
    const again = { ...CLAIMED, sentAt: REQUESTED_AT - 90_000, retryAt: REQUESTED_AT };
    const drifted = await fake(again);
    drifted.planned = { ...drifted.planned, plan: planTo('$600.00') };
    const revoked = await fake(again);
    revoked.people.set(ADA.userId, { email: 'ada@acme.example', roles: [] });

    // The code of the cause has the next step.
    expect((await drifted.advance()).outcome).toMatchObject({
      code: 'changed',
      sentence: expect.stringContaining('is not what was approved'),
    });
    expect((await revoked.advance()).outcome).toMatchObject({
      code: 'requester-lost',
      sentence: expect.stringContaining(
        'it was not sent again. The requester, ada@acme.example, can no longer ask',
      ),
    });
    expect([...drifted.calls, ...revoked.calls]).toEqual([]);
  });

  it('has not failed for that while it can be under way', async () => {
    const one = await fake({ ...CLAIMED, sentAt: REQUESTED_AT - 89_999, retryAt: REQUESTED_AT });
    one.planned = { ...one.planned, plan: planTo('$600.00') };
    await expect(one.advance()).resolves.toMatchObject({ state: 'executing', sendings: 1 });
  });

  it('is not sent again while no one says whether it may be', async () => {
    const one = await fake({ ...CLAIMED, retryAt: REQUESTED_AT });
    one.people.set(ADA.userId, new Refusal('Slack is silent.'));

    await expect(one.advance()).resolves.toMatchObject({ state: 'executing' });

    const change = await one.whileWorking(15 * MINUTE);

    expect(change.state).toBe('failed');
    expect(change.outcome?.sentence).toContain('it was not sent again. For 15 minutes');
    expect(one.calls).toEqual([]);
  });

  it('is not sent again by anyone who has lost the lock', async () => {
    const one = await fake({ ...CLAIMED, retryAt: REQUESTED_AT });
    one.held = false;

    await expect(one.advance()).resolves.toMatchObject({ state: 'executing', sendings: 1 });
  });

  it('is unknown when reading does not know for 15 minutes', async () => {
    const one = await fake(approved(), 'unclear');
    one.send = () => Promise.reject(LOST);

    await expect(one.advance()).resolves.toMatchObject({
      state: 'executing',
      retryAt: REQUESTED_AT + 10 * SECOND,
    });

    one.settle = () => {
      throw LOST;
    };
    one.clock.at += 9 * 60 * MINUTE;
    // No one has asked in the meantime, so no one was silent.
    await expect(one.advance()).resolves.toMatchObject({ state: 'executing' });

    await expect(one.whileWorking(15 * MINUTE)).resolves.toMatchObject({
      state: 'unknown',
      outcome: { sentence: expect.stringContaining('could not find out whether it was done') },
    });
    expect(one.calls).toEqual(['send']);
  });
});

describe('a call that is sent once at most', () => {
  it('has failed when the platform says that it broke, and nothing is there', async () => {
    const one = await fake(approved());
    one.repeatable = false;
    one.send = () => Promise.reject(BROKEN);

    await expect(one.advance()).resolves.toMatchObject({
      state: 'failed',
      outcome: {
        sentence: 'The platform failed at that. It says: it broke.',
      },
    });
  });

  it('has failed when the platform asks for fewer calls, whatever is there', async () => {
    const one = await fake(approved(), 'unclear');
    one.repeatable = false;
    one.send = () => Promise.reject(LIMITED);

    await expect(one.advance()).resolves.toMatchObject({
      state: 'failed',
      outcome: {
        sentence: 'The platform asks for fewer calls just now.',
      },
    });
  });

  it('has failed without an answer only when it can no longer be under way', async () => {
    const one = await fake(approved());
    one.repeatable = false;
    one.send = () => Promise.reject(LOST);
    await one.advance();
    one.clock.at += 90 * SECOND - 1;

    await expect(one.advance()).resolves.toMatchObject({ state: 'executing' });

    one.clock.at += 10 * SECOND;

    await expect(one.advance()).resolves.toMatchObject({
      state: 'failed',
      outcome: { sentence: expect.stringContaining('nothing was done') },
    });
    expect(one.calls).toEqual(['send']);
  });

  it('that took that long has failed at once', async () => {
    const one = await fake(approved());
    one.repeatable = false;
    one.send = () => {
      one.clock.at += 90 * SECOND;
      return Promise.reject(LOST);
    };

    await expect(one.advance()).resolves.toMatchObject({ state: 'failed' });
  });
});

describe('after a crash', () => {
  it('a claimed change is settled when its call can no longer be under way', async () => {
    const one = await fake(CLAIMED, 'done');

    await expect(one.advance()).resolves.toMatchObject({
      state: 'executing',
      retryAt: REQUESTED_AT + 90 * SECOND,
    });

    one.clock.at += 90 * SECOND - 1;

    await expect(one.advance()).resolves.toMatchObject({ state: 'executing' });

    one.clock.at += 1;

    await expect(one.advance()).resolves.toMatchObject({ state: 'succeeded' });
    expect(one.calls).toEqual([]);
  });

  it('so is one that was sent again', async () => {
    const resentAt = REQUESTED_AT + MINUTE;
    const one = await fake({ ...CLAIMED, resentAt, sendings: 2 });
    one.clock.at = resentAt;

    await expect(one.advance()).resolves.toMatchObject({ retryAt: resentAt + 90 * SECOND });
  });
});

describe('a token whose secret was lost', () => {
  const lost: Reconciled = { kind: 'secret lost', what: 'token', tokenIds: ['t1', 't2'] };

  it('is deleted, and the change has failed and says so', async () => {
    const one = await fake({ ...approved(), order: TOKEN });
    one.repeatable = false;
    one.send = () => Promise.reject(LOST);
    one.settle = () => lost;
    one.removeToken = (id) =>
      id === 't1'
        ? Promise.reject(new PlatformError('not-found', 'gone', { status: 404 }))
        : Promise.resolve();

    await expect(one.advance()).resolves.toMatchObject({
      state: 'failed',
      outcome: { sentence: expect.stringContaining('so it was deleted') },
    });
    expect(one.calls).toEqual(['send', 'remove t1', 'remove t2']);
  });

  it('retries the deletion for 15 minutes, then reports that the token exists', async () => {
    const one = await fake({ ...CLAIMED, order: TOKEN, retryAt: REQUESTED_AT });
    one.settle = () => lost;
    one.removeToken = () => Promise.reject(LOST);

    await expect(one.advance()).resolves.toMatchObject({
      state: 'executing',
      retryAt: REQUESTED_AT + 10 * SECOND,
    });

    await expect(one.whileWorking(15 * MINUTE)).resolves.toMatchObject({
      state: 'unknown',
      outcome: { sentence: expect.stringContaining('delete it with /billing tokens delete') },
    });
  });

  it('is not deleted by anyone who finds the change touched meanwhile', async () => {
    const one = await fake({ ...CLAIMED, order: TOKEN, retryAt: REQUESTED_AT });
    one.settle = () => lost;
    one.look = async () => {
      const change = await one.now();
      const at = REQUESTED_AT;
      await one.changes.move(change, { kind: 'succeed', at, end: { code: 'done', sentence: '' } });
      return one.planned;
    };

    await expect(one.advance()).resolves.toMatchObject({ state: 'succeeded' });
    expect(one.calls).toEqual([]);
  });

  it('of a superuser cannot be deleted: the change succeeds, and names the next step', async () => {
    const one = await fake({ ...CLAIMED, retryAt: REQUESTED_AT });
    one.settle = () => ({ kind: 'secret lost', what: 'superuser key', tokenIds: [] });

    await expect(one.advance()).resolves.toMatchObject({
      state: 'succeeded',
      outcome: { sentence: expect.stringContaining('with it the key') },
      secret: { state: 'lost', cleaned: KEY_STAYS },
    });
  });
});
