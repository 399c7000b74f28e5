import { describe, expect, it } from 'vitest';
import { batchContent, fitting } from '../../../src/notify/queue.ts';
import type { Message } from '../../../src/notify/message.ts';
import { code, LIMITS, mrkdwn } from '../../../src/slack/kit/text.ts';
import * as fc from '../../support/fast-check.ts';

const news = (key: string, more: Partial<Message> = {}): Message => ({
  channel: 'C1',
  key,
  text: `${key} happened`,
  blocks: [],
  ...more,
});

const linesOf = (messages: readonly Message[]): string[] =>
  batchContent('Meanwhile', messages)
    .blocks.slice(1)
    .flatMap((block) => (block.type === 'section' ? (block.text?.text.split('\n') ?? []) : []));

describe('what one message can stand for', () => {
  const lengthOf = (messages: readonly Message[]): number =>
    messages.flatMap(({ key, covers = [] }) => [key, ...covers]).join(' ').length;

  it('is at least one, and no more than 8,000 characters unless one alone has them', () => {
    const anyNews = fc
      .record({ size: fc.integer({ min: 1, max: 3_000 }), covers: fc.nat({ max: 3 }) })
      .map(({ size, covers }) =>
        news('k'.repeat(size), { covers: Array.from({ length: covers }, () => 'c'.repeat(size)) }),
      );
    fc.assert(
      fc.property(fc.array(anyNews, { minLength: 1, maxLength: 60 }), (messages) => {
        const told = fitting(messages);
        expect(told.length).toBeGreaterThan(0);
        expect(told).toEqual(messages.slice(0, told.length));
        expect(told.length === 1 || lengthOf(told) <= 8_000).toBe(true);
        const next = messages.slice(0, told.length + 1);
        const full = next.length === told.length || lengthOf(next) > 8_000;
        expect(full).toBe(true);
      }),
    );
  });
});

describe('several messages in one', () => {
  it('are a line each', () => {
    expect(linesOf([news('a'), news('b')])).toEqual(['• a happened', '• b happened']);
    expect(batchContent('Meanwhile', [news('a')]).text).toBe('Meanwhile\na happened');
  });

  it('leave out a card that has outcomes, but no root that stands for others', () => {
    const reply = (threadKey: string): Message => news(`${threadKey}-reply`, { threadKey });
    const root = news('incident', { covers: ['x'] });

    expect(linesOf([news('card'), reply('card'), root, reply('incident')])).toEqual([
      '• card-reply happened',
      '• incident happened',
      '• incident-reply happened',
    ]);
  });

  it('show texts of any length whole or cut between their parts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.nat({ max: 210 }),
        (foreign, at) => {
          const text = mrkdwn`${'x'.repeat(at)}${code(foreign)} ${foreign}`.text;
          const line = linesOf([news('a', { text })])[0] ?? '';

          expect(line.length).toBeLessThanOrEqual(2 + 220);
          expect(line.split('`').length % 2).toBe(1);
          expect(line.replaceAll(/&(?:amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
          expect(line).not.toMatch(/\p{Cs}/u);
        },
      ),
    );
  });

  it('fit into a message of Slack, even many of the longest: the first, and how many more', () => {
    const longest = Array.from({ length: 60 }, (_, index) =>
      news(`${index}`, { text: 'x'.repeat(4_000) }),
    );
    const { text, blocks } = batchContent('Meanwhile', longest);

    expect(text.length).toBeLessThanOrEqual(LIMITS.messageText);
    expect(linesOf(longest)).toHaveLength(50);
    expect(JSON.stringify(blocks.at(-1))).toContain('… and 10 more');
    expect(JSON.stringify(blocks).length).toBeLessThan(LIMITS.messageCharacters);
  });
});
