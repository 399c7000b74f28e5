import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MessageList } from '../../../../src/sandbox/slack/page-protocol.ts';
import { startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0DEPLOYS';
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

const say = (user: string, text: string, more: object = {}) =>
  workspace.act('message', { user, channel: CHANNEL, text, ...more });
const shown = async (path: string) =>
  (await workspace.read<MessageList>(`/page/${path}`)).messages.map(({ text }) => text);

it.each([
  ['U0ADA', ['deployments', 'approvals', 'billing', 'ops', 'random', 'finance-private', 'Purser']],
  ['U0EVE', ['deployments', 'random', 'Purser']],
])('the page of %s starts with the channels that this person may see', async (user, names) => {
  const { channels, can_act_as: people, ...boot } = await workspace.bootstrap(user);

  expect(channels.map(({ name }) => name)).toEqual(names);
  expect(boot).toMatchObject({ user, platform: false, views: [], home: null });
  for (const other of ['U0GUS', 'U0PURSER']) expect(people).not.toContain(other);
});

it('a channel is without the replies, whose thread keeps its summary current', async () => {
  const page = await workspace.page('U0BEN');
  await say('U0ADA', 'parent');
  const { ts } = await page.untilMessage(({ text }) => text === 'parent');

  await say('U0BEN', 'reply', { thread_ts: ts });

  const { message } = await page.until('message_changed');
  expect(message).toMatchObject({ ts, reply_count: 1, reply_users: ['U0BEN'] });
  const where = `user=U0ADA&channel=${CHANNEL}`;
  expect(await shown(`messages?${where}`)).toEqual(['parent']);
  expect(await shown(`thread?${where}&ts=${ts}`)).toEqual(['parent', 'reply']);
});

it('private channels stay private', async () => {
  const [ada, dana] = await Promise.all([workspace.page('U0ADA'), workspace.page('U0DANA')]);
  await workspace.act('message', { user: 'U0ADA', channel: 'C0FINANCE', text: 'hush' });
  await ada.untilMessage(({ text }) => text === 'hush');
  await say('U0ADA', 'aloud');
  await dana.untilMessage(({ text }) => text === 'aloud');

  expect(JSON.stringify(dana.events)).not.toContain('hush');
  const read = await workspace.read('/page/messages?user=U0DANA&channel=C0FINANCE');
  expect(read).toEqual({ ok: false, error: 'channel_not_found' });
});

it('typed text cannot pretend to be a mention', async () => {
  const page = await workspace.page('U0BEN');

  await say('U0ADA', '<!channel> & @ben');

  const { text } = await page.untilMessage(() => true);
  expect(text).toBe('&lt;!channel&gt; &amp; <@U0BEN|ben>');
});

it('pages show that the bot has left a channel', async () => {
  const page = await workspace.page('U0ADA');

  await workspace.control('leave', { channel: CHANNEL });

  await page.until('channels_changed');
  const { channels } = await workspace.bootstrap('U0ADA');
  expect(channels.find(({ id }) => id === CHANNEL)?.bot_is_member).toBe(false);
});

it.each(['U0NOBODY', 'U0GUS', 'U0PURSER'])('%s cannot use a page', async (user) => {
  expect(await say(user, 'hello')).toEqual({ ok: false, error: 'user_not_found' });
});
