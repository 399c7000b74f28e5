import {
  type AuthTestResponse,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import type { Config } from '../../config/config.ts';
import { errorMessage } from '../../lib/errors.ts';
import type { Secret } from '../../lib/secret.ts';
import { plural } from '../../lib/text.ts';
import { BOT_SCOPES } from '../../slack/scopes.ts';
import type { SlackConnection } from '../../slack/connection/connection.ts';
import { isTokenError } from '../../slack/sender.ts';
import {
  type Check,
  checkOf,
  type CheckServices,
  listed,
  type Probe,
  probe,
  type Rules,
  RUN_AGAIN,
} from './probe.ts';

/** `refused`: with an error code of Slack’s; `limited`: rate limited; `away`: no answer, or not Slack’s. */
export interface SlackFailure {
  readonly kind: 'refused' | 'limited' | 'away';
  /** Slack’s error code, or the network error. Foreign text. */
  readonly word: string;
}

/** For the `catch` of a call to Slack. @throws any other error: a defect of ours */
export function slackFailure(error: unknown): SlackFailure {
  if (error instanceof WebAPIRateLimitedError) return { kind: 'limited', word: 'ratelimited' };
  if (error instanceof WebAPIPlatformError) {
    const word = error.data.error;
    if (word === 'ratelimited') return { kind: 'limited', word };
    // Slack’s error codes have this form; a proxy’s error page does not.
    if (/^\w{1,80}$/.test(word)) return { kind: 'refused', word };
    return { kind: 'away', word: 'what answers there is not Slack' };
  }
  if (error instanceof WebAPIHTTPError) return { kind: 'away', word: `HTTP ${error.statusCode}` };
  if (error instanceof WebAPIRequestError) return { kind: 'away', word: causeOf(error.original) };
  throw error;
}

/** The innermost network error code, or else the innermost message. */
function causeOf(error: unknown): string {
  let last = error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    last = cause;
  }
  return errorMessage(last);
}

/** For a failure that proves nothing about the probed thing. */
export const unansweredBySlack = (failure: SlackFailure | undefined): Rules => ({
  [`? Slack asks for fewer calls at the moment → ${RUN_AGAIN}`]: failure?.kind === 'limited',
  [`? Slack did not answer (${failure?.word}) → ${RUN_AGAIN}`]: failure?.kind === 'away',
});

/** @param which "it", or the scopes */
export const addScopes = (which: string): string =>
  `add ${which} under OAuth & Permissions and reinstall the app`;

/** @param them "it" or "they" */
export const tokenRefused = (word: string, them: string): Rules => ({
  [`! ${them} cannot be checked: Slack refuses the token (${word}) → fix SLACK_BOT_TOKEN first`]:
    isTokenError(word),
});

const HOLDS = {
  bot: 'it holds a bot token (xoxb)',
  user: 'it holds the token of a person (xoxp)',
  app: 'it holds an app-level token (xapp)',
  rotated: '',
  unknown: '',
};

type TokenKind = keyof typeof HOLDS;

const KINDS: Readonly<Record<string, TokenKind>> = {
  'xoxb-': 'bot',
  'xoxp-': 'user',
  'xapp-': 'app',
};

/** By prefix; `unknown` is not judged. */
export function slackTokenKind(token: Secret): TokenKind {
  const text = token.reveal();
  return /^xoxe\b/.test(text) ? 'rotated' : (KINDS[text.slice(0, 5)] ?? 'unknown');
}

const FIX = {
  bot: 'set it to the Bot User OAuth Token, which begins with `xoxb`: OAuth & Permissions on the page of the Slack app',
  app: 'set it to an app-level token, which begins with `xapp` and has the scope `connections:write`: Basic Information on the page of the Slack app',
  secret: 'set it to the Signing Secret: Basic Information on the page of the Slack app',
  rotated:
    'turn token rotation off (token_rotation_enabled: false, which takes a new app), because Purser renews no token',
  reinstall:
    'reinstall the app to the workspace (OAuth & Permissions), and set SLACK_BOT_TOKEN to its new token',
  socket:
    'check SLACK_APP_TOKEN and its scope `connections:write`, and that Purser’s machine reaches `wss-primary.slack.com`',
};

/** By Slack’s error code for a refused token. */
const TOKEN_FIXES: ReadonlyMap<string, string> = new Map([
  ['token_expired', FIX.rotated],
  ['token_revoked', FIX.reinstall],
  ['account_inactive', FIX.reinstall],
  ['team_access_not_granted', FIX.reinstall],
]);

export interface SlackFacts {
  readonly mode: 'http' | 'socket';
  readonly botToken: TokenKind;
  /** Of SLACK_SIGNING_SECRET in HTTP mode, of SLACK_APP_TOKEN in Socket Mode. */
  readonly ownToken: TokenKind;
  readonly answer: AuthTest | SlackFailure;
  /** Undefined: this process does not listen to Slack. */
  readonly way: { readonly connected: boolean; readonly port: number | undefined } | undefined;
}

/** All fields may be missing. The bot's user name and workspace are foreign text. */
function toAuthTest(answer: AuthTestResponse) {
  const { bot_id: bot, user = '?', team = '?', response_metadata: about } = answer;
  return { bot: Boolean(bot), user, team, scopes: about?.scopes };
}

export type AuthTest = ReturnType<typeof toAuthTest>;

