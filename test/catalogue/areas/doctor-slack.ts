import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';
import {
  channelProbe,
  createChannelCheck,
  type ChannelFacts,
  type ChannelStatus,
} from '../../../src/features/doctor/channels.ts';
import {
  groupProbe,
  slackFailure,
  type AuthTest,
  type SlackFacts,
  type SlackFailure,
} from '../../../src/features/doctor/slack.ts';
import type { Finding } from '../../../src/features/doctor/probe.ts';
import { BOT_SCOPES } from '../../../src/slack/scopes.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { HOUR, NOW, type Area } from '../entry.ts';
import { judged, ofSlack } from '../../unit/features/doctor/support.ts';
import { findings, IN_TIME, type Findings } from './doctor-data.ts';

const judgeGroup = judged(groupProbe);
const judgeBotToken = (botToken: SlackFacts['botToken'], answer: SlackFacts['answer']) =>
  ofSlack('SLACK_BOT_TOKEN', { botToken, answer });
const judgeScopes = (scopes: string[] | undefined) =>
  ofSlack('Scope', { answer: { ...PURSER, scopes } });
const judgeConnection = (mode: SlackFacts['mode'], connected: boolean, port: number | undefined) =>
  ofSlack('Connection', { mode, way: { connected, port } });
const ownToken = (mode: SlackFacts['mode'], kind: SlackFacts['ownToken']) =>
  ofSlack('SLACK_', { mode, ownToken: kind }).filter(({ state }) => state === 'broken');

const PURSER: AuthTest = { bot: true, user: 'purser', team: 'Acme', scopes: undefined };
const LIMITED: SlackFailure = { kind: 'limited', word: 'ratelimited' };

const refused = (word: string): SlackFailure => ({ kind: 'refused', word });
/** An error of the Slack client, as the doctor reads it. */
const refusedBy = (error: string) => slackFailure(new WebAPIPlatformError({ ok: false, error }));
const brokenOff = (code: string) =>
  slackFailure(new WebAPIRequestError(Object.assign(new Error(code), { code })));

const CHANNEL: ChannelFacts = {
  name: 'deploys',
  archived: false,
  shared: false,
  member: true,
  unreadable: undefined,
};

function channel(
  facts: Partial<ChannelFacts> | SlackFailure,
  more: Partial<ChannelStatus> = {},
): Finding[] {
  const known = 'kind' in facts ? facts : { ...CHANNEL, ...facts };
  const status = { id: 'C0DEPLOYS', uses: ['NOTIFY_CHANNEL'], refusals: [], ...more };
  return judged(channelProbe)({ ...status, facts: known }, NOW);
}

/** The check of so many channels, with a Slack that says the same of each. */
function manyChannels(count: number, signal: AbortSignal, error?: Error) {
  const info = () =>
    error === undefined
      ? Promise.resolve({ ok: true, channel: { is_channel: true, is_member: true } })
      : Promise.reject(error);
  const services = {
    slack: {
      conversations: { info, history: () => Promise.resolve({ ok: true }) },
    } as unknown as WebClient,
    redis: { hgetall: () => Promise.resolve({}) } as never,
    keys: createKeys('purser'),
    clock: { now: () => NOW },
    config: { channels: {} },
  };
  const watches = Array.from({ length: count }, (_, index) => ({
    org: 'acme',
    gvc: `shop-${index + 1}`,
    channel: `C0TEAM${index + 1}`,
    quiet: false,
    configured: false,
  }));
  return createChannelCheck(services, { all: () => Promise.resolve(watches) }).run(signal);
}

/** All that is well of Slack. */
export const slackWell = (): Findings => ({
  Slack: [
    ...judgeBotToken('bot', PURSER),
    ...judgeScopes(BOT_SCOPES.map(({ scope }) => scope)),
    ...judgeConnection('http', true, 3_000),
  ],
  Channels: [
    ...channel({}),
    ...channel({ name: 'approvals' }, { uses: ['APPROVALS_CHANNEL', 'BILLING_CHANNEL'] }),
    ...channel({ name: 'ops' }, { uses: ['OPS_CHANNEL', 'WATCHES acme/data'] }),
    ...channel({ name: undefined }, { id: 'C0BILLING', uses: ['watch acme/shop/cart'] }),
  ],
  Access: judgeGroup(12),
});

/** Channels that were archived, of these names. */
export const archived = (...names: string[]): readonly Finding[] =>
  names.flatMap((name) => channel({ name, archived: true }, { uses: [`WATCHES acme/${name}`] }));

