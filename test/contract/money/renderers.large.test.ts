import * as fc from '../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';

import { escapeText } from '../../../src/slack/kit/text.ts';
import { hostileText, pools } from './hostile-pool.ts';
import { helpProblems, SCENES } from './scenes.ts';

/** How often scenes are played altogether; each time with a pool of hostile texts of its own. */
const INPUTS = 50_000;
const TIMES = Math.ceil(INPUTS / Object.keys(SCENES).length);

describe('whatever a platform and people write', () => {
  test.each(Object.entries(SCENES))(
    '%s keeps to Slack’s limits, and nothing in it speaks for the bot',
    { timeout: 240_000 },
    async (_, scene) => {
      const property = fc.asyncProperty(pools, async (pool) => {
        expect(await scene(pool)).toEqual([]);
      });
      await fc.assert(property, { numRuns: TIMES, thin: 3 });
    },
  );

  test.each(Object.entries(SCENES))(
    '%s does so with 1,000 of everything',
    { timeout: 300_000 },
    async (_, scene) => {
      const wide = (text: string) => `${text}${' wide'.repeat(40)}`.slice(0, 200);
      const crowd = pools.map((pool) => ({ ...pool, texts: pool.texts.map(wide), size: 1_000 }));
      const property = fc.asyncProperty(crowd, async (pool) => {
        expect(await scene(pool)).toEqual([]);
      });
      await fc.assert(property, { numRuns: 1, endOnFailure: true });
    },
  );
});

test('the help of each command keeps to Slack’s limits, too', () => {
  expect(helpProblems()).toEqual([]);
});

test('escaping text does not change its meaning', () => {
  const unescape = (text: string) =>
    text.replace(/&(amp|lt|gt);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>' })[name]!);
  const seen = fc.oneof(hostileText, fc.string({ unit: 'grapheme' })).map((text) =>
    // Characters that cannot be seen or sent are removed on purpose.
    text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ''),
  );
  fc.assert(
    fc.property(seen, (text) => {
      expect(unescape(escapeText(text))).toBe(text);
      expect(escapeText(text)).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/);
    }),
    { numRuns: 5_000 },
  );
});
