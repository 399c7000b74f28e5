import { describe, expect, it } from 'vitest';
import { batchOf, fitting } from '../../../src/notify/queue.ts';
import type { Message } from '../../../src/notify/message.ts';
import { section } from '../../../src/slack/kit/blocks.ts';
import { code, LIMITS, Mrkdwn, mrkdwn } from '../../../src/slack/kit/text.ts';
import * as fc from '../../support/fast-check.ts';

const news = (key: string, more: Partial<Message> = {}): Message => ({
  channel: 'C1',
  key,
  text: `${key} happened`,
  blocks: [],
  ...more,
});

const BATCH = { channel: 'C1', key: '@digest/C1/1' };

const batched = (messages: readonly Message[]): Message[] =>
  batchOf(BATCH, (lines) => `${lines} at once`, messages);

const linesIn = ({ blocks }: Message): string[] =>
  blocks
    .slice(1)
    .flatMap((block) => (block.type === 'section' ? (block.text?.text.split('\n') ?? []) : []));

const linesOf = (messages: readonly Message[]): string[] => batched(messages).flatMap(linesIn);

describe('the number of messages that one can stand for', () => {
  const lengthOf = (messages: readonly Message[]): number =>
    messages.flatMap(({ key, covers = [] }) => [key, ...covers]).join(' ').length;

  it('is at least one, and no more than 4,000 characters unless one alone has them', () => {
    const anyNews = fc
      .record({ size: fc.integer({ min: 1, max: 3_000 }), covers: fc.nat({ max: 3 }) })
      .map(({ size, covers }) =>
        news('k'.repeat(size), { covers: Array.from({ length: covers }, () => 'c'.repeat(size)) }),
      );
    fc.assert(
      fc.property(fc.array(anyNews, { minLength: 1, maxLength: 60 }), (messages) => {
        const reported = fitting(messages);
        expect(reported.length).toBeGreaterThan(0);
        expect(reported).toEqual(messages.slice(0, reported.length));
        expect(reported.length === 1 || lengthOf(reported) <= 4_000).toBe(true);
        const next = messages.slice(0, reported.length + 1);
        const full = next.length === reported.length || lengthOf(next) > 4_000;
        expect(full).toBe(true);
      }),
    );
  });
});