const CHANNEL_FINDINGS = (): Finding[] => [
  ...channel({ archived: true }),
  ...channel({ shared: true }, { uses: ['BILLING_CHANNEL'] }),
  ...channel({ shared: true }, { uses: ['NOTIFY_CHANNEL', 'APPROVALS_CHANNEL'] }),
  ...channel({ member: false }, { uses: ['NOTIFY_CHANNEL', 'OPS_CHANNEL'] }),
  ...channel({ member: false }, { uses: ['WATCHES acme/shop'] }),
  ...channel({ member: false }, { uses: ['watch acme/shop', 'watch acme/data'] }),
  ...channel({}, { refusals: [{ error: 'restricted_action', since: NOW - 2 * HOUR }] }),
  ...channel({ member: undefined }),
  ...channel({ unreadable: refused('missing_scope') }),
  ...channel({ unreadable: LIMITED }),
  ...channel(LIMITED),
  ...channel(brokenOff('ETIMEDOUT')),
  ...channel(refused('channel_not_found'), {
    uses: ['watch acme/a', 'watch acme/b', 'watch acme/c', 'watch acme/d', 'watch acme/e'],
  }),
  ...channel(refused('missing_scope')),
  ...channel(refused('team_not_found')),
];

const TOKEN_WORDS = [
  'invalid_auth',
  'token_expired',
  'token_revoked',
  'account_inactive',
  'team_access_not_granted',
  'not_allowed_token_type',
];

const TOKEN_FINDINGS = (): Finding[] => [
  ...judgeBotToken('user', PURSER),
  ...judgeBotToken('app', PURSER),
  ...judgeBotToken('unknown', { ...PURSER, bot: false }),
  ...judgeBotToken('rotated', PURSER),
  ...TOKEN_WORDS.flatMap((word) => judgeBotToken('bot', refusedBy(word))),
  ...judgeBotToken('bot', refusedBy('ratelimited')),
  ...judgeBotToken('bot', refusedBy('<html>Sign in to the proxy</html>')),
  ...judgeBotToken('bot', slackFailure(new WebAPIHTTPError(502, 'Bad Gateway', {}))),
  ...judgeBotToken('bot', brokenOff('ECONNREFUSED')),
];

const CONNECTION_FINDINGS = (): Finding[] => [
  ...ownToken('socket', 'bot'),
  ...ownToken('socket', 'user'),
  ...ownToken('http', 'bot'),
  ...judgeConnection('socket', false, undefined),
  ...judgeConnection('http', false, undefined),
  ...judgeConnection('socket', true, undefined),
  ...judgeConnection('http', true, undefined),
  ...judgeConnection('http', true, 3_000),
];

export const doctorSlack: Area = {
  id: 'doctor-slack',
  title: 'The doctor: Slack, channels and access',
  entries: [
    findings(
      'bot-token',
      'Everything that can be wrong with the token that Purser speaks to Slack with.',
      'Slack',
      TOKEN_FINDINGS,
    ),
    findings(
      'slack-connection',
      'Each way in which Slack reaches Purser, open and not, and its secrets in wrong places.',
      'Slack',
      CONNECTION_FINDINGS,
    ),
    findings('scopes-missing', 'The Slack app has none of the rights that it needs.', 'Slack', () =>
      judgeScopes([]),
    ),
    findings('scopes-unknown', 'Slack omits which rights the app has.', 'Slack', () =>
      judgeScopes(undefined),
    ),
    findings(
      'channels',
      'Everything that can be wrong with a channel that Purser posts to.',
      'Channels',
      CHANNEL_FINDINGS,
    ),
    findings(
      'channels-token-refused',
      'No channel can be looked at, because Slack refuses the token.',
      'Channels',
      () => manyChannels(2, IN_TIME, new WebAPIPlatformError({ ok: false, error: 'invalid_auth' })),
    ),
    findings(
      'channels-one-too-many',
      'One channel more than the doctor looks at.',
      'Channels',
      () => manyChannels(21, IN_TIME),
    ),
    findings(
      'channels-slow',
      'The time of the check ends before it saw a channel.',
      'Channels',
      () => manyChannels(4, AbortSignal.abort()),
    ),
    findings(
      'user-group',
      'All findings about the user group that may ask about the orgs.',
      'Access',
      () => [
        ...judgeGroup(0),
        ...judgeGroup(0, ['acme', 'beta']),
        ...judgeGroup(refused('missing_scope')),
        ...judgeGroup(refused('invalid_auth')),
        ...judgeGroup(refused('no_such_subteam')),
        ...judgeGroup(brokenOff('ECONNRESET')),
        ...judgeGroup(undefined),
        ...judgeGroup(12),
      ],
    ),
  ],
};
