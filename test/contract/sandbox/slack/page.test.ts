import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageList } from '../../../../src/sandbox/slack/page-protocol.ts';
import { startRecorder } from './recorder.ts';
import { startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0DEPLOYS';
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

const say = (user: string, text: string, more: object = {}) =>
  workspace.act('message', { user, channel: CHANNEL, text, ...more });
const shown = (path: string) => workspace.read<MessageList>(path);

describe('the page of a person', () => {
  it('starts with what this person may see', async () => {
    const ada = await workspace.bootstrap('U0ADA');
    expect(ada.channels.map(({ name }) => name)).toEqual([
      'deployments',
      'approvals',
      'billing',
      'ops',
      'random',
      'finance-private',
      'Purser',
    ]);
    expect(ada).toMatchObject({ user: 'U0ADA', platform: false, views: [], home: null });
    const eve = await workspace.bootstrap('U0EVE');
    expect(eve.channels.map(({ name }) => name)).toEqual(['deployments', 'random', 'Purser']);
    expect(ada.can_act_as).not.toContain('U0GUS');
    expect(ada.can_act_as).not.toContain('U0PURSER');
  });

  it('offers the commands of the manifest', async () => {
    const { commands } = await workspace.bootstrap('U0ADA');
    expect(commands).toEqual([
      { command: '/deployments', description: 'What is deployed', usage_hint: 'GVC[/WORKLOAD]' },
      { command: '/plain', description: 'A command without escaping', usage_hint: '' },
    ]);
  });

  it('shows channel and thread, and keeps the summary of the thread current', async () => {
    const page = await workspace.page('U0BEN');
    await say('U0ADA', 'parent');
    const parent = await page.untilMessage(({ text }) => text === 'parent');
    await say('U0BEN', 'reply', { thread_ts: parent.ts });
    const { message } = await page.until('message_changed');
    expect(message).toMatchObject({ ts: parent.ts, reply_count: 1, reply_users: ['U0BEN'] });
    const channel = await shown(`/page/messages?user=U0ADA&channel=${CHANNEL}`);
    expect(channel.messages.map(({ text }) => text)).toEqual(['parent']);
    const thread = await shown(`/page/thread?user=U0ADA&channel=${CHANNEL}&ts=${parent.ts}`);
    expect(thread.messages.map(({ text }) => text)).toEqual(['parent', 'reply']);
  });

  it('keeps private channels private', async () => {
    const [ada, dana] = await Promise.all([workspace.page('U0ADA'), workspace.page('U0DANA')]);
    await workspace.act('message', { user: 'U0ADA', channel: 'C0FINANCE', text: 'hush' });
    await ada.untilMessage(({ text }) => text === 'hush');
    await say('U0ADA', 'aloud');
    await dana.untilMessage(({ text }) => text === 'aloud');
    expect(JSON.stringify(dana.events)).not.toContain('hush');
    expect(await workspace.read('/page/messages?user=U0DANA&channel=C0FINANCE')).toEqual({
      ok: false,
      error: 'channel_not_found',
    });
  });

  it('what people type cannot pretend to be a mention', async () => {
    const page = await workspace.page('U0BEN');
    await say('U0ADA', '<!channel> & @ben');
    const { text } = await page.untilMessage(() => true);
    expect(text).toBe('&lt;!channel&gt; &amp; <@U0BEN|ben>');
  });

  it('tells pages when the bot leaves a channel', async () => {
    const page = await workspace.page('U0ADA');
    await workspace.control('leave', { channel: CHANNEL });
    await page.until('channels_changed');
    const { channels } = await workspace.bootstrap('U0ADA');
    expect(channels.find(({ id }) => id === CHANNEL)?.bot_is_member).toBe(false);
  });

  it('takes an upload for a file input', async () => {
    const response = await fetch(`${workspace.slack.url}/page/upload?user=U0ADA&name=app.yaml`, {
      method: 'POST',
      body: 'kind: workload\n',
    });
    const { file } = (await response.json()) as { file: { url: string } };
    expect(file).toMatchObject({ name: 'app.yaml', mimetype: 'text/yaml', size: 15 });
    const download = await fetch(workspace.slack.url + file.url);
    expect(await download.text()).toBe('kind: workload\n');
  });

  it('is refused to those who are nobody', async () => {
    for (const user of ['U0NOBODY', 'U0GUS', 'U0PURSER']) {
      expect(await say(user, 'hello')).toEqual({ ok: false, error: 'user_not_found' });
    }
  });
});

describe('the assets', () => {
  it('are built once and served', async () => {
    let built = 0;
    const own = await startWorkspace({
      pageScript: () => {
        built += 1;
        return Promise.resolve({ html: '<!doctype html>page', js: 'code()', css: 'body{}' });
      },
    });
    const read = async (path: string) => (await fetch(own.slack.url + path)).text();
    expect(await read('/')).toBe('<!doctype html>page');
    expect(await read('/page.js')).toBe('code()');
    expect(await read('/page.css')).toBe('body{}');
    expect(built).toBe(1);
    await own.close();
  });
});

describe('the platform panel', () => {
  it('talks to the control interface of the stand-in platform', async () => {
    const platform = await startRecorder();
    platform.answer({ headers: { 'content-type': 'application/json' }, body: '{"version":12}' });
    const own = await startWorkspace({ platformUrl: new URL(platform.url).origin });
    const answer = await own.act('platform/rollout', { org: 'acme', gvc: 'shop' });
    expect(answer).toEqual({ version: 12 });
    expect(platform.received[0]?.body).toBe('{"org":"acme","gvc":"shop"}');
    expect((await own.bootstrap('U0ADA')).platform).toBe(true);
    await own.close();
    await platform.close();
  });
});
