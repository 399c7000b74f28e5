import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/lib/errors.ts';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type {
  Answer,
  FormRoute,
  ModalRoute,
  RevealRoute,
} from '../../../../src/slack/routing/routes.ts';
import { openSlackHarness } from '../harness.ts';
import { form, isFilled, sum } from './form-support.ts';

const DIRECT = 'D0ADA';
const ACTIONS = ['Form', 'Modal', 'Reveal'];
const answer: Answer = {
  blocks: [],
  buttons: ACTIONS.map((text) => button({ action: text.toLowerCase(), text, value: '1' })),
};

/** A command with a form of its own, and an answer with a button for each kind of window. */
async function opened(
  routes: {
    form?: Partial<FormRoute>;
    modal?: Partial<ModalRoute>;
    reveal?: Partial<RevealRoute>;
  } = {},
) {
  const lost: string[] = [];
  const shown = { title: 'Details', blocks: [section(mrkdwn`All of it`)] };
  const asks: FormRoute = {
    actionId: 'form',
    callbackId: 'formed',
    title: 'Form',
    fill: (_, show) => show(form(['acme'])),
    submit: () => ({ answer: () => Promise.resolve(sum('It was sent')) }),
    ...routes.form,
  };
  const harness = await openSlackHarness({
    answer: () => Promise.resolve(answer),
    parse: ([first]) =>
      first?.text === 'set' ? { form: asks, value: '' } : { command: undefined },
    forms: [asks],
    modals: [
      {
        actionId: 'modal',
        title: 'Details',
        load: () => Promise.resolve(shown),
        ...routes.modal,
      },
    ],
    reveals: [
      {
        actionId: 'reveal',
        title: 'Token',
        take: () =>
          Promise.resolve({
            ...shown,
            shown: () => Promise.resolve(),
            lost: () => Promise.resolve(void lost.push('lost')),
          }),
        ...routes.reveal,
      },
    ],
  });
  return { ...harness, lost };
}

/** Slack takes nothing more into a window that is open. */
const STUCK = { method: 'views.update', kind: 'error', error: 'internal_error' };
const refused = () => Promise.reject(new Refusal('This takes the role billing_admin.'));

describe('a window that Slack takes nothing into', () => {
  it('is answered where the command was typed', async () => {
    const { type, faults, untilMessage, requests } = await opened();
    await faults(STUCK);

    await type('/charges set 500');
    const said = await untilMessage('a sentence', () => true);

    expect(said.text).toContain('did not fill the window: please close it and run');
    expect(said.ephemeral_to).not.toBeNull();
    // The form and the sentence, each of them twice.
    expect(await requests('views.update')).toHaveLength(4);
  });

  it.each(['Form', 'Modal'])('is answered beside the button that opened it: %s', async (label) => {
    const { ask, press, faults, untilMessage } = await opened();
    const there = await ask();
    await faults(STUCK);

    await press(there, label);
    const said = await untilMessage('a sentence', ({ ts }) => ts !== there.ts);

    expect(said.text).toContain('please close it and click again');
  });

  it.each(['Form', 'Modal', 'Reveal'])('does not keep a refusal to itself: %s', async (label) => {
    const { ask, press, faults, untilMessage } = await opened({
      form: { fill: refused },
      modal: { load: refused },
      reveal: { take: refused },
    });
    const there = await ask();
    await faults(STUCK);

    await press(there, label);
    const said = await untilMessage('a sentence', ({ ts }) => ts !== there.ts);

    expect(said.text).toBe('This takes the role billing_admin.');
  });

  it('does not keep it to itself that a secret is lost', async () => {
    const { ask, press, faults, untilMessage, lost } = await opened();
    const there = await ask();
    await faults(STUCK);

    await press(there, 'Reveal');
    const said = await untilMessage('a sentence', ({ ts }) => ts !== there.ts);

    expect(said.text).toContain('counts as lost');
    expect(lost).toEqual(['lost']);
  });

  it('and that does not follow a choice is answered in a direct message', async () => {
    const { type, view, pick, faults, untilMessage } = await opened({
      form: { fields: ['step'], refill: () => Promise.resolve(form(['globex'])) },
    });
    await type('/charges set 500');
    const open = await view('the form', isFilled);
    await faults(STUCK);

    await pick(open, 'step', 'day');
    const said = await untilMessage('a sentence', () => true, DIRECT);

    expect(said.text).toContain(
      'did not show what follows from your choice: please close the window and start again',
    );
  });
});
