import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { actions, button, section } from '../../../../src/slack/kit/blocks.ts';
import { RUN_ACTION } from '../../../../src/slack/replies/help-view.ts';
import type { Answer, FormRoute, HomePart } from '../../../../src/slack/routing/routes.ts';
import type { Known } from '../harness.ts';
import { form } from './form-support.ts';
import { openHome, part, readHome } from './home-support.ts';

const DIRECT = 'D0ADA';
const answer = (text: string): Answer => ({ blocks: [section(mrkdwn`${text}`)] });

/** Counts how often it is read. */
async function counted(options: Parameters<typeof openHome>[1]) {
  let count = 0;
  const home = await openHome(
    [part('Count', () => Promise.resolve(`read ${(count += 1)}`))],
    options,
  );
  const { visit, tab } = home;
  await visit();
  await tab('the first reading', (said) => said.includes('read 1'));
  const again = () => tab('the home tab anew', (said) => said.includes('read 2'));
  return { ...home, again, count: () => count };
}

const decide: FormRoute = {
  actionId: 'press',
  callbackId: 'decided',
  title: 'Decide',
  fill: ({ value = '' }, show) => show(form(['acme'], value)),
  submit: ({ state }) => ({ answer: () => Promise.resolve(answer(`decided on ${state}`)) }),
};

describe('a button on the home tab', () => {
  it('answers as a direct message, and the home tab follows', async () => {
    const { pressHome, untilMessage, again } = await counted({
      actions: [
        {
          actionId: 'press',
          run: ({ value = '', channelId }) =>
            Promise.resolve(answer(`pressed ${value} in ${channelId ?? 'no channel'}`)),
        },
      ],
    });

    await pressHome('press');

    const said = await untilMessage('an answer', ({ text }) => text.includes('pressed'), DIRECT);
    expect(said.text).toBe('pressed read 1 in no channel');
    expect(JSON.stringify((await again()).blocks)).toContain('read 2');
  });

  it('runs a command, whose answer has its controls in the direct message', async () => {
    const run: HomePart<Known> = {
      title: 'Tasks',
      rank: 2,
      fill: async () => [actions(button({ action: RUN_ACTION, text: 'Go', value: '/charges' }))],
    };
    const rest = { button: 'All sums', title: 'Sums', blocks: answer('9').blocks };
    const { pressHome, press, untilMessage, view } = await readHome([run], {
      answer: async () => ({ ...answer('A sum'), rest }),
    });

    await pressHome(RUN_ACTION);
    const said = await untilMessage('the sum', ({ text }) => text === 'A sum', DIRECT);
    await press(said, 'All sums');
    expect(await view('all sums', ({ title }) => title === 'Sums')).toBeDefined();
  });

  it('says a no as a direct message, too', async () => {
    const { pressHome, untilMessage } = await counted({
      actions: [
        { actionId: 'press', run: () => Promise.reject(new Refusal('It is decided already.')) },
      ],
    });

    await pressHome('press');

    const said = await untilMessage('a no', ({ text }) => text.includes('decided'), DIRECT);
    expect(said.text).toContain('It is decided already.');
  });

  it('opens a modal', async () => {
    const { pressHome, view } = await counted({
      modals: [
        {
          actionId: 'press',
          title: 'Look',
          load: ({ value = '' }) =>
            Promise.resolve({ title: 'Look', blocks: [section(mrkdwn`${value}`)] }),
        },
      ],
    });

    await pressHome('press');

    expect((await view('the modal', (_, said) => said.includes('read 1'))).title).toBe('Look');
  });

  it('opens a form, whose answer is a direct message; and the home tab follows', async () => {
    const { pressHome, view, submit, untilMessage, again, count } = await counted({
      forms: [decide],
    });

    await pressHome('press');
    const open = await view('the form', (one) => one.submit !== undefined);
    expect(count()).toBe(1);
    await submit(open, {});

    const said = await untilMessage('an answer', ({ text }) => text.includes('decided'), DIRECT);
    expect(said.text).toBe('decided on read 1');
    expect(JSON.stringify((await again()).blocks)).toContain('read 2');
  });
});
