import { Refusal } from '../../../../src/lib/errors.ts';
import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { checkboxes, multiSelect, select, textInput } from '../../../../src/slack/kit/inputs.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { Answer, FormContent, FormRoute } from '../../../../src/slack/routing/routes.ts';
import { openSlackHarness, type Message, type View } from '../harness.ts';

export const choices = (...values: string[]) => values.map((value) => ({ text: value, value }));

export const form = (orgs: string[], state = 'query-1'): FormContent => ({
  title: 'Customize',
  submit: 'Show',
  state,
  blocks: [
    textInput({ id: 'range', label: 'Range', initial: 'this month' }),
    select({ id: 'step', label: 'Step', options: choices('none', 'day'), initial: 'none' }),
    multiSelect({ id: 'orgs', label: 'Orgs', options: choices(...orgs), optional: true }),
    checkboxes({ id: 'tiers', label: 'Tiers', options: choices('detailed'), optional: true }),
  ],
});

/** An answer that can be customized. */
export const sum = (text: string): Answer => ({
  blocks: [section(mrkdwn`*${text}*`)],
  buttons: [button({ action: 'customize', text: 'Customize', value: 'query-1' })],
});

/** An answer with a form behind its button. */
export async function openForm(
  route: Partial<FormRoute>,
  options: Parameters<typeof openSlackHarness>[0] = {},
) {
  const harness = await openSlackHarness({
    answer: () => Promise.resolve(sum('The first sum')),
    ...options,
    forms: [
      {
        actionId: 'customize',
        callbackId: 'customized',
        title: 'Customize',
        inPlace: true,
        fill: (_, show) => show(form(['acme', 'globex'])),
        submit: () => ({ answer: () => Promise.resolve(sum('Another sum')) }),
        ...route,
      },
    ],
  });
  return { ...harness, answer: await harness.ask() };
}

/** As `openForm`, with the form open, once it is filled in. */
export async function openedForm(...parts: Parameters<typeof openForm>) {
  const harness = await openForm(...parts);
  await harness.press(harness.answer, 'Customize');
  return { ...harness, open: await harness.view('the form', isFilled) };
}

/** A person whom the bot admits until the door is closed. */
export function door() {
  let isOpen = true;
  const authorize = async (): Promise<void> => {
    if (!isOpen) throw new Refusal('You are a guest.');
  };
  return { services: { authorize }, close: () => void (isOpen = false) };
}

export const said = ({ blocks }: Message): string => JSON.stringify(blocks);
export const isFilled = (view: { submit?: string }): boolean => view.submit !== undefined;
/** Of a window, once it has these words. */
export const says = (words: string) => (_: View, text: string) => text.includes(words);
/** Slack takes nothing more of this kind. */
export const failing = (method: string, error: string, more: object = {}) => ({
  method,
  kind: 'error',
  error,
  ...more,
});
