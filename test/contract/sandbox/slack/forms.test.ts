import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRecorder, type Recorder } from './recorder.ts';
import { button, plain, refusal, section, startWorkspace, type TestWorkspace } from './support.ts';

const ADA = { user: 'U0ADA', channel: 'C0DEPLOYS' };
let workspace: TestWorkspace;
let recorder: Recorder;

beforeEach(async () => {
  recorder = await startRecorder();
  workspace = await startWorkspace({ requestUrl: recorder.url });
});
afterEach(async () => {
  await workspace.close();
  await recorder.close();
});

const option = (value: string, about?: string) => ({
  text: plain(value),
  value,
  ...(about === undefined ? {} : { description: plain(about) }),
});
const field = (label: string, element: object, more: object = {}) => ({
  type: 'input',
  block_id: label,
  label: plain(label),
  element: { action_id: label, ...element },
  ...more,
});

/** One field of every kind that asks for a change. */
const FIELDS = [
  field('Amount', { type: 'number_input', is_decimal_allowed: true, min_value: '0' }),
  field('Enabled', { type: 'checkboxes', options: [option('on')] }, { optional: true }),
  field('Name', { type: 'plain_text_input', max_length: 10 }),
  field('Roles', {
    type: 'checkboxes',
    options: [option('billing_admin', 'changes everything'), option('billing_viewer')],
    initial_options: [option('billing_viewer')],
  }),
  field('Expires', { type: 'datepicker' }, { optional: true }),
  field('E-mail', { type: 'email_text_input' }),
  field('Decision', { type: 'radio_buttons', options: [option('approve'), option('reject')] }),
];

interface Payload {
  type: string;
  trigger_id: string;
  channel?: object;
  container?: object;
  actions?: object[];
  view: { id: string; private_metadata: string; state: { values: Record<string, object> } };
}

async function open(view: object): Promise<string> {
  await workspace.act('command', { ...ADA, text: '/deployments' });
  const form = new URLSearchParams(recorder.received.at(-1)?.body);
  const opened = await workspace.client.views.open({
    trigger_id: form.get('trigger_id') ?? '',
    view: { type: 'modal', title: plain('Form'), ...view } as never,
  });
  return opened.view?.id ?? '';
}

const form = (blocks: object[], more: object = {}) =>
  open({ submit: plain('Send'), blocks, ...more });
const submit = (id: string, values: object = {}) =>
  workspace.act('view/submit', { user: 'U0ADA', view_id: id, values });
const payload = () =>
  JSON.parse(new URLSearchParams(recorder.received.at(-1)?.body).get('payload') ?? '{}') as Payload;

/** What was filled in, each in its own shape. */
const entered = (over: Record<string, object> = {}) =>
  Object.fromEntries(
    Object.entries({
      Amount: { type: 'number_input', value: '500.5' },
      Name: { type: 'plain_text_input', value: 'ci' },
      'E-mail': { type: 'email_text_input', value: 'hal@acme.example' },
      Decision: { type: 'radio_buttons', selected_option: option('approve') },
      ...over,
    }).map(([name, state]) => [name, { [name]: state }]),
  );

describe('a form of every kind of field', () => {
  it('comes back with what was filled in, what was there, and nothing for the rest', async () => {
    const id = await form(FIELDS, { private_metadata: 'x'.repeat(3_000) });

    expect(await submit(id, entered())).toEqual({ ok: true });

    const { type, view } = payload();
    expect(type).toBe('view_submission');
    expect(view.private_metadata).toHaveLength(3_000);
    expect(view.state.values).toEqual(
      entered({
        Enabled: { type: 'checkboxes', selected_options: [] },
        Roles: { type: 'checkboxes', selected_options: [option('billing_viewer')] },
        Expires: { type: 'datepicker', selected_date: null },
      }),
    );
  });

  it.each([
    ['Amount', { type: 'number_input', value: '-1' }, /at least 0/],
    ['Amount', { type: 'number_input', value: 'much' }, /Enter a number/],
    ['Name', { type: 'plain_text_input', value: 'x'.repeat(11) }, /at most 10/],
    ['Name', { type: 'plain_text_input', value: null }, /required/],
    ['E-mail', { type: 'email_text_input', value: 'hal' }, /valid email/],
    ['Roles', { type: 'checkboxes', selected_options: [] }, /required/],
    ['Decision', { type: 'radio_buttons', selected_option: null }, /required/],
  ])('%s is checked before the app hears of it', async (name, state, complaint) => {
    const id = await form(FIELDS);
    const before = recorder.received.length;

    const { errors } = await submit(id, entered({ [name]: state }));

    expect(errors).toEqual({ [name]: expect.stringMatching(complaint) });
    expect(recorder.received).toHaveLength(before);
  });

  it('stays open with the errors that the app finds', async () => {
    const id = await form(FIELDS);
    recorder.answer({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ response_action: 'errors', errors: { Expires: 'In the past.' } }),
    });

    const day = { Expires: { type: 'datepicker', selected_date: '2020-01-31' } };
    expect(await submit(id, entered(day))).toEqual({
      ok: true,
      errors: { Expires: 'In the past.' },
    });

    expect(payload().view.state.values).toMatchObject(entered(day));
    expect((await workspace.bootstrap('U0ADA')).views).toHaveLength(1);
  });
});

