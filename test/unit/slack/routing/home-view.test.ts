import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { context, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { homeView } from '../../../../src/slack/routing/home.ts';
import * as fc from '../../../support/fast-check.ts';
import { hostile } from '../hostile.ts';

const AT = Date.UTC(2026, 10, 21, 4);
const textOf = (view: ReturnType<typeof homeView>): string => JSON.stringify(view.blocks);

const block = hostile.map((text) => section(mrkdwn`${text}`));
const part = fc.record({
  title: hostile,
  blocks: fc.option(fc.array(block, { maxLength: 20 }), { nil: undefined }),
});
const home = fc.record({
  parts: fc.array(part, { maxLength: 9 }),
  troubles: fc.array(hostile, { maxLength: 9 }),
  isReading: fc.boolean(),
});

describe('the home tab', () => {
  it('begins with the parts, and ends with the time of reading, the help and a button', () => {
    const { blocks } = homeView({
      parts: [{ title: 'Sums', blocks: [section(mrkdwn`a sum`)] }],
      troubles: [],
      asOf: AT,
      isReading: false,
    });
    expect(blocks.map(({ type }) => type)).toEqual([
      'header',
      'section',
      'divider',
      'context',
      'actions',
    ]);
    expect(JSON.stringify(blocks[3])).toContain('As of <!date');
    expect(JSON.stringify(blocks[4])).toContain('/purser help');
  });

  it('gives each part 15 blocks', () => {
    const blocks = Array.from({ length: 40 }, (_, index) => context(mrkdwn`line ${index}`));
    const text = textOf(
      homeView({ parts: [{ title: 'Sums', blocks }], troubles: [], asOf: AT, isReading: true }),
    );

    expect(text).toContain('line 14');
    expect(text).not.toContain('line 15');
  });

  it("keeps within Slack's limits, whatever the parts hold, and keeps its button", () => {
    fc.assert(
      fc.property(home, (state) => {
        const { blocks } = homeView({ ...state, asOf: AT });
        const headings = (blocks as KnownBlock[]).flatMap((one) =>
          one.type === 'header' ? one.text.text : [],
        );

        expect(blocks.length).toBeLessThanOrEqual(100);
        expect(headings.every((text) => text.length >= 1 && text.length <= 150)).toBe(true);
        expect(JSON.stringify(blocks.at(-1))).toContain('home.refresh');
      }),
      { numRuns: 300 },
    );
  });
});
