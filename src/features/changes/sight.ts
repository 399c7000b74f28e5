import { decisionRefusal, needRefusal } from '../../access/changes.ts';
import { denied } from '../../access/denial.ts';
import type { Standing } from '../../access/changes.ts';
import { ADMINS } from '../../access/roles.ts';
import type { Change } from '../../changes/change.ts';
import type { OfficeDeps } from '../../changes/office.ts';
import { rulesOf } from '../../changes/policy.ts';

/** Who may see a change (ADR 13): a billing_admin, who asked for it, and who has a role that approves it. Pure. */
export function maySee(change: Change, who: Standing): boolean {
  return isAdmin(who) || isOwn(change, who) || mayApprove(change, who);
}

export function isAdmin({ roles = [] }: Standing): boolean {
  return ADMINS.some((role) => roles.includes(role));
}

export function isOwn({ requester }: Change, { userId }: Pick<Standing, 'userId'>): boolean {
  return requester.userId === userId;
}

/** Whether the person may decide on it, by what is known of them; the bench has the last word. */
export function mayDecide(
  { kindOf, approvals }: Pick<OfficeDeps, 'kindOf' | 'approvals'>,
  { order, requester }: Change,
  who: Standing,
): boolean {
  const rules = rulesOf(kindOf(order), order);
  return decisionRefusal(rules, requester, who, approvals.allowSelf) === undefined;
}

/** Whether the person has a role that approves it. */
function mayApprove({ approvers }: Change, { roles = [] }: Standing): boolean {
  return approvers.some((role) => roles.includes(role));
}

/** @throws Refusal for whom the audit as a whole is not for */
export function requireAdmin(who: Standing): void {
  const refusal = needRefusal({ roles: ADMINS }, who);
  if (refusal !== undefined) throw denied('role', refusal);
}
