import { createMemo, type Stopwatch } from '../lib/time.ts';
import { Refusal } from '../lib/errors.ts';
import type { BillingClient } from '../platform/billing/client.ts';
import { isSameEmail, type BillingRole } from '../platform/billing/roles.ts';
import { explainPlatformError, PlatformError, type PlatformReason } from '../platform/errors.ts';
import type { Identities, Pin } from './identities.ts';
import {
  ADMINS,
  ANY_ROLE,
  denied,
  identityRefusal,
  orgRefusal,
  orgsOfRight,
  READERS,
  refusalOf,
  roleRefusal,
  rulesFor,
  type Denial,
  type OrgAccessRule,
  type OrgAccessRules,
  type Principal,
  type RoleFacts,
  type SlackProfile,
} from './policy.ts';

/** `fresh`: bypasses the memory. */
interface Asked {
  readonly fresh: boolean;
}

type Users = Pick<BillingClient, 'getUser' | 'listUsers'>;

interface Sources {
  readonly people: {
    member(userId: string, asked: Asked): Promise<SlackProfile>;
    groupMembers(groupId: string, asked: Asked): Promise<ReadonlySet<string>>;
  };
  readonly identity: { get(): Promise<{ readonly teamId: string }> };
  readonly identities: Pick<Identities, 'admit' | 'pinOf'>;
  readonly billing: () => Users;
  readonly config: {
    /** Absent: billing is off. */
    readonly billing?: unknown;
    readonly orgAccess: OrgAccessRules;
    /** Its keys are the orgs. */
    readonly api?: { readonly credentials: ReadonlyMap<string, unknown> };
    /** Absent: the right to read the orgs does not include the charges of single ones. */
    readonly orgChargesUrl?: string | undefined;
  };
  readonly stopwatch: Stopwatch;
}

interface User {
  readonly userId: string;
}

/** A user in the workspace that Slack signs with the request. */
interface Person extends User {
  readonly teamId: string;
}

interface PrincipalNeeds {
  readonly orgs?: boolean;
  readonly org?: string | undefined;
  readonly uses?: readonly BillingRole[];
}

const FRESH: Asked = { fresh: true };
const REMEMBERED: Asked = { fresh: false };

/** Roles are remembered this long, in milliseconds (design section 6). */
const REMEMBER_MS = 5 * 60_000;

export type Authorizer = ReturnType<typeof createAuthorizer>;

