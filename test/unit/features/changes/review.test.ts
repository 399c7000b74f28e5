import { describe, expect, it } from 'vitest';
import { planHash, type Change } from '../../../../src/changes/change.ts';
import type { Plan } from '../../../../src/changes/kinds/kind.ts';
import type { ReviewService, ReviewView } from '../../../../src/changes/request.ts';
import type { FormContent, FormVerdict } from '../../../../src/slack/routing/routes.ts';
import { spoken } from '../../../support/answer.ts';
import { changeOf } from '../../../support/changes.ts';
import { linesOf } from '../../changes/messages/read.ts';
import { createHarness } from './harness.ts';

const FRESH: Plan = {
  before: [{ name: 'Amount', text: '$450.00' }],
  after: [{ name: 'Amount', text: '$500.00' }],
  consequences: ['Saving re-arms the alert.'],
};

/** A harness with a review service that shows this, and notes every decision. */
async function houseWith(view: Partial<ReviewView> = {}, isWorking = true) {
  const decided: unknown[] = [];
  const decide =
    (verdict: string) =>
    async ({ userId }: { userId: string }, id: string, decision: unknown): Promise<Change> => {
      decided.push([verdict, userId, id, decision]);
      return changeOf();
    };
  const reviews: ReviewService = {
    review: async () => ({ change: changeOf(), plan: FRESH, isChanged: false, ...view }),
    approve: decide('approve'),
    reject: decide('reject'),
    withdraw: async () => changeOf(),
  };
  const hasWorker = () => Promise.resolve(isWorking);
  return { ...(await createHarness([{}], { reviews, hasWorker })), decided };
}

const fieldsOf = ({ blocks }: FormContent) =>
  blocks.flatMap((block) => (block.type === 'input' ? [block.label.text] : []));

async function answerOf(verdict: FormVerdict | Promise<FormVerdict> | undefined) {
  const given = await verdict;
  return given !== undefined && 'answer' in given ? given.answer() : given;
}

const said = (answer: Awaited<ReturnType<typeof answerOf>>) =>
  spoken(answer !== undefined && 'blocks' in answer ? answer : { blocks: [] });

describe('Review', () => {
  it('is shown without fields to a requester who cannot decide', async () => {
    const harness = await houseWith({ noDecision: 'Another person has to decide.' });

    const form = await harness.openReview('U0ADA', 'k3m9x2ab');
    const answer = await answerOf(harness.submitReview('U0ADA', form.state, {}));

    expect(fieldsOf(form)).toEqual([]);
    expect(linesOf(form).slice(-2)).toEqual(['Another person has to decide.', '[Withdraw]']);
    expect(linesOf(form).join('\n')).not.toContain('You requested this yourself');
    expect(answer).toBeUndefined();
    expect(harness.decided).toEqual([]);
  });
});

describe('a decision', () => {
  it('approves the plan that was shown', async () => {
    const harness = await houseWith();
    const { state } = await harness.openReview('U0BEN', 'k3m9x2ab');

    const answer = await answerOf(harness.submitReview('U0BEN', state, {}));

    expect(harness.decided).toEqual([['approve', 'U0BEN', 'k3m9x2ab', planHash(FRESH)]]);
    expect(said(answer)).toMatch(/^Approved: /);
  });

  it.each([
    [' Too much. ', 'Too much.'],
    [undefined, ''],
  ])('rejects with the comment %j', async (written, comment) => {
    const harness = await houseWith();
    const form = await harness.openReject('U0BEN', 'k3m9x2ab');

    const answer = await answerOf(
      harness.submitReject('U0BEN', form.state, { 'changes-comment': written }),
    );

    expect([form.submit, fieldsOf(form)]).toEqual(['Reject', ['Comment']]);
    expect(harness.decided).toEqual([['reject', 'U0BEN', 'k3m9x2ab', { comment }]]);
    expect(said(answer)).toMatch(/^Rejected: /);
  });
});
