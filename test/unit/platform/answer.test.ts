import { expect, test } from 'vitest';
import { createAllowance } from '../../../src/platform/answer.ts';

test('a question takes as much as it may, and again as much as it gave back', () => {
  const own = createAllowance(10);

  expect([own.take(6), own.take(5), own.take(4), own.take(1)]).toEqual([true, false, true, false]);
  own.giveBack(4);
  expect([own.take(5), own.take(4)]).toEqual([false, true]);
  expect(own.isCrowdedOut()).toBe(false);
});

test('all questions together take no more than all may, and say that it is the others', () => {
  const all = createAllowance(10);
  const [first, second] = [createAllowance(8, all), createAllowance(8, all)];

  expect([first.take(8), second.take(3), second.take(2)]).toEqual([true, false, true]);
  expect([first.isCrowdedOut(), second.isCrowdedOut()]).toEqual([false, true]);
});

test('a question that is over holds nothing and takes nothing, however late an answer comes', () => {
  const all = createAllowance(10);
  const own = createAllowance(10, all);
  own.take(10);

  own.close();
  own.giveBack(10);

  expect([own.take(1), all.take(10), all.take(1)]).toEqual([false, true, false]);
});
