import { expect, it } from 'vitest';
import { barrels, circles } from '../../architecture/measures.ts';
import { readBot } from '../../architecture/source.ts';

const files = readBot();

it('has no circle of imports, types included', () => {
  expect(circles(files)).toEqual([]);
});

it('has no file that only passes names on', () => {
  expect(barrels(files)).toEqual([]);
});
