import { describe, expect, it } from 'vitest';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { selectMenu } from '../../../../src/slack/kit/inputs.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { gate } from '../harness.ts';
import { form, isFilled, openForm } from './form-support.ts';

type Harness = Awaited<ReturnType<typeof openForm>>;

/** An answer with everything that can be used. */
const full: Answer = {
  blocks: [section(mrkdwn`*A sum*`)],
  controls: [
    selectMenu({ action: 'turn', placeholder: 'Page', options: [{ text: 'two', value: 'two' }] }),
  ],
  buttons: [
    button({ action: 'turn', text: 'Next' }),
    button({ action: 'look', text: 'Look' }),
    button({ action: 'customize', text: 'Customize' }),
  ],
  shareable: true,
};

describe('while everything that could be slow hangs, Slack is answered within its three seconds', () => {
  it.each<[string, (made: Harness) => Promise<unknown>]>([
    ['a command', ({ type }) => type('/charges')],
    ['a button', ({ press, answer }) => press(answer, 'Next')],
    ['a select', ({ choose, answer }) => choose(answer, 'turn', 'two')],
    ['a button that opens a modal', ({ press, answer }) => press(answer, 'Look')],
    ['a button that opens a form', ({ press, answer }) => press(answer, 'Customize')],
    ['Share', ({ press, answer }) => press(answer, 'Share')],
  ])('about %s', async (_, act) => {
    const { made, hang, letGo } = await opened();
    hang();

    await act(made);

    expect((await made.deliveries()).at(-1)).toMatchObject({ ok: true });
    letGo();
  });

  it('about a form, which then says that it was too slow', async () => {
    const { made, hang, letGo } = await opened();
    await made.press(made.answer, 'Customize');
    const open = await made.view('the form', isFilled);
    hang();

    const verdict = await made.submit(open, {});

    expect((await made.deliveries()).at(-1)).toMatchObject({ ok: true });
    expect(verdict).toMatchObject({
      errors: { range: expect.stringContaining('took too long, so nothing was done') },
    });
    letGo();
  });
});

/** A harness whose every way to Slack, to the store and to people can be stopped. */
async function opened(): Promise<{ made: Harness; hang: () => void; letGo: () => void }> {
  const door = gate();
  let hangs = false;
  const soon = async (): Promise<undefined> => {
    if (hangs) await door.passed;
  };
  const put = async () => (await soon()) ?? 'kept-1';
  const slow = { put, get: soon, claim: async () => (await soon()) ?? true };
  const made = await openForm(
    {
      async fill(_, show) {
        await soon();
        await show(form(['acme']));
      },
    },
    {
      answer: async () => {
        await soon();
        return full;
      },
      actions: [{ actionId: 'turn', inPlace: true, run: soon }],
      modals: [
        {
          actionId: 'look',
          title: 'Look',
          load: async () => {
            await soon();
            return { title: 'Look', blocks: [] };
          },
        },
      ],
      services: {
        authorize: soon,
        requireRight: soon,
        kept: { answers: slow, forms: slow },
      },
    },
  );
  return { made, hang: () => void (hangs = true), letGo: door.open };
}
