import { Refusal } from '../lib/errors.ts';
import { BILLING_ROLES, isSameEmail, type BillingRole } from '../platform/billing/roles.ts';

/** Roles that may read what costs money (design section 6). */
export const READERS: readonly BillingRole[] = ['billing_admin', 'billing_viewer'];
/** Roles that may see and change the account itself. */
export const ADMINS: readonly BillingRole[] = ['billing_admin'];
export const ORG_CREATORS: readonly BillingRole[] = ['billing_admin', 'org_creator'];
export const ANY_ROLE: readonly BillingRole[] = BILLING_ROLES;

export interface RoleFacts {
  /** Undefined without a confirmed address. */
  email: string | undefined;
  /** An address that Slack marks as unconfirmed: it gives no role, even if the platform has a user with it. */
  unconfirmed?: string | undefined;
  /** Undefined when the account has no such user. */
  roles: readonly string[] | undefined;
}

/**
 * Whether a person's roles suffice, any of `needed` (design section 6). Pure. @returns the sentence of the refusal;
 * undefined: allowed
 */
export function roleRefusal(needed: readonly BillingRole[], facts: RoleFacts): string | undefined {
  const need = `You need ${wordsFor(needed)} for this.`;
  const without = withoutUser(need, facts);
  if (without !== undefined) return without;
  const { roles = [] } = facts;
  if (needed.some((role) => roles.includes(role))) return undefined;
  return `${need} Ask ${GRANTERS}.`;
}

/** In all texts, the people who can grant roles: a mention takes its place where APPROVERS is set. */
const GRANTERS = 'a billing_admin of the account';

function wordsFor(needed: readonly BillingRole[]): string {
  return needed.length === BILLING_ROLES.length
    ? 'a billing role'
    : `the role ${needed.join(' or ')}`;
}

/** Why the person's roles are unknown; undefined: the account has such a user. */
function withoutUser(
  need: string,
  { email, unconfirmed, roles }: Pick<Principal, 'email' | 'unconfirmed' | 'roles'>,
): string | undefined {
  if (!email && unconfirmed) {
    return `${need} Your address ${unconfirmed} is not confirmed: confirm it in your Slack account settings.`;
  }
  if (!email) return `${need} Your Slack profile shows no e-mail address: add one.`;
  return roles === undefined
    ? `${need} The billing account has no user ${email}: ask ${GRANTERS} to add you.`
    : undefined;
}

/** Required for requesting or deciding: any of these roles, or the right to read the orgs. */
export type Need = { readonly roles: readonly BillingRole[] } | 'orgs';

/** `oneself`: any person, for their own Slack account or their own roles only; it always takes a review. */
export type RequestNeed = Need | 'oneself';

/** A person's rights, read afresh from Slack and the platform. */
export interface Principal {
  readonly userId: string;
  /** In lower case; undefined when Slack shows none, or an unconfirmed one. */
  readonly email: string | undefined;
  /** An unconfirmed address: it gives no role, but it can show that two accounts belong to one person. */
  readonly unconfirmed?: string | undefined;
  /** Undefined when the account has no such user, or roles cannot be looked up at all. */
  readonly roles: readonly string[] | undefined;
  /** Why the person may not use the bot at all: a sentence and a reason code. */
  readonly refusal?: string | undefined;
  readonly why?: Why | undefined;
  readonly orgRefusal?: string | undefined;
  readonly rolesRefusal?: string | undefined;
  /** Why the roles are refused, when it is another reason than `role`. */
  readonly rolesWhy?: Why | undefined;
  /** The right to read the orgs includes the charges of single ones (ORG_CHARGES). */
  readonly orgCharges?: boolean | undefined;
}

export interface ChangeRules {
  readonly request: RequestNeed;
  readonly approve: Need;
  readonly subjects: readonly string[];
  /** The org that has to be open to its requester; absent: any. */
  readonly org?: string | undefined;
  /** The Slack id of its only possible requester. */
  readonly account?: string | undefined;
  /** It gives roles to the requester, who asks with Ask for access. */
  readonly own?: true | undefined;
}

export interface Requester {
  readonly userId: string;
  readonly email?: string | undefined;
  readonly unconfirmed?: string | undefined;
}

/** Whether a person may request a change (design sections 5 and 6). Pure. @returns undefined when allowed */
export function requestRefusal(rules: ChangeRules, who: Principal): Denial | undefined {
  if (rules.request === 'oneself') return closedTo(who) ?? ownAccountRefusal(rules, who);
  return closedTo(who) ?? lacks(rules.request, who) ?? subjectRefusal(rules, who, REQUEST_OF_OWN);
}