/** Checks rights; a refusal is thrown as its sentence. A right that cannot be read counts as refused. */
export function createAuthorizer(sources: Sources) {
  const inquiry = createInquiry(sources);
  const { profileOf, denialOf } = inquiry;
  const usedFactsOf = createUse(sources, profileOf);
  const isBillingOn = sources.config.billing !== undefined;

  /** Whether this person may read the org; without one, any org. @throws Refusal */
  async function requireOrgAccess({ userId }: User, org?: string): Promise<void> {
    const rules = inquiry.rulesOf(org);
    const facts = () => usedFactsOf(userId, ANY_ROLE);
    const refusal = await inquiry.orgRefusalOf(userId, rules, facts, REMEMBERED);
    if (refusal === undefined) return;
    const isByRoles = isBillingOn && rules[0]?.kind === 'roles';
    const email = isByRoles ? (await profileOf(userId, REMEMBERED)).email : undefined;
    throw denied('orgs', refusal, email ? ANY_ROLE : undefined);
  }

  /** Whether this person has one of the roles on the billing account. @throws Refusal */
  async function requireRole(person: User, needed: readonly BillingRole[]): Promise<void> {
    const refusal = refusalBy(await usedFactsOf(person.userId, needed), needed);
    if (refusal !== undefined) throw refusal;
  }

  return {
    /** Whether this person may use the bot at all. @throws Refusal */
    async authorize({ userId, teamId }: Person): Promise<void> {
      const denial = await denialOf(await profileOf(userId, REMEMBERED), teamId);
      if (denial !== undefined) throw denied(denial.why, denial.sentence);
    },
    requireOrgAccess,
    requireRole,
    /** Of these orgs, those that this person may read; one whose right cannot be read is left out. */
    async readableOrgs(person: User, orgs: readonly string[]): Promise<readonly string[]> {
      const open = await Promise.all(orgs.map((org) => isGranted(requireOrgAccess(person, org))));
      return orgs.filter((_, index) => open[index]);
    },
    /**
     * Why this person has none of the roles on the billing account, to be thrown; undefined: allowed.
     * @throws Refusal when the roles cannot be read, or another Slack account is remembered with the address
     */
    roleRefusal: async ({ userId }: User, needed: readonly BillingRole[]) =>
      refusalBy(await usedFactsOf(userId, needed), needed),
    /**
     * Whether this person has a right, by the name stored with answers: `orgs` (any), `orgs:acme,globex` (all of these),
     * `org_charges` and `org_charges:acme` (ORG_CHARGES), `billing` or `billing_admin` (design section 6). Undefined
     * needs no right; an unknown name is refused.
     * @throws Refusal
     */
    async requireRight(person: User, name: string | undefined): Promise<void> {
      if (name === undefined) return;
      if (name === 'billing') return requireRole(person, READERS);
      if (name === 'billing_admin') return requireRole(person, ADMINS);
      const isOrgs = sources.config.orgChargesUrl !== undefined;
      const orgs = orgsOfRight(isOrgs ? name.replace(/^org_charges/, 'orgs') : name);
      if (orgs === undefined) {
        throw new Refusal(UNKNOWN_RIGHT, new Error(`There is no right ${name}`));
      }
      for (const org of orgs.length === 0 ? [undefined] : orgs) await requireOrgAccess(person, org);
    },
    principal: createPrincipalReader(sources, inquiry),
  };
}

/**
 * The facts of a person who uses one of the roles: from then on the account is remembered with its address.
 * Undefined when roles cannot be looked up at all.
 */
function createUse(
  { billing, config, identities, stopwatch }: Sources,
  profileOf: ReturnType<typeof createInquiry>['profileOf'],
) {
  // A role that was just granted counts at once: a result without roles is not remembered.
  const remembered = createMemo<readonly string[] | undefined>(
    stopwatch,
    REMEMBER_MS,
    (roles) => roles !== undefined && roles.length > 0,
  );

  return async (userId: string, needed: readonly BillingRole[]): Promise<RoleFacts | undefined> => {
    if (config.billing === undefined) return undefined;
    const known = await profileOf(userId, REMEMBERED);
    // An address that was just added or confirmed counts at once.
    const { email, unconfirmed } = known.email ? known : await profileOf(userId, FRESH);
    if (!email) return { email, unconfirmed, roles: undefined };
    const roles = await orRefuse(
      remembered(email, () => rolesOf(billing(), email)),
      NO_ROLES,
    );
    const facts = { email, roles };
    if (roleRefusal(needed, facts) !== undefined) return facts;
    const pin = await orRefuse(identities.admit(email, userId), NO_IDENTITY);
    if (pin !== undefined) throw denied('identity', identityRefusal(pin.ids));
    return facts;
  };
}

/** False for a refusal. @throws any other error */
function isGranted(asked: Promise<void>): Promise<boolean> {
  return asked.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}

/** @param facts undefined when roles cannot be looked up at all */
function refusalBy(
  facts: RoleFacts | undefined,
  needed: readonly BillingRole[],
): Refusal | undefined {
  if (facts === undefined) return new Refusal(BILLING_OFF);
  const refusal = roleRefusal(needed, facts);
  if (refusal === undefined) return undefined;
  return denied('role', refusal, facts.email ? needed : undefined);
}

/**
 * A person's rights, read afresh from Slack and the platform: for requests, decisions and executions. A refusal is
 * part of the result. With one of the roles in `uses` the account is remembered with its address. If the right to
 * read the orgs cannot be read, that is thrown with `orgs`, else a refusal. It is for `org`; without it for any org.
 * @throws Refusal, by the returned function, when Slack, the platform or Redis does not answer
 */
