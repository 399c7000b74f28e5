import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handClock, refusal, startWorkspace, type TestWorkspace } from './support.ts';

const CHANNEL = 'C0OPS';
const WINTER = Date.parse('2026-12-24T12:00:00Z');
const SUMMER = Date.parse('2026-07-24T12:00:00Z');
const clock = handClock(SUMMER);
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
const history = (more: object = {}) =>
  workspace.client.conversations.history({ channel: CHANNEL, ...more });

describe('history', () => {
  it('is newest first, without thread replies but with broadcast ones', async () => {
    const parent = await say('one');
    await say('hidden reply', { thread_ts: parent });
    await say('shown reply', { thread_ts: parent, reply_broadcast: true });
    await say('two');

    expect((await history()).messages).toMatchObject([
      { text: 'two' },
      { text: 'shown reply', subtype: 'thread_broadcast', thread_ts: parent },
      { text: 'one', thread_ts: parent, reply_count: 2 },
    ]);
  });

  it('pages with a cursor and loses nothing when a message comes in between', async () => {
    for (const text of ['1', '2', '3', '4', '5']) await say(text);
    const seen: (string | undefined)[] = [];
    let cursor = '';
    do {
      const page = await history({ limit: 2, ...(cursor && { cursor }) });
      seen.push(...texts(page.messages));
      cursor = page.response_metadata?.next_cursor ?? '';
      expect(page.has_more).toBe(cursor !== '');
      await say('late');
    } while (cursor);

    expect(seen).toEqual(['5', '4', '3', '2', '1']);
  });

  it('has exclusive bounds unless asked otherwise', async () => {
    const [oldest, , latest] = [await say('1'), await say('2'), await say('3')];

    expect(texts((await history({ oldest, latest })).messages)).toEqual(['2']);
    const all = await history({ oldest, latest, inclusive: true });
    expect(texts(all.messages)).toEqual(['3', '2', '1']);
  });

  it('has the payload of metadata only when asked', async () => {
    const metadata = { event_type: 'purser_event', event_payload: { key: 'k' } };
    await say('with metadata', { metadata });
    const read = async (include_all_metadata: boolean) =>
      (await history({ include_all_metadata })).messages?.[0]?.metadata;

    expect(await read(true)).toEqual(metadata);
    expect(await read(false)).toEqual({ event_type: 'purser_event' });
  });

  it.each([
    [{ channel: 'C0RANDOM' }, 'not_in_channel'],
    [{ channel: 'C0NOWHERE' }, 'channel_not_found'],
    [{ channel: 'D0ADA' }, 'ok'],
    [{ cursor: 'nonsense' }, 'invalid_cursor'],
    [{ oldest: 'yesterday' }, 'invalid_ts_oldest'],
  ])('of %j answers %s', async (query, answer) => {
    expect(await refusal(history(query))).toBe(answer);
  });
});

describe('replies', () => {
  const read = (ts: string, cursor = '') =>
    workspace.client.conversations.replies({
      channel: CHANNEL,
      ts,
      limit: 3,
      ...(cursor && { cursor }),
    });

  it('open with the parent and go on oldest first, on every page', async () => {
    const parent = await say('parent');
    for (const text of ['1', '2', '3']) await say(text, { thread_ts: parent });

    const first = await read(parent);
    const second = await read(parent, first.response_metadata?.next_cursor);

    expect(texts(first.messages)).toEqual(['parent', '1', '2']);
    expect(texts(second.messages)).toEqual(['parent', '3']);
    expect(second.has_more).toBe(false);
  });

  it('of a message without replies are the message; of an unknown one an error', async () => {
    expect(texts((await read(await say('lonely'))).messages)).toEqual(['lonely']);
    expect(await refusal(read('1.000001'))).toBe('thread_not_found');
  });
});

