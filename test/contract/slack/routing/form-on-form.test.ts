import { expect, it } from 'vitest';
import { actions, alert, button, section } from '../../../../src/slack/kit/blocks.ts';
import { textInput } from '../../../../src/slack/kit/inputs.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { FormRoute, FormSubmission } from '../../../../src/slack/routing/routes.ts';
import { openSlackHarness, type Message } from '../harness.ts';
import { isFilled, said, sum } from './form-support.ts';

const REVIEW: FormRoute = {
  actionId: 'customize',
  callbackId: 'reviewed',
  title: 'Review',
  fill: (_, show) =>
    show({
      title: 'Review',
      submit: 'Approve',
      state: 'the review',
      blocks: [
        alert('warning', mrkdwn`It is for ever.`),
        section(mrkdwn`A plan`),
        actions(button({ action: 'reject', text: 'Reject...', value: 'k3m9x2ab' })),
      ],
    }),
  submit: () => ({ answer: () => Promise.resolve(sum('Approved')) }),
};

/** A review below an answer, with a form on top of the review. */
async function reviewed() {
  const submissions: FormSubmission[] = [];
  const reject: FormRoute = {
    actionId: 'reject',
    callbackId: 'rejected',
    title: 'Reject',
    clears: true,
    fill: ({ value = '' }, show) =>
      show({
        title: 'Reject',
        submit: 'Reject',
        state: value,
        blocks: [textInput({ id: 'comment', label: 'Comment', optional: true })],
      }),
    submit(submission) {
      submissions.push(submission);
      return { answer: () => Promise.resolve(sum('Rejected')) };
    },
  };
  const made = await openSlackHarness({
    answer: () => Promise.resolve(sum('Ready')),
    forms: [REVIEW, reject],
  });
  return { ...made, submissions, answer: await made.ask() };
}

const says = (words: string) => (message: Message) => said(message).includes(words);

it('opens a second form on top of the first, which stays open', async () => {
  const { press, pressIn, answer, view, bootstrap } = await reviewed();
  await press(answer, 'Customize');
  const first = await view('the review', isFilled);

  await pressIn(first, 'Reject...');
  await view('the rejection', ({ title, submit }) => title === 'Reject' && submit === 'Reject');

  expect((await bootstrap()).views.map(({ title }) => title)).toEqual(['Review', 'Reject']);
});

it('closes both forms with the second one, and answers where the first was opened', async () => {
  const { press, pressIn, answer, view, submit, bootstrap, submissions, untilMessage } =
    await reviewed();
  await press(answer, 'Customize');
  await pressIn(await view('the review', isFilled), 'Reject...');
  const second = await view('the rejection', ({ submit: label }) => label === 'Reject');

  const comment = { type: 'plain_text_input', value: 'Too much.' };
  expect(await submit(second, { comment: { comment } })).toEqual({ ok: true });

  const reply = await untilMessage('the answer', says('Rejected'));
  expect(reply.ephemeral_to).toBe('U0ADA');
  expect((await bootstrap()).views).toEqual([]);
  expect(submissions).toMatchObject([{ values: { comment: 'Too much.' }, state: 'k3m9x2ab' }]);
});

it('shows a warning as a section where Slack refuses the block "alert"', async () => {
  const { press, answer, view, closeView, faults, lines } = await reviewed();
  await press(answer, 'Customize');
  const whole = await view('the review', isFilled);
  expect(whole.blocks[0]?.type).toBe('alert');
  await closeView(whole);

  await faults({ method: 'views.update', kind: 'error', error: 'invalid_blocks', times: 1 });
  await press(answer, 'Customize');
  const plain = await view('the review again', isFilled);
  expect(plain.blocks[0]?.type).toBe('section');

  expect(JSON.stringify(plain.blocks[0])).toContain(':large_orange_circle: It is for ever.');
  expect(JSON.stringify(lines())).not.toContain('Slack did not take the content of a window');
});
