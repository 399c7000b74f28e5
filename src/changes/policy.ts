import { decisionRefusal, requestRefusal, soloRefusal } from '../access/changes.ts';
import type { ChangeRules, Need, Standing } from '../access/changes.ts';
import { denied } from '../access/denial.ts';
import type { Denial } from '../access/denial.ts';
import type { Change, Order } from './change.ts';
import type { Kind } from './kinds/kind.ts';
import type { OfficeDeps } from './office.ts';

interface Person {
  readonly userId: string;
  readonly teamId: string;
}

/** What policy has to know of an order. Pure. */
export function rulesOf(kind: Kind, order: Order): ChangeRules {
  return { ...kind.needs, subjects: kind.subjects(order) };
}

/** Whether it is this person's own request; that they are of this workspace is the gate's to know. Pure. */
export function isRequester(
  { requester }: Pick<Change, 'requester'>,
  { userId }: Pick<Person, 'userId'>,
): boolean {
  return requester.userId === userId;
}

/** Whether a kind is off because there is nothing to seal its secret with (ADR 13). Pure. */
export function secretRefusal(
  kind: Kind,
  order: Order,
  { vault }: Pick<OfficeDeps, 'vault'>,
): string | undefined {
  return vault === undefined && kind.hasSecret(order) ? NO_VAULT : undefined;
}

const NO_VAULT =
  'This is off here, because the platform answers with a secret that has to be kept encrypted until it is revealed: whoever runs Purser has to set SECRET_KEY.';

/** Asks who people are now, and what policy says to that. Every method throws what `standing` throws. */
export function createPolicy({ standing, approvals }: Pick<OfficeDeps, 'standing' | 'approvals'>) {
  const standingFor = (person: Person, need: Need): Promise<Standing> =>
    standing(person, { orgs: need === 'orgs' });

  return {
    /** Why a person may not have it done now. @param isSolo nobody else has looked at it */
    async refusalToRequest(
      person: Person,
      rules: ChangeRules,
      isSolo: boolean,
    ): Promise<Denial | undefined> {
      const who = await standingFor(person, rules.request);
      return isSolo ? soloRefusal(rules, who) : requestRefusal(rules, who);
    },
    /** Somebody who may ask for it now. @throws Refusal */
    async requester(person: Person, rules: ChangeRules): Promise<Standing> {
      const who = await standingFor(person, rules.request);
      const ask = approvals.required ? requestRefusal : soloRefusal;
      return allowed(who, ask(rules, who));
    },
    /** Why a person may not decide on it now, beside who they are. */
    async decider(
      person: Person,
      rules: ChangeRules,
      requester: Parameters<typeof decisionRefusal>[1],
    ): Promise<{ who: Standing; refusal: Denial | undefined }> {
      const who = await standingFor(person, rules.approve);
      return { who, refusal: decisionRefusal(rules, requester, who, approvals.allowSelf) };
    },
  };
}

function allowed(who: Standing, refusal: Denial | undefined): Standing {
  if (refusal !== undefined) throw denied(refusal.why, refusal.sentence);
  return who;
}
