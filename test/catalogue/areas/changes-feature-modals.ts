import type { InputBlock, KnownBlock } from '@slack/types';
import type { FormName } from '../../../src/changes/forms/form.ts';
import type { Given } from '../../../src/changes/forms/fields.ts';
import { createRequestService } from '../../../src/changes/request.ts';
import type { ChangeContext } from '../../../src/changes/context.ts';
import { openModal } from '../../../src/slack/routing/modals.ts';
import { context } from '../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import type { FormContent } from '../../../src/slack/routing/routes.ts';
import { WebClient } from '@slack/web-api';
import {
  formHarness,
  type FormParts,
  type PlatformData,
} from '../../unit/changes/forms/harness.ts';
import { modal, NOW, refusal, type Entry } from '../entry.ts';
import { GROUND, fakeOf } from './changes-feature-data.ts';

const CARD = 'https://acme.slack.com/archives/C0APPROVE/p1795341600000100';

/** How a form is opened: the account, the command, and differences of the set-up. */
export interface Opened {
  readonly name: FormName;
  readonly platformData?: PlatformData;
  readonly given?: Given;
  readonly deps?: Partial<FormParts>;
  readonly fake?: Partial<ChangeContext>;
}

/** The values of the fields, by label. */
export type Filled = Readonly<Record<string, string | readonly string[]>>;

/** The forms with the real request service behind them. */
export function formsOf({ platformData = GROUND, deps = {}, fake = {} }: Omit<Opened, 'name'>) {
  const behind = fakeOf(fake);
  behind.account.platformData = platformData;
  return formHarness(platformData, {
    requests: createRequestService(behind.context),
    clock: { now: () => NOW },
    link: async () => CARD,
    ...deps,
  });
}

/** A form as it opens. */
export function opened(id: string, when: string, how: Opened): Entry {
  return modal(id, when, () => formsOf(how).open(how.name, how.given));
}

/** The window of a form that is not opened: why not, in its place. */
export function notOpened(id: string, when: string, how: Opened): Entry {
  return modal(id, when, async () => {
    const forms = formsOf(how);
    const { title } = forms.routes[how.name];
    const { send } = refusal(id, when, () => forms.open(how.name, how.given));
    return { title, blocks: [...(await send()).blocks] };
  });
}

/** A window that shows only the refusal. */
export function refusedIn(id: string, when: string, title: string, attempt: () => unknown): Entry {
  const { send } = refusal(id, when, attempt);
  return modal(id, when, async () => ({ title, blocks: [...(await send()).blocks] }));
}

/** A form that stays open, because something in it is wrong. */
export function faulty(id: string, when: string, how: Opened & { readonly filled: Filled }): Entry {
  return modal(id, when, async () => {
    const forms = formsOf(how);
    const form = await forms.open(how.name, how.given);
    const { errors } = await forms.submit(how.name, form, how.filled);
    if (errors === undefined) throw new Error(`${id} has no errors`);
    return withErrors(keptIn(form, how.filled), errors);
  });
}

/** Slack keeps the values of the fields. */
function keptIn({ blocks, ...form }: FormContent, filled: Filled): FormContent {
  return { ...form, blocks: blocks.map((block) => kept(block, filled)) };
}

function kept(block: KnownBlock, filled: Filled): KnownBlock {
  const said = block.type === 'input' ? filled[block.label.text] : undefined;
  if (block.type !== 'input' || said === undefined) return block;
  const { element } = block;
  if (element.type === 'static_select') {
    const chosen = element.options?.find(({ text }) => text.text === said);
    return chosen ? { ...block, element: { ...element, initial_option: chosen } } : block;
  }
  if (element.type === 'checkboxes') {
    const { initial_options: _, ...empty } = element;
    const ticked = element.options.filter(({ text }) => said.includes(text.text));
    return {
      ...block,
      element: { ...empty, ...(ticked.length > 0 && { initial_options: ticked }) },
    };
  }
  if (!isTyped(element)) return block;
  const { initial_value: _, ...empty } = element;
  return { ...block, element: { ...empty, ...(said !== '' && { initial_value: String(said) }) } };
}

type Element = InputBlock['element'];

function isTyped(
  element: Element,
): element is Extract<Element, { type: 'plain_text_input' | 'email_text_input' | 'number_input' }> {
  return /^(?:plain_text|email_text|number)_input$/.test(element.type);
}

/** With the errors where Slack shows them: below their fields. @param errors by label */
export function withErrors(
  form: FormContent,
  errors: Readonly<Record<string, string>>,
): FormContent {
  const left = { ...errors };
  const blocks = form.blocks.flatMap((block): KnownBlock[] => {
    const error = block.type === 'input' ? left[block.label.text] : undefined;
    if (block.type !== 'input' || error === undefined) return [block];
    delete left[block.label.text];
    return [block, context(mrkdwn`${error}`)];
  });
  const [lost] = Object.keys(left);
  if (lost !== undefined) throw new Error(`the form has no field ${lost}`);
  return { ...form, blocks };
}

/** A window from the click on until its content has come. */
export function reading(id: string, when: string, title: string): Entry {
  return modal(id, when, async () => {
    const seen: { title: string; blocks: KnownBlock[] }[] = [];
    const client = new WebClient();
    client.views.open = async ({ view }) => {
      seen.push({ title, blocks: view.blocks as KnownBlock[] });
      return { ok: true };
    };
    const logger = { warn: () => undefined } as never;
    const services = { slack: client, scrub: (text: string) => text, logger };
    await openModal(services, { triggerId: 'trigger' }, title).view;
    const [shown] = seen;
    if (shown === undefined) throw new Error('no window was opened');
    return shown;
  });
}
