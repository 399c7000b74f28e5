import { expect, it } from 'vitest';
import { createTurns } from '../../../src/lib/threads.ts';

/** Tasks that are released one by one; `started` has the people in the order in which they began. */
function queue() {
  const turns = createTurns();
  const started: string[] = [];
  const releases: (() => void)[] = [];
  const ask = (person: string) =>
    turns.take(person, () => {
      started.push(person);
      return new Promise<void>((resolve) => void releases.push(resolve));
    });
  const release = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      releases.shift()?.();
      // Two steps: the task ends, and the next one begins.
      await new Promise(setImmediate);
    }
  };
  return { turns, started, ask, release };
}

it('sixty tasks of one person delay those of another by one each', async () => {
  const { turns, started, ask, release } = queue();
  const all = Array.from({ length: 60 }, () => ask('ada'));
  all.push(ask('ben'), ask('ben'), ask('cleo'));
  expect(turns.waiting()).toBe(62);
  expect(turns.waiting('ben')).toBe(2);

  await release(63);

  await Promise.all(all);
  expect(started.slice(0, 6)).toEqual(['ada', 'ada', 'ben', 'cleo', 'ada', 'ben']);
  expect(turns.waiting()).toBe(0);
});

it('a task that fails lets the next one begin', async () => {
  const turns = createTurns();
  const failed = turns.take('ada', () => Promise.reject(new Error('no')));
  const next = turns.take('ben', () => Promise.resolve('done'));

  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
});
