import * as fc from '../../../support/fast-check.ts';
import { expect, it } from 'vitest';
import type { AuditEntry } from '../../../../src/store/audit.ts';
import type { Change } from '../../../../src/changes/change.ts';
import { FIRST, listAnswer } from '../../../../src/features/changes/list.ts';
import { reviewForm } from '../../../../src/changes/forms/review.ts';
import { showAnswer } from '../../../../src/features/changes/show.ts';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { answerBlocks } from '../../../../src/slack/replies/reply.ts';
import { changeOf, REQUESTED_AT } from '../../../support/changes.ts';
import { hostile } from '../../slack/hostile.ts';

const checker = createBlockChecker();
const OURS = /<!date\^[^<>]*>|<@U0ADA>|^> /gm;

function lineWith(change: Change, text: string, index: number): AuditEntry {
  const facts = [{ name: text, text }];
  const details = { comment: text, sentence: text, before: facts, after: [] };
  const { id, state } = change;
  return {
    at: REQUESTED_AT,
    entry: `${index}-0`,
    hash: '',
    change: id,
    event: text,
    state,
    ...details,
  };
}

/** Every mrkdwn in a message: elsewhere text is nothing more than text. */
function mrkdwnIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value) {
    return [String(value.text).replaceAll(OURS, '')];
  }
  return Object.values(value).flatMap(mrkdwnIn);
}

it('whatever people and the platform write, lists, lives and reviews are text that Slack takes', () => {
  const texts = fc.record({ text: hostile, count: fc.integer({ min: 1, max: 40 }) });
  fc.assert(
    fc.property(texts, ({ text, count }) => {
      const facts = Array.from({ length: count }, (_, index) => ({
        name: `${index}${text}`,
        text,
      }));
      const plan = { before: facts.slice(1), after: facts, consequences: [text, text] };
      const requester = { userId: 'U0ADA', teamId: 'T0ACME', email: text };
      const change = changeOf({ title: text, reason: text, plan, requester });
      const audit = facts.map((_, index) => lineWith(change, text, index));
      const found = facts.map(() => change);
      const common = { now: REQUESTED_AT, isOwn: true, mayDecide: true };
      const answers = [
        listAnswer({
          ...common,
          found,
          isCut: true,
          question: FIRST,
          page: 1,
          isAdmin: true,
          mayDecide: () => true,
        }),
        showAnswer({ ...common, change, audit }),
      ].map((answer) => answerBlocks(answer, 'laid-out', { kept: true }));
      const form = reviewForm({ change, plan, isChanged: true, conflict: text }, 'U0ADA').blocks;

      expect(answers.flatMap((blocks) => checker.blocks(blocks, 'message'))).toEqual([]);
      expect(checker.blocks(form, 'modal')).toEqual([]);
      expect(mrkdwnIn([...answers, form]).join('\n')).not.toMatch(/[<>\u202E]/);
    }),
    { numRuns: 40 },
  );
});
