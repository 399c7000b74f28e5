import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type AuthTestResponse,
} from '@slack/web-api';
import { errorMessage } from '../../lib/errors.ts';
import type { Secret } from '../../lib/secret.ts';
import { plural } from '../../lib/text.ts';
import { BOT_SCOPES, type SlackConnection } from '../../slack/connection/connection.ts';
import { isTokenError } from '../../slack/sender.ts';
import {
  broken,
  doubtful,
  off,
  RUN_AGAIN,
  well,
  type Check,
  type CheckServices,
  type Finding,
} from './check.ts';

/**
 * Why a call to Slack failed. `refused`: Slack said so, with its word for it; `limited`: it asks for
 * fewer calls; `away`: there was no answer, or it was not Slack’s.
 */
export interface SlackFailure {
  readonly kind: 'refused' | 'limited' | 'away';
  /** Slack's word for it, or how it was away. Foreign text. */
  readonly word: string;
}

/** For the `catch` of a call to Slack. @throws any other error: a defect of ours */
export function slackFailure(error: unknown): SlackFailure {
  if (error instanceof WebAPIRateLimitedError) return { kind: 'limited', word: 'ratelimited' };
  if (error instanceof WebAPIPlatformError) {
    const word = error.data.error;
    if (word === 'ratelimited') return { kind: 'limited', word };
    // Slack's words are like that; a page of a proxy is none.
    if (/^\w{1,80}$/.test(word)) return { kind: 'refused', word };
    return { kind: 'away', word: 'what answers there is not Slack' };
  }
  if (error instanceof WebAPIHTTPError) return { kind: 'away', word: `HTTP ${error.statusCode}` };
  if (error instanceof WebAPIRequestError) return { kind: 'away', word: causeOf(error.original) };
  throw error;
}

/** What is at the bottom of it: the code of the network, or else the words. */
function causeOf(error: unknown): string {
  let last = error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    last = cause;
  }
  return errorMessage(last);
}

export function rateLimited(what: string): Finding {
  return doubtful(what, 'Slack asks for fewer calls at the moment', RUN_AGAIN);
}

/** @param why a word for it */
export function unansweredBySlack(what: string, why: string): Finding {
  return doubtful(what, `Slack did not answer (${why})`, RUN_AGAIN);
}

/** What cannot be looked at with this token. @param them "it" or "they" */
export function tokenRefused(what: string, them: string, word: string): Finding {
  const says = `${them} cannot be checked: Slack refuses the token (${word})`;
  return broken(what, says, 'fix SLACK_BOT_TOKEN first');
}