describe('channels', () => {
  it('show whether the bot is in them', async () => {
    const info = async (channel: string) =>
      (await workspace.client.conversations.info({ channel })).channel;

    expect(await info('C0OPS')).toMatchObject({ name: 'ops', is_member: true });
    expect(await info('C0RANDOM')).toMatchObject({ is_member: false });
    expect(await info('D0ADA')).toMatchObject({ is_im: true, user: 'U0ADA' });
    await workspace.control('leave', { channel: 'C0OPS' });
    expect(await info('C0OPS')).toMatchObject({ is_member: false });
  });

  it('open a direct message with every active person', async () => {
    const { conversations } = workspace.client;

    const { channel } = await conversations.open({ users: 'U0BEN' });

    expect(channel?.id).toBe('D0BEN');
    expect(await refusal(conversations.open({ users: 'U0NOBODY' }))).toBe('user_not_found');
    expect(await refusal(conversations.open({ users: 'U0GUS' }))).toBe('user_disabled');
  });
});

describe('people', () => {
  it.each([
    ['U0ADA', { is_restricted: false, is_bot: false, deleted: false, team_id: 'T0ACME' }],
    ['U0EVE', { is_restricted: true }],
    ['U0SAM', { is_stranger: true, team_id: 'T0OTHER' }],
    ['U0PURSER', { is_bot: true }],
    ['U0GUS', { name: 'gus', deleted: true, is_bot: false }],
  ])('%s has the marks %j', async (user, expected) => {
    expect((await workspace.client.users.info({ user })).user).toMatchObject(expected);
  });

  describe('have the time zone of their place, with the offset of its season', () => {
    let there: TestWorkspace;
    beforeEach(async () => {
      there ??= await startWorkspace({ clock });
    });
    afterAll(() => there.close());

    it.each([
      ['U0ADA', SUMMER, 'Europe/London', 'British Summer Time', 3600],
      ['U0ADA', WINTER, 'Europe/London', 'Greenwich Mean Time', 0],
      ['U0CLEO', SUMMER, 'America/New_York', 'Eastern Daylight Time', -14_400],
      // It changes at the very second.
      ['U0CLEO', Date.parse('2026-11-01T05:59:59Z'), 'America/New_York', /Daylight/, -14_400],
      ['U0CLEO', Date.parse('2026-11-01T06:00:00Z'), 'America/New_York', /Standard/, -18_000],
      ['U0SAM', SUMMER, 'Asia/Kolkata', 'India Standard Time', 19_800],
      ['U0NOEL', WINTER, 'Etc/UTC', 'Coordinated Universal Time', 0],
    ])('%s at %i is in %s, %s', async (user, time, tz, label, tz_offset) => {
      clock.advance(time - clock.now());

      const answer = await there.client.users.info({ user });

      const tz_label = expect.stringMatching(label) as string;
      expect(answer.user).toMatchObject({ tz, tz_label, tz_offset });
    });
  });

  it('may have an address, and are found by it', async () => {
    const { users } = workspace.client;
    const address = async (user: string) => (await users.info({ user })).user?.profile?.email;

    expect(await address('U0ADA')).toBe('ada@acme.example');
    expect(await address('U0NOEL')).toBeUndefined();
    const found = await users.lookupByEmail({ email: 'Ben@Acme.Example' });
    expect(found.user?.id).toBe('U0BEN');
    const gone = users.lookupByEmail({ email: 'gus@acme.example' });
    expect(await refusal(gone)).toBe('users_not_found');
    expect(await refusal(users.info({ user: 'U0NOBODY' }))).toBe('user_not_found');
  });

  it('are listed, without strangers, and grouped', async () => {
    const { users, usergroups } = workspace.client;

    const { members = [] } = await users.list({});
    const groups = await usergroups.list({ include_users: true });
    const group = await usergroups.users.list({ usergroup: 'S0PLATFORM' });

    expect(members.map(({ id }) => id)).not.toContain('U0SAM');
    expect(groups.usergroups).toMatchObject([
      { handle: 'platform-team', users: ['U0ADA', 'U0DANA'] },
      { handle: 'billing-admins', users: ['U0ADA', 'U0BEN'] },
    ]);
    expect(group.users).toEqual(['U0ADA', 'U0DANA']);
    const none = usergroups.users.list({ usergroup: 'S0NONE' });
    expect(await refusal(none)).toBe('no_such_subteam');
  });
});
