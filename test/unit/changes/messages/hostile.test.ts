import * as fc from '../../../support/fast-check.ts';
import { expect, it } from 'vitest';
import { type Change, STATES } from '../../../../src/changes/change.ts';
import { messagesOf } from '../../../../src/changes/messages/messages.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { changeOf } from '../../../support/changes.ts';
import { hostile } from '../../slack/hostile.ts';
import { APPROVED, createdToken, DECIDED_AT } from './read.ts';

const checker = createBlockChecker();
const facts = fc.array(fc.record({ name: hostile, text: hostile }), { maxLength: 25 });

/** A change with a foreign text wherever one can be. */
const anyChange: fc.Arbitrary<Change> = fc
  .record({
    state: fc.constantFrom(...STATES),
    title: hostile,
    text: hostile,
    before: facts,
    after: facts,
    consequences: fc.array(hostile, { maxLength: 12 }),
    secret: fc.constantFrom('sealed', 'opening', 'revealed', 'lapsed', 'lost'),
    reminders: fc.nat({ max: 5 }),
  })
  .map(({ state, title, text, before, after, consequences, secret, reminders }) => ({
    ...changeOf({
      state,
      title,
      reminders,
      approvers: ['billing_admin', text],
      group: 'S0ADMINS',
    }),
    plan: { before, after, consequences },
    decision: { ...APPROVED, comment: text },
    outcome: { at: DECIDED_AT, code: 'not-done', sentence: text, now: after },
    secret: {
      ...createdToken({ state: secret }).secret,
      cleaned: { code: 'cleaned', sentence: text },
    } as Change['secret'],
  }));

/** Our own mentions, moments and quotes. */
const OURS = /<!date\^[^<>]*>|<@U0(?:ADA|BEN)>|<!subteam\^S0ADMINS>|\n> /gi;

/** All visible text, and whether Slack acts on it: rich text and plain text are only text. */
function textsIn(value: unknown): { text: string; isMrkdwn: boolean }[] {
  if (typeof value !== 'object' || value === null) return [];
  const isMrkdwn = 'type' in value && value.type === 'mrkdwn';
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'text' && typeof one === 'string' ? [{ text: one, isMrkdwn }] : textsIn(one),
  );
}

it('whatever people and the platform write, no text of theirs speaks for the bot, and Slack takes all', () => {
  fc.assert(
    fc.property(anyChange, (change) => {
      for (const message of messagesOf(change)) {
        const texts = [{ text: message.text, isMrkdwn: true }, ...textsIn(message.blocks)];
        const size = texts.reduce((sum, { text }) => sum + text.length, 0);
        const acted = texts.filter(({ isMrkdwn }) => isMrkdwn).map(({ text }) => text);

        expect(checker.blocks(message.blocks, 'message')).toEqual([]);
        expect(acted.join('\n').replaceAll(OURS, '')).not.toMatch(/[<>\u202E]/);
        expect(texts.map(({ text }) => text).join('\n')).not.toContain('\u202E');
        expect(size).toBeLessThan(13_000);
        expect(message.text.length).toBeLessThanOrEqual(4_000);
      }
    }),
    { numRuns: 100 },
  );
});

it('a title as long as any has its place in a message', () => {
  const change = changeOf({ title: '&'.repeat(5_000), group: '<!channel>' });

  const [card] = messagesOf(change);

  expect(checker.blocks(card?.blocks, 'message')).toEqual([]);
  expect(JSON.stringify(card)).toContain('<!subteam^channel>');
});