it('a modal that asks for nothing can be sent, too', async () => {
  const id = await form([section('Sure?')]);

  expect(await submit(id)).toEqual({ ok: true });

  expect(payload()).toMatchObject({ type: 'view_submission', view: { state: { values: {} } } });
  expect((await workspace.bootstrap('U0ADA')).views).toEqual([]);
});

it('a form without a button to send it is refused, as its metadata is when it is too long', async () => {
  expect(await refusal(open({ blocks: FIELDS }))).toBe('invalid_arguments');
  const metadata = { private_metadata: 'x'.repeat(3_001) };
  expect(await refusal(form([section('x')], metadata))).toBe('invalid_arguments');
});

it('a choice that other fields depend on is told at once, with all that was filled in', async () => {
  const quota = field(
    'Quota',
    { type: 'static_select', options: [option('cpu'), option('memory')] },
    { dispatch_action: true },
  );
  const maximum = field('Requested maximum', { type: 'number_input', is_decimal_allowed: false });
  const id = await form([quota, maximum], { private_metadata: 'acme' });
  const held = { type: 'static_select', selected_option: option('memory') };
  const state = {
    Quota: { Quota: held },
    'Requested maximum': { 'Requested maximum': { type: 'number_input', value: '7' } },
  };

  await workspace.act('action', {
    user: 'U0ADA',
    container: { type: 'view', view_id: id },
    block_id: 'Quota',
    action_id: 'Quota',
    element: held,
    state,
  });

  expect(payload()).toMatchObject({
    type: 'block_actions',
    container: { type: 'view', view_id: id },
    actions: [{ ...held, action_id: 'Quota', block_id: 'Quota' }],
    view: { id, private_metadata: 'acme', state: { values: state } },
  });
  expect(payload()).not.toHaveProperty('response_url');
});

it('a button in a direct message is pressed like any other, and opens a modal', async () => {
  const { channel } = await workspace.client.conversations.open({ users: 'U0ADA' });
  const posted = await workspace.client.chat.postMessage({
    channel: channel?.id ?? '',
    text: 'Your token is there',
    blocks: [
      { type: 'actions', block_id: 'b', elements: [button('Reveal', 'reveal', 'k3m9x2ab')] },
    ],
  });

  await workspace.act('action', {
    user: 'U0ADA',
    container: { type: 'message', channel: channel?.id, ts: posted.ts },
    block_id: 'b',
    action_id: 'reveal',
    element: { type: 'button' },
  });

  expect(payload()).toMatchObject({
    type: 'block_actions',
    channel: { id: channel?.id, name: 'directmessage' },
    actions: [{ action_id: 'reveal', value: 'k3m9x2ab' }],
  });
  const view = { type: 'modal' as const, title: plain('Secret'), blocks: [section('…')] };
  const trigger = payload().trigger_id;
  expect(await refusal(workspace.client.views.open({ trigger_id: trigger, view }))).toBe('ok');
});

it('nobody else presses the buttons of a direct message', async () => {
  const { channel } = await workspace.client.conversations.open({ users: 'U0ADA' });
  const elements = [button('Reveal', 'reveal', 'k3m9x2ab')];
  const posted = await workspace.client.chat.postMessage({
    channel: channel?.id ?? '',
    text: 'Your token is there',
    blocks: [{ type: 'actions', block_id: 'b', elements }],
  });

  const answer = await workspace.act('action', {
    user: 'U0BEN',
    container: { type: 'message', channel: channel?.id, ts: posted.ts },
    block_id: 'b',
    action_id: 'reveal',
    element: { type: 'button' },
  });

  expect(answer).toEqual({ ok: false, error: 'channel_not_found' });
  expect(recorder.received).toHaveLength(0);
});