function createPrincipalReader(
  { billing, config, identities }: Sources,
  { profileOf, denialOf, orgRefusalOf, rulesOf }: ReturnType<typeof createInquiry>,
) {
  const isBillingOn = config.billing !== undefined;
  const heldBy = async (email: string | undefined) =>
    isBillingOn && email ? orRefuse(rolesOf(billing(), email), NO_ROLES) : undefined;

  /** The pin that refuses the account. Where none of the roles is used, it is only read. */
  async function refusingPin(
    { userId, email }: Pick<Principal, 'userId' | 'email'>,
    held: readonly string[],
    uses: readonly BillingRole[],
  ): Promise<Pin | undefined> {
    if (!email || held.length === 0) return undefined;
    if (uses.some((role) => held.includes(role))) return identities.admit(email, userId);
    const pin = await identities.pinOf(email);
    return pin?.ids.includes(userId) === false ? pin : undefined;
  }

  return async (
    { userId, teamId }: Person,
    { orgs = false, org, uses = [] }: PrincipalNeeds = {},
  ): Promise<Principal> => {
    const profile = await profileOf(userId, FRESH);
    const email = profile.email?.toLowerCase() || undefined;
    const unconfirmed = profile.unconfirmed?.toLowerCase() || undefined;
    const known = { userId, email, unconfirmed };
    const denial = await denialOf(profile, teamId);
    if (denial !== undefined) {
      const { why, sentence } = denial;
      return { ...known, roles: undefined, refusal: sentence, why, orgRefusal: sentence };
    }
    const held = await heldBy(email);
    const rules = rulesOf(org);
    const isByRoles = rules.every(({ kind }) => kind === 'roles');
    const used = orgs && isByRoles ? ANY_ROLE : uses;
    const pin = await orRefuse(refusingPin(known, held ?? [], used), NO_IDENTITY);
    const another = pin && identityRefusal(pin.ids);
    const roles = another === undefined ? held : undefined;
    const facts = isBillingOn ? { email, unconfirmed, roles } : undefined;
    const closed =
      isByRoles && another !== undefined
        ? Promise.resolve(another)
        : orgRefusalOf(
            userId,
            rules.filter(({ kind }) => another === undefined || kind !== 'roles'),
            () => Promise.resolve(facts),
            FRESH,
          );
    return {
      ...known,
      roles,
      orgRefusal: await (orgs ? closed : closed.catch(sentenceOf)),
      rolesRefusal: isBillingOn ? another : BILLING_OFF,
      ...(another !== undefined && { rolesWhy: 'identity' as const }),
      orgCharges: config.orgChargesUrl !== undefined,
    };
  };
}

/** Whether a person has one of the roles, for optional content; unknown counts as no. */
export async function hasRole(
  access: Pick<Authorizer, 'requireRole'>,
  person: User,
  roles: readonly BillingRole[],
): Promise<boolean> {
  return isGranted(access.requireRole(person, roles));
}

