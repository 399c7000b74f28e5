import type { Secret } from '../../lib/secret.ts';
import { BOT_SCOPES } from '../../slack/scopes.ts';
import type { Finding } from './check.ts';
import { broken, doubtful, off, well } from './findings.ts';
import type { SlackFailure } from './slack-failure.ts';

/** What a token of Slack is for, by its beginning; `unknown` is not judged. */
export type SlackTokenKind = 'bot' | 'user' | 'app' | 'rotated' | 'unknown';

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

/** What auth.test says, as far as it is there. */
export interface WhoAmI {
  readonly bot: boolean;
  /** Name of the bot's user, and of the workspace. Foreign text. */
  readonly user: string;
  readonly team: string;
  /** Of the token; undefined: Slack does not say. */
  readonly scopes: readonly string[] | undefined;
}

/** SLACK_BOT_TOKEN: its kind, and what Slack says about it. */
export function judgeBotToken(kind: SlackTokenKind, answer: WhoAmI | SlackFailure): Finding {
  const what = 'SLACK_BOT_TOKEN';
  if (kind === 'user' || kind === 'app') return broken(what, IS[kind], BOT_FIX);
  if ('kind' in answer) return tokenTrouble(what, answer);
  if (!answer.bot)
    return broken(what, 'Slack accepts it, and it is not the token of a bot', BOT_FIX);
  if (kind === 'rotated') {
    return doubtful(
      what,
      'it is of an app with token rotation and expires within 12 h',
      ROTATED_FIX,
    );
  }
  return well(what, `Slack accepts it: Purser is ${answer.user} in ${answer.team}`);
}

function tokenTrouble(what: string, { kind, word }: SlackFailure): Finding {
  if (kind === 'limited') {
    return doubtful(
      what,
      'Slack asks for fewer calls just now',
      'run /purser doctor again in a minute',
    );
  }
  if (kind === 'away') {
    return broken(
      what,
      `Slack’s Web API does not answer (${word})`,
      'check SLACK_API_URL, and that this machine reaches it',
    );
  }
  const fix = TOKEN_FIXES.get(word) ?? `check SLACK_BOT_TOKEN; ${BOT_FIX}`;
  return broken(what, `Slack refuses it (${word})`, fix);
}

const REINSTALL =
  'install the app to the workspace anew (OAuth & Permissions) and put its new token into SLACK_BOT_TOKEN';
const TOKEN_FIXES: ReadonlyMap<string, string> = new Map([
  ['token_expired', ROTATED_FIX],
  ['token_revoked', REINSTALL],
  ['account_inactive', REINSTALL],
  ['team_access_not_granted', REINSTALL],
  ['not_allowed_token_type', BOT_FIX],
]);

/** SLACK_APP_TOKEN of Socket Mode, by its kind alone: only a connection shows whether Slack takes it. */
export function judgeAppToken(kind: SlackTokenKind): readonly Finding[] {
  if (kind !== 'bot' && kind !== 'user') return [];
  return [broken('SLACK_APP_TOKEN', IS[kind], APP_FIX)];
}

/** The signing secret of HTTP mode: a token in its place would let no request through. */
export function judgeSigningSecret(kind: SlackTokenKind): readonly Finding[] {
  if (kind === 'unknown') return [];
  return [
    broken(
      'SLACK_SIGNING_SECRET',
      'it holds a token',
      'put the Signing Secret there: Basic Information on the page of the Slack app',
    ),
  ];
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
