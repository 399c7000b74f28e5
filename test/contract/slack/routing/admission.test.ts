import { expect, it } from 'vitest';
import { button } from '../../../../src/slack/kit/blocks.ts';
import { openSlackHarness } from '../harness.ts';
import { door, form, isFilled, says, sum } from './form-support.ts';

const WINDOWS = ['Form', 'Modal', 'Reveal'];

/** A command and an answer with a button for each kind of window; `done`: what was done for the person. */
async function house() {
  const { services, close } = door();
  const done: string[] = [];
  const asks = {
    actionId: 'form',
    callbackId: 'formed',
    title: 'Form',
    fill: async (_: unknown, show: (content: ReturnType<typeof form>) => Promise<void>) => {
      done.push('filled');
      await show(form(['acme']));
    },
    submit: () => ({ errors: { step: `submitted ${done.push('submitted')}` } }),
    fields: ['step'],
    refill: async () => void done.push('refilled'),
  };
  const made = await openSlackHarness({
    services,
    answer: async () => ({
      ...sum('An answer'),
      buttons: WINDOWS.map((text) => button({ action: text.toLowerCase(), text, value: '1' })),
    }),
    parse: ([word]) => (word?.text === 'set' ? { form: asks, value: '' } : { command: undefined }),
    forms: [asks],
    modals: [
      {
        actionId: 'modal',
        title: 'Details',
        load: async ({ value = '' }) => {
          done.push('loaded');
          const buttons = [button({ action: 'modal', text: 'Next', value: '2' })];
          return { title: 'Details', blocks: sum(`Page ${value}`).blocks, buttons };
        },
      },
    ],
    reveals: [
      { actionId: 'reveal', title: 'Token', take: () => Promise.reject(new Error('taken')) },
    ],
  });
  return { ...made, close, done, answer: await made.ask() };
}

type House = Awaited<ReturnType<typeof house>>;
const guest = (made: House) => made.view('the sentence', says('You are a guest.'));

it.each<[string, (made: House) => Promise<unknown>]>([
  ['a command that opens a form', ({ type }) => type('/charges set')],
  ...WINDOWS.map((label): [string, (made: House) => Promise<unknown>] => [
    `the button ${label}`,
    ({ press, answer }) => press(answer, label),
  ]),
])(
  'a person that the bot does not admit reads so in the window of %s, and nothing is read',
  async (_, act) => {
    const made = await house();
    made.close();

    await act(made);

    expect((await guest(made)).submit).toBeUndefined();
    expect(made.done).toEqual([]);
    expect(made.lines()).not.toContain('taken');
  },
);

it.each<[string, (made: House) => Promise<unknown>]>([
  [
    'a choice in an open form',
    async (made) => {
      const open = await made.view('the form', isFilled);
      made.close();
      await made.pick(open, 'step', 'day');
      await guest(made);
    },
  ],
  [
    'an open form that is sent',
    async (made) => {
      const open = await made.view('the form', isFilled);
      made.close();
      const verdict = await made.submit(open, {});
      expect(verdict).toEqual({ ok: true, errors: { range: 'You are a guest.' } });
    },
  ],
])('nor is anything done for %s', async (_, act) => {
  const made = await house();
  await made.press(made.answer, 'Form');

  await act(made);

  expect(made.done).toEqual(['filled']);
});

it('nor is another page shown in an open window, which keeps its own', async () => {
  const made = await house();
  await made.press(made.answer, 'Modal');
  const open = await made.view('the page', says('Page 1'));
  made.close();

  await made.pressIn(open, 'Next');

  expect(JSON.stringify(await guest(made))).toContain('Page 1');
  expect(made.done).toEqual(['loaded']);
});
