import { WebAPIPlatformError } from '@slack/web-api';
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
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

describe('who may call', () => {
  it('knows the bot by its token', async () => {
    const me = await workspace.client.auth.test();
    expect(me).toMatchObject({
      ok: true,
      user_id: 'U0PURSER',
      bot_id: 'B0PURSER',
      team_id: 'T0ACME',
    });
  });

  it('refuses a missing, a wrong and a foreign kind of token', async () => {
    const { url } = workspace.slack;
    const bare = await fetch(`${url}/api/auth.test`, { method: 'POST' });
    expect(await bare.json()).toEqual({ ok: false, error: 'not_authed' });
    expect(await refusal(webClient(url, 'xoxb-other').auth.test())).toBe('invalid_auth');
    expect(await refusal(webClient(url, APP_TOKEN).auth.test())).toBe('not_allowed_token_type');
    expect(await refusal(workspace.client.apps.connections.open({}))).toBe(
      'not_allowed_token_type',
    );
  });

  it('takes JSON bodies and the token as an argument', async () => {
    const answer = await fetch(`${workspace.slack.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ token: 'xoxb-test-bot', channel: CHANNEL, text: 'as JSON' }),
    });
    expect(await answer.json()).toMatchObject({ ok: true, message: { text: 'as JSON' } });
  });

  it('answers unknown methods with an error, not with a status', async () => {
    expect(await refusal(workspace.client.apiCall('chat.shout'))).toBe('unknown_method');
  });

  it('asks for the scope that a method needs and says which ones there are', async () => {
    const poor = await startWorkspace({
      manifestPath: new URL('poor-manifest.yml', import.meta.url).pathname,
    });
    const failure = await poor.client.chat
      .postMessage({ channel: CHANNEL, text: 'hello' })
      .catch((error: unknown) => error);
    await poor.close();
    expect(failure).toBeInstanceOf(WebAPIPlatformError);
    expect((failure as WebAPIPlatformError).data).toMatchObject({
      error: 'missing_scope',
      needed: 'chat:write',
      provided: 'commands,users:read',
    });
  });
});

describe('posting', () => {
  it('posts text, blocks and metadata and tells them back', async () => {
    const metadata = { event_type: 'purser_event', event_payload: { key: 'a/b' } };
    const posted = await workspace.client.chat.postMessage({
      channel: CHANNEL,
      text: 'fallback',
      blocks: [section('*hello*'), { type: 'actions', elements: [button('Go', 'go', '1')] }],
      metadata,
    });
    expect(posted).toMatchObject({ ok: true, channel: CHANNEL });
    const stored = (await workspace.messages(CHANNEL)).find(({ ts }) => ts === posted.ts);
    expect(stored).toMatchObject({ text: 'fallback', metadata, edit_count: 0 });
    expect(stored?.blocks[1]).toHaveProperty('block_id');
  });

  it('accepts blocks without text, and refuses nothing at all', async () => {
    const { client } = workspace;
    const answer = await client.chat.postMessage({
      channel: CHANNEL,
      blocks: [section('x')],
    });
    expect(answer.ok).toBe(true);
    expect(await refusal(client.chat.postMessage({ channel: CHANNEL, text: '' }))).toBe('no_text');
  });

  it.each([
    ['C0RANDOM', 'not_in_channel'],
    ['C0NOWHERE', 'channel_not_found'],
    ['C0OLDIES', 'is_archived'],
    ['#deployments', 'ok'],
    ['U0ADA', 'ok'],
    ['C0FINANCE', 'ok'],
  ])('to %s answers %s', async (channel, expected) => {
    expect(await refusal(workspace.client.chat.postMessage({ channel, text: 'hi' }))).toBe(
      expected,
    );
  });

  it('forgets a private channel that the bot has left, until it is back', async () => {
    await workspace.control('leave', { channel: 'C0FINANCE' });
    const post = () =>
      refusal(workspace.client.chat.postMessage({ channel: 'C0FINANCE', text: 'x' }));
    expect(await post()).toBe('channel_not_found');
    await workspace.control('join', { channel: 'C0FINANCE' });
    expect(await post()).toBe('ok');
  });

  it('cuts very long text with a warning', async () => {
    const text = 'x'.repeat(40_001);
    const answer = await workspace.client.chat.postMessage({ channel: CHANNEL, text });
    expect(answer.message?.text).toHaveLength(40_000);
    expect(answer.response_metadata).toMatchObject({ warnings: ['message_truncated'] });
  });

  it('answers in threads only below messages that exist', async () => {
    const { client } = workspace;
    const parent = await client.chat.postMessage({ channel: CHANNEL, text: 'parent' });
    const reply = await client.chat.postMessage({
      channel: CHANNEL,
      text: 'reply',
      thread_ts: parent.ts ?? '',
    });
    const below = await client.chat.postMessage({
      channel: CHANNEL,
      text: 'reply to a reply',
      thread_ts: reply.ts ?? '',
    });
    expect(below.message?.thread_ts).toBe(parent.ts);
    const lost = client.chat.postMessage({ channel: CHANNEL, text: 'x', thread_ts: '1.000001' });
    expect(await refusal(lost)).toBe('thread_not_found');
  });

  describe('below a message that was deleted', () => {
    const threadOf = async (replies: number): Promise<string> => {
      const { client } = workspace;
      const { ts = '' } = await client.chat.postMessage({ channel: CHANNEL, text: 'parent' });
      for (let count = 0; count < replies; count += 1) {
        await client.chat.postMessage({ channel: CHANNEL, text: 'reply', thread_ts: ts });
      }
      await client.chat.delete({ channel: CHANNEL, ts });
      return ts;
    };
    const reply = (ts: string) =>
      workspace.client.chat.postMessage({ channel: CHANNEL, text: 'late', thread_ts: ts });
    const strike = (kind: string) =>
      workspace.control('faults', { faults: [{ method: 'chat.postMessage', kind, times: 1 }] });

    it('there is no thread where it had no replies', async () => {
      expect(await refusal(reply(await threadOf(0)))).toBe('thread_not_found');
    });

    it('a stone stays where it had replies, and takes no more of them', async () => {
      const ts = await threadOf(1);

      expect(await refusal(reply(ts))).toBe('cannot_reply_to_message');
      const { messages = [] } = await workspace.client.conversations.replies({
        channel: CHANNEL,
        ts,
      });
      expect(messages).toMatchObject([
        { subtype: 'tombstone', text: 'This message was deleted.', user: 'USLACKBOT', ts },
        { text: 'reply', parent_user_id: 'USLACKBOT' },
      ]);
      const edit = workspace.client.chat.update({ channel: CHANNEL, ts, text: 'x' });
      expect(await refusal(edit)).toBe('message_not_found');
    });

    it('a reply can be taken all the same, and be shown in the channel later', async () => {
      const parent = await threadOf(1);
      await strike('tomb');
      const { message, ts = '' } = await reply(parent);

      expect(message).toMatchObject({ thread_ts: parent, parent_user_id: 'USLACKBOT' });
      const edit = { channel: CHANNEL, ts, text: 'late', reply_broadcast: true };
      await workspace.client.chat.update(edit);
      const { messages } = await workspace.client.conversations.history({ channel: CHANNEL });
      expect(messages).toContainEqual(expect.objectContaining({ ts, subtype: 'thread_broadcast' }));
    });

    it('a reply can come to stand in the channel by itself, without a word', async () => {
      const parent = await threadOf(0);
      await strike('unthread');

      expect((await reply(parent)).message).not.toHaveProperty('thread_ts');
    });
  });

  it('shows ephemeral messages to one member of the channel', async () => {
    const { client } = workspace;
    const [ada, ben] = await Promise.all([workspace.page('U0ADA'), workspace.page('U0BEN')]);
    await client.chat.postEphemeral({ channel: CHANNEL, user: 'U0ADA', text: 'for your eyes' });
    const seen = await ada.untilMessage(({ text }) => text === 'for your eyes');
    expect(seen.ephemeral).toBe(true);
    await client.chat.postMessage({ channel: CHANNEL, text: 'for all' });
    await ben.untilMessage(({ text }) => text === 'for all');
    expect(JSON.stringify(ben.events)).not.toContain('for your eyes');
    const outside = client.chat.postEphemeral({ channel: 'C0FINANCE', user: 'U0DANA', text: 'x' });
    expect(await refusal(outside)).toBe('user_not_in_channel');
  });
});

describe('editing', () => {
  const post = async (more: object = {}) => {
    const answer = await workspace.client.chat.postMessage({
      channel: CHANNEL,
      text: 'before',
      blocks: [section('before')],
      metadata: { event_type: 'card', event_payload: { key: 'k' } },
      ...more,
    });
    return answer.ts ?? '';
  };
  const stored = async (ts: string) =>
    (await workspace.messages(CHANNEL)).find((message) => message.ts === ts);

  it('text alone removes the blocks, keeps the metadata and marks the message', async () => {
    const ts = await post();
    const answer = await workspace.client.chat.update({ channel: CHANNEL, ts, text: 'after' });
    expect(answer.message).toHaveProperty('edited');
    expect(await stored(ts)).toMatchObject({
      text: 'after',
      blocks: [],
      metadata: { event_type: 'card' },
      edit_count: 1,
      edits: [{ text: 'before' }],
    });
  });

  it('blocks leave no mark', async () => {
    const ts = await post();
    const answer = await workspace.client.chat.update({
      channel: CHANNEL,
      ts,
      text: 'after',
      blocks: [section('after')],
    });
    expect(answer.message).not.toHaveProperty('edited');
  });

  it('empty metadata removes the metadata', async () => {
    const ts = await post();
    const metadata = {} as never;
    await workspace.client.chat.update({ channel: CHANNEL, ts, text: 'after', metadata });
    expect((await stored(ts))?.metadata).toBeNull();
  });

  it('refuses what Slack refuses', async () => {
    const { client } = workspace;
    const ts = await post();
    const edit = (more: object) =>
      refusal(client.chat.update({ channel: CHANNEL, ts, text: 'x', ...more }));
    expect(await edit({ ts: '1.000001' })).toBe('message_not_found');
    expect(await edit({ channel: '#deployments' })).toBe('channel_not_found');
    expect(await edit({ text: 'x'.repeat(4_001) })).toBe('msg_too_long');
    await workspace.act('message', { user: 'U0ADA', channel: CHANNEL, text: 'mine' });
    const mine = (await workspace.messages(CHANNEL)).find(({ text }) => text === 'mine');
    expect(await edit({ ts: mine?.ts })).toBe('cant_update_message');
    const foreign = client.chat.delete({ channel: CHANNEL, ts: mine?.ts ?? '' });
    expect(await refusal(foreign)).toBe('cant_delete_message');
  });

  it('a deleted message is gone', async () => {
    const { client } = workspace;
    const ts = await post();
    expect(await refusal(client.chat.delete({ channel: CHANNEL, ts }))).toBe('ok');
    expect(await refusal(client.chat.delete({ channel: CHANNEL, ts }))).toBe('message_not_found');
    expect(await stored(ts)).toMatchObject({ deleted: true });
  });

  it('a permalink leads to the message', async () => {
    const ts = await post();
    const answer = await workspace.client.chat.getPermalink({ channel: CHANNEL, message_ts: ts });
    expect(answer.permalink).toBe(
      `${workspace.slack.url}/archives/${CHANNEL}/p${ts.replace('.', '')}`,
    );
    const page = await fetch(answer.permalink ?? '');
    expect(page.headers.get('content-type')).toContain('text/html');
  });
});
