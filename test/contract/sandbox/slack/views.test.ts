import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRecorder, type Recorder } from './recorder.ts';
import {
  button,
  handClock,
  plain,
  refusal,
  section,
  startWorkspace,
  type TestWorkspace,
} from './support.ts';

const ADA = { user: 'U0ADA', channel: 'C0DEPLOYS' };
let clock: ReturnType<typeof handClock>;
let workspace: TestWorkspace;
let recorder: Recorder;

beforeEach(async () => {
  clock = handClock();
  recorder = await startRecorder();
  workspace = await startWorkspace({ clock, requestUrl: recorder.url });
});
afterEach(async () => {
  await workspace.close();
  await recorder.close();
});

interface Payload {
  type: string;
  trigger_id: string;
  view: { private_metadata: string; state: { values: Record<string, object> } };
}

const view = (more: object = {}) => ({
  type: 'modal' as const,
  title: plain('Title'),
  blocks: [section('x')],
  ...more,
});
const sent = () => new URLSearchParams(recorder.received.at(-1)?.body);
const payload = () => JSON.parse(sent().get('payload') ?? '{}') as Payload;
const answerWith = (body: object) =>
  recorder.answer({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function command(): Promise<{ trigger_id: string; url: string }> {
  await workspace.act('command', { ...ADA, text: '/deployments' });
  return { trigger_id: sent().get('trigger_id') ?? '', url: sent().get('response_url') ?? '' };
}
const openBy = (trigger_id: string, more: object = {}) =>
  workspace.client.views.open({ trigger_id, view: view(more) });
const open = async (more: object = {}) => {
  const { view: opened } = await openBy((await command()).trigger_id, more);
  return { id: opened?.id ?? '', hash: opened?.hash ?? '' };
};
const submit = (view_id: string, values: object = {}, user = 'U0ADA') =>
  workspace.act('view/submit', { user, view_id, values });
const openViews = async () => (await workspace.bootstrap('U0ADA')).views;

describe('triggers', () => {
  it('open one view within three seconds, and a refused view does not use them up', async () => {
    const { trigger_id: id } = await command();
    clock.advance(3_000);

    const tooLong = { title: plain('a title of more than 24 letters') };
    expect(await refusal(openBy(id, tooLong))).toBe('invalid_arguments');
    expect(await refusal(openBy(id))).toBe('ok');
    expect(await refusal(openBy(id))).toBe('exchanged_trigger_id');
  });

  it('expire and cannot be made up', async () => {
    const { trigger_id: id } = await command();
    clock.advance(3_001);

    expect(await refusal(openBy(id))).toBe('expired_trigger_id');
    expect(await refusal(openBy('1.2.3'))).toBe('invalid_trigger_id');
  });
});

describe('views', () => {
  it('stack up to three', async () => {
    const push = async () => {
      const { trigger_id } = await command();
      return refusal(workspace.client.views.push({ trigger_id, view: view() }));
    };
    expect(await push()).toBe('view_not_found');
    await open();

    expect([await push(), await push(), await push()]).toEqual(['ok', 'ok', 'push_limit_reached']);
    expect(await openViews()).toHaveLength(3);
  });

  it('are updated with the last hash or without one, while they are open', async () => {
    const { id, hash } = await open();
    const update = (more: object = {}) =>
      refusal(workspace.client.views.update({ view_id: id, view: view(), ...more }));

    const answers = [await update({ hash }), await update({ hash }), await update()];
    answers.push(await update({ view_id: 'V0NONE' }));
    await workspace.act('view/close', { user: 'U0ADA', view_id: id, clear: false });
    answers.push(await update());

    expect(answers).toEqual(['ok', 'hash_conflict', 'ok', 'not_found', 'not_found']);
  });

  it('are found by an external id that only one view has', async () => {
    await open({ external_id: 'mine' });
    const update = { external_id: 'mine', view: view({ external_id: 'mine' }) };

    expect(await refusal(workspace.client.views.update(update))).toBe('ok');
    expect(await refusal(open({ external_id: 'mine' }))).toBe('duplicate_external_id');
  });

  it('belong to one person', async () => {
    const { id } = await open();

    const refused = { ok: false, error: 'view_not_found' };
    expect(await submit(id, {}, 'U0BEN')).toEqual(refused);
  });

  it('home tabs are published per person and guarded by their hash', async () => {
    const publish = (more: object = {}) => {
      const home = { type: 'home' as const, blocks: [section('home')] };
      return workspace.client.views.publish({ user_id: 'U0ADA', view: home, ...more });
    };
    const hash = (await publish()).view?.hash ?? '';

    expect(await refusal(publish({ hash }))).toBe('ok');
    expect(await refusal(publish({ hash }))).toBe('hash_conflict');
    expect((await workspace.bootstrap('U0ADA')).home?.blocks).toHaveLength(1);
    expect((await workspace.bootstrap('U0BEN')).home).toBeNull();
  });
});

describe('forms', () => {
  const option = (value: string) => ({ text: plain(value), value });
  const field = (label: string, element: object, more: object = {}) => ({
    type: 'input',
    block_id: label,
    label: plain(label),
    element: { action_id: label, ...element },
    ...more,
  });
  const roles = [option('billing_admin'), option('billing_viewer')];
  const decimal = { type: 'number_input', is_decimal_allowed: true, min_value: '0' };
  const whole = { type: 'number_input', is_decimal_allowed: false, min_value: '1' };
  /** One field of every kind that asks for a change. */
  const FIELDS = [
    field('Amount', decimal),
    field('Count', whole),
    field('Enabled', { type: 'checkboxes', options: [option('on')] }, { optional: true }),
    field('Name', { type: 'plain_text_input', max_length: 10 }),
    field('Roles', { type: 'checkboxes', options: roles, initial_options: roles.slice(1) }),
    field('Expires', { type: 'datepicker' }, { optional: true }),
    field('E-mail', { type: 'email_text_input' }),
    field('Decision', { type: 'static_select', options: [option('approve'), option('reject')] }),
  ];
  /** The entries, each in its own shape. */
  const entered = (over: Record<string, object> = {}) =>
    Object.fromEntries(
      Object.entries({
        Amount: { type: 'number_input', value: '500.5' },
        Count: { type: 'number_input', value: '2' },
        Name: { type: 'plain_text_input', value: 'ci' },
        'E-mail': { type: 'email_text_input', value: 'hal@acme.example' },
        Decision: { type: 'static_select', selected_option: option('approve') },
        ...over,
      }).map(([name, state]) => [name, { [name]: state }]),
    );
  const form = (more: object = {}) => open({ submit: plain('Send'), blocks: FIELDS, ...more });

  it('come back with the entries, the initial values, and nothing for the rest', async () => {
    const { id } = await form({ private_metadata: 'x'.repeat(3_000) });

    expect(await submit(id, entered())).toEqual({ ok: true });

    const { type, view } = payload();
    expect(type).toBe('view_submission');
    expect(view.private_metadata).toHaveLength(3_000);
    expect(view.state.values).toEqual(
      entered({
        Enabled: { type: 'checkboxes', selected_options: [] },
        Roles: { type: 'checkboxes', selected_options: roles.slice(1) },
        Expires: { type: 'datepicker', selected_date: null },
      }),
    );
    expect(await openViews()).toEqual([]);
  });

  it.each([
    ['Amount', { type: 'number_input', value: '-1' }, /at least 0/],
    ['Amount', { type: 'number_input', value: 'much' }, /Enter a number/],
    ['Count', { type: 'number_input', value: '1.5' }, /Enter a whole number/],
    ['Name', { type: 'plain_text_input', value: 'x'.repeat(11) }, /at most 10/],
    ['Name', { type: 'plain_text_input', value: null }, /required/],
    ['E-mail', { type: 'email_text_input', value: 'hal' }, /valid email/],
    ['Roles', { type: 'checkboxes', selected_options: [] }, /required/],
    ['Decision', { type: 'static_select', selected_option: null }, /required/],
  ])('%s %j is refused before the app is asked', async (name, state, complaint) => {
    const { id } = await form();
    const before = recorder.received.length;

    const { errors } = await submit(id, entered({ [name]: state }));

    expect(errors).toEqual({ [name]: expect.stringMatching(complaint) });
    expect(recorder.received).toHaveLength(before);
  });

  it.each<[answer: object, result: object]>([
    [{ response_action: 'errors', errors: { Expires: 'Past.' } }, { errors: { Expires: 'Past.' } }],
    [{ response_action: 'errors', errors: { other: 'no' } }, { ok: false }],
    [{ response_action: 'update', view: { type: 'modal' } }, { ok: false }],
    [{ response_action: 'dance' }, { ok: false }],
  ])('stay open after the answer %j', async (answer, result) => {
    const { id } = await form();
    answerWith(answer);

    expect(await submit(id, entered())).toMatchObject(result);
    expect(await openViews()).toHaveLength(1);
  });
});

it('a button in a direct message opens a modal for its reader, and for no other person', async () => {
  const { channel } = await workspace.client.conversations.open({ users: 'U0ADA' });
  const elements = [button('Reveal', 'reveal', 'k3m9x2ab')];
  const { ts } = await workspace.client.chat.postMessage({
    channel: channel?.id ?? '',
    text: 'Your token is there',
    blocks: [{ type: 'actions', block_id: 'b', elements }],
  });
  const press = (user: string) =>
    workspace.act('action', {
      user,
      container: { type: 'message', channel: channel?.id, ts },
      block_id: 'b',
      action_id: 'reveal',
      element: { type: 'button' },
    });

  expect(await press('U0BEN')).toEqual({ ok: false, error: 'channel_not_found' });
  expect(recorder.received).toHaveLength(0);
  await press('U0ADA');
  expect(payload()).toMatchObject({
    type: 'block_actions',
    channel: { id: channel?.id, name: 'directmessage' },
    actions: [{ action_id: 'reveal', value: 'k3m9x2ab' }],
  });
  expect(await refusal(openBy(payload().trigger_id))).toBe('ok');
});

describe('response_url', () => {
  const respond = async (url: string, body: object = { text: 'again' }) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    return `${response.status} ${await response.text()}`;
  };

  it('works five times', async () => {
    const { url } = await command();
    for (let use = 1; use <= 5; use += 1) expect(await respond(url)).toBe('200 ok');

    expect(await respond(url)).toBe('404 {"ok":false,"error":"used_url"}');
  });

  it('works for thirty minutes', async () => {
    const { url } = await command();
    clock.advance(30 * 60_000);
    expect(await respond(url)).toBe('200 ok');
    clock.advance(1);

    expect(await respond(url)).toBe('404 {"ok":false,"error":"expired_url"}');
  });

  it('refuses content that Slack refuses', async () => {
    const { url } = await command();

    expect(await respond(url, { blocks: [section('')] })).toMatch(/^400 .*invalid_blocks/);
    expect(await respond(url, {})).toMatch(/^400 .*no_text/);
  });
});
