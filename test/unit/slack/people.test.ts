import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { readIdentity } from '../../../src/slack/identity.ts';
import { createPeople } from '../../../src/slack/people.ts';

/** A Slack that answers every call with this, and counts them. */
function slackAnswering(answers: Readonly<Record<string, unknown>>) {
  const calls: string[] = [];
  const client = new WebClient('xoxb-token', {
    fetch: (address) => {
      const method = new URL(String(address)).pathname.split('/').at(-1) ?? '';
      calls.push(method);
      return Promise.resolve(Response.json({ ok: true, ...(answers[method] as object) }));
    },
  });
  return { client, calls };
}

function handClock() {
  let now = 0;
  return { now: () => now, advance: (ms: number) => void (now += ms) };
}

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
});
