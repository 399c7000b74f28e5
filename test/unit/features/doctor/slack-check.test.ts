import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import {
  judgeAppToken,
  judgeBotToken,
  judgeConnection,
  judgeGroup,
  judgeScopes,
  judgeSigningSecret,
  slackFailure,
  slackTokenKind,
  type AuthTest,
} from '../../../../src/features/doctor/slack-check.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { BOT_SCOPES } from '../../../../src/slack/connection/connection.ts';
import { lineOf } from './support.ts';

const kindOf = (text: string) => slackTokenKind(new Secret(text));
const purser: AuthTest = { bot: true, user: 'purser', team: 'Northwind', scopes: undefined };
const refused = (word: string) => ({ kind: 'refused', word }) as const;

describe('the tokens of Slack', () => {
  it.each([
    ['xoxb-1-2-abc', 'bot'],
    ['xoxp-1-2-abc', 'user'],
    ['xapp-1-A-abc', 'app'],
    ['xoxe.xoxb-1-abc', 'rotated'],
    ['a-token-of-a-stand-in', 'unknown'],
    ['not-xoxb-1', 'unknown'],
  ])('are told apart by their beginning: %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  it('are well when Slack takes them, also when their beginning is unknown', () => {
    for (const kind of ['bot', 'unknown'] as const) {
      expect(lineOf(judgeBotToken(kind, purser))).toBe(
        'well SLACK_BOT_TOKEN: Slack accepts it: Purser is purser in Northwind',
      );
    }
  });

  it('of a person or of the app in the place of the bot’s are named, whatever Slack says', () => {
    expect(lineOf(judgeBotToken('user', purser))).toMatch(/^broken .*token of a person.*xoxb/);
    expect(lineOf(judgeBotToken('app', refused('not_allowed_token_type')))).toMatch(
      /^broken .*app-level token.* → set it to the Bot User OAuth Token/,
    );
    expect(lineOf(judgeBotToken('unknown', { ...purser, bot: false }))).toMatch(
      /^broken .*not the token of a bot/,
    );
  });

  it('that expire by themselves are doubtful, because Purser renews none', () => {
    expect(lineOf(judgeBotToken('rotated', purser))).toMatch(
      /^doubtful .*12 h → turn token rotation/,
    );
  });

  it.each([
    ['invalid_auth', /refuses it \(invalid_auth\) → set it to the Bot User OAuth Token/],
    ['token_expired', /\(token_expired\) → turn token rotation off/],
    ['token_revoked', /\(token_revoked\) → reinstall the app to the workspace/],
  ])('that Slack refuses are broken: %s', (word, line) => {
    expect(lineOf(judgeBotToken('bot', refused(word)))).toMatch(line);
  });

  it('are not to blame when Slack is away or asks for fewer calls', () => {
    const away = judgeBotToken('bot', { kind: 'away', word: 'ECONNREFUSED' });
    const limited = judgeBotToken('bot', { kind: 'limited', word: 'ratelimited' });

    expect(lineOf(away)).toMatch(
      /^broken .*does not answer \(ECONNREFUSED\) → check SLACK_API_URL/,
    );
    expect(lineOf(limited)).toMatch(/^doubtful .*fewer calls/);
  });

  it('of Socket Mode and of HTTP mode have their own places', () => {
    expect(judgeAppToken('bot').map(lineOf).join()).toMatch(
      /^broken SLACK_APP_TOKEN: .*\(xoxb\) → .*xapp/,
    );
    expect(judgeAppToken('app')).toEqual([]);
    expect(judgeAppToken('unknown')).toEqual([]);
    expect(judgeSigningSecret('bot').map(lineOf).join()).toMatch(
      /^broken .* → set it to the Signing Secret/,
    );
    expect(judgeSigningSecret('unknown')).toEqual([]);
  });
});

describe('the scopes', () => {
  const all = BOT_SCOPES.map(({ scope }) => scope);

  it('are well when all are there, whatever else there is', () => {
    expect(judgeScopes([...all, 'reactions:write']).map(lineOf)).toEqual([
      `well Scopes: all ${all.length} are there`,
    ]);
  });

  it('that are missing are named one by one, with what does not work and the fix', () => {
    const findings = judgeScopes(all.filter((one) => !/^(users:read|files:read)$/.test(one)));
    expect(findings.map(lineOf)).toEqual([
      expect.stringMatching(/^broken Scope users:read: .*refuses everybody → add it under OAuth/),
      expect.stringMatching(/^doubtful Scope files:read: .*pasted manifests only.* → add it under/),
    ]);
  });

  it('are not judged when Slack does not say them', () => {
    expect(judgeScopes(undefined).map(({ state }) => state)).toEqual(['off']);
  });
});

it.each([
  ['socket', true, undefined, /^well .*Socket Mode, connected/],
  ['socket', false, undefined, /^broken .*connections:write/],
  ['http', true, 3000, /^well .*port 3000/],
  ['http', false, undefined, /^broken .*check PORT/],
] as const)('the connection in mode %s: %s', (mode, connected, port, line) => {
  expect(lineOf(judgeConnection(mode, connected, port))).toMatch(line);
});

describe('a failure of Slack', () => {
  it('is told by its class, never by its words', () => {
    const said = (error: string) => new WebAPIPlatformError({ ok: false, error });
    const cause = Object.assign(new Error('no'), { code: 'ENOTFOUND' });

    expect(slackFailure(said('invalid_auth'))).toEqual(refused('invalid_auth'));
    expect(slackFailure(said('ratelimited'))).toMatchObject({ kind: 'limited' });
    expect(slackFailure(said('<html>Proxy</html>'))).toMatchObject({ kind: 'away' });
    expect(slackFailure(new WebAPIRequestError(cause))).toEqual({
      kind: 'away',
      word: 'ENOTFOUND',
    });
  });

  it('is none when it is a defect of ours', () => {
    expect(() => slackFailure(new TypeError('x is undefined'))).toThrow('x is undefined');
  });
});

it.each([
  [3, /^well .*3 members/],
  [0, /^broken .*no members.* → add people to the group/],
  [
    refused('no_such_subteam'),
    /^broken .*\(no_such_subteam\).* → set ORG_ACCESS to the id of an enabled user group/,
  ],
  [refused('missing_scope'), /^broken .* → add it under OAuth/],
  [refused('invalid_auth'), /^broken .* → fix SLACK_BOT_TOKEN first/],
  [{ kind: 'away', word: 'ECONNRESET' } as const, /^doubtful .*\(ECONNRESET\)/],
  [undefined, /^doubtful .*members are missing/],
])('the user group of ORG_ACCESS with %o', (group, line) => {
  expect(lineOf(judgeGroup(group))).toMatch(line);
});
