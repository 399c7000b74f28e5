import { describe, expect, it } from 'vitest';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { createListeners } from '../../../../src/slack/routing/clicks.ts';
import type { CommandRoute } from '../../../../src/slack/routing/routes.ts';
import { pretendedBolt } from '../../../unit/slack/routing/routed.ts';
import { ADA, CHANNEL, openSlackHarness } from '../harness.ts';
import { openHome, part } from './home-support.ts';

const sum = { blocks: [section(mrkdwn`A sum`)] };
const AWAY = /own store just now, so nothing was done/;

describe('while the store is away', () => {
  it('a click is answered beside its message', async () => {
    const done: string[] = [];
    const harness = await openSlackHarness({
      answer: async () => ({ ...sum, buttons: [button({ action: 'go', text: 'Go' })] }),
      actions: [{ actionId: 'go', run: async () => void done.push('went') }],
    });
    const asked = await harness.ask();
    await harness.loseStore();
    await harness.press(asked, 'Go');

    const said = await harness.untilMessage('an answer', ({ text }) => AWAY.test(text));
    expect(said.ephemeral_to).toBe(ADA);
    expect(done).toEqual([]);
  });

  it('the home tab is drawn, and a click on it is answered as a direct message', async () => {
    const home = await openHome([part('Now', async () => 'all is well')]);
    await home.loseStore();
    await home.visit();
    await home.tab('the home tab', (said) => said.includes('all is well'));
    await home.pressHome('home.refresh');

    const said = await home.untilMessage('an answer', ({ text }) => AWAY.test(text), 'D0ADA');
    expect(said.ephemeral_to).toBeNull();
  });

  it('a question in a message is answered as far as it can be', async () => {
    const usage: CommandRoute = {
      help: { command: '/usage', summary: 'Use.', usages: [], examples: ['/usage today'] },
      helpOn: async () => sum,
      parse: () => ({ command: undefined }),
      run: async () => sum,
    };
    const harness = await openSlackHarness({ commands: [usage] });
    await harness.loseStore();
    await harness.post('/page/message', { user: ADA, channel: CHANNEL, text: '@Purser usage' });

    const said = await harness.untilMessage('an answer', ({ text }) => text === 'A sum');
    expect(said.ephemeral_to).toBe(ADA);
  });
});

describe('of another release', () => {
  it('a button says so', async () => {
    const bolt = pretendedBolt();
    const refusals: (string | undefined)[] = [];
    createListeners(bolt.app, async (_, refusal) => refusals.push(refusal) < 0);
    await bolt.click({ action_id: 'gone' });

    expect(refusals).toEqual([expect.stringContaining('from another release of Purser')]);
  });

  it('a command says so', async () => {
    const bolt = pretendedBolt();
    const said: unknown[] = [];
    createListeners(bolt.app, async () => true);
    await bolt.type('', async (answer) => void said.push(answer));

    expect(said).toEqual([
      { response_type: 'ephemeral', text: expect.stringContaining('no command /ship') as string },
    ]);
  });
});
