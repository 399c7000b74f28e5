import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handClock, refusal, startWorkspace, webClient, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0OPS';
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

const say = async (text: string, more: object = {}) => {
  const answer = await workspace.client.chat.postMessage({ channel: CHANNEL, text, ...more });
  return answer.ts ?? '';
};
const texts = (messages: readonly { text?: string }[] = []) => messages.map(({ text }) => text);

describe('history', () => {
  it('is newest first, without thread replies but with broadcast ones', async () => {
    const parent = await say('one');
    await say('hidden reply', { thread_ts: parent });
    await say('shown reply', { thread_ts: parent, reply_broadcast: true });
    await say('two');
    const { messages } = await workspace.client.conversations.history({ channel: CHANNEL });
    expect(texts(messages)).toEqual(['two', 'shown reply', 'one']);
    expect(messages?.[1]).toMatchObject({ subtype: 'thread_broadcast', thread_ts: parent });
    expect(messages?.[2]).toMatchObject({ thread_ts: parent, reply_count: 2 });
  });

  it('pages with a cursor and loses nothing when something new is said in between', async () => {
    for (const text of ['1', '2', '3', '4', '5']) await say(text);
    const seen: (string | undefined)[] = [];
    let cursor = '';
    do {
      const page = await workspace.client.conversations.history({
        channel: CHANNEL,
        limit: 2,
        ...(cursor && { cursor }),
      });
      seen.push(...texts(page.messages));
      expect(page.has_more).toBe(page.response_metadata?.next_cursor !== '');
      cursor = page.response_metadata?.next_cursor ?? '';
      await say('late');
    } while (cursor);
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
    const wrong = workspace.client.conversations.history({ channel: CHANNEL, cursor: 'nonsense' });
    expect(await refusal(wrong)).toBe('invalid_cursor');
  });

  it('bounds are exclusive unless asked otherwise', async () => {
    const [first, , third] = [await say('1'), await say('2'), await say('3')];
    const between = { channel: CHANNEL, oldest: first, latest: third };
    const { client } = workspace;
    expect(texts((await client.conversations.history(between)).messages)).toEqual(['2']);
    const all = await client.conversations.history({ ...between, inclusive: true });
    expect(texts(all.messages)).toEqual(['3', '2', '1']);
    const wrong = client.conversations.history({ channel: CHANNEL, oldest: 'yesterday' });
    expect(await refusal(wrong)).toBe('invalid_ts_oldest');
  });

  it('tells the payload of metadata only when asked', async () => {
    const metadata = { event_type: 'purser_event', event_payload: { key: 'k' } };
    await say('with metadata', { metadata });
    const read = async (all: boolean) => {
      const answer = await workspace.client.conversations.history({
        channel: CHANNEL,
        include_all_metadata: all,
      });
      return answer.messages?.[0]?.metadata;
    };
    expect(await read(true)).toEqual(metadata);
    expect(await read(false)).toEqual({ event_type: 'purser_event' });
  });

  it('is closed to those who are not in the channel', async () => {
    const read = (channel: string) => refusal(workspace.client.conversations.history({ channel }));
    expect(await read('C0RANDOM')).toBe('not_in_channel');
    expect(await read('C0NOWHERE')).toBe('channel_not_found');
    expect(await read('D0ADA')).toBe('ok');
  });
});

describe('replies', () => {
  it('open with the parent and go on oldest first, on every page', async () => {
    const parent = await say('parent');
    for (const text of ['1', '2', '3']) await say(text, { thread_ts: parent });
    const read = (cursor?: string) =>
      workspace.client.conversations.replies({
        channel: CHANNEL,
        ts: parent,
        limit: 3,
        ...(cursor && { cursor }),
      });
    const first = await read();
    expect(texts(first.messages)).toEqual(['parent', '1', '2']);
    const second = await read(first.response_metadata?.next_cursor);
    expect(texts(second.messages)).toEqual(['parent', '3']);
    expect(second.has_more).toBe(false);
  });

  it('of a lonely message are the message; of an unknown one an error', async () => {
    const { client } = workspace;
    const ts = await say('lonely');
    const { messages } = await client.conversations.replies({ channel: CHANNEL, ts });
    expect(texts(messages)).toEqual(['lonely']);
    const lost = client.conversations.replies({ channel: CHANNEL, ts: '1.000001' });
    expect(await refusal(lost)).toBe('thread_not_found');
  });
});

describe('channels', () => {
  it('tell whether the bot is in them', async () => {
    const { client } = workspace;
    const info = (channel: string) => client.conversations.info({ channel });
    expect((await info('C0OPS')).channel).toMatchObject({ name: 'ops', is_member: true });
    expect((await info('C0RANDOM')).channel).toMatchObject({ is_member: false });
    expect((await info('D0ADA')).channel).toMatchObject({ is_im: true, user: 'U0ADA' });
    await workspace.control('leave', { channel: 'C0OPS' });
    expect((await info('C0OPS')).channel).toMatchObject({ is_member: false });
  });

  it('are listed by kind and membership', async () => {
    const { client } = workspace;
    const names = (channels: readonly { name?: string }[] = []) => channels.map(({ name }) => name);
    const all = await client.conversations.list({ exclude_archived: true });
    expect(names(all.channels)).toEqual(['deployments', 'approvals', 'billing', 'ops', 'random']);
    const mine = await client.users.conversations({
      types: 'public_channel,private_channel',
      exclude_archived: true,
    });
    expect(names(mine.channels)).toEqual([
      'deployments',
      'approvals',
      'billing',
      'ops',
      'finance-private',
    ]);
    const strange = client.conversations.list({ types: 'secret_channel' });
    expect(await refusal(strange)).toBe('invalid_types');
  });

  it('list members page by page', async () => {
    const members: string[] = [];
    const pages = workspace.client.paginate('conversations.members', {
      channel: 'C0OPS',
      limit: 2,
    });
    for await (const page of pages)
      members.push(...(page as unknown as { members: string[] }).members);
    expect(members).toHaveLength(6);
    expect(new Set(members).size).toBe(6);
  });

  it('open a direct message with anyone who is still here', async () => {
    const { client } = workspace;
    const answer = await client.conversations.open({ users: 'U0BEN' });
    expect(answer.channel?.id).toBe('D0BEN');
    expect(await refusal(client.conversations.open({ users: 'U0NOBODY' }))).toBe('user_not_found');
    expect(await refusal(client.conversations.open({ users: 'U0GUS' }))).toBe('user_disabled');
  });
});

