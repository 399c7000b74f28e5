import { Refusal } from '../lib/refusal.ts';
import { orgRefusal, refusalOf } from './admit.ts';
import type { Applicant, OrgAccessRule } from './admit.ts';

export interface GateDeps {
  /** What Slack says of a person now. */
  applicant: (userId: string) => Promise<Applicant>;
  groupMembers: (groupId: string) => Promise<ReadonlySet<string>>;
  homeTeamId: () => string;
  orgAccess: OrgAccessRule;
}

/** Lets people in, or throws the sentence why not. What cannot be found out counts as a no. */
export interface Gate {
  /** May this person use the bot at all? @throws Refusal */
  admit(person: { userId: string; teamId: string }): Promise<void>;
  /** May this person read the orgs? @throws Refusal */
  requireOrgAccess(person: { userId: string }): Promise<void>;
}

export function createGate(deps: GateDeps): Gate {
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
      const facts =
        typeof rule === 'object'
          ? { inGroup: (await orRefuse(deps.groupMembers(rule.groupId), NO_GROUP)).has(userId) }
          : {};
      const refusal = orgRefusal(rule, facts);
      if (refusal !== undefined) throw new Refusal(refusal);
    },
  };
}

const NO_PERSON =
  'Slack does not say who you are just now, so nothing is shown: please try again in a minute.';
const NO_GROUP =
  'Slack does not say who belongs to the user group that this is open to: please try again in a minute, and if it stays so, whoever runs Purser has to check ORG_ACCESS and the scope usergroups:read.';

async function orRefuse<T>(asked: Promise<T>, sentence: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw new Refusal(sentence, error);
  }
}
