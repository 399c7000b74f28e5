import type { WebAPIPlatformError } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  APP_TOKEN,
  button,
  refusal,
  section,
  startWorkspace,
  webClient,
  type TestWorkspace,
} from './support.ts';

const CHANNEL = 'C0DEPLOYS';
const METADATA = { event_type: 'card', event_payload: { key: 'a/b' } };
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

const post = (more: object = {}) =>
  workspace.client.chat.postMessage({ channel: CHANNEL, text: 'x', ...more });
const edit = (ts = '', more: object = {}) =>
  workspace.client.chat.update({ channel: CHANNEL, ts, text: 'after', ...more });
const remove = (ts = '') => workspace.client.chat.delete({ channel: CHANNEL, ts });
const stored = async (ts: string | undefined) =>
  (await workspace.messages(CHANNEL)).find((message) => message.ts === ts);

describe('callers', () => {
  it('the bot is known by its token', async () => {
    const me = { user_id: 'U0PURSER', bot_id: 'B0PURSER', team_id: 'T0ACME' };
    expect(await workspace.client.auth.test()).toMatchObject(me);
  });

  it.each([
    ['no token', () => webClient(workspace.slack.url, '').auth.test(), 'not_authed'],
    ['a wrong one', () => webClient(workspace.slack.url, 'xoxb-x').auth.test(), 'invalid_auth'],
    [
      "an app's token for a bot's method",
      () => webClient(workspace.slack.url, APP_TOKEN).auth.test(),
      'not_allowed_token_type',
    ],
    [
      "a bot's token for an app's method",
      () => workspace.client.apps.connections.open({}),
      'not_allowed_token_type',
    ],
    ['an unknown method', () => workspace.client.apiCall('chat.shout'), 'unknown_method'],
  ])('%s is refused', async (_what, call, error) => {
    expect(await refusal(call())).toBe(error);
  });

  it('JSON bodies are taken, and the token as an argument', async () => {
    const answer = await fetch(`${workspace.slack.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ token: 'xoxb-test-bot', channel: CHANNEL, text: 'as JSON' }),
    });
    expect(await answer.json()).toMatchObject({ ok: true, message: { text: 'as JSON' } });
  });

  it('a method without its scope is refused with those that there are', async () => {
    const manifestPath = new URL('poor-manifest.yml', import.meta.url).pathname;
    const poor = await startWorkspace({ manifestPath });
    const failure = poor.client.chat.postMessage({ channel: CHANNEL, text: 'hello' });
    const { data } = (await failure.catch((error: unknown) => error)) as WebAPIPlatformError;
    const { user } = await poor.client.users.info({ user: 'U0ADA' });
    await poor.close();

    const needed = { needed: 'chat:write', provided: 'commands,users:read' };
    expect(data).toMatchObject({ error: 'missing_scope', ...needed });
    expect(user?.profile).not.toHaveProperty('email');
  });
});

describe('posting', () => {
  it('keeps text, blocks and metadata', async () => {
    const blocks = [section('*hello*'), { type: 'actions', elements: [button('Go', 'go', '1')] }];
    const { ts, channel } = await post({ text: 'fallback', blocks, metadata: METADATA });

    const message = await stored(ts);

    expect(channel).toBe(CHANNEL);
    expect(message).toMatchObject({ text: 'fallback', metadata: METADATA, edit_count: 0 });
    expect(message?.blocks[1]).toHaveProperty('block_id');
  });

  it.each<[rule: string, message: object, answer: string]>([
    ['blocks without text', { text: '', blocks: [section('x')] }, 'ok'],
    ['nothing at all', { text: '' }, 'no_text'],
    ['a channel without the bot', { channel: 'C0RANDOM' }, 'not_in_channel'],
    ['an unknown channel', { channel: 'C0NOWHERE' }, 'channel_not_found'],
    ['an archived one', { channel: 'C0OLDIES' }, 'is_archived'],
    ['a channel by its name', { channel: '#deployments' }, 'ok'],
    ['a person', { channel: 'U0ADA' }, 'ok'],
    ['a private channel with the bot', { channel: 'C0FINANCE' }, 'ok'],
    ['a thread of no message', { thread_ts: '1.000001' }, 'thread_not_found'],
  ])('%s: %j answers %s', async (_rule, message, answer) => {
    expect(await refusal(post(message))).toBe(answer);
  });

  it('forgets a private channel that the bot has left, until it is back', async () => {
    const answers: string[] = [];
    for (const control of ['leave', 'join']) {
      await workspace.control(control, { channel: 'C0FINANCE' });
      answers.push(await refusal(post({ channel: 'C0FINANCE' })));
    }

    expect(answers).toEqual(['channel_not_found', 'ok']);
  });

  it('cuts very long text with a warning', async () => {
    const { message, response_metadata: about } = await post({ text: 'x'.repeat(40_001) });

    expect(message?.text).toHaveLength(40_000);
    expect(about).toMatchObject({ warnings: ['message_truncated'] });
  });

  it('a reply to a reply goes to the thread', async () => {
    const { ts: parent } = await post();
    const { ts } = await post({ thread_ts: parent });

    expect((await post({ thread_ts: ts })).message?.thread_ts).toBe(parent);
  });

  it('shows ephemeral messages to one member of the channel', async () => {
    const { client } = workspace;
    const [ada, ben] = await Promise.all([workspace.page('U0ADA'), workspace.page('U0BEN')]);
    const secret = { channel: CHANNEL, user: 'U0ADA', text: 'for your eyes' };
    await client.chat.postEphemeral(secret);
    const seen = await ada.untilMessage(({ text }) => text === secret.text);
    await post({ text: 'for all' });
    await ben.untilMessage(({ text }) => text === 'for all');

    expect(seen.ephemeral).toBe(true);
    expect(JSON.stringify(ben.events)).not.toContain(secret.text);
    const outside = client.chat.postEphemeral({ channel: 'C0FINANCE', user: 'U0DANA', text: 'x' });
    expect(await refusal(outside)).toBe('user_not_in_channel');
  });
});

describe('below a message that was deleted', () => {
  const threadOf = async (replies: number): Promise<string> => {
    const { ts = '' } = await post();
    for (let count = 0; count < replies; count += 1) await post({ text: 'reply', thread_ts: ts });
    await remove(ts);
    return ts;
  };
  const strike = (kind: string) =>
    workspace.control('faults', { faults: [{ method: 'chat.postMessage', kind, times: 1 }] });

  it('there is no thread where it had no replies', async () => {
    expect(await refusal(post({ thread_ts: await threadOf(0) }))).toBe('thread_not_found');
  });

  it('a tombstone stays where it had replies, and takes no new ones', async () => {
    const ts = await threadOf(1);

    expect(await refusal(post({ thread_ts: ts }))).toBe('cannot_reply_to_message');
    expect(await refusal(edit(ts))).toBe('message_not_found');
    const { messages } = await workspace.client.conversations.replies({ channel: CHANNEL, ts });
    expect(messages).toMatchObject([
      { subtype: 'tombstone', text: 'This message was deleted.', user: 'USLACKBOT', ts },
      { text: 'reply', parent_user_id: 'USLACKBOT' },
    ]);
  });

  it('the fault "tomb" takes a reply all the same, which can be shown in the channel later', async () => {
    const parent = await threadOf(1);
    await strike('tomb');
    const { message, ts } = await post({ thread_ts: parent });
    await edit(ts, { reply_broadcast: true });

    expect(message).toMatchObject({ thread_ts: parent, parent_user_id: 'USLACKBOT' });
    const { messages } = await workspace.client.conversations.history({ channel: CHANNEL });
    expect(messages).toContainEqual(expect.objectContaining({ ts, subtype: 'thread_broadcast' }));
  });

  it('the fault "unthread" posts a reply to the channel instead', async () => {
    const parent = await threadOf(0);
    await strike('unthread');

    expect((await post({ thread_ts: parent })).message).not.toHaveProperty('thread_ts');
  });
});

describe('editing', () => {
  const card = async () =>
    (await post({ text: 'before', blocks: [section('before')], metadata: METADATA })).ts ?? '';

  it('text alone removes the blocks, keeps the metadata and marks the message', async () => {
    const ts = await card();

    expect((await edit(ts)).message).toHaveProperty('edited');

    const edits = { edit_count: 1, edits: [{ text: 'before' }] };
    expect(await stored(ts)).toMatchObject({
      text: 'after',
      blocks: [],
      metadata: METADATA,
      ...edits,
    });
  });

  it('blocks leave no mark, and empty metadata removes the metadata', async () => {
    const ts = await card();

    const { message } = await edit(ts, { blocks: [section('after')], metadata: {} });

    expect(message).not.toHaveProperty('edited');
    expect((await stored(ts))?.metadata).toBeNull();
  });

  it.each([
    ['an unknown message', { ts: '1.000001' }, 'message_not_found'],
    ['a channel by its name', { channel: '#deployments' }, 'channel_not_found'],
    ['text that is too long', { text: 'x'.repeat(4_001) }, 'msg_too_long'],
  ])('%s is refused', async (_what, more, error) => {
    expect(await refusal(edit(await card(), more))).toBe(error);
  });

  it("a person's message is neither edited nor deleted by the bot", async () => {
    await workspace.act('message', { user: 'U0ADA', channel: CHANNEL, text: 'mine' });
    const mine = (await workspace.messages(CHANNEL)).find(({ text }) => text === 'mine');

    expect(await refusal(edit(mine?.ts))).toBe('cant_update_message');
    expect(await refusal(remove(mine?.ts))).toBe('cant_delete_message');
  });

  it('a deleted message is gone', async () => {
    const ts = await card();

    expect(await refusal(remove(ts))).toBe('ok');
    expect(await refusal(remove(ts))).toBe('message_not_found');
    expect(await stored(ts)).toMatchObject({ deleted: true });
  });
});