describe('several messages in one', () => {
  it('are a line each, the newest first, and are counted by their lines', () => {
    expect(linesOf([news('a'), news('b')])).toEqual(['• b happened', '• a happened']);
    expect(batched([news('a'), news('b')])).toMatchObject([
      { ...BATCH, text: '2 at once, newest first\nb happened\na happened' },
    ]);
    expect(batched([news('a')])[0]?.text).toBe('1 at once\na happened');
  });

  it('begin with the sign of their message', () => {
    const bad = news('a', {
      blocks: [section(mrkdwn`*a* x\n:red_circle: *OUTAGE* :white_circle:`)],
    });
    const odd = news('b', { blocks: [section(mrkdwn`:tada: b`)] });

    expect(linesOf([odd, bad])).toEqual([':red_circle: a happened', '• b happened']);
  });

  const signed = (key: string, sign: string, more: Partial<Message> = {}): Message =>
    news(key, { blocks: [section(mrkdwn`${new Mrkdwn(sign)} ${key}`)], ...more });

  it('call no one for a state that a later line took back', () => {
    expect(
      linesOf([
        signed('acme/shop/cart/12/unhealthy', ':red_circle:'),
        signed('acme/shop/api/7/failed', ':large_orange_circle:'),
        signed('acme/shop/cart/@job/oslo/run-1/failed', ':large_orange_circle:'),
        signed('acme/shop/cart/12/recovered', ':white_check_mark:'),
        signed('acme/shop/cart/13/failed', ':large_orange_circle:'),
      ]),
    ).toEqual([
      ':large_orange_circle: acme/shop/cart/13/failed happened',
      ':white_check_mark: acme/shop/cart/12/recovered happened',
      ':large_orange_circle: acme/shop/cart/@job/oslo/run-1/failed happened',
      ':large_orange_circle: acme/shop/api/7/failed happened',
      ':heavy_minus_sign: Over: acme/shop/cart/12/unhealthy happened',
    ]);
  });

  it('distinguish one location from another', () => {
    expect(
      linesOf([
        signed('acme/@location/oslo/stale/1', ':white_circle:'),
        signed('acme/@location/lima/stale/1', ':white_circle:'),
        signed('acme/@location/lima/recovered/1', ':white_check_mark:'),
      ]),
    ).toEqual([
      ':white_check_mark: acme/@location/lima/recovered/1 happened',
      ':heavy_minus_sign: Over: acme/@location/lima/stale/1 happened',
      ':white_circle: acme/@location/oslo/stale/1 happened',
    ]);
  });

  it('say once that all is well again, where the root says so, too', () => {
    const root = signed('acme/@location/oslo/stale/1', ':white_check_mark:', {
      covers: ['x'],
    });
    const reply = signed('acme/@location/oslo/recovered/1', ':white_check_mark:', {
      threadKey: root.key,
    });

    expect(linesOf([root, reply])).toEqual([`:white_check_mark: ${reply.key} happened`]);
  });

  it('leave out a card that has outcomes, but no root that stands for others', () => {
    const reply = (threadKey: string): Message => news(`${threadKey}-reply`, { threadKey });
    const root = news('incident', { covers: ['x'] });

    expect(linesOf([news('card'), reply('card'), root, reply('incident')])).toEqual([
      '• incident-reply happened',
      '• incident happened',
      '• card-reply happened',
    ]);
    expect(batched([news('card'), reply('card')])[0]?.text).toMatch(/^1 at once\n/);
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

  const many = (count: number): Message[] =>
    Array.from({ length: count }, (_, index) =>
      news(`${index}`, { text: `${index} ${'x'.repeat(4_000)}` }),
    );

  it.each([
    [1, [1]],
    [9, [9]],
    [10, [8, 2]],
    [17, [8, 9]],
    [18, [8, 9, 1]],
    [53, [8, 9, 9, 9, 9, 9]],
    [99, [8, 9, 9, 9, 9, 9]],
  ])('%i are short messages, the others in the thread: %j lines', (count, expected) => {
    const reported = batched(many(count));

    expect(reported.map((one) => linesIn(one).length)).toEqual(expected);
    for (const { text, blocks } of reported) {
      expect(text.split('\n').length).toBeLessThanOrEqual(12);
      expect(text.length).toBeLessThanOrEqual(900);
      expect(JSON.stringify(blocks).length).toBeLessThan(1_200);
    }
  });

  it('have replies with the lines that do not fit into the first', () => {
    const [whole, ...replies] = batched(many(60));

    expect(whole?.text).toContain('\n… and 52 more in the thread');
    expect(
      replies.map(({ key, threadKey, text }) => [key, threadKey, text.split('\n')[0]]),
    ).toEqual(
      ['9 to 17', '18 to 26', '27 to 35', '36 to 44', '45 to 53'].map((which, index) => [
        `${BATCH.key}/rest/${index + 1}`,
        BATCH.key,
        `60 at once: ${which}`,
      ]),
    );
    expect(replies.map(linesIn).flat()[0]).toMatch(/^• 51 x/);
    expect(replies.map(({ text }) => text.split('\n').at(-1)?.startsWith('… and'))).toEqual([
      ...Array.from({ length: 4 }, () => false),
      true,
    ]);
    expect(replies.at(-1)?.text).toMatch(/\n… and 7 more$/);
  });

  it('fit into a message of Slack, even many of the longest', () => {
    const longest = Array.from({ length: 60 }, (_, index) =>
      news(`${index}`, { text: '&amp;'.repeat(800) }),
    );
    for (const { text, blocks } of batched(longest)) {
      expect(text.length).toBeLessThanOrEqual(LIMITS.messageText);
      expect(JSON.stringify(blocks).length).toBeLessThan(LIMITS.messageCharacters);
    }
  });
});
