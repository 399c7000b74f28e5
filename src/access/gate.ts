import type { Stopwatch } from '../lib/clock.ts';
import { createMemo } from '../lib/memo.ts';
import { Refusal } from '../lib/refusal.ts';
import { orgRefusal, refusalOf } from './admit.ts';
import type { Applicant, OrgAccessRule } from './admit.ts';
import type { Standing } from './changes.ts';
import { denied } from './denial.ts';
import type { Denial } from './denial.ts';
import { roleRefusal } from './roles.ts';
import type { Role, RoleFacts } from './roles.ts';

/** `fresh`: nothing that was heard before may be given. */
interface Asked {
  fresh: boolean;
}

export interface GateDeps {
  /** What Slack says of a person. */
  applicant: (userId: string, asked: Asked) => Promise<Applicant>;
  groupMembers: (groupId: string, asked: Asked) => Promise<ReadonlySet<string>>;
  /**
   * The billing roles behind an e-mail address, undefined when the account has no such user.
   * Absent: billing is off. A Refusal that it throws is passed on.
   */
  rolesOf?: ((email: string) => Promise<readonly string[] | undefined>) | undefined;
  homeTeamId: () => string;
  orgAccess: OrgAccessRule;
  /** Whether charges of single orgs are open to whom `orgAccess` admits. */
  orgCharges?: boolean;
  stopwatch: Stopwatch;
}

/** Lets people in, or throws the sentence why not. What cannot be found out counts as a no. */
export interface Gate {
  /** May this person use the bot at all? @throws Refusal */
  admit(person: { userId: string; teamId: string }): Promise<void>;
  /** May this person read the orgs? @throws Refusal */
  requireOrgAccess(person: { userId: string }): Promise<void>;
  /**
   * Why this person has none of the roles on the billing account; undefined: has one.
   * @throws Refusal when nobody knows
   */
  roleRefusal(person: { userId: string }, needed: readonly Role[]): Promise<string | undefined>;
  /** Has this person one of the roles on the billing account? @throws Refusal */
  requireRole(person: { userId: string }, needed: readonly Role[]): Promise<void>;
  /**
   * What is known of a person now, asked afresh of Slack and the platform: for requests, decisions and
   * executions. A no is in it. With `orgs` silence about the right to read the orgs is thrown too, else
   * it is a no. @throws Refusal when one of the two does not say
   */
  standing(
    person: { userId: string; teamId: string },
    needed?: { readonly orgs?: boolean },
  ): Promise<Standing>;
}

const FRESH: Asked = { fresh: true };
const REMEMBERED: Asked = { fresh: false };

/** Roles are looked up again after this time, in milliseconds (design section 6). */
const REMEMBER_MS = 5 * 60_000;

export function createGate(deps: GateDeps): Gate {
  // Who has just been given a role need not wait: only roles that are there are remembered.
  const memo = createMemo<readonly string[] | undefined>(
    deps.stopwatch,
    REMEMBER_MS,
    (roles) => roles !== undefined && roles.length > 0,
  );

  const { applicantOf, closedTo, closedOrgs } = createInquiry(deps);

  /** Undefined when nobody's roles can be looked up. */
  async function factsOf(userId: string): Promise<RoleFacts | undefined> {
    const { rolesOf } = deps;
    if (rolesOf === undefined) return undefined;
    const { email, unconfirmed } = await applicantOf(userId);
    if (!email) return { email, unconfirmed, roles: undefined };
    return {
      email,
      roles: await orRefuse(
        memo(email, () => rolesOf(email)),
        NO_ROLES,
      ),
    };
  }

  const standing: Gate['standing'] = async ({ userId, teamId }, { orgs = false } = {}) => {
    const applicant = await applicantOf(userId, FRESH);
    const email = applicant.email?.toLowerCase() || undefined;
    const unconfirmed = applicant.unconfirmed?.toLowerCase() || undefined;
    const known = { userId, email, unconfirmed };
    const refusal = closedTo(applicant, teamId);
    if (refusal !== undefined) {
      const { why, sentence } = refusal;
      return { ...known, roles: undefined, refusal: sentence, why, orgRefusal: sentence };
    }
    const { rolesOf } = deps;
    const roles = rolesOf && email ? await orRefuse(rolesOf(email), NO_ROLES) : undefined;
    const facts = rolesOf && { email, unconfirmed, roles };
    const closed = closedOrgs(userId, () => Promise.resolve(facts), FRESH);
    const orgRefusal = await (orgs ? closed : closed.catch(sentenceOf));
    const rolesRefusal = rolesOf ? undefined : BILLING_OFF;
    return { ...known, roles, orgRefusal, rolesRefusal, orgCharges: deps.orgCharges };
  };

  const roleRefusalOf: Gate['roleRefusal'] = async ({ userId }, needed) => {
    const facts = await factsOf(userId);
    return facts === undefined ? BILLING_OFF : roleRefusal(needed, facts);
  };

  return {
    async admit({ userId, teamId }) {
      const refusal = closedTo(await applicantOf(userId), teamId);
      if (refusal !== undefined) throw denied(refusal.why, refusal.sentence);
    },
    async requireOrgAccess({ userId }) {
      const refusal = await closedOrgs(userId, () => factsOf(userId));
      if (refusal !== undefined) throw denied('orgs', refusal);
    },
    roleRefusal: roleRefusalOf,
    async requireRole(person, needed) {
      const refusal = await roleRefusalOf(person, needed);
      if (refusal === BILLING_OFF) throw new Refusal(refusal);
      if (refusal !== undefined) throw denied('role', refusal);
    },
    standing,
  };
}

/** Asks Slack, and says what follows from it. Silence is a Refusal. */
function createInquiry(deps: GateDeps) {
  const applicantOf = (userId: string, asked = REMEMBERED): Promise<Applicant> =>
    orRefuse(deps.applicant(userId, asked), NO_PERSON);

  /** Why somebody may not use the bot at all. Slack signs the workspace of the request: it counts where the profile names none. */
  const closedTo = (applicant: Applicant, teamId: string): Denial | undefined =>
    refusalOf({ ...applicant, teamId: applicant.teamId || teamId }, deps.homeTeamId());

  /** @param roles asked for by the rule `roles` only */
  async function closedOrgs(
    userId: string,
    roles: () => Promise<RoleFacts | undefined>,
    asked = REMEMBERED,
  ): Promise<string | undefined> {
    const rule = deps.orgAccess;
    if (rule === 'roles') return orgRefusal(rule, { roles: await roles() });
    if (rule === 'members') return orgRefusal(rule, {});
    const members = await orRefuse(deps.groupMembers(rule.groupId, asked), NO_GROUP);
    return orgRefusal(rule, { inGroup: members.has(userId) });
  }

  return { applicantOf, closedTo, closedOrgs };
}

/** Why billing commands are off (design section 7). */
export const BILLING_OFF =
  'Billing is off here: whoever runs Purser has to set BILLING_URL, BILLING_ACCOUNT_ID and BILLING_TOKEN.';

const NO_PERSON =
  'Slack does not say who you are just now, so nothing was done: please try again in a minute.';
const NO_ROLES =
  'The platform does not say which billing roles you have just now, so nothing was done: please try again in a minute.';
const NO_GROUP =
  'Slack does not say who belongs to the user group that this is open to, so nothing was done: please try again in a minute, and if it stays so, whoever runs Purser has to check ORG_ACCESS and the scope usergroups:read.';

/** The sentence of a no. @throws anything else */
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
