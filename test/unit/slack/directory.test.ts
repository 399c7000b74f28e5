import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/lib/logger.ts';
import {
  createDirectChannel,
  createGroupFor,
  createPeople,
  createPermalink,
} from '../../../src/slack/directory.ts';
import { handClock, refusing, slackAnswering } from './answering.ts';

const ada = { id: 'U0ADA', team_id: 'T0ACME', profile: { email: 'Ada@Acme.Example' } };

describe('people', () => {
  it('are as Slack describes them', async () => {
    const { client } = slackAnswering({ 'users.info': { user: ada } });
    const member = await createPeople(client, handClock()).member('U0ADA');
    expect(member).toEqual({
      userId: 'U0ADA',
      teamId: 'T0ACME',
      email: 'ada@acme.example',
      deleted: false,
      bot: false,
      guest: false,
      stranger: false,
    });
  });

  const EMAIL = 'ada@acme.example';
  it.each([
    [true, EMAIL, undefined],
    [undefined, EMAIL, undefined],
    [false, undefined, EMAIL],
  ])(
    'have an e-mail that Slack calls confirmed (%s), or omits it',
    async (is, email, unconfirmed) => {
      const user = { ...ada, is_email_confirmed: is };
      const { client } = slackAnswering({ 'users.info': { user } });
      const member = await createPeople(client, handClock()).member('U0ADA');
      expect(member).toMatchObject({ email, unconfirmed });
    },
  );

  it('have no confirmed e-mail where Slack confirms those of others, and not theirs', async () => {
    let user: object = ada;
    const { client } = slackAnswering({ 'users.info': () => ({ user }) });
    const people = createPeople(client, handClock());
    await expect(people.member('U0ADA')).resolves.toMatchObject({ email: 'ada@acme.example' });
    user = { ...ada, id: 'U0BEN', is_email_confirmed: true };
    await people.member('U0BEN');
    user = ada;

    const member = await people.member('U0ADA', { fresh: true });

    expect(member).toMatchObject({ email: undefined, unconfirmed: 'ada@acme.example' });
  });

  it.each([
    [{ deleted: true }, 'deleted'],
    [{ is_bot: true }, 'bot'],
    [{ is_restricted: true }, 'guest'],
    [{ is_ultra_restricted: true }, 'guest'],
    [{ is_stranger: true }, 'stranger'],
  ])('with %j count as %s', async (traits, field) => {
    const { client } = slackAnswering({ 'users.info': { user: { ...ada, ...traits } } });
    expect(await createPeople(client, handClock()).member('U0ADA')).toHaveProperty(field, true);
  });

  it('are remembered for five minutes and no longer', async () => {
    const { client, calls } = slackAnswering({ 'users.info': { user: ada } });
    const clock = handClock();
    const people = createPeople(client, clock);

    await people.member('U0ADA');
    clock.advance(5 * 60_000 - 1);
    await people.member('U0ADA');
    expect(calls).toHaveLength(1);

    clock.advance(1);
    await people.member('U0ADA');
    expect(calls).toHaveLength(2);
  });

  it('are asked about now when it matters, and that is remembered', async () => {
    let email = 'ada@acme.example';
    const { client, calls } = slackAnswering({
      'users.info': () => ({ user: { ...ada, profile: { email } } }),
      'usergroups.users.list': () => ({ users: [email] }),
    });
    const people = createPeople(client, handClock());
    await people.member('U0ADA');
    await people.groupMembers('S1');

    email = 'ada@globex.example';
    expect((await people.member('U0ADA')).email).toBe('ada@acme.example');
    expect((await people.member('U0ADA', { fresh: true })).email).toBe(email);
    expect((await people.member('U0ADA')).email).toBe(email);
    expect(await people.groupMembers('S1', { fresh: true })).toEqual(new Set([email]));
    expect(await people.groupMembers('S1')).toEqual(new Set([email]));
    expect(calls).toHaveLength(4);
  });

  it('are no one, and in no group, where the answer holds none', async () => {
    const people = createPeople(slackAnswering({}).client, handClock());
    await expect(people.member('U0ADA')).rejects.toThrow('no user');
    await expect(people.groupMembers('S1')).rejects.toThrow('no users');
  });
});

function listening() {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const logger = createLogger({ level: 'info', secrets: [], destination });
  return { logger, lines: () => written.join('') };
}

