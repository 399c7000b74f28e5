import type { WebClient } from '@slack/web-api';
import { Refusal, UsageError } from '../lib/errors.ts';
import { createMemo, type Stopwatch } from '../lib/time.ts';
import type { Logger } from '../lib/logger.ts';
import { errorCode } from './calls.ts';
import { given } from './kit/text.ts';

/** Access depends on these; members absent from Slack's answer are false. */
interface SlackProfile {
  userId: string;
  teamId: string;
  /** Of Enterprise Grid: all workspaces of the person. */
  teams?: readonly string[] | undefined;
  /** In lower case; undefined when Slack shows none, or an unconfirmed one. */
  email: string | undefined;
  /** An address that Slack does not call confirmed. */
  unconfirmed: string | undefined;
  deleted: boolean;
  bot: boolean;
  guest: boolean;
  /** From another workspace, through a shared channel. */
  stranger: boolean;
}

/** `fresh`: asks Slack now, and ignores the memory. */
interface ReadOptions {
  fresh?: boolean;
}

const REMEMBER_MS = 5 * 60_000;

export function createPeople(slack: WebClient, stopwatch: Stopwatch) {
  const members = createMemo<SlackProfile>(stopwatch, REMEMBER_MS);
  const groups = createMemo<ReadonlySet<string>>(stopwatch, REMEMBER_MS);
  const isConfirmed = createEmailProof();
  return {
    /** @throws the client's errors, or when the answer has no user */
    member: (userId: string, { fresh = false }: ReadOptions = {}) =>
      members(userId, () => readMember(slack, userId, isConfirmed), fresh),
    /** @throws the client's errors, or when the answer has no members */
    groupMembers: (groupId: string, { fresh = false }: ReadOptions = {}) =>
      groups(groupId, () => readGroup(slack, groupId), fresh),
  };
}

/**
 * Whether an address counts as confirmed. A profile without this field does only as long as no other
 * profile had it: Slack leaves it out in some workspaces.
 */
function createEmailProof(): (stated: boolean | undefined) => boolean {
  let isStatedHere = false;
  return (stated) => {
    isStatedHere ||= stated !== undefined;
    return stated ?? !isStatedHere;
  };
}

async function readMember(
  slack: WebClient,
  userId: string,
  isConfirmed: (stated: boolean | undefined) => boolean,
): Promise<SlackProfile> {
  const { user } = await slack.users.info({ user: userId });
  if (user === undefined) throw new Error('Slack’s users.info holds no user');
  const email = user.profile?.email?.toLowerCase();
  const isProven = isConfirmed(user.is_email_confirmed);
  return {
    userId,
    teamId: user.team_id ?? '',
    teams: user.enterprise_user?.teams,
    email: isProven ? email : undefined,
    unconfirmed: isProven ? undefined : email,
    deleted: user.deleted === true,
    bot: user.is_bot === true || userId === 'USLACKBOT',
    guest: user.is_restricted === true || user.is_ultra_restricted === true,
    stranger: user.is_stranger === true,
  };
}

async function readGroup(slack: WebClient, groupId: string): Promise<ReadonlySet<string>> {
  const { users } = await slack.usergroups.users.list({ usergroup: groupId });
  if (users === undefined) throw new Error('Slack’s usergroups.users.list holds no users');
  return new Set(users);
}

/** Milliseconds. */
const GROUPS_MS = 10 * 60_000;

/**
 * Finds the id of the user group of one of these roles, tried in order, by its handle: the role, with `_` or `-`,
 * singular or plural (`billing_admin`, `billing-admins`). When Slack does not answer, the result is undefined, which
 * is logged.
 */
export function createGroupFor(slack: WebClient, stopwatch: Stopwatch, logger: Logger) {
  const memo = createMemo<ReadonlyMap<string, string>>(stopwatch, GROUPS_MS);
  return async (roles: readonly string[]): Promise<string | undefined> => {
    try {
      const groups = await memo('', () => readGroups(slack));
      return roles.map((role) => groups.get(wordOf(role))).find((id) => id !== undefined);
    } catch (error) {
      logger.warn({ err: error }, 'Slack does not list the user groups');
      return undefined;
    }
  };
}

/** Ids by normalised handle; disabled groups are left out. */
async function readGroups(slack: WebClient): Promise<ReadonlyMap<string, string>> {
  const { usergroups = [] } = await slack.usergroups.list();
  const found = new Map<string, string>();
  for (const { id, handle, date_delete: disabled } of usergroups) {
    if (id === undefined || handle === undefined || (disabled ?? 0) > 0) continue;
    const word = wordOf(handle);
    if (!found.has(word)) found.set(word, id);
  }
  return found;
}

/** Normalises a role and its handles to the same word. */
function wordOf(name: string): string {
  return name.toLowerCase().replaceAll('-', '_').replace(/s$/, '');
}

/** IANA name of a person's time zone; undefined without one. @throws the client's errors */
export async function findZone(slack: WebClient, userId: string): Promise<string | undefined> {
  return (await slack.users.info({ user: userId })).user?.tz;
}

/** Errors for a private channel that the bot is not a member of. */
export const OUTSIDE: ReadonlySet<string> = new Set(['channel_not_found', 'not_in_channel']);

