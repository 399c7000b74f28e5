import { describe, expect, it } from 'vitest';
import { lineSections } from '../../../../src/features/answer-parts.ts';
import { lines } from '../../../../src/slack/kit/blocks.ts';
import { cutText, firstOf, pack, thatFit } from '../../../../src/slack/kit/fit.ts';
import { code, joinMrkdwn, LIMITS, mrkdwn } from '../../../../src/slack/kit/text.ts';
import * as fc from '../../../support/fast-check.ts';
import { hostile, runs } from '../hostile.ts';

const textIn = (block: unknown): string => {
  const { text, elements = [] } = block as { text?: { text: string }; elements?: unknown[] };
  return text?.text ?? (elements as { text: string }[]).map((one) => one.text).join('');
};

describe('the first of many names', () => {
  const names = ['ada', 'ben', 'cem', 'dev'];

  it.each([
    ['all, with room for all', firstOf(names, 4), 'ada, ben, cem, dev'],
    ['the others as a number', firstOf(names, 2), 'ada, ben and 2 more'],
    ['as the last of a list', firstOf(names, 2, { before: ', ' }), 'ada, ben, 2 more'],
    ['with unnamed ones', firstOf(names, 4, { total: 6 }), 'ada, ben, cem, dev and 2 more'],
    ['without any name', firstOf([], 4, { total: 6 }), '6 more'],
    ['empty', firstOf([], 4), ''],
  ])('is %s', (_what, shown, expected) => {
    expect(shown).toBe(expected);
  });
});

describe('packs', () => {
  it('hold everything once and in order, each as full as it may be', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 })), (sizes) => {
        const all = pack(sizes, (size) => [1, size], [5, 10]);

        expect(all.flat()).toEqual(sizes);
        for (const [index, items] of all.entries()) {
          const sum = items.reduce((total, size) => total + size, 0);
          expect(items.length <= 5 && (sum <= 10 || items.length === 1)).toBe(true);
          const next = all[index + 1]?.[0] ?? Infinity;
          expect(items.length === 5 || sum + next > 10).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('begin with the items that have room, and with one that has none', () => {
    expect(thatFit([3, 4, 1], (size) => size, 7)).toEqual([3, 4]);
    expect(thatFit([3, 4, 1], (size) => size, 2)).toEqual([]);
    expect(pack([3, 4, 1], (size) => [size], [2])[0]).toEqual([3]);
  });
});

describe('lines in sections', () => {
  const line = fc.string({ maxLength: 700 }).map((text) => mrkdwn`• ${text}`);

  it("stay within Slack's limits, and those that are not shown are counted", () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 90 }),
        fc.integer({ min: 1, max: 4 }),
        (all, max) => {
          const some = [[lines(all)], lineSections(all, max)];
          for (const blocks of some) {
            const texts = blocks.map(textIn);
            expect(texts.every((text) => text.length <= LIMITS.sectionText)).toBe(true);
            const shown = texts.join('\n').split('\n');
            const [, rest] = /^… and (\d+) more$/.exec(shown.at(-1) ?? '') ?? [];
            const count = shown.length - (rest === undefined ? 0 : 1);
            expect(count + Number(rest ?? 0)).toBe(all.length);
            expect(shown.slice(0, count)).toEqual(all.slice(0, count).map(({ text }) => text));
          }
        },
      ),
      { ...runs, numRuns: 300 },
    );
  });
});

describe('a text that is cut', () => {
  it('is never longer than it may be, and divides no entity, mention or code span', () => {
    const part = fc.oneof(
      hostile.map((text) => mrkdwn`${text}`),
      fc.string({ maxLength: 60 }).map((text) => code(text)),
      fc.constantFrom(mrkdwn`<@U0ADA> `, mrkdwn`${'a < b & c'} `),
    );
    fc.assert(
      fc.property(fc.array(part), fc.integer({ min: 2, max: 300 }), (parts, max) => {
        const whole = joinMrkdwn(parts, ' ').text;
        const shown = cutText(whole, max);

        expect(shown.length).toBeLessThanOrEqual(max);
        expect(shown.split('`').length % 2).toBe(1);
        expect(shown).not.toMatch(/&(?!(?:amp|lt|gt);)/);
        expect(shown.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
        expect(Buffer.from(shown).toString()).toBe(shown);
        expect(whole.startsWith(shown.replace(/…`?$/, ''))).toBe(true);
      }),
      runs,
    );
  });

  it('ends in an ellipsis, within its code', () => {
    expect(cutText('all green', 9)).toBe('all green');
    expect(cutText('a &amp; b', 7)).toBe('a …');
    expect(cutText('a <@U0ADA>', 8)).toBe('a …');
    expect(cutText('is `restarting` now', 10)).toBe('is `rest…`');
  });
});
