import { button, section } from '../../../../src/slack/kit/blocks.ts';
import { checkboxes, multiSelect, select, textInput } from '../../../../src/slack/kit/inputs.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import type { Answer, FormContent, FormRoute } from '../../../../src/slack/routing/routes.ts';
import { openSlackHarness, type Message } from '../harness.ts';

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

export const said = ({ blocks }: Message): string => JSON.stringify(blocks);
export const isFilled = (view: { submit?: string }): boolean => view.submit !== undefined;
