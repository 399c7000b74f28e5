import { describe, expect, it } from 'vitest';
import { createIdentity, readIdentity } from '../../../src/slack/identity.ts';
import { createPeople } from '../../../src/slack/people.ts';
import { handClock, slackAnswering } from './answering.ts';

const ada = { id: 'U0ADA', team_id: 'T0ACME', profile: { email: 'Ada@Acme.Example' } };

describe('people', () => {
  it('are what Slack says of them', async () => {
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

  it.each([
    ['where Slack says that it is confirmed', true],
    ['where Slack does not say', undefined],
  ])('have their e-mail %s', async (_, confirmed) => {
    const user = { ...ada, is_email_confirmed: confirmed };
    const { client } = slackAnswering({ 'users.info': { user } });

    const member = await createPeople(client, handClock()).member('U0ADA');

    expect(member).toMatchObject({ email: 'ada@acme.example', unconfirmed: undefined });
  });

  it('have none that counts where Slack says that nobody confirmed it', async () => {
    const user = { ...ada, is_email_confirmed: false };
    const { client } = slackAnswering({ 'users.info': { user } });

    const member = await createPeople(client, handClock()).member('U0ADA');

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

  it('are nobody when the answer holds no user', async () => {
    const { client } = slackAnswering({});

    await expect(createPeople(client, handClock()).member('U0ADA')).rejects.toThrow('no user');
  });

  it('are in no group when the answer holds no members', async () => {
    const { client } = slackAnswering({});

    await expect(createPeople(client, handClock()).groupMembers('S1')).rejects.toThrow('no users');
  });
});

describe('the bot itself', () => {
  const whole = { bot_id: 'B1', user_id: 'U1', team_id: 'T1' };

  it('is who its token belongs to', async () => {
    const { client } = slackAnswering({ 'auth.test': whole });

    expect(await readIdentity(client)).toEqual({ botId: 'B1', botUserId: 'U1', teamId: 'T1' });
  });

  it.each(['bot_id', 'user_id', 'team_id'])('does not start without a %s', async (part) => {
    const { client } = slackAnswering({ 'auth.test': { ...whole, [part]: undefined } });

    await expect(readIdentity(client)).rejects.toThrow('auth.test');
  });

  it('is asked about once by all who want to know, and a failure is asked again', async () => {
    let away = true;
    const { client, calls } = slackAnswering({
      'auth.test': () => (away ? { ok: false, error: 'internal_error' } : whole),
    });
    const identity = createIdentity(client);

    await expect(identity.get()).rejects.toThrow('internal_error');
    expect(identity.now()).toBeUndefined();

    away = false;
    const both = await Promise.all([identity.get(), identity.get()]);
    expect(both.map(({ teamId }) => teamId)).toEqual(['T1', 'T1']);
    expect(await identity.get()).toBe(identity.now());
    expect(calls).toHaveLength(2);
  });
});
