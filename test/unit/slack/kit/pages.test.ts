import { describe, expect, it } from 'vitest';
import {
  excerpt,
  pageOf,
  sections,
  shorten,
  turnButtons,
} from '../../../../src/slack/kit/pages.ts';
import { LIMITS, mrkdwn, Mrkdwn } from '../../../../src/slack/kit/text.ts';
import * as fc from '../../../support/fast-check.ts';
import { hostile, runs } from '../hostile.ts';

describe('a text that is too long', () => {
  it('says how many characters are left out', () => {
    expect(shorten('a short one', 20)).toBe('a short one');
    expect(shorten('x'.repeat(21), 20)).toBe(`${'x'.repeat(20)}… (1 more character)`);
    expect(shorten('x'.repeat(2_020), 20)).toBe(`${'x'.repeat(20)}… (2,000 more characters)`);
  });

  it('is counted in characters that people see', () => {
    expect(shorten('😀'.repeat(20), 20)).toBe('😀'.repeat(20));
    expect(shorten('😀'.repeat(22), 20)).toBe(`${'😀'.repeat(20)}… (2 more characters)`);
  });

  it('says so beside the code span that it is in', () => {
    expect(excerpt('a short one', 20).text).toBe('`a short one`');
    expect(excerpt('x'.repeat(30), 20).text).toBe(`\`${'x'.repeat(20)}\`… (10 more characters)`);
    // Escaped it takes five characters each.
    expect(excerpt('&'.repeat(30), 20).text).toBe('`&amp;&amp;&amp;&amp;`… (26 more characters)');
  });

  it('is never longer than it may be, and never markup', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 10, max: 400 }), (text, max) => {
        const { text: shown } = excerpt(text, max);

        expect(shown.length).toBeLessThanOrEqual(max + '``… (10,000,000 more characters)'.length);
        expect(shown).toMatch(/^`[^`\n]*`(?:… \([\d,]+ more characters?\))?$/);
        expect(shown).not.toMatch(/[<>]/);
      }),
      runs,
    );
  });
});

const line = fc.string({ maxLength: 900 }).map((text) => ({ text: mrkdwn`• ${text}` }));

describe('lines in sections', () => {
  it("are all there in their order, within Slack's limits", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), (all) => {
        const made = sections(new Mrkdwn('again'), all).map(
          (block) => (block as { text: { text: string } }).text.text,
        );

        expect(made.every((text) => text.length <= LIMITS.sectionText)).toBe(true);
        const [first = '', ...others] = made;
        const shown = [first, ...others.map((text) => text.replace(/^again\n/, ''))].join('\n');
        expect(shown).toBe(all.map(({ text }) => text.text).join('\n'));
      }),
      { ...runs, numRuns: 300 },
    );
  });

  it('begin each section but the first with its heading', () => {
    const long = (name: string): Mrkdwn => new Mrkdwn(name.repeat(1_400));
    const made = sections(new Mrkdwn('cart in oslo, continued'), [
      { text: new Mrkdwn('cart in oslo') },
      ...['a', 'b', 'c'].map((name) => ({ text: long(name), under: new Mrkdwn('v12, continued') })),
    ]).map((block) => (block as { text: { text: string } }).text.text);
    expect(made).toEqual([
      `cart in oslo\n${'a'.repeat(1_400)}\n${'b'.repeat(1_400)}`,
      `cart in oslo, continued\nv12, continued\n${'c'.repeat(1_400)}`,
    ]);
  });
});

describe('pages', () => {
  it('are the nearest one when the requested one does not exist', () => {
    const page = (at: number) => pageOf([[1, 2], [3]], at);

    expect(page(9)).toEqual({ items: [3], from: 2, page: 2, pages: 2 });
    expect(page(0)).toEqual({ items: [1, 2], from: 0, page: 1, pages: 2 });
    expect(pageOf([], 4)).toEqual({ items: [], from: 0, page: 1, pages: 1 });
  });

  it('have buttons to those beside them', () => {
    const labels = (page: number, pages: number): (string | undefined)[] =>
      turnButtons('turn', { page, pages }, String).map(
        ({ text, value }) => `${text.text} ${value}`,
      );

    expect(labels(1, 1)).toEqual([]);
    expect(labels(1, 3)).toEqual(['Next 2']);
    expect(labels(2, 3)).toEqual(['Previous 1', 'Next 3']);
    expect(labels(3, 3)).toEqual(['Previous 2']);
  });
});
