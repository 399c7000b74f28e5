import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Secret } from '../../../src/lib/secret.ts';
import { approved, fakeOffice, TOKEN } from './fake-office.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A platform that creates, and does not say any more what there is. */
async function whereReadingBackHangs(secret?: { value: Secret; what: 'token'; tokenId: string }) {
  const office = fakeOffice();
  await office.file({ ...approved(), order: TOKEN });
  office.send = async () => {
    office.look = () => new Promise(() => undefined);
    return secret ? { secret } : {};
  };
  return office;
}

it('a secret is sealed after 3 seconds, whether or not what is there could be read back', async () => {
  const value = new Secret('svc-bsat-1');
  const office = await whereReadingBackHangs({ value, what: 'token', tokenId: 't1' });
  const advanced = office.advance();
  await vi.advanceTimersByTimeAsync(2_999);

  await expect(office.now()).resolves.toMatchObject({ state: 'executing' });

  await vi.advanceTimersByTimeAsync(1);
  const { state, secret, outcome } = await advanced;

  expect({ state, secret: secret?.state }).toEqual({ state: 'succeeded', secret: 'sealed' });
  expect(outcome?.sentence).toContain('Reading back what is there now failed.');
});

it('what comes without a secret waits for the proof', async () => {
  const office = await whereReadingBackHangs();
  void office.advance();
  await vi.advanceTimersByTimeAsync(60_000);

  await expect(office.now()).resolves.toMatchObject({ state: 'executing' });
});
