import {
  ADMINS,
  decisionRefusal,
  denied,
  needRefusal,
  requestRefusal,
  soloRefusal,
} from '../access/policy.ts';
import type { ChangeRules, Denial, Need, Principal } from '../access/policy.ts';
import type { Actor, Change } from './change.ts';
import type { ChangeContext } from './context.ts';
import type { AnyKind, ChangeInput } from './kinds/kinds.ts';
import type { Person } from '../slack/routing/routes.ts';

/** What policy has to know of a change. Pure. */
export function rulesOf(kind: AnyKind, input: ChangeInput): ChangeRules {
  return { ...kind.needs, subjects: kind.subjects(input) };
}

/** Whether it is this person's own request; access has made sure that they are of this workspace. Pure. */
export function isRequester(
  { requester }: Pick<Change, 'requester'>,
  { userId }: Pick<Person, 'userId'>,
): boolean {
  return requester.userId === userId;
}

/** Why a kind is off: its secret could not be encrypted (ADR 13). Pure. */
export function secretRefusal(
  kind: AnyKind,
  input: ChangeInput,
  { cipher }: Pick<ChangeContext, 'cipher'>,
): string | undefined {
  return cipher === undefined && kind.hasSecret(input) ? NO_CIPHER : undefined;
}

const NO_CIPHER =
  'This is off here, because the platform answers with a secret that has to be kept encrypted until it is revealed: whoever runs Purser has to set SECRET_KEY.';

/** Asks who people are now, and what policy says to that. Every method throws a Refusal when Slack or the platform does not say. */
export function createPolicy({ access, approvals }: Pick<ChangeContext, 'access' | 'approvals'>) {
  const principal = (person: Person, need: Need): Promise<Principal> =>
    access.principal(person, { orgs: need === 'orgs' });

  return {
    /** Why a person may not have it done now. @param isSolo no second person has looked at it */
    async refusalToRequest(
      person: Person,
      rules: ChangeRules,
      isSolo: boolean,
    ): Promise<Denial | undefined> {
      const who = await principal(person, rules.request);
      return isSolo ? soloRefusal(rules, who) : requestRefusal(rules, who);
    },
    /** The person, if they may ask for it now. @throws Refusal */
    async requester(person: Person, rules: ChangeRules): Promise<Principal> {
      const who = await principal(person, rules.request);
      const ask = approvals.required ? requestRefusal : soloRefusal;
      return allowed(who, ask(rules, who));
    },
    /** Why a person may not decide on it now, beside who they are. */
    async decider(
      person: Person,
      rules: ChangeRules,
      requester: Parameters<typeof decisionRefusal>[1],
    ): Promise<{ who: Principal; refusal: Denial | undefined }> {
      const who = await principal(person, rules.approve);
      return { who, refusal: decisionRefusal(rules, requester, who, approvals.allowSelf) };
    },
  };
}

function allowed(who: Principal, refusal: Denial | undefined): Principal {
  if (refusal !== undefined) throw denied(refusal.why, refusal.sentence);
  return who;
}

/** A person as a change records them: with the addresses that Slack has of them now. Pure. */
export function actorOf(
  { userId, teamId }: Pick<Actor, 'userId' | 'teamId'>,
  { email, unconfirmed }: Principal,
): Actor {
  return {
    userId,
    teamId,
    ...(email !== undefined && { email }),
    ...(unconfirmed !== undefined && { unconfirmed }),
  };
}

/** Who may see a change (ADR 13): a billing_admin, who asked for it, and who has a role that approves it. Pure. */
export function maySee(change: Change, who: Principal): boolean {
  return isAdmin(who) || isRequester(change, who) || mayApprove(change, who);
}

export function isAdmin({ roles = [] }: Principal): boolean {
  return ADMINS.some((role) => roles.includes(role));
}

/** Whether the person may decide on it, by what is known of them; the review service has the last word. */
export function mayDecide(
  { kindOf, approvals }: Pick<ChangeContext, 'kindOf' | 'approvals'>,
  { order, requester }: Change,
  who: Principal,
): boolean {
  const rules = rulesOf(kindOf(order), order);
  return decisionRefusal(rules, requester, who, approvals.allowSelf) === undefined;
}

/** Whether the person has a role that approves it. */
function mayApprove({ approvers }: Change, { roles = [] }: Principal): boolean {
  return approvers.some((role) => roles.includes(role));
}

/** @throws Refusal for whom the audit as a whole is not for */
export function requireAdmin(who: Principal): void {
  const refusal = needRefusal({ roles: ADMINS }, who);
  if (refusal !== undefined) throw denied('role', refusal);
}
