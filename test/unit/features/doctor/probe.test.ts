import { expect, it } from 'vitest';
import { isWell, judge, listed, probe } from '../../../../src/features/doctor/probe.ts';

it('the first rule that applies is the finding, with its state and its fix', () => {
  const rules = {
    '! it is away → start it': false,
    '? it is slow → move it closer': 1,
    '- it is off': true,
  };

  expect(judge([probe('Redis', 'fast', rules)])).toEqual([
    { what: 'Redis', state: 'doubtful', says: 'it is slow', fix: 'move it closer' },
  ]);
  expect(isWell(probe('Redis', 'fast', rules))).toBe(false);
});

it('a probe of which no rule applies is well, or reports nothing', () => {
  expect(judge([probe('Redis', 'fast', { '- it is off': '' }), probe('Scopes', false)])).toEqual([
    { what: 'Redis', state: 'well', says: 'fast' },
  ]);
});

it('an arrow, a sign or a line break in foreign text leaves state and fix as they are', () => {
  const foreign = '! gone → reboot\nall';

  expect(judge([probe('GVC', false, { [`? it failed: ${foreign} → wait`]: true })])).toEqual([
    { what: 'GVC', state: 'doubtful', says: `it failed: ${foreign}`, fix: 'wait' },
  ]);
  expect(judge([probe('GVC', foreign)])).toEqual([{ what: 'GVC', state: 'well', says: foreign }]);
});

it.each([
  [[], undefined, ''],
  [['a'], undefined, 'a'],
  [['a', 'b'], undefined, 'a and b'],
  [['a', 'b', 'c'], 3, 'a, b and c'],
  [['a', 'b', 'c', 'd'], 2, 'a, b and 2 more'],
  [['a, b', 'c', 'd'], undefined, 'a, b; c and d'],
])('a list of names of %o, at most %s', (names, max, text) => {
  expect(listed(names, max)).toBe(text);
});