/** Pages of a channel's members; a larger channel is not read for one question. */
const MAX_PAGES = 10;
const PAGE = 1_000;

/** Whether the bot can post to a channel; undefined when Slack does not answer. */
export async function isMember(slack: WebClient, channel: string): Promise<boolean | undefined> {
  try {
    const { channel: info } = await slack.conversations.info({ channel });
    if (info?.is_archived === true) return false;
    return info?.is_im === true ? true : info?.is_member;
  } catch (error) {
    return OUTSIDE.has(errorCode(error) ?? '') ? false : undefined;
  }
}

/** Whether a person is in a channel; undefined when Slack does not answer, or the channel is too large. */
async function hasMember(
  slack: WebClient,
  channel: string,
  userId: string,
): Promise<boolean | undefined> {
  let page = 0;
  try {
    for await (const { members, response_metadata: more } of membersOf(slack, channel, PAGE)) {
      if (members?.includes(userId) === true) return true;
      page += 1;
      if (members === undefined || (more?.next_cursor && page === MAX_PAGES)) return undefined;
    }
    return false;
  } catch {
    // Refused or unreachable: unknown in either case.
    return undefined;
  }
}

/** The members of a channel, page by page. @throws the client's errors */
export async function* membersOf(slack: WebClient, channel: string, limit: number) {
  let cursor: string | undefined;
  do {
    const page = await slack.conversations.members({ channel, limit, ...given({ cursor }) });
    yield page;
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
}

/** The id of a channel in a command: Slack turns `#name` into its own format. @throws UsageError for anything else */
export function readChannel(text: string): string {
  const id =
    /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(text)?.[1] ?? /^[CGD][A-Z0-9]{5,}$/.exec(text)?.[0];
  if (id === undefined) {
    throw new UsageError(
      'Slack did not recognise that channel: choose it from the list after typing #.',
    ).withExample('in #deploys');
  }
  return id;
}

/**
 * Only members of a channel decide about posts there, and Slack has to confirm the membership. In the channel of the
 * command it is certain, except in a direct channel: Purser posts to a person's own alone.
 * @throws Refusal
 */
export async function requireChannelMember(
  slack: WebClient,
  { person, channelId }: { person: { userId: string }; channelId: string },
  channel: string,
): Promise<void> {
  const isIn = await isChannelMember(slack, { person, channelId }, channel);
  if (isIn === false) throw new Refusal(isDirect(channel) ? NOT_YOUR_DIRECT : NOT_IN_CHANNEL);
  if (isIn === undefined) throw new Refusal(MEMBERSHIP_UNKNOWN);
}

/** A conversation of two, by its id: Slack shows nothing else without a scope. */
export function isDirect(channel: string): boolean {
  return channel.startsWith('D');
}

/** As `requireChannelMember`; undefined when it is unknown. */
export async function isChannelMember(
  slack: WebClient,
  { person, channelId }: { person: { userId: string }; channelId: string },
  channel: string,
): Promise<boolean | undefined> {
  if (isDirect(channel)) {
    const own = await openDirect(slack, person.userId).catch(() => undefined);
    return own === undefined ? undefined : own === channel;
  }
  return channel === channelId ? true : hasMember(slack, channel, person.userId);
}

export const NOT_YOUR_DIRECT =
  'Purser posts to a person only in their own messages with Purser: type this there, or name a channel, such as in #channel.';
const NOT_IN_CHANNEL =
  'You can only change watches in channels that you are a member of: join it first, or ask a member to type this.';
const MEMBERSHIP_UNKNOWN =
  'Slack cannot confirm that you are in that channel, so nothing was done: type this in the channel itself.';

/** The address of a message. Failures are not logged: a missing link does no harm. */
export function createPermalink(slack: WebClient) {
  return (channel: string, ts: string): Promise<string | undefined> =>
    slack.chat.getPermalink({ channel, message_ts: ts }).then(
      ({ permalink }) => permalink,
      () => undefined,
    );
}

/**
 * The channel of a person's messages with the bot; undefined when Slack does not answer, which is logged. It never
 * changes, so it is remembered for ever.
 */
export function createDirectChannel(slack: WebClient, logger: Logger) {
  const known = new Map<string, string>();
  return async (userId: string): Promise<string | undefined> => {
    try {
      const channel = known.get(userId) ?? (await openDirect(slack, userId));
      known.set(userId, channel);
      return channel;
    } catch (error) {
      logger.warn({ err: error }, 'Slack gives no direct message channel of a person');
      return undefined;
    }
  };
}

/** The person with an e-mail address; undefined when this workspace has none. @throws the client's errors */
export async function findByEmail(slack: WebClient, email: string): Promise<string | undefined> {
  try {
    return (await slack.users.lookupByEmail({ email })).user?.id;
  } catch (error) {
    if (errorCode(error) === 'users_not_found') return undefined;
    throw error;
  }
}

/**
 * Opens the channel of a person's messages with the bot.
 * @throws the client's errors, or when the answer has no channel
 */
export async function openDirect(slack: WebClient, userId: string): Promise<string> {
  const { channel } = await slack.conversations.open({ users: userId });
  if (channel?.id === undefined) throw new Error('Slack’s conversations.open names no channel');
  return channel.id;
}
