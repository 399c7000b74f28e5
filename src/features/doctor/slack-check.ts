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
import { formatDuration, plural } from '../../lib/text.ts';
import { placeOf, type Watch, type Watches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import { BOT_SCOPES, type SlackConnection } from '../../slack/connection/connection.ts';
import { isDirect } from '../../slack/directory.ts';
import { isTokenError } from '../../slack/sender.ts';
import {
  broken,
  type Check,
  type CheckServices,
  compact,
  doubtful,
  type Finding,
  listed,
  off,
  RUN_AGAIN,
  well,
} from './doctor-view.ts';

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

function rateLimited(what: string): Finding {
  return doubtful(what, 'Slack asks for fewer calls at the moment', RUN_AGAIN);
}

function unansweredBySlack(what: string, why: string): Finding {
  return doubtful(what, `Slack did not answer (${why})`, RUN_AGAIN);
}

/** @param them "it" or "they" */
function tokenRefused(what: string, them: string, word: string): Finding {
  const says = `${them} cannot be checked: Slack refuses the token (${word})`;
  return broken(what, says, 'fix SLACK_BOT_TOKEN first');
}

/** @param which "it", or the scopes */
function addScopes(which: string): string {
  return `add ${which} under OAuth & Permissions and reinstall the app`;
}

/** @param connection undefined: this process does not listen to Slack */
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

/** All fields may be missing. The bot's user name and workspace are foreign text. */
function toAuthTest(answer: AuthTestResponse) {
  const { bot_id: bot, user = '?', team = '?', response_metadata: about } = answer;
  return { bot: Boolean(bot), user, team, scopes: about?.scopes };
}

export type AuthTest = ReturnType<typeof toAuthTest>;

const BEGINNINGS = [
  [/^xoxe\b/, 'rotated'],
  [/^xoxb-/, 'bot'],
  [/^xoxp-/, 'user'],
  [/^xapp-/, 'app'],
] as const;

/** By prefix; `unknown` is not judged. */
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

/** By Slack’s error code for a refused token. */
const TOKEN_FIXES: ReadonlyMap<string, string> = new Map([
  ['token_expired', FIX.rotated],
  ['token_revoked', FIX.reinstall],
  ['account_inactive', FIX.reinstall],
  ['team_access_not_granted', FIX.reinstall],
  ['not_allowed_token_type', FIX.bot],
]);

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

/** SLACK_APP_TOKEN of Socket Mode, by its prefix alone: only a connection shows whether Slack accepts it. */
export function judgeAppToken(kind: SlackTokenKind): readonly Finding[] {
  if (kind !== 'bot' && kind !== 'user') return [];
  return [broken('SLACK_APP_TOKEN', IS[kind], FIX.app)];
}

/** The signing secret of HTTP mode: with a token in its place every request would be refused. */
export function judgeSigningSecret(kind: SlackTokenKind): readonly Finding[] {
  return kind === 'unknown' ? [] : [broken('SLACK_SIGNING_SECRET', 'it holds a token', FIX.secret)];
}

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

/** In HTTP mode only a request shows that requests arrive. */
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

/** Each user group of ORG_ACCESS must exist and have members (design section 6). */
export function createGroupCheck({ slack, config }: CheckServices<'slack', 'orgAccess'>): Check {
  const { orgAccess } = config;
  return {
    area: 'Access',
    async run() {
      return Promise.all(
        groupsOf(orgAccess).map(async ([usergroup, orgs]) => {
          const asked = slack.usergroups.users.list({ usergroup });
          return judgeGroup(await asked.then(({ users }) => users?.length, slackFailure), orgs);
        }),
      );
    },
  };
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
export function judgeGroup(
  members: number | undefined | SlackFailure,
  orgs: readonly string[] = [],
): Finding {
  const of = orgs.length === 0 ? '' : ` for ${listed(orgs)}`;
  const what = `User group of ORG_ACCESS${of}`;
  const shut = `so /usage, /deployments and /workload refuse everybody${of}`;
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

export interface ChannelStatus {
  readonly id: string;
  /** "NOTIFY_CHANNEL", "watch acme/shop". */
  readonly uses: readonly string[];
  readonly facts: ChannelFacts | SlackFailure;
  readonly refusals: readonly RefusedPost[];
}

export interface ChannelFacts {
  /** Undefined without a name, and for a private channel: every member may read the answer. */
  readonly name: string | undefined;
  readonly archived: boolean;
  /** Undefined: absent from Slack’s answer. */
  readonly member: boolean | undefined;
  /** People from another company read it, or are invited to. */
  readonly shared: boolean;
  /** Why its messages cannot be read; undefined: they can, or it was not tried. */
  readonly unreadable: SlackFailure | undefined;
}

/** A refused post without a later success (`notify/channels.ts`); ms since the epoch. */
type RefusedPost = { readonly error: string; readonly since: number };
type ChannelServices = Pick<Services, 'slack' | 'redis' | 'keys' | 'clock'>;

/** Slack takes about 50 of these calls a minute, and each channel needs two. */
const MAX_CHANNELS = 20;
const AT_ONCE = 5;
const MAX_USES = 3;

/** Every channel that Purser posts to must exist, accept posts and be readable. */
export function createChannelCheck(
  services: ChannelServices & { config: { channels: Readonly<Record<string, string>> } },
  watches: Pick<Watches, 'all'>,
): Check {
  return {
    area: 'Channels',
    async run(signal) {
      // A failing Redis is a finding of its own check; the configured channels are checked all the
      // same.
      const [watched, refusals] = await Promise.all([
        watches.all().catch(() => []),
        readRefusals(services).catch(() => new Map<string, readonly RefusedPost[]>()),
      ]);
      const all = usedChannels(services.config.channels, watched);
      const shown = all.slice(0, MAX_CHANNELS);
      const known: ChannelStatus[] = [];
      for (let from = 0; from < shown.length && !signal.aborted; from += AT_ONCE) {
        const some = shown.slice(from, from + AT_ONCE).map(async (channel) => ({
          ...channel,
          facts: await readChannel(services, channel.id),
          refusals: refusals.get(channel.id) ?? [],
        }));
        known.push(...(await Promise.all(some)));
      }
      const words = known.map(({ facts }) =>
        'kind' in facts && facts.kind === 'refused' ? facts.word : '',
      );
      const refused = words.find(isTokenError);
      // A refused token is one finding, not one for each channel.
      if (refused !== undefined) return [tokenRefused('All channels', 'they', refused)];
      const now = services.clock.now();
      const left = all.length - known.length;
      const were = `${plural(left, 'channel')} ${left === 1 ? 'was' : 'were'} not checked`;
      const why = signal.aborted ? 'is slow' : 'allows few calls';
      const fix = 'type `/deployments watches` in the channel where you miss something';
      return compact([
        ...known.map((status) => judgeChannel(status, now)),
        left > 0 && doubtful('More channels', `${were}: Slack ${why}`, fix),
      ]);
    },
  };
}

/** Each channel once, configured ones first. @param channels ids by setting */
export function usedChannels(
  channels: Readonly<Record<string, string>>,
  watches: readonly Watch[],
): Pick<ChannelStatus, 'id' | 'uses'>[] {
  const uses = new Map<string, string[]>();
  const add = (id: string, use: string): void => void uses.set(id, [...(uses.get(id) ?? []), use]);
  for (const [name, id] of Object.entries(channels)) add(id, `${name.toUpperCase()}_CHANNEL`);
  for (const watch of watches) {
    // A person's own messages with Purser concern that person alone.
    if (isDirect(watch.channel)) continue;
    add(watch.channel, `${watch.configured ? 'WATCHES' : 'watch'} ${placeOf(watch)}`);
  }
  return [...uses].map(([id, all]) => ({ id, uses: all }));
}

async function readChannel(
  { slack }: ChannelServices,
  id: string,
): Promise<ChannelFacts | SlackFailure> {
  try {
    const { channel = {} } = await slack.conversations.info({ channel: id });
    const member = channel.is_im === true ? true : channel.is_member;
    const isOpen = channel.is_private !== true && channel.is_im !== true;
    // After a crash, Purser reads its latest posts.
    const read = () => slack.conversations.history({ channel: id, limit: 1 });
    return {
      name: isOpen ? channel.name : undefined,
      archived: channel.is_archived === true,
      shared: channel.is_ext_shared === true || channel.is_pending_ext_shared === true,
      member,
      unreadable: member === true ? await read().then(() => undefined, slackFailure) : undefined,
    };
  } catch (error) {
    return slackFailure(error);
  }
}

async function readRefusals({ redis, keys }: ChannelServices) {
  const kept = Object.entries(await redis.hgetall(keys.refusals));
  return new Map(kept.map(([channel, text]) => [channel, JSON.parse(text) as RefusedPost[]]));
}

/** @param now ms since the epoch */
export function judgeChannel(channel: ChannelStatus, now: number): Finding {
  const { facts, id, refusals, uses } = channel;
  const name = 'kind' in facts || facts.name === undefined ? id : `#${facts.name}`;
  const what = `${name} (${listed(uses, MAX_USES)})`;
  if ('kind' in facts) return unknownChannel(what, facts, otherwise(uses));
  if (facts.archived) {
    const fix = `unarchive it and type \`/invite @Purser\`, ${otherwise(uses)}`;
    return broken(what, 'it is archived', fix);
  }
  if (facts.member === false) {
    const says = 'Purser is not in it, so nothing reaches it';
    return broken(what, says, `type \`/invite @Purser\` in it, ${otherwise(uses)}`);
  }
  const shared = sharedChannel(channel, facts.shared);
  if (shared !== undefined) return doubtful(what, shared.says, shared.fix);
  const [refusal] = refusals;
  if (refusal !== undefined) {
    const refused = `Slack refused a post ${formatDuration(now - refusal.since)} ago`;
    const fix = 'check who may post in the channel, and that the token and the scopes are right';
    return broken(what, `${refused} (${refusal.error}), and took none since`, fix);
  }
  if (facts.unreadable !== undefined) {
    const { kind, word } = facts.unreadable;
    const says = `Purser cannot read it (${word}), so after a crash a message may come twice`;
    const add = addScopes('`channels:history` and `groups:history`');
    return doubtful(what, says, kind === 'refused' ? add : RUN_AGAIN);
  }
  if (facts.member) return well(what, 'Purser is a member');
  const says = 'Slack does not say whether Purser is in it';
  return doubtful(
    what,
    says,
    'type `/invite @Purser` in it, which does no harm if it is there already',
  );
}

/** Billing figures and amounts of changes stay in the company. */
function sharedChannel({ uses }: ChannelStatus, isShared: boolean) {
  const ofMoney = uses.filter((one) => Object.hasOwn(SHARED_SAYS, one));
  if (!isShared || ofMoney.length === 0) return undefined;
  const says = ofMoney.map((use) => SHARED_SAYS[use]).join(', and ');
  return {
    says: `people from another company read it, or are invited to it: ${says}`,
    fix: `set ${listed(ofMoney, MAX_USES)} to a channel of your company alone, or end the sharing`,
  };
}

const SHARED_SAYS: Readonly<Record<string, string>> = {
  BILLING_CHANNEL: 'digests, the spend alert and invoices are held back',
  APPROVALS_CHANNEL: 'they can read the cards of changes, with their amounts',
};

function unknownChannel(what: string, { kind, word }: SlackFailure, instead: string): Finding {
  if (kind === 'limited') return rateLimited(what);
  if (kind === 'away') return unansweredBySlack(what, word);
  if (word === 'channel_not_found' || word === 'not_in_channel') {
    const says = 'there is no such channel, or it is private and Purser is not in it';
    const invite = 'if it is right, type `/invite @Purser` in the channel';
    return broken(what, says, `check the id; ${invite}, ${instead}`);
  }
  const unseen = 'it cannot be checked without the scopes channels:read and groups:read';
  if (word === 'missing_scope') return doubtful(what, unseen, addScopes('them'));
  return broken(what, `Slack does not show it (${word})`, `check the id, ${instead}`);
}

function otherwise(uses: readonly string[]): string {
  const variables = uses.filter((use) => /^[A-Z_]+$/.test(use));
  if (variables.length > 0) return `or set another one in ${listed(variables)}`;
  return uses.some((use) => use.startsWith('WATCHES'))
    ? 'or change `WATCHES`'
    : 'or end its watches with `/deployments unwatch`';
}
