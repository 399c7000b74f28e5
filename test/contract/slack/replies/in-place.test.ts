import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { selectMenu } from '../../../../src/slack/kit/inputs.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { ActionContext, Answer } from '../../../../src/slack/routing/routes.ts';
import { buttonsOf, gate, isProgress, openSlackHarness, type Message } from '../harness.ts';

const turn = (to: string) => button({ action: 'turn', text: to, value: to });

const TWO = mrkdwn`Two`;

/** A page of an answer, with a way to others. */
function page(name: string, more: Partial<Answer> = {}): Answer {
  return {
    blocks: [section(mrkdwn`*Page ${name}*`, turn('Look'))],
    controls: [
      selectMenu({
        action: 'jump',
        placeholder: 'Page',
        options: ['one', 'nine'].map((value) => ({ text: value, value })),
      }),
    ],
    buttons: [turn('Previous'), turn('Next')],
    shareable: true,
    ...more,
  };
}

/** A harness whose buttons give the test's answer, in the place of the message. */
async function opened(run: (context: ActionContext) => Promise<Answer | undefined>) {
  const made = await openSlackHarness({
    answer: () => Promise.resolve(page('one')),
    actions: [
      { actionId: 'turn', inPlace: true, run },
      { actionId: 'jump', inPlace: true, run },
      { actionId: 'aside', run },
    ],
  });
  return made;
}

const said = (message: Message): string => JSON.stringify(message.blocks);
const edited = (times: number) => (message: Message) => message.edits.length === times;

describe('turning a page', () => {
  it('changes the message itself, again and again, and names its rows anew', async () => {
    const { ask, press, choose, messages, untilMessage } = await opened(({ value = '' }) =>
      Promise.resolve(page(value)),
    );
    const first = await ask();

    await press(first, 'Next');
    const second = await untilMessage('the next page', edited(1));
    await choose(second, 'jump', 'nine');
    const third = await untilMessage('the page that was chosen', edited(2));

    expect(said(second)).toContain('*Page Next*');
    expect(said(third)).toContain('*Page nine*');
    expect(buttonsOf(third)).toEqual(['Previous', 'Next', 'Share']);
    expect(await messages()).toHaveLength(1);
    const rows = [first, second, third].flatMap(({ blocks }) => blocks.map((one) => one.block_id));
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('that takes long keeps the earlier content in sight, without its buttons', async () => {
    const slow = gate();
    const { ask, press, messages, untilMessage } = await opened(async () => {
      await slow.passed;
      return page('two');
    });

    await press(await ask(), 'Next');
    const waiting = await untilMessage('a word in between', ({ text }) => isProgress(text));
    slow.open();
    const done = await untilMessage('the page', edited(2));

    expect(said(waiting)).toContain('*Page one*');
    expect(said(waiting)).toContain('Still working on it …');
    expect(said(waiting)).not.toContain('"button"');
    expect(said(done)).toContain('*Page two*');
    expect(said(done)).not.toContain('Still working');
    expect(await messages()).toHaveLength(1);
  });

  it('that fails late brings everything back, with the sentence', async () => {
    let slow = gate();
    const { ask, press, messages, untilMessage } = await opened(async () => {
      await slow.passed;
      throw new Refusal('The <platform> is away: try again.');
    });
    const first = await ask();

    await press(first, 'Next');
    await untilMessage('a word in between', ({ text }) => isProgress(text));
    slow.open();
    const back = await untilMessage('the earlier content', edited(2));

    expect(said(back)).toContain('*Page one*');
    expect(said(back)).toContain(':warning: The &lt;platform&gt; is away: try again.');
    expect(buttonsOf(back)).toEqual(buttonsOf(first));
    expect(await messages()).toHaveLength(1);

    slow = gate();
    await press(back, 'Next');
    await untilMessage('a word in between, again', edited(3));
    slow.open();
    const again = await untilMessage('the earlier content, again', edited(4));
    expect(said(again).match(/:warning:/g)).toHaveLength(1);
  });

  it('that fails at once changes nothing: the sentence comes beside it', async () => {
    const { ask, press, messages, untilMessage } = await opened(() =>
      Promise.reject(new Refusal('There is no such page.')),
    );
    const first = await ask();

    await press(first, 'Next');
    const sentence = await untilMessage('a sentence', ({ text }) => text.includes('no such page'));

    expect(sentence.ts).not.toBe(first.ts);
    expect((await messages()).find(({ ts }) => ts === first.ts)?.edits).toEqual([]);
  });

  it('that ends without an answer restores the earlier content', async () => {
    const slow = gate();
    const { ask, press, untilMessage } = await opened(async () => {
      await slow.passed;
      return undefined;
    });

    await press(await ask(), 'Next');
    await untilMessage('a word in between', ({ text }) => isProgress(text));
    slow.open();
    const back = await untilMessage('the earlier content', edited(2));

    expect(said(back)).toContain('*Page one*');
    expect(buttonsOf(back)).toHaveLength(3);
  });

  it('to something that Slack does not take comes as plain text in its place', async () => {
    const { ask, press, untilMessage } = await opened(() =>
      Promise.resolve(page('two', { blocks: [{ type: 'actions', elements: [] }, section(TWO)] })),
    );

    await press(await ask(), 'Next');
    const plain = await untilMessage('a plain answer', edited(1));

    expect(plain).toMatchObject({ text: 'Two', blocks: [] });
  });

  it('without the store still works, only that nothing can be shared', async () => {
    const slow = gate();
    const made = await opened(async () => {
      await slow.passed;
      return page('two');
    });
    const first = await made.ask();

    await made.press(first, 'Next');
    await made.loseStore();
    await made.untilMessage('a word of its own', ({ ts }) => ts !== first.ts);
    slow.open();
    const done = await made.untilMessage('the page', edited(1));

    expect(said(done)).toContain('*Page two*');
    expect(buttonsOf(done)).toEqual(['Previous', 'Next']);
  });
});

describe('a private answer', () => {
  it('is shared after a question, without anything to click, and stays whole for its reader', async () => {
    const question = 'This shows billing data to everybody here.';
    const harness = await openSlackHarness({
      answer: () => Promise.resolve(page('one', { shareable: { question }, needs: 'billing' })),
      actions: [
        { actionId: 'turn', inPlace: true, run: () => Promise.reject(new Refusal('No more.')) },
      ],
    });
    const answer = await harness.ask();
    const share = answer.blocks.at(-1)?.elements?.at(-1);

    await harness.press(answer, 'Share');
    const shared = await harness.untilMessage('a shared one', (one) => one.ephemeral_to === null);
    const own = await harness.untilMessage('the own one', edited(1));

    expect(share?.confirm).toMatchObject({
      title: { type: 'plain_text', text: 'Share with the channel?' },
      text: { type: 'plain_text', text: question },
      confirm: { text: 'Share' },
      deny: { text: 'Cancel' },
    });
    expect(said(shared)).toContain('*Page one*');
    expect(said(shared)).toContain('Shared by <@U0ADA>');
    expect(said(shared)).not.toContain('"button"');
    expect(buttonsOf(own)).toEqual(['Previous', 'Next']);
  });
});
