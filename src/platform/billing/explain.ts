import type { Explain } from '../answer.ts';
import { explainQuery } from '../consumption/explain.ts';
import type { BillingRole } from './roles.ts';

/** What a call is authorized with, as far as a refusal of it can be explained by that. */
export type Caller =
  | { readonly kind: 'account'; readonly accountId: string; readonly roles: readonly BillingRole[] }
  | { readonly kind: 'user' }
  | { readonly kind: 'org'; readonly org: string };

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const DELAY = 'changes of roles and tokens take up to 5 minutes';
const OUTSIDE = 'a token that a workload was injected with works only inside of that workload';
/** Sentences of a 500 that mean the caller, beside those of a query. */
const OWN_MISTAKE = /\balert\b.*\b(?:exist|found)|\bno\b.*\balert\b/i;

/**
 * What billing's refusals mean beyond their status (spec section 7): a 401 or 403 says its likely cause,
 * and a 500 that names what is wrong with the question is the caller's mistake.
 */
export function createExplain(caller: Caller): Explain {
  return (refusal) => {
    const { status, sentence } = refusal;
    if (status === 401) return { hint: hintOf(caller) };
    if (status === 403) return { hint: OUTSIDE };
    if (status === 500 && OWN_MISTAKE.test(sentence)) return { reason: 'bad-request' };
    return explainQuery(refusal);
  };
}

/** The likely cause of a 401 in one sentence (spec section 5). */
function hintOf(caller: Caller): string {
  switch (caller.kind) {
    case 'account':
      if (!UUID.test(caller.accountId)) {
        return (
          `${JSON.stringify(caller.accountId)} is no UUID but looks like the payment processor's id:` +
          ' the account id is the `id` of an item of GET /account'
        );
      }
      return (
        `the token may lack ${oneOf(caller.roles)}, be expired or deleted, or be of another account;` +
        ` ${DELAY}`
      );
    case 'user':
      return (
        'the user token may be expired, or its user lack a role on the paying account' +
        ` (billing_admin or billing_viewer); ${DELAY}`
      );
    case 'org':
      return (
        `the key of org ${caller.org} may lack readMetrics (readUsage does not do), be expired or` +
        ` be of another org; changes of permissions take up to 5 minutes`
      );
    default:
      return caller satisfies never;
  }
}

function oneOf(roles: readonly BillingRole[]): string {
  return roles.length < 2
    ? `the role ${roles.join('')}`
    : `a role (${roles.slice(0, -1).join(', ')} or ${roles.at(-1)})`;
}
