import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Secret } from '../../../src/lib/secret.ts';
import { afterApproval, approved, fakeContext, TOKEN } from './fake-context.ts';

const NOW = [{ name: 'Amount', text: '$500.00' }];

describe('the proof of a change', () => {
  it('is not denied by a value that the platform omits', async () => {
    const fake = await afterApproval();
    fake.send = () => {
      fake.planned = { ...fake.planned, now: [{ name: 'Amount', text: 'not reported' }] };
      return Promise.resolve({});
    };

    expect((await fake.advance()).outcome?.code).toBe('done');
  });

  it('ignores upper and lower case in the state that was read back', async () => {
    const inLetters = (text: string) => [{ name: 'E-mail', text }];
    const plan = { before: [], after: inLetters('Eve@acme.example'), consequences: [] };
    const fake = fakeContext();
    await fake.file({ ...approved(), plan });
    fake.planned = { ...fake.planned, plan };
    fake.send = () => {
      fake.planned = { ...fake.planned, now: inLetters('eve@acme.example') };
      return Promise.resolve({});
    };

    const { outcome } = await fake.advance();

    expect(outcome).toMatchObject({ code: 'done', sentence: '' });
  });

  it.each([
    ['was there already', { note: 'It was already created.', ended: 'nothing' }],
    ['is there in part', { note: 'It has no superuser key.', ended: 'partly' }],
  ] as const)('refutes an answer that it %s', async (_what, answer) => {
    const fake = await afterApproval();
    fake.send = () => {
      fake.planned = { ...fake.planned, now: [] };
      return Promise.resolve(answer);
    };

    const { outcome } = await fake.advance();

    expect(outcome).toMatchObject({ code: 'otherwise', now: [] });
    expect(outcome?.sentence).not.toContain(answer.note);
  });

  it('reads again for some seconds where a list lags behind', async () => {
    const pauses: number[] = [];
    const fake = await afterApproval({
      pause(ms) {
        pauses.push(ms);
        if (pauses.length === 2) fake.planned = { ...fake.planned, now: NOW };
        return Promise.resolve();
      },
    });
    fake.send = () => Promise.resolve({});

    const { outcome } = await fake.advance();

    expect(outcome).toMatchObject({ code: 'done', now: NOW });
    expect(pauses).toEqual([1_500, 1_500]);
  });

  it('reads no more than three times again', async () => {
    let pauses = 0;
    const fake = await afterApproval({ pause: () => Promise.resolve(void (pauses += 1)) });
    fake.send = () => Promise.resolve({});

    expect((await fake.advance()).outcome?.sentence).toContain('something else');
    expect(pauses).toBe(3);
  });
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A platform that creates, and then does not answer reads. */
async function whereReadingBackHangs(secret?: { value: Secret; what: 'token'; tokenId: string }) {
  const fake = fakeContext();
  await fake.file({ ...approved(), order: TOKEN });
  fake.send = async () => {
    fake.look = () => new Promise(() => undefined);
    return secret ? { secret } : {};
  };
  return fake;
}

it('a secret is sealed after 3 seconds, whether or not the state could be read back', async () => {
  const value = new Secret('svc-bsat-1');
  const fake = await whereReadingBackHangs({ value, what: 'token', tokenId: 't1' });
  const advanced = fake.advance();
  await vi.advanceTimersByTimeAsync(2_999);

  await expect(fake.now()).resolves.toMatchObject({ state: 'executing' });

  await vi.advanceTimersByTimeAsync(1);
  const { state, secret, outcome } = await advanced;

  expect({ state, secret: secret?.state }).toEqual({ state: 'succeeded', secret: 'sealed' });
  expect(outcome?.sentence).toBe('What is there now could not be read.');
});

it('a change without a secret waits for the proof', async () => {
  const fake = await whereReadingBackHangs();
  void fake.advance();
  await vi.advanceTimersByTimeAsync(60_000);

  await expect(fake.now()).resolves.toMatchObject({ state: 'executing' });
});
