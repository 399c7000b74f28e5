import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRecorder, type Recorder } from './recorder.ts';
import {
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

const view = (title = 'Title', more: object = {}) => ({
  type: 'modal' as const,
  title: plain(title),
  blocks: [section('x')],
  ...more,
});
const lastForm = () =>
  Object.fromEntries(new URLSearchParams(recorder.received.at(-1)?.body ?? '')) as {
    trigger_id: string;
    response_url: string;
  };

async function trigger(): Promise<string> {
  await workspace.act('command', { ...ADA, text: '/deployments' });
  return lastForm().trigger_id;
}
const open = async (more: object = {}) =>
  workspace.client.views.open({ trigger_id: await trigger(), view: view('Title', more) });

describe('triggers', () => {
  it('open one view within three seconds', async () => {
    const id = await trigger();
    clock.advance(3_000);
    const attempt = () => refusal(workspace.client.views.open({ trigger_id: id, view: view() }));
    expect(await attempt()).toBe('ok');
    expect(await attempt()).toBe('exchanged_trigger_id');
  });

  it('expire and cannot be made up', async () => {
    const id = await trigger();
    clock.advance(3_001);
    const attempt = (trigger_id: string) =>
      refusal(workspace.client.views.open({ trigger_id, view: view() }));
    expect(await attempt(id)).toBe('expired_trigger_id');
    expect(await attempt('1.2.3')).toBe('invalid_trigger_id');
  });

  it('are not used up by a view that is refused', async () => {
    const id = await trigger();
    const attempt = (title: string) =>
      refusal(workspace.client.views.open({ trigger_id: id, view: view(title) }));
    expect(await attempt('a title of more than 24 letters')).toBe('invalid_arguments');
    expect(await attempt('Title')).toBe('ok');
  });
});

describe('views', () => {
  it('stack up to three', async () => {
    const push = async () =>
      refusal(workspace.client.views.push({ trigger_id: await trigger(), view: view('Next') }));
    expect(await push()).toBe('view_not_found');
    await open();
    expect([await push(), await push(), await push()]).toEqual(['ok', 'ok', 'push_limit_reached']);
    const { views } = await workspace.bootstrap('U0ADA');
    expect(views.map(({ title }) => title)).toEqual(['Title', 'Next', 'Next']);
  });

  it('change only for those who know the last hash', async () => {
    const opened = await open();
    const view_id = opened.view?.id ?? '';
    const hash = opened.view?.hash ?? '';
    const update = (more: object) =>
      refusal(workspace.client.views.update({ view_id, view: view('New'), ...more }));
    expect(await update({ hash })).toBe('ok');
    expect(await update({ hash })).toBe('hash_conflict');
    expect(await update({})).toBe('ok');
    expect(await update({ view_id: 'V0NONE' })).toBe('not_found');
  });

  it('are found by an external id that only one view has', async () => {
    await open({ external_id: 'mine' });
    const update = { external_id: 'mine', view: view('New', { external_id: 'mine' }) };
    expect(await refusal(workspace.client.views.update(update))).toBe('ok');
    expect(await refusal(open({ external_id: 'mine' }))).toBe('duplicate_external_id');
  });

  it('are gone once the person has closed them', async () => {
    const { view: opened } = await open();
    const view_id = opened?.id ?? '';
    await workspace.act('view/close', { user: 'U0ADA', view_id, clear: false });
    const update = workspace.client.views.update({ view_id, view: view() });
    expect(await refusal(update)).toBe('not_found');
  });

  it('belong to one person', async () => {
    const { view: opened } = await open();
    const answer = await workspace.act('view/submit', {
      user: 'U0BEN',
      view_id: opened?.id,
      values: {},
    });
    expect(answer).toEqual({ ok: false, error: 'view_not_found' });
  });

  it('check what people enter before the app is asked', async () => {
    const number = {
      type: 'number_input',
      action_id: 'n',
      is_decimal_allowed: false,
      min_value: '1',
    };
    const block = { type: 'input', block_id: 'b', label: plain('Number'), element: number };
    const { view: opened } = await open({ submit: plain('Send'), blocks: [block] });
    const before = recorder.received.length;
    const submit = (value: string) =>
      workspace.act('view/submit', {
        user: 'U0ADA',
        view_id: opened?.id,
        values: { b: { n: { type: 'number_input', value } } },
      });
    expect(await submit('1.5')).toMatchObject({ errors: { b: 'Enter a whole number.' } });
    expect(await submit('0')).toMatchObject({
      errors: { b: 'Enter a number that is at least 1.' },
    });
    expect(recorder.received).toHaveLength(before);
    expect(await submit('2')).toEqual({ ok: true });
    const payload = new URLSearchParams(recorder.received.at(-1)?.body).get('payload') ?? '';
    expect(JSON.parse(payload)).toMatchObject({
      type: 'view_submission',
      view: { state: { values: { b: { n: { type: 'number_input', value: '2' } } } } },
    });
  });

  it('stay open when the answer of the app makes no sense', async () => {
    const block = {
      type: 'input',
      block_id: 'b',
      label: plain('Text'),
      element: { type: 'plain_text_input', action_id: 'a' },
    };
    const { view: opened } = await open({ submit: plain('Send'), blocks: [block] });
    const headers = { 'content-type': 'application/json' };
    const submit = async (body: object) => {
      recorder.answer({ headers, body: JSON.stringify(body) });
      return workspace.act('view/submit', {
        user: 'U0ADA',
        view_id: opened?.id,
        values: { b: { a: { type: 'plain_text_input', value: 'x' } } },
      });
    };
    expect(await submit({ response_action: 'errors', errors: { other: 'no' } })).toMatchObject({
      ok: false,
    });
    expect(await submit({ response_action: 'update', view: { type: 'modal' } })).toMatchObject({
      ok: false,
    });
    expect(await submit({ response_action: 'dance' })).toMatchObject({ ok: false });
    expect((await workspace.bootstrap('U0ADA')).views).toHaveLength(1);
  });

  it('home tabs are published per person and guarded by their hash', async () => {
    const publish = (more: object = {}) =>
      workspace.client.views.publish({
        user_id: 'U0ADA',
        view: { type: 'home', blocks: [section('home')] },
        ...more,
      });
    const first = await publish();
    const hash = first.view?.hash ?? '';
    expect(await refusal(publish({ hash }))).toBe('ok');
    expect(await refusal(publish({ hash }))).toBe('hash_conflict');
    expect((await workspace.bootstrap('U0ADA')).home?.blocks).toHaveLength(1);
    expect((await workspace.bootstrap('U0BEN')).home).toBeNull();
  });
});

describe('response_url', () => {
  const respond = async (url: string, body: object = { text: 'again' }) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    return `${response.status} ${await response.text()}`;
  };

  it('works five times', async () => {
    await trigger();
    const { response_url: url } = lastForm();
    for (let use = 1; use <= 5; use += 1) expect(await respond(url)).toBe('200 ok');
    expect(await respond(url)).toBe('404 {"ok":false,"error":"used_url"}');
  });

  it('works for thirty minutes', async () => {
    await trigger();
    const { response_url: url } = lastForm();
    clock.advance(30 * 60_000);
    expect(await respond(url)).toBe('200 ok');
    clock.advance(1);
    expect(await respond(url)).toBe('404 {"ok":false,"error":"expired_url"}');
  });

  it('refuses content that Slack refuses', async () => {
    await trigger();
    const { response_url: url } = lastForm();
    expect(await respond(url, { blocks: [section('')] })).toMatch(/^400 .*invalid_blocks/);
    expect(await respond(url, {})).toMatch(/^400 .*no_text/);
  });
});