/** Reads from Slack, and applies the policy. No answer is a Refusal. */
function createInquiry({
  people,
  identity,
  config,
}: Pick<Sources, 'people' | 'identity' | 'config'>) {
  /** The identity comes first: workers may start before it is known. */
  const profileOf = (userId: string, asked: Asked): Promise<SlackProfile> =>
    orRefuse(
      identity.get().then(() => people.member(userId, asked)),
      NO_PERSON,
    );

  /**
   * Why a person may not use the bot at all. When the profile lacks the workspace, the one signed in the request
   * counts.
   */
  async function denialOf(profile: SlackProfile, teamId: string): Promise<Denial | undefined> {
    const home = await identity.get();
    return refusalOf({ ...profile, teamId: profile.teamId || teamId }, home.teamId);
  }

  const rulesOf = (org: string | undefined): readonly OrgAccessRule[] =>
    rulesFor(config.orgAccess, org, [...(config.api?.credentials.keys() ?? [])]);

  async function refusalByRule(
    userId: string,
    rule: OrgAccessRule,
    roles: () => Promise<RoleFacts | undefined>,
    asked: Asked,
  ): Promise<string | undefined> {
    if (rule.kind === 'roles') return orgRefusal(rule, { roles: await roles() });
    if (rule.kind === 'members') return orgRefusal(rule, {});
    const members = await orRefuse(people.groupMembers(rule.id, asked), NO_GROUP);
    return orgRefusal(rule, { inGroup: members.has(userId) });
  }

  /**
   * Why none of the rules opens the orgs to a person: by the first that says so.
   * @param roles called for the rule `roles` only
   * @throws Refusal when a rule cannot be read and no other opens them
   */
  async function orgRefusalOf(
    userId: string,
    rules: readonly OrgAccessRule[],
    roles: () => Promise<RoleFacts | undefined>,
    asked: Asked,
  ): Promise<string | undefined> {
    const asking = rules.map((rule) => refusalByRule(userId, rule, roles, asked));
    const results = await Promise.allSettled(asking);
    const isOpen = results.some((one) => one.status === 'fulfilled' && one.value === undefined);
    return isOpen ? undefined : asking[0];
  }

  return { profileOf, denialOf, orgRefusalOf, rulesOf };
}

/** Failures of the query by e-mail after which the list of all users may still be readable. */
const ONLY_OF_LOOK_UP: ReadonlySet<PlatformReason> = new Set<PlatformReason>([
  'malformed',
  'server-error',
  'unavailable',
]);

/**
 * The billing roles behind an e-mail address; undefined when the account has no such user. Addresses are compared in
 * lower case, which the platform's own look-up need not do (design section 6), so a user it does not find is searched
 * in the list. Nothing is remembered.
 * @throws Refusal when the platform does not answer, or the user may be one that cannot be read
 */
export async function rolesOf(
  billing: Users,
  email: string,
): Promise<readonly string[] | undefined> {
  try {
    const { user, failure } = await lookUp(billing, email);
    if (user !== undefined) return user.roles;
    const { value: users } = await billing.listUsers(FRESH);
    const found = users.items.find((one) => isSameEmail(one.email, email));
    // An account without any user is as unreadable as a row.
    const isUnread = users.skipped > 0 || (failure !== undefined && users.items.length === 0);
    if (found === undefined && isUnread) {
      throw new Refusal(USERS_UNREAD, failure ?? new Error(`${users.skipped} users not readable`));
    }
    return found?.roles;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const sentence = explainPlatformError(error);
    throw sentence === undefined ? error : new Refusal(sentence, error);
  }
}

async function lookUp(billing: Users, email: string) {
  try {
    return { user: (await billing.getUser(email, FRESH)).value };
  } catch (error) {
    if (!(error instanceof PlatformError) || !ONLY_OF_LOOK_UP.has(error.reason)) throw error;
    return { user: undefined, failure: error };
  }
}

export const BILLING_OFF =
  'Billing isn’t set up. Ask your Purser administrator (details in /purser doctor).';

const NO_PERSON =
  'Slack cannot identify you just now: try again in a minute; if it lasts, ask your Purser administrator.';
const NO_ROLES = 'The platform does not show your billing roles just now: try again in a minute.';
const NO_IDENTITY =
  'Purser cannot check just now that this Slack account is the one that uses your roles: try again in a minute.';
const USERS_UNREAD =
  'Purser cannot read every user of the billing account, and one of them may be you: report it to your Purser administrator.';
const NO_GROUP =
  'Slack does not list the user group that may see this (ORG_ACCESS): try again in a minute; if it lasts, ask your Purser administrator.';

const UNKNOWN_RIGHT =
  'This answer is from an older Purser, and the right that it takes is not known: run the command again.';

/** The sentence of a refusal. @throws any other error */
function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}

async function orRefuse<T>(asked: Promise<T>, sentence: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(sentence, error);
  }
}
