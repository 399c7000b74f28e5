import type { Explain } from '../answer.ts';
import { explainQuery } from '../consumption/explain.ts';
import type { Credential } from '../credential.ts';
import { objectOf } from '../members.ts';
import { DELAY, forbiddenHint, orgKeyHint } from '../key-hints.ts';
import type { BillingRole } from './roles.ts';

/** What a call is authorized with, as far as a refusal of it can be explained by that. */
export type Caller = { readonly credential: Credential['kind'] } & (
  | { readonly kind: 'account'; readonly accountId: string; readonly roles: readonly BillingRole[] }
  | { readonly kind: 'user' }
  | { readonly kind: 'org'; readonly org: string }
);

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** Sentences of a 500 that mean the caller, beside those of a query. */
const OWN_MISTAKE = /\balert\b.*\b(?:exist|found)|\bno\b.*\balert\b/i;

/** Paths of an account that are there as long as it is. */
const COLLECTION =
  /\/account\/[^/]+(?:\/(?:charges\/(?:-query|invoices(?:\/pending)?)|tags\/values\/query|service-account-token|org|user|invoice-delivery\/(?:recipients|deliveries)))?$/;

/**
 * What billing's refusals mean beyond their status (spec section 7): a 401 or 403 says its likely
 * cause, a 404 whether it is the account that is unknown, and a 500 that names what is wrong with the
 * question is the caller's mistake.
 */
export function createExplain(caller: Caller): Explain {
  return (refusal) => {
    const { status, sentence, path, sent } = refusal;
    const credential = caller.kind === 'org' ? undefined : caller.kind;
    if (status === 401) return { hint: hintOf(caller, path), credential };
    if (status === 403) return { hint: forbiddenHint(caller.credential), credential };
    if (status === 404 && caller.kind === 'account' && isOfAccount(path, sent)) {
      return { hint: unknownAccount(caller.accountId), credential };
    }
    if (status === 500 && OWN_MISTAKE.test(sentence)) return { reason: 'bad-request' };
    return explainQuery(refusal);
  };
}

/** Whether a 404 can only be about the account: nothing else is named, no org either. */
function isOfAccount(path: string, sent: unknown): boolean {
  return COLLECTION.test(path) && !Object.hasOwn(objectOf(sent) ?? {}, 'orgs');
}

/** The likely cause of a 401 in one sentence (spec section 5). */
function hintOf(caller: Caller, path: string): string {
  switch (caller.kind) {
    case 'account':
      if (path.endsWith('/chargeable_items')) return `${TOKEN}; ${DELAY}`;
      return UUID.test(caller.accountId)
        ? `${TOKEN}, be of another account or lack ${oneOf(caller.roles)}; ${DELAY}`
        : strangeId(caller.accountId);
    case 'user':
      return path.endsWith('/account') && !path.includes('/org/')
        ? 'the user token may be mistyped or expired'
        : `the user token may be expired, or its user lack ${oneOf(['billing_admin', 'billing_viewer'])} on the paying account; ${DELAY}`;
    case 'org':
      return path.includes('/quota')
        ? orgKeyHint(caller.org, 'a permission on the quotas')
        : orgKeyHint(caller.org, 'readMetrics (readUsage does not grant it)');
    default:
      return caller satisfies never;
  }
}

const TOKEN = 'the token may be mistyped, expired or deleted';

function strangeId(accountId: string): string {
  const what = accountId.startsWith('cus_')
    ? "is the payment processor's customer id"
    : 'is no account id';
  return `${JSON.stringify(accountId)} ${what}: the account id is the UUID in \`id\` of an item of GET /account`;
}

function unknownAccount(accountId: string): string {
  return UUID.test(accountId)
    ? `there may be no account ${accountId}, or not for this token; ${DELAY}`
    : strangeId(accountId);
}

function oneOf(roles: readonly BillingRole[]): string {
  return roles.length < 2
    ? `the role ${roles.join('')}`
    : `a role (${roles.slice(0, -1).join(', ')} or ${roles.at(-1)})`;
}
