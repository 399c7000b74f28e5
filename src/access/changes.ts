import type { Denial, Why } from './denial.ts';
import { roleRefusal } from './roles.ts';
import type { Role } from './roles.ts';

/** What it takes to ask for a change, or to decide on it: any of these roles, or the right to read the orgs. */
export type Need = { readonly roles: readonly Role[] } | 'orgs';

/** What is known of a person now; asked of Slack and the platform, not remembered. */
export interface Standing {
  readonly userId: string;
  /** In lower case; undefined when Slack shows none, or says that it is not confirmed. */
  readonly email: string | undefined;
  /** An address that is not confirmed: it gives no role, but it can give away whose request it is. */
  readonly unconfirmed?: string | undefined;
  /** Undefined when the account has no such user, or roles cannot be looked up at all. */
  readonly roles: readonly string[] | undefined;
  /** Why the person may not use the bot at all, as a sentence and in a word; or not the orgs. */
  readonly refusal?: string | undefined;
  readonly why?: Why | undefined;
  readonly orgRefusal?: string | undefined;
  /** Why nobody's roles can be looked up. */
  readonly rolesRefusal?: string | undefined;
  /** Whoever may read the orgs may see the charges of single ones, too (ORG_CHARGES). */
  readonly orgCharges?: boolean | undefined;
}

/** What policy has to know of a change. */
export interface ChangeRules {
  readonly request: Need;
  readonly approve: Need;
  /** E-mails of the billing users that are changed. */
  readonly subjects: readonly string[];
}

/** Who asked for it. */
export interface Requester {
  readonly userId: string;
  readonly email?: string | undefined;
  readonly unconfirmed?: string | undefined;
}

/**
 * Whether a person may ask for a change (design sections 5 and 6). Pure.
 * @returns undefined when they may
 */
export function requestRefusal(rules: ChangeRules, who: Standing): Denial | undefined {
  return closedTo(who) ?? lacks(rules.request, who) ?? subjectRefusal(rules, who, REQUEST_OF_OWN);
}

/**
 * Whether a person may have a change carried out that nobody else looks at (APPROVALS=off): who asks
 * for it has to be one who could approve it too. Pure.
 * @returns undefined when they may
 */
export function soloRefusal(rules: ChangeRules, who: Standing): Denial | undefined {
  return requestRefusal(rules, who) ?? lacks(rules.approve, who);
}

/**
 * Whether a person may approve or reject a change now (design sections 5 and 6). Pure.
 * @param allowSelf the requester may decide (ALLOW_SELF_APPROVAL)
 * @returns undefined when they may
 */
export function decisionRefusal(
  rules: ChangeRules,
  requester: Requester,
  who: Standing,
  allowSelf: boolean,
): Denial | undefined {
  const closed = closedTo(who);
  if (closed !== undefined) return closed;
  if (!allowSelf && isSamePerson(requester, who)) {
    return { why: 'self-review', sentence: OWN_REQUEST };
  }
  return lacks(rules.approve, who) ?? subjectRefusal(rules, who, DECISION_ON_OWN);
}

function closedTo({ refusal, why = 'stranger' }: Standing): Denial | undefined {
  return refusal === undefined ? undefined : { why, sentence: refusal };
}

function lacks(need: Need, who: Standing): Denial | undefined {
  const sentence = needRefusal(need, who);
  return sentence === undefined ? undefined : { why: need === 'orgs' ? 'orgs' : 'role', sentence };
}

/**
 * One person may have several Slack accounts; the platform goes by the e-mail. One that is not confirmed
 * counts here, because it can only refuse. Pure.
 */
export function isSamePerson(one: Requester, other: Requester): boolean {
  const known = addressesOf(other);
  return one.userId === other.userId || addressesOf(one).some((email) => known.includes(email));
}

function addressesOf({ email, unconfirmed }: Requester): string[] {
  return [email, unconfirmed].flatMap((address) => address?.toLowerCase() ?? []);
}

/** Whether two addresses are of one person; an address that is not known is nobody's. */
function isSameEmail(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}

/**
 * Whether a person has what something takes (design section 6); not whether they may use the bot. Pure.
 * @returns the sentence of the refusal, undefined when there is none
 */
export function needRefusal(need: Need, who: Standing): string | undefined {
  if (need === 'orgs') return who.orgRefusal;
  if (who.rolesRefusal !== undefined) return who.rolesRefusal;
  const refusal = roleRefusal(need.roles, who);
  return refusal?.replace(/\.$/, '; a new role can take 5 minutes to work.');
}

function subjectRefusal(
  { subjects }: ChangeRules,
  { email }: Standing,
  sentence: string,
): Denial | undefined {
  if (subjects.length === 0) return undefined;
  if (email === undefined) return { why: 'own-user', sentence: NO_EMAIL };
  const isOwn = subjects.some((subject) => isSameEmail(subject, email));
  return isOwn ? { why: 'own-user', sentence } : undefined;
}

const REQUEST_OF_OWN =
  'You cannot request a change of your own billing user: ask another billing_admin.';
const DECISION_ON_OWN =
  'You cannot decide on a change of your own billing user: ask another billing_admin.';
const OWN_REQUEST =
  'This is your own request, so somebody else has to decide on it: ask a person with the role, or withdraw it.';
const NO_EMAIL =
  'This changes a billing user, and without a confirmed e-mail address nobody can tell that it is not your own: add one to your Slack profile, and confirm it.';
