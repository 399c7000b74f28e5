import { describe, expect, it } from 'vitest';
import { actions, button, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { ActionRoute } from '../../../../src/slack/routing/routes.ts';
import { ADA, CHANNEL, gate, isProgress, openSlackHarness } from '../harness.ts';

/** A message of the bot's, as the outbox posts them, with a button. */
async function posted(channel: string, route: Partial<ActionRoute>) {
  const made = await openSlackHarness({
    actions: [
      {
        actionId: 'withdraw',
        run: () => Promise.resolve({ blocks: [section(mrkdwn`It was withdrawn`)] }),
        ...route,
      },
    ],
  });
  const { ts } = await made.client.chat.postMessage({
    channel,
    text: 'A card',
    blocks: [
      section(mrkdwn`A card`),
      actions(button({ action: 'withdraw', text: 'Withdraw', value: 'change-1' })),
    ],
  });
  const card = await made.untilMessage('the card', (one) => one.ts === ts, channel);
  return { ...made, card };
}

describe.each([
  ['a channel', CHANNEL],
  ['direct messages', 'D0ADA'],
])('a click on a card in %s', (_, channel) => {
  it.each([
    ['', {}],
    [', also where the answer would take the place of a private one', { inPlace: true } as const],
  ])('is answered privately and leaves the card as it is%s', async (_, route) => {
    const { press, card, untilMessage, messages } = await posted(channel, route);

    await press(card, 'Withdraw');
    const answer = await untilMessage('an answer', ({ ts }) => ts !== card.ts, channel);

    expect(answer).toMatchObject({ text: 'It was withdrawn', ephemeral_to: ADA });
    expect((await messages(channel)).find(({ ts }) => ts === card.ts)).toEqual(card);
  });

  it('that takes long says so, and leaves the card as it is', async () => {
    const slow = gate();
    const { press, card, untilMessage, messages } = await posted(channel, {
      async run() {
        await slow.passed;
        return { blocks: [section(mrkdwn`It was withdrawn`)] };
      },
    });

    await press(card, 'Withdraw');
    await untilMessage('a word in between', ({ text }) => isProgress(text), channel);
    slow.open();
    await untilMessage('an answer', ({ text }) => text === 'It was withdrawn', channel);

    expect((await messages(channel)).find(({ ts }) => ts === card.ts)).toEqual(card);
  });
});