/**
 * Whether a person may have a change carried out without a review (APPROVALS=off): the role of an approver is needed as
 * well. A person's own account always takes a review. Pure. @returns undefined when allowed
 */
export function soloRefusal(rules: ChangeRules, who: Principal): Denial | undefined {
  return requestRefusal(rules, who) ?? lacks(rules.approve, who);
}

/**
 * Whether a person may approve or reject a change now (design sections 5 and 6). Pure.
 * @param allowSelf the requester may decide (ALLOW_SELF_APPROVAL) @returns undefined when allowed
 */
export function decisionRefusal(
  rules: ChangeRules,
  requester: Requester,
  who: Principal,
  allowSelf: boolean,
): Denial | undefined {
  const closed = closedTo(who);
  if (closed !== undefined) return closed;
  if ((!allowSelf || rules.request === 'oneself') && isSamePerson(requester, who)) {
    return { why: 'self-review', sentence: ownRequest(rules.approve) };
  }
  return lacks(rules.approve, who) ?? subjectRefusal(rules, who, DECISION_ON_OWN);
}

function closedTo({ refusal, why = 'stranger' }: Principal): Denial | undefined {
  return refusal === undefined ? undefined : { why, sentence: refusal };
}

export function lacks(need: Need, who: Principal): Denial | undefined {
  const sentence = needRefusal(need, who);
  if (sentence === undefined) return undefined;
  const why = sentence === who.rolesRefusal ? who.rolesWhy : undefined;
  const roles = askable(need, who);
  return { why: why ?? (need === 'orgs' ? 'orgs' : 'role'), sentence, ...(roles && { roles }) };
}

/** The subject of the change is the requester's own address and account, or the roles that go with the address. */
function ownAccountRefusal(
  { subjects, account, own }: ChangeRules,
  who: Principal,
): Denial | undefined {
  const { userId, email, rolesRefusal, rolesWhy } = who;
  // The roles of an address may be those of another Slack account.
  if (own && rolesRefusal !== undefined) {
    return { why: rolesWhy ?? 'role', sentence: rolesRefusal };
  }
  const isOwn =
    (account === undefined || account === userId) &&
    subjects.every((subject) => email !== undefined && isSameEmail(subject, email));
  if (isOwn) return undefined;
  return { why: 'not-theirs', sentence: own ? NOT_YOUR_ROLES : NOT_YOUR_ACCOUNT };
}

/**
 * One person may have several Slack accounts; the platform knows them by e-mail. An unconfirmed address counts here,
 * because it can only refuse. Pure.
 */
export function isSamePerson(one: Requester, other: Requester): boolean {
  const known = addressesOf(other);
  return one.userId === other.userId || addressesOf(one).some((email) => known.includes(email));
}

function addressesOf({ email, unconfirmed }: Requester): string[] {
  return [email, unconfirmed].flatMap((address) => address?.toLowerCase() ?? []);
}

/**
 * Whether a person has the right (design section 6); not whether they may use the bot. Pure. @returns the sentence of
 * the refusal; undefined: allowed
 */
export function needRefusal(need: Need, who: Principal): string | undefined {
  if (need === 'orgs') return who.orgRefusal;
  if (who.rolesRefusal !== undefined) return who.rolesRefusal;
  const refusal = roleRefusal(need.roles, who);
  // Without a user in the account, no role can be on its way.
  if (refusal === undefined || !who.email || who.roles === undefined) return refusal;
  return refusal.replace(/\.$/, '; a new role can take 5 minutes to work.');
}

function subjectRefusal(
  { subjects }: ChangeRules,
  { email }: Principal,
  sentence: string,
): Denial | undefined {
  if (subjects.length === 0) return undefined;
  if (email === undefined) return { why: 'own-user', sentence: NO_EMAIL };
  const isOwn = subjects.some((subject) => isSameEmail(subject, email));
  return isOwn ? { why: 'own-user', sentence } : undefined;
}

function ownRequest(need: Need): string {
  const who = need === 'orgs' ? 'Someone else' : `Someone else with ${need.roles.join(' or ')}`;
  return `This is your own request. ${who} has to approve it; you can withdraw it.`;
}

const REQUEST_OF_OWN =
  'You cannot request a change of your own billing user: ask another billing_admin.';
const DECISION_ON_OWN =
  'You cannot decide on a change of your own billing user: ask another billing_admin.';
const NOT_YOUR_ACCOUNT =
  'Only the person who uses a Slack account can ask that it is confirmed, with the e-mail address that it has now: ask again from that account.';
