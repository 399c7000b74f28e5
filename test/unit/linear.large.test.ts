import { readdirSync, readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

/** More than any text that anyone else can have the bot read at once: platform, Slack, and files. Characters. */
const LENGTH = 100_000;
/**
 * For all attacks on one expression, milliseconds: ten times as long as the slowest takes on busy cores. A quadratic
 * expression takes longer for the first attack that reaches it.
 */
const DEADLINE = 5_000;

/** The environment is written by anyone who runs the bot; the stand-ins are no part of the bot. */
const OWN = /^src\/(?:sandbox\/|config|start-up)/;

interface Expression {
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

/** An unbounded repetition; an expression without one takes a fixed time for each place. */
const REPEATS = /(?:^|[^\\])(?:[*+]|\{\d+,\})/;

/** Every expression that is written down in the bot, and repeats something. */
function expressions(): Expression[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path}`)
    .filter((file) => file.endsWith('.ts') && !OWN.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const found: Expression[] = [];
    new Visitor({
      Literal(node) {
        if (!('regex' in node) || !REPEATS.test(node.regex.pattern)) return;
        const line = text.slice(0, node.start).split('\n').length;
        found.push({ place: `${file}:${line}`, ...node.regex });
      },
    }).visit(parseSync(file, text).program);
    return found;
  });
}

const MARKS = ` \t\n.,:;/\\"'\`“”()[]{}<>|&#=@%+-_~0aA–·\u200B\uD800`;
const PAIRS = [' \n', '. ', 'a.', 'a ', 'a-', '0,', '0.', '\\"', '//', '&a', '<a', 'a@', 'é😀'];

/** Texts that make an expression backtrack: runs of one sign, of two in turn, and of its own words. */
function attacksOn(pattern: string): string[] {
  const words = pattern.match(/[A-Za-z]{2,}/g) ?? [];
  const plain = pattern.replaceAll(/\(\?<?\w*[:>=!]?|[\\^$()[\]{}*+?|]/g, '');
  const fills = new Set([
    ...MARKS.split(''),
    ...PAIRS,
    ...words,
    ...words.map((one) => `${one} `),
    plain,
  ]);
  return [...fills]
    .filter((fill) => fill !== '')
    .flatMap((fill) => {
      const run = fill.repeat(Math.ceil(LENGTH / fill.length));
      // The end that makes the match fail varies: a sign of its own, blanks, or any of the others.
      return [`${run}\u0001`, `${words[0] ?? 'x'}${run} \u2603 `, `${run}${MARKS}\u0001`];
    });
}

describe('an expression over foreign text takes time in proportion to its length', () => {
  const context = createContext({ attacks: [] as string[] });
  const all = expressions();

  it('of which there are many', () => {
    expect(all.length).toBeGreaterThan(100);
  });

  it.each([...new Map(all.map((one) => [`/${one.pattern}/${one.flags}`, one])).entries()])(
    '%s',
    (_, { pattern, flags, place }) => {
      context['attacks'] = attacksOn(pattern);
      context['pattern'] = pattern;
      context['flags'] = flags;
      const attack = (): string => {
        const script = 'for (const text of attacks) text.replace(new RegExp(pattern, flags), "")';
        runInContext(script, context, { timeout: DEADLINE, filename: place });
        return place;
      };

      expect(attack()).toBe(place);
    },
  );
});