/** @param connection undefined: this process does not listen to Slack */
export function createSlackCheck(
  { slack: client, config: { slack } }: CheckServices<'slack', 'slack'>,
  connection: () => Pick<SlackConnection, 'connected' | 'port'> | undefined,
): Check {
  async function call(): Promise<SlackFacts> {
    const answer = await client.auth.test().then(toAuthTest, slackFailure);
    const way = connection();
    const botToken = slackTokenKind(slack.botToken);
    const ownToken = slackTokenKind(slack.mode === 'http' ? slack.signingSecret : slack.appToken);
    const seen = way && { connected: way.connected(), port: way.port() };
    return { mode: slack.mode, botToken, ownToken, answer, way: seen };
  }
  return checkOf('Slack', call, slackProbes);
}

export function slackProbes({ mode, botToken, ownToken, answer, way }: SlackFacts): Probe[] {
  const failure = 'kind' in answer ? answer : undefined;
  const { word = '' } = failure ?? {};
  const { bot, user, team, scopes } = 'kind' in answer ? NO_ANSWER : answer;
  const missing = scopes ? BOT_SCOPES.filter(({ scope }) => !scopes.includes(scope)) : [];
  return [
    probe('SLACK_BOT_TOKEN', `Slack accepts it: Purser is ${user} in ${team}`, {
      [`! ${HOLDS[botToken]} → ${FIX.bot}`]: botToken === 'user' || botToken === 'app',
      ...unansweredBySlack(failure?.kind === 'limited' ? failure : undefined),
      [`! Slack refuses it (${word}) → ${TOKEN_FIXES.get(word) ?? FIX.bot}`]:
        failure?.kind === 'refused',
      [`! Slack’s Web API does not answer (${word}) → check SLACK_API_URL, and that Purser’s machine reaches it`]:
        failure,
      [`! Slack accepts it, but it is not the token of a bot → ${FIX.bot}`]: !bot,
      [`? its app has token rotation on, so it expires within 12 h → ${FIX.rotated}`]:
        botToken === 'rotated',
    }),
    ...missing.map(({ scope, without, works }) =>
      probe(`Scope ${scope}`, false, {
        [`${works ? '?' : '!'} it is missing: ${without} → ${addScopes('it')}`]: true,
      }),
    ),
    probe('Scopes', !failure && missing.length === 0 && `all ${BOT_SCOPES.length} are there`, {
      '? Slack does not list the scopes of the token, so they could not be checked → compare the scopes under OAuth & Permissions with those in `manifest.yml`':
        !failure && !scopes,
    }),
    // By prefix alone: only a connection shows whether Slack accepts it.
    mode === 'socket'
      ? probe('SLACK_APP_TOKEN', false, {
          [`! ${HOLDS[ownToken]} → ${FIX.app}`]: ['bot', 'user'].includes(ownToken),
        })
      : probe('SLACK_SIGNING_SECRET', false, {
          [`! it holds a token → ${FIX.secret}`]: ownToken !== 'unknown',
        }),
    // In HTTP mode only a request shows that requests arrive.
    probe(
      'Connection',
      way &&
        (mode === 'socket'
          ? 'Socket Mode, connected'
          : `HTTP${way.port ? `, port ${way.port} is open` : ''}`),
      {
        [`! Socket Mode is not connected → ${FIX.socket}`]:
          mode === 'socket' && way?.connected === false,
        '! Purser does not listen for Slack’s requests → check `PORT`, and restart Purser':
          way?.connected === false,
      },
    ),
  ];
}

const NO_ANSWER = { bot: false, user: '', team: '', scopes: undefined };

/** Each user group of ORG_ACCESS must exist and have members (design section 6). */
export function createGroupCheck({ slack, config }: CheckServices<'slack', 'orgAccess'>): Check {
  const read = async ([usergroup, orgs]: [string, readonly string[]]) => {
    const asked = slack.usergroups.users.list({ usergroup });
    return { orgs, members: await asked.then(({ users }) => users?.length, slackFailure) };
  };
  return checkOf(
    'Access',
    () => Promise.all(groupsOf(config.orgAccess).map(read)),
    (groups) => groups.map(({ members, orgs }) => groupProbe(members, orgs)),
  );
}

/** The user groups, each with the orgs that it opens; without orgs: all. */
function groupsOf(orgAccess: Config['orgAccess']): [group: string, orgs: readonly string[]][] {
  if (orgAccess.kind === 'usergroup') return [[orgAccess.id, []]];
  const groups = new Map<string, string[]>();
  for (const [org, rule] of orgAccess.kind === 'orgs' ? orgAccess.rules : []) {
    if (rule.kind === 'usergroup') groups.set(rule.id, [...(groups.get(rule.id) ?? []), org]);
  }
  return [...groups];
}

/** @param orgs which the group opens; empty: all */
export function groupProbe(
  members: number | undefined | SlackFailure,
  orgs: readonly string[] = [],
): Probe {
  const failure = typeof members === 'object' ? members : undefined;
  const { word = '' } = failure ?? {};
  const of = orgs.length === 0 ? '' : ` for ${listed(orgs)}`;
  const shut = `so /usage, /deployments and /workload refuse everyone${of}`;
  return probe(
    `User group of ORG_ACCESS${of}`,
    typeof members === 'number' && plural(members, 'member'),
    {
      ...unansweredBySlack(failure),
      [`! it cannot be read without the scope usergroups:read, ${shut} → ${addScopes('it')}`]:
        word === 'missing_scope',
      ...tokenRefused(word, 'it'),
      [`! Slack does not know it (${word}), ${shut} → set ORG_ACCESS to the id of an enabled user group, which begins with \`S\`, or ORG_ACCESS=members`]:
        failure,
      [`? Slack did not answer (its members are missing) → ${RUN_AGAIN}`]: members === undefined,
      [`! it has no members, ${shut} → add people to the group, or change ORG_ACCESS`]:
        members === 0,
    },
  );
}
