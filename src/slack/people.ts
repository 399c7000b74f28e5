import type { WebClient } from '@slack/web-api';
import type { Stopwatch } from '../lib/clock.ts';
import { createMemo } from '../lib/memo.ts';

/** What decides about a person; absent members of Slack's answer are false. */
interface Member {
  userId: string;
  teamId: string;
  /** In lower case; undefined when Slack shows none, or says that it is not confirmed. */
  email: string | undefined;
  /** An address that Slack says nobody has confirmed. */
  unconfirmed: string | undefined;
  deleted: boolean;
  bot: boolean;
  guest: boolean;
  /** From another workspace, through a shared channel. */
  stranger: boolean;
}

/** How a question is asked: `fresh` asks Slack now, whatever is remembered. */
interface Asking {
  fresh?: boolean;
}

export interface People {
  /** A person, remembered for at most five minutes. @throws the client's errors, or when the answer has no user */
  member(userId: string, asking?: Asking): Promise<Member>;
  /** Members of a user group, remembered as long. @throws the client's errors, or when the answer has none */
  groupMembers(groupId: string, asking?: Asking): Promise<ReadonlySet<string>>;
}

const REMEMBER_MS = 5 * 60_000;

export function createPeople(client: WebClient, stopwatch: Stopwatch): People {
  const members = createMemo<Member>(stopwatch, REMEMBER_MS);
  const groups = createMemo<ReadonlySet<string>>(stopwatch, REMEMBER_MS);
  return {
    member: (userId, { fresh = false } = {}) =>
      members(userId, () => readMember(client, userId), fresh),
    groupMembers: (groupId, { fresh = false } = {}) =>
      groups(groupId, () => readGroup(client, groupId), fresh),
  };
}

async function readMember(client: WebClient, userId: string): Promise<Member> {
  const { user } = await client.users.info({ user: userId });
  if (user === undefined) throw new Error('Slack’s users.info holds no user');
  const email = user.profile?.email?.toLowerCase();
  const isProven = user.is_email_confirmed !== false;
  return {
    userId,
    teamId: user.team_id ?? '',
    email: isProven ? email : undefined,
    unconfirmed: isProven ? undefined : email,
    deleted: user.deleted === true,
    bot: user.is_bot === true || userId === 'USLACKBOT',
    guest: user.is_restricted === true || user.is_ultra_restricted === true,
    stranger: user.is_stranger === true,
  };
}

async function readGroup(client: WebClient, groupId: string): Promise<ReadonlySet<string>> {
  const { users } = await client.usergroups.users.list({ usergroup: groupId });
  if (users === undefined) throw new Error('Slack’s usergroups.users.list holds no users');
  return new Set(users);
}