/** A fix. @param which "it", or the scopes */
export function addScopes(which: string): string {
  return `add ${which} under OAuth & Permissions and reinstall the app`;
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

/** As far as it is there. Name and workspace of the bot's user are foreign text. */
function toAuthTest(answer: AuthTestResponse) {
  const { bot_id: bot, user = '?', team = '?', response_metadata: about } = answer;
  return { bot: Boolean(bot), user, team, scopes: about?.scopes };
}

/** What auth.test says. */
export type AuthTest = ReturnType<typeof toAuthTest>;

const BEGINNINGS = [
  [/^xoxe\b/, 'rotated'],
  [/^xoxb-/, 'bot'],
  [/^xoxp-/, 'user'],
  [/^xapp-/, 'app'],
] as const;

/** What a token of Slack is for, by its beginning; `unknown` is not judged. */
export function slackTokenKind(token: Secret) {
  const text = token.reveal();
  return BEGINNINGS.find(([beginning]) => beginning.test(text))?.[1] ?? 'unknown';
}

type SlackTokenKind = ReturnType<typeof slackTokenKind>;

const IS = {
  bot: 'it holds a bot token (xoxb)',
  user: 'it holds the token of a person (xoxp)',
  app: 'it holds an app-level token (xapp)',
};

const FIX = {
  bot: 'set it to the Bot User OAuth Token, which begins with `xoxb`: OAuth & Permissions on the page of the Slack app',
  app: 'set it to an app-level token, which begins with `xapp` and has the scope `connections:write`: Basic Information on the page of the Slack app',
  secret: 'set it to the Signing Secret: Basic Information on the page of the Slack app',
  rotated:
    'turn token rotation off (token_rotation_enabled: false, which takes a new app), because Purser renews no token',
  reinstall:
    'reinstall the app to the workspace (OAuth & Permissions), and set SLACK_BOT_TOKEN to its new token',
  away: 'check SLACK_API_URL, and that Purser’s machine reaches it',
  socket:
    'check SLACK_APP_TOKEN and its scope `connections:write`, and that Purser’s machine reaches `wss-primary.slack.com`',
};

/** What to do, by the word with which Slack refuses a token. */
const TOKEN_FIXES: ReadonlyMap<string, string> = new Map([
  ['token_expired', FIX.rotated],
  ['token_revoked', FIX.reinstall],
  ['account_inactive', FIX.reinstall],
  ['team_access_not_granted', FIX.reinstall],
  ['not_allowed_token_type', FIX.bot],
]);

/** SLACK_BOT_TOKEN: its kind, and what Slack says about it. */
export function judgeBotToken(kind: SlackTokenKind, answer: AuthTest | SlackFailure): Finding {
  const what = 'SLACK_BOT_TOKEN';
  if (kind === 'user' || kind === 'app') return broken(what, IS[kind], FIX.bot);
  if ('kind' in answer) {
    const { word } = answer;
    if (answer.kind === 'limited') return rateLimited(what);
    const fix = TOKEN_FIXES.get(word) ?? FIX.bot;
    if (answer.kind === 'refused') return broken(what, `Slack refuses it (${word})`, fix);
    return broken(what, `Slack’s Web API does not answer (${word})`, FIX.away);
  }
  const { bot, user, team } = answer;
  if (!bot) return broken(what, 'Slack accepts it, but it is not the token of a bot', FIX.bot);
  const expires = 'its app has token rotation on, so it expires within 12 h';
  if (kind === 'rotated') return doubtful(what, expires, FIX.rotated);
  return well(what, `Slack accepts it: Purser is ${user} in ${team}`);
}

/** SLACK_APP_TOKEN of Socket Mode, by its kind alone: only a connection shows whether Slack takes it. */
export function judgeAppToken(kind: SlackTokenKind): readonly Finding[] {
  if (kind !== 'bot' && kind !== 'user') return [];
  return [broken('SLACK_APP_TOKEN', IS[kind], FIX.app)];
}

/** The signing secret of HTTP mode: a token in its place would let no request through. */
export function judgeSigningSecret(kind: SlackTokenKind): readonly Finding[] {
  return kind === 'unknown' ? [] : [broken('SLACK_SIGNING_SECRET', 'it holds a token', FIX.secret)];
}

/** The scopes of the bot token against those that Purser needs. */
export function judgeScopes(granted: readonly string[] | undefined): readonly Finding[] {
  const unknown = 'Slack does not say which scopes the token has, so they could not be checked';
  if (granted === undefined) return [off('Scopes', unknown)];
  const missing = BOT_SCOPES.filter(({ scope }) => !granted.includes(scope));
  if (missing.length === 0) return [well('Scopes', `all ${BOT_SCOPES.length} are there`)];
  const fix = addScopes('it');
  return missing.map(({ scope, without, works }) =>
    (works === true ? doubtful : broken)(`Scope ${scope}`, `it is missing: ${without}`, fix),
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
    if (connected) return well(what, 'Socket Mode, connected');
    return broken(what, 'Socket Mode is not connected', FIX.socket);
  }
  if (connected) return well(what, port === undefined ? 'HTTP' : `HTTP, port ${port} is open`);
  const says = 'Purser does not listen for Slack’s requests';
  return broken(what, says, 'check `PORT`, and restart Purser');
}

/** The user group that ORG_ACCESS names: that it is there and has members (design section 6). */
export function createGroupCheck({ slack, config }: CheckServices<'slack', 'orgAccess'>): Check {
  const { orgAccess } = config;
  return {
    area: 'Access',
    async run() {
      if (orgAccess.kind !== 'usergroup') return [];
      const asked = slack.usergroups.users.list({ usergroup: orgAccess.id });
      return [judgeGroup(await asked.then(({ users }) => users?.length, slackFailure))];
    },
  };
}

/** @param members how many the group has; undefined: Slack does not say */
export function judgeGroup(members: number | undefined | SlackFailure): Finding {
  const what = 'User group of ORG_ACCESS';
  const shut = 'so /usage, /deployments and /workload refuse everybody';
  if (members === undefined) return unansweredBySlack(what, 'its members are missing');
  if (typeof members === 'number') {
    if (members > 0) return well(what, plural(members, 'member'));
    const fix = 'add people to the group, or change ORG_ACCESS';
    return broken(what, `it has no members, ${shut}`, fix);
  }
  const { kind, word } = members;
  if (kind !== 'refused') return unansweredBySlack(what, word);
  const unread = `it cannot be read without the scope usergroups:read, ${shut}`;
  if (word === 'missing_scope') return broken(what, unread, addScopes('it'));
  if (isTokenError(word)) return tokenRefused(what, 'it', word);
  const fix =
    'set ORG_ACCESS to the id of an enabled user group, which begins with `S`, or ORG_ACCESS=members';
  return broken(what, `Slack does not know it (${word}), ${shut}`, fix);
}