const NOT_YOUR_ROLES =
  'These roles were asked for with another e-mail address than your Slack account has now: ask again with Ask for access.';
const NO_EMAIL =
  'This changes a billing user, which must not be your own: add an e-mail address to your Slack profile and confirm it.';

export interface Right {
  /** In plain words: "see charges, tag values and invoices". */
  readonly what: string;
  /** The reason with the next step, in the same words for every missing role; undefined: allowed. */
  readonly refusal: string | undefined;
  /** Any of these roles would do; undefined when no role is missing. */
  readonly missing?: readonly BillingRole[] | undefined;
}

const ORG_CHARGES = { what: 'see the charges of single orgs', need: 'orgs' } as const;

/** The table of design section 6. */
const RIGHTS: readonly { readonly what: string; readonly need: Need }[] = [
  { what: 'see usage, deployments, workloads and quotas', need: 'orgs' },
  { what: 'request a higher quota', need: 'orgs' },
  { what: 'see the account and its orgs', need: { roles: ANY_ROLE } },
  { what: 'see charges, tag values, invoices and billing users', need: { roles: READERS } },
  { what: 'request and approve new orgs', need: { roles: ORG_CREATORS } },
  { what: 'see tokens, invoice recipients and deliveries', need: { roles: ADMINS } },
  {
    what: 'request and approve changes of the alert, users, tokens and recipients',
    need: { roles: ADMINS },
  },
  { what: 'approve higher quotas', need: { roles: ADMINS } },
];

/**
 * A person's rights, with reasons for the missing ones (design section 6). The rules against deciding on one's own
 * request or billing user are left out. Pure.
 */
export function rightsOf(who: Principal): readonly Right[] {
  const rights = who.orgCharges === true ? [...RIGHTS, ORG_CHARGES] : RIGHTS;
  return rights.map(({ what, need }) => {
    const refusal = who.refusal ?? needRefusal(need, who);
    if (refusal === undefined) return { what, refusal };
    const missing = missingRoles(need, who);
    return missing === undefined ? { what, refusal } : { what, refusal: lackOf(who), missing };
  });
}

/** The roles that a person lacks; undefined when a refusal has another reason. */
function missingRoles(need: Need, who: Principal): readonly BillingRole[] | undefined {
  if (who.refusal !== undefined) return undefined;
  // ORG_ACCESS=roles opens the orgs to every billing role.
  if (need === 'orgs') return who.orgRefusal === roleRefusal(ANY_ROLE, who) ? ANY_ROLE : undefined;
  return who.rolesRefusal === undefined ? need.roles : undefined;
}

/**
 * The roles that a person lacks and can ask for with Ask for access, any of which would do. Undefined when a role would
 * not help, or the person has no confirmed address to which it could be given. Pure.
 */
export function askable(need: Need, who: Principal): readonly BillingRole[] | undefined {
  if (!who.email || needRefusal(need, who) === undefined) return undefined;
  return missingRoles(need, who);
}

function lackOf(who: Principal): string {
  return (
    withoutUser('You need a role for this.', who) ??
    `You need a role for this that ${who.email} does not have. Ask ${GRANTERS}.`
  );
}

/** Of the accounts that are remembered with the person's e-mail address; none when they cannot be verified. Pure. */
export function identityRefusal(ids: readonly string[]): string {
  if (ids.length === 0) return UNVERIFIED_ACCOUNT;
  const others = ids.length === 1 ? 'another Slack account' : `${ids.length} other Slack accounts`;
  const all = ids.length === 1 ? 'both' : 'all';
  return `This e-mail address is in use by ${others} (${ids.join(', ')}), so this account has no role here: run /changes confirm to ask ${GRANTERS} to confirm that ${all} are yours.`;
}

const UNVERIFIED_ACCOUNT = `The Slack account that is remembered with this e-mail address cannot be verified, so no account has its roles now: run /changes confirm to ask ${GRANTERS} to confirm yours.`;

export interface SlackProfile {
  teamId: string;
  /** Of Enterprise Grid: all workspaces of the person, of which `teamId` is only one. */
  teams?: readonly string[] | undefined;
  deleted: boolean;
  bot: boolean;
  guest: boolean;
  stranger: boolean;
  /** In lower case; undefined when Slack shows none, or an unconfirmed one. */
  email?: string | undefined;
  /** An unconfirmed address: it may be anyone's. */
  unconfirmed?: string | undefined;
}

/**
 * Whether a person may use the bot at all (design section 6): same workspace only, no guests, no bots. Pure. @returns
 * undefined when allowed
 */
