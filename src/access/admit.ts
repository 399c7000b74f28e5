import type { Denial } from './denial.ts';
import { ANY_ROLE, roleRefusal } from './roles.ts';
import type { RoleFacts } from './roles.ts';

/** What is known of a person who wants something; from Slack, never from a name. */
export interface Applicant {
  teamId: string;
  deleted: boolean;
  bot: boolean;
  guest: boolean;
  stranger: boolean;
  /** In lower case; undefined when Slack shows none, or says that it is not confirmed. */
  email?: string | undefined;
  /** An address that nobody has confirmed: anybody may have typed it. */
  unconfirmed?: string | undefined;
}

/**
 * Whether a person may use the bot at all (design section 6): same workspace only, no guests, no
 * bots. Pure.
 * @returns undefined when they may
 */
export function refusalOf(applicant: Applicant, homeTeamId: string): Denial | undefined {
  const { bot, stranger, teamId, deleted, guest } = applicant;
  if (bot) return { why: 'bot', sentence: NO_BOTS };
  if (stranger || teamId === '' || teamId !== homeTeamId) {
    return { why: 'stranger', sentence: NO_STRANGERS };
  }
  if (deleted) return { why: 'deactivated', sentence: DEACTIVATED };
  return guest ? { why: 'guest', sentence: NO_GUESTS } : undefined;
}

const NO_BOTS = 'Bots cannot use Purser: ask a person to do it.';
const NO_STRANGERS = 'Purser answers only people of its own workspace: ask a colleague there.';
const DEACTIVATED = 'This Slack account is deactivated: ask an admin of the workspace.';
const NO_GUESTS = 'Purser does not answer guests of the workspace: ask a full member to do it.';

/** Who may read what needs org permissions on the platform (ORG_ACCESS). */
export type OrgAccessRule = 'members' | 'roles' | { groupId: string };

/**
 * Whether an admitted person may read the orgs. Pure; what is not known counts as a no.
 * @param facts.roles undefined when the roles cannot be looked up at all
 * @param facts.inGroup is in the group of the rule; undefined when Slack did not say
 */
export function orgRefusal(
  rule: OrgAccessRule,
  facts: { roles?: RoleFacts | undefined; inGroup?: boolean },
): string | undefined {
  if (rule === 'members') return undefined;
  if (rule === 'roles') {
    if (facts.roles === undefined) {
      return 'This is open to people with a billing role only (ORG_ACCESS=roles), and without BILLING_URL, BILLING_ACCOUNT_ID and BILLING_TOKEN nobody’s role can be looked up: whoever runs Purser has to set them, or another ORG_ACCESS.';
    }
    return roleRefusal(ANY_ROLE, facts.roles);
  }
  return facts.inGroup === true
    ? undefined
    : 'This is open to one user group of the workspace only: ask an admin of the workspace to add you to the group that ORG_ACCESS names.';
}