describe('people', () => {
  it.each([
    ['U0ADA', { is_restricted: false, is_bot: false, deleted: false, team_id: 'T0ACME' }],
    ['U0EVE', { is_restricted: true }],
    ['U0SAM', { is_stranger: true, team_id: 'T0OTHER' }],
    ['U0PURSER', { is_bot: true }],
  ])('%s is seen as what they are', async (user, expected) => {
    expect((await workspace.client.users.info({ user })).user).toMatchObject(expected);
  });

  it('are little more than a name once they are deactivated', async () => {
    const { user } = await workspace.client.users.info({ user: 'U0GUS' });
    expect(user).toMatchObject({ id: 'U0GUS', name: 'gus', deleted: true, is_bot: false });
    for (const gone of ['real_name', 'color', 'is_admin', 'is_restricted', 'tz', 'tz_offset'])
      expect(user).not.toHaveProperty(gone);
  });

  describe('have the time zone of their place, with the hour of its season', () => {
    const WINTER = '2026-12-24T12:00:00Z';
    const SUMMER = '2026-07-24T12:00:00Z';
    it.each([
      ['U0ADA', SUMMER, 'Europe/London', 'British Summer Time', 3600],
      ['U0ADA', WINTER, 'Europe/London', 'Greenwich Mean Time', 0],
      ['U0CLEO', SUMMER, 'America/New_York', 'Eastern Daylight Time', -14_400],
      ['U0CLEO', WINTER, 'America/New_York', 'Eastern Standard Time', -18_000],
      ['U0SAM', SUMMER, 'Asia/Kolkata', 'India Standard Time', 19_800],
      ['U0NOEL', WINTER, 'Etc/UTC', 'Coordinated Universal Time', 0],
    ])('%s on %s is in %s, %s', async (user, time, tz, label, offset) => {
      const there = await startWorkspace({ clock: { now: () => Date.parse(time) } });
      const answer = await there.client.users.info({ user });
      await there.close();
      expect(answer.user).toMatchObject({ tz, tz_label: label, tz_offset: offset });
    });

    it('which changes at the very second', async () => {
      const clock = handClock(Date.parse('2026-11-01T05:59:59Z'));
      const there = await startWorkspace({ clock });
      const offset = async () => {
        const { members = [] } = await there.client.users.list({});
        return members.find(({ id }) => id === 'U0CLEO')?.tz_offset;
      };
      const seen = [await offset()];
      clock.advance(1000);
      seen.push(await offset());
      await there.close();
      expect(seen).toEqual([-14_400, -18_000]);
    });
  });

  it('have an address or none, and are found by it', async () => {
    const { client } = workspace;
    const address = async (user: string) =>
      (await client.users.info({ user })).user?.profile?.email;
    expect(await address('U0ADA')).toBe('ada@acme.example');
    expect(await address('U0NOEL')).toBeUndefined();
    const found = await client.users.lookupByEmail({ email: 'Ben@Acme.Example' });
    expect(found.user?.id).toBe('U0BEN');
    const gone = client.users.lookupByEmail({ email: 'gus@acme.example' });
    expect(await refusal(gone)).toBe('users_not_found');
    expect(await refusal(client.users.info({ user: 'U0NOBODY' }))).toBe('user_not_found');
  });

  it('hide their address from apps without the scope', async () => {
    const poor = await startWorkspace({
      manifestPath: new URL('poor-manifest.yml', import.meta.url).pathname,
    });
    const { user } = await webClient(poor.slack.url).users.info({ user: 'U0ADA' });
    await poor.close();
    expect(user?.profile).not.toHaveProperty('email');
  });

  it('are listed, strangers apart, and grouped', async () => {
    const { client } = workspace;
    const { members = [] } = await client.users.list({});
    expect(members.map(({ id }) => id)).not.toContain('U0SAM');
    const { usergroups = [] } = await client.usergroups.list({ include_users: true });
    expect(usergroups).toMatchObject([
      { handle: 'platform-team', users: ['U0ADA', 'U0DANA'] },
      { handle: 'billing-admins', users: ['U0ADA', 'U0BEN'] },
    ]);
    const group = await client.usergroups.users.list({ usergroup: 'S0PLATFORM' });
    expect(group.users).toEqual(['U0ADA', 'U0DANA']);
    const none = client.usergroups.users.list({ usergroup: 'S0NONE' });
    expect(await refusal(none)).toBe('no_such_subteam');
  });
});