export function refusalOf(profile: SlackProfile, homeTeamId: string): Denial | undefined {
  const { bot, stranger, teamId, teams = [], deleted, guest } = profile;
  if (bot) return { why: 'bot', sentence: NO_BOTS };
  const isOfHome = teamId !== '' && [teamId, ...teams].includes(homeTeamId);
  if (stranger || !isOfHome) {
    return { why: 'stranger', sentence: NO_STRANGERS };
  }
  if (deleted) return { why: 'deactivated', sentence: DEACTIVATED };
  return guest ? { why: 'guest', sentence: NO_GUESTS } : undefined;
}

const NO_BOTS = 'Bots cannot use Purser: ask a person to do it.';
const NO_STRANGERS = 'Purser answers only people of its own workspace: ask a colleague there.';
const DEACTIVATED = 'This Slack account is deactivated: ask an admin of the workspace.';
const NO_GUESTS = 'Purser does not answer guests of the workspace: ask a full member to do it.';

/** The condition for reading data of an org that needs permissions on the platform. */
export type OrgAccessRule =
  | { readonly kind: 'members' }
  | { readonly kind: 'roles' }
  | { readonly kind: 'usergroup'; readonly id: string };

/** ORG_ACCESS: one rule for all orgs, or one for each. */
export type OrgAccessRules =
  OrgAccessRule | { readonly kind: 'orgs'; readonly rules: ReadonlyMap<string, OrgAccessRule> };

const BY_ROLES = { kind: 'roles' } as const;

/**
 * The rules any of which opens a question: that of its org, or without an org those of all orgs. A rule for roles comes
 * first: its refusal can be asked away. Pure. @param known all orgs
 */
export function rulesFor(
  access: OrgAccessRules,
  org: string | undefined,
  known: readonly string[],
): readonly OrgAccessRule[] {
  if (access.kind !== 'orgs') return [access];
  const { rules } = access;
  if (org !== undefined) return [rules.get(org) ?? BY_ROLES];
  const own = [...rules].filter(([, { kind }]) => kind !== 'roles').map(([, rule]) => rule);
  const isByRoles = known.some((one) => (rules.get(one) ?? BY_ROLES).kind === 'roles');
  return isByRoles || own.length === 0 ? [BY_ROLES, ...own] : own;
}

const OF_ORGS = 'orgs:';

/** The right to read all of these orgs, by the name stored with answers. Pure. */
export function orgRight(...orgs: readonly string[]): string {
  return orgs.length === 0 ? 'orgs' : `${OF_ORGS}${orgs.join(',')}`;
}

/** The orgs of such a right; empty: any org. Undefined for another right. Pure. */
export function orgsOfRight(name: string): readonly string[] | undefined {
  if (name === 'orgs') return [];
  return name.startsWith(OF_ORGS) ? name.slice(OF_ORGS.length).split(',') : undefined;
}

/**
 * Whether a person with access to the bot may read the orgs. Pure; unknown facts count as a refusal.
 * @param facts.roles undefined when the roles cannot be looked up at all
 * @param facts.inGroup is in the group of the rule; undefined when Slack did not answer
 */
export function orgRefusal(
  rule: OrgAccessRule,
  facts: { roles?: RoleFacts | undefined; inGroup?: boolean },
): string | undefined {
  if (rule.kind === 'members') return undefined;
  if (rule.kind === 'roles') {
    if (facts.roles === undefined) {
      return 'This takes a billing role (ORG_ACCESS=roles), and billing is off here: ask your Purser administrator to change one of the two.';
    }
    return roleRefusal(ANY_ROLE, facts.roles);
  }
  return facts.inGroup === true
    ? undefined
    : 'Only one user group of this workspace may see this: ask your Purser administrator which one, and a workspace admin to add you to it.';
}

/** Reason codes of refusals, for logs and the audit. */
export type Why =
  | 'bot'
  | 'stranger'
  | 'deactivated'
  | 'guest'
  | 'orgs'
  | 'role'
  /** Another Slack account is remembered with the e-mail address. */
  | 'identity'
  /** Their own billing user would be changed, or its owner is unknown. */
  | 'own-user'
  | 'self-review'
  | 'not-theirs';

export interface Denial {
  readonly why: Why;
  /** For the person: the reason and the next step. */
  readonly sentence: string;
  /** As `askable`. */
  readonly roles?: readonly BillingRole[] | undefined;
}

/** @param roles as `askable` */
export function denied(why: Why, sentence: string, roles?: readonly BillingRole[]): Refusal {
  return new Refusal(sentence, undefined, why, roles);
}
