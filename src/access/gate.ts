import type { Clock } from '../lib/clock.ts';
import { createMemo } from '../lib/memo.ts';
import { Refusal } from '../lib/refusal.ts';
import { orgRefusal, refusalOf } from './admit.ts';
import type { Applicant, OrgAccessRule } from './admit.ts';
import type { Standing } from './changes.ts';
import { roleRefusal } from './roles.ts';
import type { Role, RoleFacts } from './roles.ts';

export interface GateDeps {
  /** What Slack says of a person now. */
  applicant: (userId: string) => Promise<Applicant>;
  groupMembers: (groupId: string) => Promise<ReadonlySet<string>>;
  /**
   * The billing roles behind an e-mail address, undefined when the account has no such user.
   * Absent: billing is off. A Refusal that it throws is passed on.
   */
  rolesOf?: ((email: string) => Promise<readonly string[] | undefined>) | undefined;
  homeTeamId: () => string;
  orgAccess: OrgAccessRule;
  clock: Clock;
}

/** Lets people in, or throws the sentence why not. What cannot be found out counts as a no. */
export interface Gate {
  /** May this person use the bot at all? @throws Refusal */
  admit(person: { userId: string; teamId: string }): Promise<void>;
  /** May this person read the orgs? @throws Refusal */
  requireOrgAccess(person: { userId: string }): Promise<void>;
  /** Has this person one of the roles on the billing account? @throws Refusal */
  requireRole(person: { userId: string }, needed: readonly Role[]): Promise<void>;
  /**
   * What is known of a person now, asked afresh of Slack and the platform: for requests, decisions and
   * executions. A no is in it. @throws Refusal when one of the two does not say
   */
  standing(person: { userId: string; teamId: string }): Promise<Standing>;
}

/** Roles are looked up again after this time, in milliseconds (design section 6). */
const REMEMBER_MS = 5 * 60_000;

export function createGate(deps: GateDeps): Gate {
  // Who has just been given a role need not wait: only roles that are there are remembered.
  const known = createMemo<readonly string[] | undefined>(
    deps.clock,
    REMEMBER_MS,
    (roles) => roles !== undefined && roles.length > 0,
  );

  /** Undefined when nobody's roles can be looked up. */
  async function factsOf(userId: string): Promise<RoleFacts | undefined> {
    const { rolesOf } = deps;
    if (rolesOf === undefined) return undefined;
    const { email } = await orRefuse(deps.applicant(userId), NO_PERSON);
    if (!email) return { email, roles: undefined };
    return {
      email,
      roles: await orRefuse(
        known(email, () => rolesOf(email)),
        NO_ROLES,
      ),
    };
  }

  return {
    async admit({ userId, teamId }) {
      const applicant = await orRefuse(deps.applicant(userId), NO_PERSON);
      // Slack signs the workspace of the request; it counts where the profile names none.
      const home = { ...applicant, teamId: applicant.teamId || teamId };
      const refusal = refusalOf(home, deps.homeTeamId());
      if (refusal !== undefined) throw new Refusal(refusal);
    },
    async requireOrgAccess({ userId }) {
      const rule = deps.orgAccess;
      const facts: Parameters<typeof orgRefusal>[1] = {};
      if (typeof rule === 'object') {
        const members = await orRefuse(deps.groupMembers(rule.groupId), NO_GROUP);
        facts.inGroup = members.has(userId);
      }
      if (rule === 'roles') facts.roles = await factsOf(userId);
      const refusal = orgRefusal(rule, facts);
      if (refusal !== undefined) throw new Refusal(refusal);
    },
    async requireRole({ userId }, needed) {
      const facts = await factsOf(userId);
      const refusal = facts === undefined ? BILLING_OFF : roleRefusal(needed, facts);
      if (refusal !== undefined) throw new Refusal(refusal);
    },
    standing() {
      return Promise.reject(new Error('not there yet'));
    },
  };
}

/** Why billing commands are off (design section 7). */
export const BILLING_OFF =
  'Billing is off here: whoever runs Purser has to set BILLING_URL, BILLING_ACCOUNT_ID and BILLING_TOKEN.';

const NO_PERSON =
  'Slack does not say who you are just now, so nothing is shown: please try again in a minute.';
const NO_ROLES =
  'The platform does not say which billing roles you have just now, so nothing is shown: please try again in a minute.';
const NO_GROUP =
  'Slack does not say who belongs to the user group that this is open to: please try again in a minute, and if it stays so, whoever runs Purser has to check ORG_ACCESS and the scope usergroups:read.';

async function orRefuse<T>(asked: Promise<T>, sentence: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(sentence, error);
  }
}
