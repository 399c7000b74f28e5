import type { AuthTestResponse } from '@slack/web-api';
import type { Secret } from '../../lib/secret.ts';
import { BOT_SCOPES } from '../../slack/connection/connection.ts';
import type { SlackConnection } from '../../slack/connection/connection.ts';
import { broken, doubtful, off, well } from './check.ts';
import type { Check, CheckServices, Finding } from './check.ts';
import { rateLimited, slackFailure } from './slack-failure.ts';
import type { SlackFailure } from './slack-failure.ts';

/** What a token of Slack is for, by its beginning; `unknown` is not judged. */
type SlackTokenKind = 'bot' | 'user' | 'app' | 'rotated' | 'unknown';

/** What auth.test says, as far as it is there. */
export interface AuthTest {
  readonly bot: boolean;
  /** Name of the bot's user, and of the workspace. Foreign text. */
  readonly user: string;
  readonly team: string;
  /** Of the token; undefined: Slack does not say. */
  readonly scopes: readonly string[] | undefined;
}

/**
 * The tokens, what Slack says about them, their scopes, and the way in.
 * @param connection undefined: this process does not listen to Slack
 */
export function createSlackCheck(
  { slack: client, config: { slack } }: CheckServices<'slack', 'slack'>,
  connection: () => Pick<SlackConnection, 'connected' | 'port'> | undefined,
): Check {
  return {
    area: 'Slack',
    async run() {
      const answer = await client.auth.test().then(toAuthTest, slackFailure);
      const way = connection();
      return [
        judgeBotToken(slackTokenKind(slack.botToken), answer),
        ...('kind' in answer ? [] : judgeScopes(answer.scopes)),
        ...(slack.mode === 'http'
          ? judgeSigningSecret(slackTokenKind(slack.signingSecret))
          : judgeAppToken(slackTokenKind(slack.appToken))),
        ...(way ? [judgeConnection(slack.mode, way.connected(), way.port())] : []),
      ];
    },
  };
}

function toAuthTest(answer: AuthTestResponse): AuthTest {
  const { bot_id: bot, user = '?', team = '?', response_metadata: about } = answer;
  return { bot: Boolean(bot), user, team, scopes: about?.scopes };
}

const BEGINNINGS: readonly (readonly [beginning: RegExp, kind: SlackTokenKind])[] = [
  [/^xoxe\b/, 'rotated'],
  [/^xoxb-/, 'bot'],
  [/^xoxp-/, 'user'],
  [/^xapp-/, 'app'],
];

export function slackTokenKind(token: Secret): SlackTokenKind {
  const text = token.reveal();
  return BEGINNINGS.find(([beginning]) => beginning.test(text))?.[1] ?? 'unknown';
}

const IS = {
  bot: 'it holds a bot token (xoxb)',
  user: 'it holds the token of a person (xoxp)',
  app: 'it holds an app-level token (xapp)',
} as const;

const BOT_FIX =
  'put the Bot User OAuth Token there, which begins with xoxb: OAuth & Permissions on the page of the Slack app';
const APP_FIX =
  'put an app-level token there, which begins with xapp and has the scope connections:write, under Basic Information on the page of the Slack app';
const ROTATED_FIX =
  'turn token rotation off (token_rotation_enabled: false, which takes a new app), because Purser renews no token';
const REINSTALL =
  'install the app to the workspace anew (OAuth & Permissions) and put its new token into SLACK_BOT_TOKEN';

/** What to do, by the word with which Slack refuses a token. */
const TOKEN_FIXES: ReadonlyMap<string, string> = new Map([
  ['token_expired', ROTATED_FIX],
  ['token_revoked', REINSTALL],
  ['account_inactive', REINSTALL],
  ['team_access_not_granted', REINSTALL],
  ['not_allowed_token_type', BOT_FIX],
]);

/** SLACK_BOT_TOKEN: its kind, and what Slack says about it. */
export function judgeBotToken(kind: SlackTokenKind, answer: AuthTest | SlackFailure): Finding {
  const what = 'SLACK_BOT_TOKEN';
  if (kind === 'user' || kind === 'app') return broken(what, IS[kind], BOT_FIX);
  if ('kind' in answer) return tokenFailure(what, answer);
  const { bot, user, team } = answer;
  if (!bot) return broken(what, 'Slack accepts it, and it is not the token of a bot', BOT_FIX);
  if (kind === 'rotated') {
    const says = 'it is of an app with token rotation and expires within 12 h';
    return doubtful(what, says, ROTATED_FIX);
  }
  return well(what, `Slack accepts it: Purser is ${user} in ${team}`);
}

function tokenFailure(what: string, failure: SlackFailure): Finding {
  const { kind, word } = failure;
  if (kind === 'limited') return rateLimited(what);
  if (kind === 'away') {
    const says = `Slack’s Web API does not answer (${word})`;
    return broken(what, says, 'check SLACK_API_URL, and that this machine reaches it');
  }
  const fix = TOKEN_FIXES.get(word) ?? `check SLACK_BOT_TOKEN; ${BOT_FIX}`;
  return broken(what, `Slack refuses it (${word})`, fix);
}

/** SLACK_APP_TOKEN of Socket Mode, by its kind alone: only a connection shows whether Slack takes it. */
export function judgeAppToken(kind: SlackTokenKind): readonly Finding[] {
  if (kind !== 'bot' && kind !== 'user') return [];
  return [broken('SLACK_APP_TOKEN', IS[kind], APP_FIX)];
}

/** The signing secret of HTTP mode: a token in its place would let no request through. */
export function judgeSigningSecret(kind: SlackTokenKind): readonly Finding[] {
  if (kind === 'unknown') return [];
  const fix = 'put the Signing Secret there: Basic Information on the page of the Slack app';
  return [broken('SLACK_SIGNING_SECRET', 'it holds a token', fix)];
}

/** The scopes of the bot token against those that Purser needs. */
export function judgeScopes(granted: readonly string[] | undefined): readonly Finding[] {
  const what = 'Scopes';
  if (granted === undefined) {
    return [off(what, 'Slack does not say which the token has, so they are not compared')];
  }
  const missing = BOT_SCOPES.filter(({ scope }) => !granted.includes(scope));
  if (missing.length === 0) return [well(what, `all ${BOT_SCOPES.length} are there`)];
  return missing.map(({ scope, without, works }) =>
    (works === true ? doubtful : broken)(
      `Scope ${scope}`,
      `it is missing: ${without}`,
      'add it under OAuth & Permissions and reinstall the app',
    ),
  );
}

/** How Slack reaches the bot. In HTTP mode only a request shows that requests arrive. */
export function judgeConnection(
  mode: 'http' | 'socket',
  connected: boolean,
  port: number | undefined,
): Finding {
  const what = 'Connection';
  if (mode === 'socket') {
    if (connected) return well(what, 'Socket Mode, open');
    return broken(
      what,
      'the socket to Slack is not open',
      'check SLACK_APP_TOKEN and its scope connections:write, and that this machine reaches wss-primary.slack.com',
    );
  }
  if (connected) return well(what, port === undefined ? 'HTTP' : `HTTP, port ${port} is open`);
  const says = 'Purser does not listen for Slack’s requests';
  return broken(what, says, 'check PORT, and start Purser anew');
}
