import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import {
  groupProbe,
  slackFailure,
  slackTokenKind,
  type SlackFacts,
} from '../../../../src/features/doctor/slack.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { BOT_SCOPES } from '../../../../src/slack/scopes.ts';
import { judged, lineOf, ofSlack } from './support.ts';

const kindOf = (text: string) => slackTokenKind(new Secret(text));
const refused = (word: string) => ({ kind: 'refused', word }) as const;
const PURSER = { bot: true, user: 'purser', team: 'Northwind', scopes: undefined };
const botToken = (facts: Partial<SlackFacts>) =>
  ofSlack('SLACK_BOT_TOKEN', { answer: PURSER, ...facts })
    .map(lineOf)
    .join();

describe('the tokens of Slack', () => {
  it.each([
    ['xoxb-1-2-abc', 'bot'],
    ['xoxp-1-2-abc', 'user'],
    ['xapp-1-A-abc', 'app'],
    ['xoxe.xoxb-1-abc', 'rotated'],
    ['a-token-of-a-stand-in', 'unknown'],
    ['not-xoxb-1', 'unknown'],
  ])('are distinguished by their prefix: %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  it.each<[string, Partial<SlackFacts>, RegExp]>([
    ['with an unknown prefix, accepted', { botToken: 'unknown' }, /^well .*purser in Northwind/],
    ['of a person, accepted', { botToken: 'user' }, /^broken .*token of a person/],
    [
      'of the app, refused',
      { botToken: 'app', answer: refused('not_allowed_token_type') },
      /^broken .*app-level token/,
    ],
    [
      'of no bot',
      { botToken: 'unknown', answer: { ...PURSER, bot: false } },
      /^broken .*not the token of a bot/,
    ],
    ['that rotates', { botToken: 'rotated' }, /^doubtful .*12 h/],
    ['mistyped', { answer: refused('invalid_auth') }, /\(invalid_auth\) → set it to the Bot User/],
    [
      'expired',
      { answer: refused('token_expired') },
      /\(token_expired\) → turn token rotation off/,
    ],
    ['revoked', { answer: refused('token_revoked') }, /\(token_revoked\) → reinstall the app/],
    [
      'while Slack is away',
      { answer: { kind: 'away', word: 'ECONNREFUSED' } },
      /^broken .*does not answer \(ECONNREFUSED\) → check SLACK_API_URL/,
    ],
    [
      'while Slack is busy',
      { answer: { kind: 'limited', word: 'ratelimited' } },
      /^doubtful .*fewer calls/,
    ],
  ])('of the bot have the finding of their cause: %s', (_, facts, line) => {
    expect(botToken(facts)).toMatch(line);
  });

  it('of Socket Mode and of HTTP mode have their own settings', () => {
    const found = (mode: SlackFacts['mode'], ownToken: SlackFacts['ownToken']) =>
      ofSlack('SLACK_', { mode, ownToken })
        .filter(({ state }) => state === 'broken')
        .map(({ what }) => what);

    expect(found('socket', 'bot')).toEqual(['SLACK_APP_TOKEN']);
    expect(found('socket', 'app')).toEqual([]);
    expect(found('http', 'bot')).toEqual(['SLACK_SIGNING_SECRET']);
    expect(found('http', 'unknown')).toEqual([]);
  });
});

describe('the scopes', () => {
  const all = BOT_SCOPES.map(({ scope }) => scope);
  const judgeScopes = (scopes: readonly string[] | undefined) =>
    ofSlack('Scope', { answer: { ...PURSER, scopes: scopes && [...scopes] } }).map(
      ({ state, what }) => `${state} ${what}`,
    );

  it('are well when all are there, whatever else there is', () => {
    expect(judgeScopes([...all, 'reactions:write'])).toEqual(['well Scopes']);
  });

  it('that are missing are named one by one', () => {
    expect(judgeScopes(all.filter((one) => !/^(users:read|files:read)$/.test(one)))).toEqual([
      'broken Scope users:read',
      'doubtful Scope files:read',
    ]);
  });

  it('are doubtful when Slack omits them, and not judged when it refuses the token', () => {
    expect(judgeScopes(undefined)).toEqual(['doubtful Scopes']);
    expect(ofSlack('Scope', { answer: refused('invalid_auth') })).toEqual([]);
  });
});

describe('a failure of Slack', () => {
  it('is shown by its class, never by its words', () => {
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

  it('is no finding when it is a defect of ours', () => {
    expect(() => slackFailure(new TypeError('x is undefined'))).toThrow('x is undefined');
  });
});

it.each([
  [3, /^well .*3 members/],
  [0, /^broken .*no members/],
  [refused('no_such_subteam'), /^broken .*\(no_such_subteam\)/],
  [refused('missing_scope'), /^broken .* → add it under OAuth/],
  [refused('invalid_auth'), /^broken .* → fix SLACK_BOT_TOKEN first/],
  [{ kind: 'away', word: 'ECONNRESET' } as const, /^doubtful .*\(ECONNRESET\)/],
  [undefined, /^doubtful .*members are missing/],
])('the user group of ORG_ACCESS with %o', (group, line) => {
  expect(judged(groupProbe)(group).map(lineOf).join()).toMatch(line);
});
