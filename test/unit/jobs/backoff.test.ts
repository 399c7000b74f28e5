import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createWriteBackoff } from '../../../src/jobs/workers.ts';
import { createLogger } from '../../../src/lib/logger.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refusal = (message: string): Error =>
  Object.assign(new Error(message), { name: 'ReplyError' });
const FULL = refusal("OOM command not allowed when used memory > 'maxmemory'.");
const NO_LIST = refusal('WRONGTYPE Operation against a key holding the wrong kind of value');

/** Workers on a Redis that takes the probe, or does not. */
function workers() {
  const state = { isResting: false, probes: 0, probe: undefined as Error | undefined };
  const heard: string[] = [];
  const backoff = createWriteBackoff({
    workers: () => [
      {
        pause: async () => void (state.isResting = true),
        resume: async () => void (state.isResting = false),
      },
    ],
    async probe() {
      state.probes += 1;
      if (state.probe !== undefined) throw state.probe;
    },
    outage: { refused: (word) => void heard.push(word), over: () => void heard.push('over') },
    logger: createLogger({ level: 'silent', secrets: [] }),
  });
  return { state, heard, backoff, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

it('a job that is refused alone makes no one rest, and asks once for many', async () => {
  const { state, heard, backoff, pass } = workers();

  for (let job = 0; job < 10; job += 1) backoff.jobFailed(NO_LIST);
  await pass(30_000);

  expect(state).toMatchObject({ isResting: false, probes: 1 });
  expect(heard).toEqual([]);
  expect(backoff.word()).toBeUndefined();
});

it('a job that is refused like the probe makes all rest until the probe is taken', async () => {
  const { state, heard, backoff, pass } = workers();
  state.probe = FULL;

  backoff.jobFailed(NO_LIST);
  await pass(0);
  expect(state.isResting).toBe(true);
  expect(backoff.word()).toBe('OOM');

  state.probe = undefined;
  await pass(30_000);
  expect(state.isResting).toBe(false);
  expect([...new Set(heard)]).toEqual(['OOM', 'over']);
});

it('no other error of a job is a reason to ask', async () => {
  const { state, backoff, pass } = workers();

  backoff.jobFailed(new Error('out of luck'));
  await pass(30_000);

  expect(state.probes).toBe(0);
});