describe('the group that stands for a role', () => {
  const groups = (...handles: string[]) => ({
    usergroups: handles.map((handle, index) => ({ id: `S${index}`, handle, date_delete: 0 })),
  });
  const found = async (answer: unknown, ...roles: string[]) => {
    const { client } = slackAnswering({ 'usergroups.list': answer });
    return createGroupFor(client, handClock(), listening().logger)(roles);
  };

  it.each([
    ...['billing_admin', 'billing-admin', 'billing_admins', 'billing-admins', 'Billing-Admins'].map(
      (handle) => [handle, 'S1'] as const,
    ),
    ...['billing', 'billing-administrators', 'the-billing-admin', 'billing-adminss'].map(
      (handle) => [handle, undefined] as const,
    ),
  ])('may be called %s: %s', async (handle, id) => {
    expect(await found(groups('platform-team', handle), 'billing_admin')).toBe(id);
  });

  it('is that of the first role that has one', async () => {
    const both = groups('org-creators', 'billing-admins');

    expect(await found(both, 'billing_admin', 'org_creator')).toBe('S1');
    expect(await found(both, 'billing_viewer', 'org_creator')).toBe('S0');
    expect(await found(both)).toBeUndefined();
  });

  it('is not one that was disabled, nor one that Slack only half describes', async () => {
    const usergroups = [
      { id: 'S0', handle: 'billing-admins', date_delete: 1_700_000_000 },
      { id: 'S1' },
      { handle: 'billing-admin' },
      { id: 'S2', handle: 'billing_admin' },
    ];
    expect(await found({ usergroups }, 'billing_admin')).toBe('S2');
    expect(await found({}, 'billing_admin')).toBeUndefined();
  });

  it('is remembered for ten minutes and no longer', async () => {
    const { client, calls } = slackAnswering({ 'usergroups.list': groups('billing-admins') });
    const clock = handClock();
    const groupFor = createGroupFor(client, clock, listening().logger);

    await groupFor(['billing_admin']);
    clock.advance(10 * 60_000 - 1);
    await groupFor(['org_creator']);
    expect(calls).toHaveLength(1);

    clock.advance(1);
    await groupFor(['billing_admin']);
    expect(calls).toHaveLength(2);
  });

  it('is unknown when Slack is silent, which is logged and asked again', async () => {
    let away = true;
    const { client } = slackAnswering({
      'usergroups.list': () => (away ? refusing('missing_scope') : groups('billing-admins')),
    });
    const { logger, lines } = listening();
    const groupFor = createGroupFor(client, handClock(), logger);

    expect(await groupFor(['billing_admin'])).toBeUndefined();
    expect(lines()).toContain('missing_scope');
    away = false;
    expect(await groupFor(['billing_admin'])).toBe('S0');
  });
});

describe('the messages of a person with the bot', () => {
  it('have a channel, which is asked for once', async () => {
    const { client, calls } = slackAnswering({
      'conversations.open': { channel: { id: 'D0ADA' } },
    });
    const directChannel = createDirectChannel(client, listening().logger);

    expect([await directChannel('U0ADA'), await directChannel('U0ADA')]).toEqual([
      'D0ADA',
      'D0ADA',
    ]);
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['refuses', refusing('missing_scope'), 'missing_scope'],
    ['names none', {}, 'names no channel'],
  ])('are nowhere when Slack %s, which is logged and asked again', async (_, answer, said) => {
    let away = true;
    const { client } = slackAnswering({
      'conversations.open': () => (away ? answer : { channel: { id: 'D0ADA' } }),
    });
    const { logger, lines } = listening();
    const directChannel = createDirectChannel(client, logger);

    expect(await directChannel('U0ADA')).toBeUndefined();
    expect(lines()).toContain(said);
    away = false;
    expect(await directChannel('U0ADA')).toBe('D0ADA');
  });
});

it.each([
  [{ permalink: 'https://acme.slack.com/p1' }, 'https://acme.slack.com/p1'],
  [refusing('missing_scope'), undefined],
])('the address of a message is the one that Slack gives: %j', async (answer, address) => {
  const { client } = slackAnswering({ 'chat.getPermalink': answer });
  expect(await createPermalink(client)('C1', '1.0')).toBe(address);
});
