import { expect, it } from 'vitest';
import { lasted, pollTime } from '../../../../src/rollouts/watch/spans.ts';

const MINUTE = 60_000;

it.each([
  ['less than three minutes apart', 2.9, 1, 1, true],
  ['three minutes apart', 3, 1, 1, false],
  ['four minutes apart at a pace of two', 4, 1, 2, true],
  ['two minutes apart with half the patience', 2, 0.5, 0.5, false],
])('polls %s are in a row or not', (_, apart, patience, idle, inRow) => {
  const settings = { patience, idleMs: idle * MINUTE };
  expect(pollTime(100 * MINUTE, (100 - apart) * MINUTE, settings).inRow).toBe(inRow);
});

it('no poll is in a row with none', () => {
  expect(pollTime(MINUTE, 0, { patience: 1, idleMs: MINUTE }).inRow).toBe(false);
});

it('spans are multiplied by the patience', () => {
  const time = pollTime(100 * MINUTE, 99 * MINUTE, { patience: 0.5, idleMs: MINUTE });
  expect([4, 5].map((ago) => lasted(time, (100 - ago) * MINUTE, 'stuck'))).toEqual([false, true]);
  expect(lasted(time, undefined, 'stuck')).toBe(false);
});
