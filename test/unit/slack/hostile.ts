import * as fc from '../../support/fast-check.ts';

/** Texts that would speak in the bot's name, or break a message. */
const WEAPONS = [
  '<!channel>',
  '<!here|here>',
  '<@U0ADA>',
  '<#C0OPS>',
  '<http://evil.example|log in>',
  '&lt;!channel&gt;',
  '&amp;',
  '`',
  '```',
  '*',
  '\n:white_check_mark: *all is well*',
  '\r\n',
  '\u2028',
  '\u202E',
  '\u200B',
  '\u0000',
  '\uD83D',
  '\uDE00',
  '😀',
  ' ',
  '',
  '__proto__',
];

/** Long and short, with weapons anywhere. */
export const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WEAPONS),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(...WEAPONS).map((weapon) => weapon.repeat(700)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** How often a property is tried. */
export const runs = { numRuns: 2_000 };
