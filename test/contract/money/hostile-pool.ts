import { BigNumber } from 'bignumber.js';
import * as fc from '../../support/fast-check.ts';

import { FOREIGN_TICK } from './slack-invariants.ts';

/** Texts with which a platform or a person could speak in the bot's name or break a message. */
const WEAPONS = [
  '<!channel>',
  '<!here|here>',
  '<@U0BEN>',
  '<#C0OPS|ops>',
  '<http://evil.example|log in>',
  '<!date^1^{date}|soon>',
  '&lt;!everyone&gt;',
  '&amp;lt;',
  '&',
  '>',
  FOREIGN_TICK,
  FOREIGN_TICK.repeat(3),
  '*_~',
  '\n> quoted\n• a line of its own',
  '\r\n',
  '\u2028\t',
  '\u202Egnp.exe\u202C',
  '\u2066\u200F',
  '\u200B\uFEFF\u2060',
  '\u0000\u001B[31m',
  '\uD83D',
  '\uDE00',
  '👩‍👩‍👧',
  ':tada:',
  '=HYPERLINK("http://evil.example")',
  '@SUM(1)',
  '-1+1',
  'constructor',
  '__proto__',
  'ﷺ',
  ' ',
  '',
] as const;

const weapon = fc.constantFrom(...WEAPONS);

/** Mostly of a name's length, sometimes of thousands of characters. */
export const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.array(weapon, { maxLength: 5 }).map((parts) => parts.join('')) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(weapon, fc.integer({ min: 20, max: 200 }))
      .map(([one, times]) => one.repeat(times).slice(0, 3_000)),
  },
);

const amount = fc
  .tuple(fc.integer({ min: -9, max: 999_999_999 }), fc.integer({ min: -15, max: 9 }))
  .map(([digits, shift]) => new BigNumber(digits).shiftedBy(shift));

/** The parts of a platform's answers. */
export interface Pool {
  readonly texts: readonly string[];
  readonly amounts: readonly BigNumber[];
  /** Groups, lines, values: how many there are of everything. */
  readonly size: number;
  /** Decides on further oddities. */
  readonly luck: number;
}

export const pools: fc.Arbitrary<Pool> = fc.record({
  texts: fc.array(hostileText, { minLength: 3, maxLength: 5 }),
  amounts: fc.array(amount, { minLength: 1, maxLength: 3 }),
  size: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 6 }) },
    { weight: 1, arbitrary: fc.integer({ min: 7, max: 30 }) },
  ),
  luck: fc.nat(10_000),
});

export function textAt({ texts }: Pool, at: number): string {
  return texts[at % texts.length] ?? '';
}

/** Reported apart from the others of its list. */
export function nameAt(pool: Pool, at: number): string {
  return at < pool.texts.length ? textAt(pool, at) : `${at} ${textAt(pool, at)}`;
}

export function amountAt({ amounts }: Pool, at: number): BigNumber {
  return amounts[at % amounts.length] ?? new BigNumber(0);
}
