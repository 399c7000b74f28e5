import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../src/store/audit.ts';
import type { Change } from '../../../../src/changes/change.ts';
import { showAnswer } from '../../../../src/features/changes/show.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { plural } from '../../../../src/lib/text.ts';
import { answerBlocks } from '../../../../src/slack/replies/reply.ts';
import { changeOf, REQUESTED_AT } from '../../../support/changes.ts';
import { createdToken, linesOf } from '../../changes/messages/read.ts';
import { buttonsOf } from '../../../support/answer.ts';
import { createHarness } from './harness.ts';

const BEN = { userId: 'U0BEN', teamId: 'T0ACME', email: 'ben@acme.example' };
const MINUTE = 60_000;
const at = REQUESTED_AT + MINUTE;

describe('/changes show', () => {
  it('has Reveal for the requester alone, as long as the secret waits', async () => {
    const waiting = await createHarness([createdToken({})]);
    const over = await createHarness([createdToken({ until: REQUESTED_AT })]);
    const offeredTo = async (harness: typeof waiting, userId: string) =>
      buttonsOf(await harness.type(userId, 'show k3m9x2ab'));

    expect(await offeredTo(waiting, 'U0ADA')).toEqual(['Reveal']);
    expect(linesOf(await waiting.type('U0ADA', 'show k3m9x2ab')).join('\n')).toContain(
      'the token is shown *once*, to you alone',
    );
    expect(await offeredTo(waiting, 'U0BEN')).toEqual([]);
    expect(await offeredTo(over, 'U0ADA')).toEqual([]);
  });

  it('is refused to a member without the role, and names the role', async () => {
    await expect((await createHarness([{}])).type('U0CY', 'show k3m9x2ab')).rejects.toThrow(
      'The request k3m9x2ab is shown only to its requester and to people with the role billing_admin: ask one of these people.',
    );
  });

  it('names the nearest ID for a mistyped one, of those that the person may see', async () => {
    const harness = await createHarness([{}]);
    await expect(harness.type('U0BEN', 'show k3m9x2ba')).rejects.toMatchObject({
      message: expect.stringContaining('There is no request "k3m9x2ba"') as string,
      suggestion: '/changes show k3m9x2ab',
    });
    await expect(harness.type('U0CY', 'show k3m9x2ba')).rejects.toMatchObject({
      suggestion: undefined,
    });
  });
});

describe('The life of a request', () => {
  const filler = { before: [], after: [], state: 'pending' } as const;
  const lineOf = (index: number, sentence: string): AuditEntry => ({
    ...filler,
    at,
    entry: `${index}-0`,
    hash: '',
    change: 'k3m9x2ab',
    event: 'resend',
    sentence: `${index} ${sentence}`,
  });
  /** The numbers of the audit lines that are shown of so many, and the whole text. */
  function shownOf(count: number, sentence: string, over: Partial<Change> = {}) {
    const audit = Array.from({ length: count }, (_, index) => lineOf(index + 1, sentence));
    const answer = showAnswer({
      change: changeOf(over),
      audit,
      isOwn: true,
      mayDecide: true,
      now: at,
    });
    const lines = linesOf(answer);
    return { answer, lines, shown: numbersIn(lines) };
  }
  const numbersIn = (lines: readonly string[]): number[] =>
    lines.flatMap((line) => /sent again\*: (\d+) /.exec(line)?.[1] ?? []).map(Number);

  it('keeps its latest eight lines, and a button has the others, in their order', () => {
    const { answer, lines, shown } = shownOf(33, 'x');

    expect(shown).toEqual([26, 27, 28, 29, 30, 31, 32, 33]);
    expect(lines).toContain('*What happened* (25 earlier lines)');
    expect(answer.rest?.button).toBe('Show all (33)');
    expect(numbersIn(linesOf({ blocks: answer.rest?.blocks ?? [] }))).toEqual(
      Array.from({ length: 33 }, (_, index) => index + 1),
    );
  });

  it('of more than a hundred lines has the others in the audit', () => {
    const { answer } = shownOf(130, 'x');
    const lines = linesOf({ blocks: answer.rest?.blocks ?? [] });

    expect(lines[0]).toBe('*What happened* (30 earlier lines in the audit)');
    expect(numbersIn(lines)).toHaveLength(100);
  });

  it.each(['Why?', '&'.repeat(500)])(
    "keeps within Slack's limits, with the longest order and every comment %s",
    (comment) => {
      const facts = ['Name', 'Description', 'Invitees', 'Superuser key'].map((name) => ({
        name,
        text: '&'.repeat(name === 'Invitees' ? 360 : 500),
      }));
      const { answer, lines, shown } = shownOf(30, '&'.repeat(300), {
        title: '&'.repeat(200),
        state: 'succeeded',
        plan: { before: [], after: facts.slice(1), consequences: ['&'.repeat(200)] },
        decision: {
          verdict: 'approve',
          by: BEN,
          at,
          comment,
          self: false,
        },
        outcome: { at, code: 'done', sentence: '' },
      });
      const laidOut = answerBlocks(answer, '00000000-0000-0000-0000-000000000000', { kept: true });

      expect(createBlockChecker().blocks(laidOut, 'message')).toEqual([]);
      expect(JSON.stringify(laidOut)).not.toContain('no room here');
      expect(sizeOf(laidOut)).toBeLessThan(13_000);
      expect(shown.length).toBeGreaterThan(1);
      expect(shown.length).toBeLessThan(30);
      expect(shown).toEqual(shown.map((_, index) => 31 - shown.length + index));
      expect(lines).toContain(`*What happened* (${plural(30 - shown.length, 'earlier line')})`);
    },
  );

  it('is counted alone where the card leaves no room', () => {
    const facts = Array.from({ length: 11 }, (_, index) => ({
      name: `${index}`,
      text: '&'.repeat(500),
    }));
    const sentence = '&'.repeat(500);
    const { lines, shown } = shownOf(3, 'x', {
      state: 'failed',
      plan: { before: [], after: facts, consequences: [] },
      decision: { verdict: 'approve', by: BEN, at, comment: sentence, self: false },
      outcome: { at, code: 'not-done', sentence, now: facts.slice(1) },
    });

    expect(shown).toEqual([]);
    expect(lines.at(-1)).toBe('*What happened* (3 earlier lines)');
  });
});

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, one]) =>
      sum + (key === 'text' && typeof one === 'string' ? one.length : sizeOf(one)),
    0,
  );
}
