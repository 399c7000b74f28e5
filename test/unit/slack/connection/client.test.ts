import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createIdentity } from '../../../../src/slack/client.ts';
import { BOT_SCOPES } from '../../../../src/slack/scopes.ts';
import { slackAnswering } from '../answering.ts';

interface Manifest {
  oauth_config: { scopes: { bot: string[]; bot_optional: string[] } };
}

it('the scopes that the doctor looks for are those that the manifest asks for', () => {
  const text = readFileSync(new URL('../../../../manifest.yml', import.meta.url), 'utf8');
  const { bot, bot_optional: optional } = (parse(text) as Manifest).oauth_config.scopes;
  const asked = [...bot, ...optional];

  expect(BOT_SCOPES.map(({ scope }) => scope).toSorted()).toEqual(asked.toSorted());
  expect(BOT_SCOPES.filter(({ without }) => without.length < 10)).toEqual([]);
});

describe('the bot itself', () => {
  const whole = { bot_id: 'B1', user_id: 'U1', team_id: 'T1' };

  it('is who its token belongs to', async () => {
    const { client } = slackAnswering({ 'auth.test': whole });
    expect(await createIdentity(client).get()).toEqual({
      botId: 'B1',
      botUserId: 'U1',
      teamId: 'T1',
    });
  });

  it.each(['bot_id', 'user_id', 'team_id'])('does not start without a %s', async (part) => {
    const { client } = slackAnswering({ 'auth.test': { ...whole, [part]: undefined } });
    await expect(createIdentity(client).get()).rejects.toThrow('auth.test');
  });

  it('is asked about once by all who want to know, and a failure is asked again', async () => {
    let away = true;
    const { client, calls } = slackAnswering({
      'auth.test': () => (away ? { ok: false, error: 'internal_error' } : whole),
    });
    const identity = createIdentity(client);

    await expect(identity.get()).rejects.toThrow('internal_error');
    expect(identity.now()).toEqual({ botId: '', botUserId: '', teamId: '' });

    away = false;
    const both = await Promise.all([identity.get(), identity.get()]);
    expect(both.map(({ teamId }) => teamId)).toEqual(['T1', 'T1']);
    expect(await identity.get()).toBe(identity.now());
    expect(calls).toHaveLength(2);
  });
});
