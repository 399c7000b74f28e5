import type { Rule } from './rule.ts';

const REFUSALS = 'contract/platform/refusals.test.ts';
const INVOICE_FORMATS = 'contract/platform/invoice-formats.test.ts';
const ORGS = 'contract/platform/orgs.test.ts';
const USERS = 'contract/platform/users.test.ts';
const ACCOUNT = 'contract/platform/account.test.ts';
const USAGE_TIMES = 'contract/platform/usage-times.test.ts';
const USAGE = 'contract/platform/usage.test.ts';
const DEPLOYMENTS = 'contract/platform/stand-in.test.ts';
const CREDENTIALS = 'contract/platform/credentials.test.ts';

/** Spec 7: errors. */
export const SECTION_7: readonly Rule[] = [
  {
    id: '7/shape',
    says: 'billing errors are {code, error} with the status as code',
    test: [
      REFUSALS,
      'a refusal by billing is told in its own sentence, with the status as its code',
    ],
  },
  {
    id: '7/400/json',
    says: 'a body that is not valid JSON is a 400',
    test: [REFUSALS, 'a body that %s is a 400'],
  },
  {
    id: '7/400/field',
    says: 'an invalid field value is a 400',
    test: [REFUSALS, 'a body that %s is a 400'],
  },
  {
    id: '7/400/accept',
    says: 'an unsupported Accept on an invoice is a 400',
    test: [INVOICE_FORMATS, 'an invoice that is asked for as %s is a 400'],
  },
  {
    id: '7/400/list-invoices',
    says: 'missing or invalid start or end of the invoice list is a 400 in plain text',
    test: [
      REFUSALS,
      'start and end of the invoice list, missing or invalid, are a 400 in plain text: %s',
    ],
  },
  {
    id: '7/400/org',
    says: 'unmet preconditions of a new org are a 400',
    test: [ORGS, 'an org is not made when %s, and the refusal names it'],
  },
  {
    id: '7/400/own-user',
    says: 'changing or removing your own billing user is a 400',
    test: [USERS, 'nobody changes or removes their own billing user: %s'],
  },
  {
    id: '7/401/token',
    says: 'a missing or invalid token is a 401',
    test: [
      REFUSALS,
      'no credential, a bad one or one too weak is a 401 that tells the likely cause: %s',
    ],
  },
  {
    id: '7/401/role',
    says: 'a missing role or permission is a 401',
    test: [
      REFUSALS,
      'no credential, a bad one or one too weak is a 401 that tells the likely cause: %s',
    ],
  },
  {
    id: '7/401/processor-id',
    says: 'the account object’s accountId in a path is a 401',
    test: [
      ACCOUNT,
      'the payment processor’s id in a path is unauthorized, and the refusal names that cause',
    ],
  },
  {
    id: '7/401/body',
    says: 'the body is {"code":401,"error":"unauthorized"}',
    test: [REFUSALS, 'billing says unauthorized, usage says Unauthorized, and both are read alike'],
  },
  {
    id: '7/404',
    says: 'an invoice, alert or token that does not exist is a 404',
    test: [REFUSALS, '%s that does not exist is not found'],
  },
  {
    id: '7/409',
    says: 'an alert, user or recipient that exists is a 409',
    test: [REFUSALS, '%s that exists already is a conflict'],
  },
  {
    id: '7/500/charges',
    says: 'a charge query with a bad time, step or groupBy is a 500 that names the problem',
    test: [
      REFUSALS,
      'a 500 that names a mistake is the caller’s, told in its words and not tried again: %s',
    ],
  },
  {
    id: '7/500/invoices',
    says: 'invoice list times off the hour are a 500',
    test: [
      REFUSALS,
      'a 500 that names a mistake is the caller’s, told in its words and not tried again: %s',
    ],
  },
  {
    id: '7/500/alert',
    says: 'deleting an alert that does not exist is a 500',
    test: [
      REFUSALS,
      'a 500 that names a mistake is the caller’s, told in its words and not tried again: %s',
    ],
  },
  {
    id: '7/usage/401',
    says: 'usage without readMetrics or for a deactivated org: code 401, error Unauthorized',
    test: [REFUSALS, 'billing says unauthorized, usage says Unauthorized, and both are read alike'],
  },
  {
    id: '7/usage/400',
    says: 'a startTime before the retention window is a 400 with the earliest start',
    test: [USAGE_TIMES, 'what is too old is refused with the earliest start that there is: %s'],
  },
  {
    id: '7/usage/200',
    says: 'no usage is a 200: periods null or no values',
    test: [USAGE, 'without usage there are no periods at all, and that is no failure'],
  },
  {
    id: '7/usage/open',
    says: 'other errors of usage are not shown: whatever comes is a PlatformError',
    test: [REFUSALS, 'an error that no table foresees is told by its status and its sentence: %s'],
  },
  {
    id: '7/deployments/open',
    says: 'errors of deployments are not shown: whatever comes is a PlatformError with its reason',
    test: [DEPLOYMENTS, 'the fault %j is told as %s'],
  },
  {
    id: '7/workload-token',
    says: 'a workload token outside of its workload is a 403',
    test: [CREDENTIALS, 'a workload’s own token goes plain, and is forbidden outside: %s'],
  },
];
