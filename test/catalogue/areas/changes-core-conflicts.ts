import { HOUR, NOW, refusal, type Area, type Entry } from '../entry.ts';
import { accountOf, booksOf, type ExpectedState } from './changes-core-books.ts';
import { orderOf } from './changes-core-data.ts';
import { openChanges } from './changes-core-office.ts';
import { CLEO, ORDERS } from './changes-feature-data.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

const ALERT = ORDERS['alert.replace'];
const ORG = ORDERS['org.create'];

/** A conflict that is found when the change is requested. */
function conflict(
  name: string,
  when: string,
  order: ChangeInput,
  books: Partial<ExpectedState> = {},
): Entry {
  return refusal(`change-conflict-${name}`, when, () => openChanges({ books }).ask(order));
}

const noAccount = (name: string, when: string, over: Partial<ExpectedState['account']>): Entry =>
  conflict(`org-${name}`, when, ORG, { account: accountOf(over) });

const rolesOf = (...roles: ('billing_admin' | 'billing_viewer' | 'org_creator')[]) => ({
  order: orderOf('user.roles', { roles }),
  books: {
    users: booksOf().users.map((user) => (user.email === CLEO.email ? { ...user, roles } : user)),
  },
});
const ONE = rolesOf('billing_viewer');
const TWO = rolesOf('billing_viewer', 'org_creator');
const THREE = rolesOf('billing_admin', 'billing_viewer', 'org_creator');
const RECIPIENTS = { recipients: [] } satisfies Partial<ExpectedState>;

export const changeConflicts: Area = {
  id: 'change-conflicts',
  title: 'Changes: requests that conflict with the account',
  entries: [
    conflict('alert-create', 'There is a spend alert already.', ORDERS['alert.create']),
    conflict('alert-replace', 'The spend alert has been deleted.', ALERT, { alert: undefined }),
    conflict('alert-delete', 'The spend alert is gone already.', ORDERS['alert.delete'], {
      alert: undefined,
    }),
    conflict(
      'user-add',
      'The address belongs to a billing user.',
      orderOf('user.add', { email: CLEO.email }),
    ),
    conflict(
      'user-add-own',
      'A person asks for their own first roles, and has become a billing user meanwhile.',
      orderOf('user.add', { email: 'ada@acme.example', own: true }),
    ),
    conflict(
      'user-roles-unknown',
      'The address belongs to no billing user.',
      orderOf('user.roles', { email: 'finn@acme.example' }),
    ),
    conflict(
      'user-roles-same-one',
      'The billing user has that one role already.',
      ONE.order,
      ONE.books,
    ),
    conflict(
      'user-roles-same-two',
      'The billing user has those two roles already.',
      TWO.order,
      TWO.books,
    ),
    conflict(
      'user-roles-same-all',
      'The billing user has all roles already.',
      THREE.order,
      THREE.books,
    ),
    conflict(
      'user-remove-unknown',
      'The billing user is gone.',
      orderOf('user.remove', { email: 'finn@acme.example' }),
    ),
    conflict(
      'token-create-over',
      'The token would be over before anyone has it.',
      orderOf('token.create', { expiresAt: new Date(NOW - HOUR).toISOString() }),
    ),
    conflict('token-delete-gone', 'The token is gone.', ORDERS['token.delete'], { tokens: [] }),
    noAccount('terms', 'No one has accepted the Terms of Use of the platform.', { tou: false }),
    noAccount('disabled', 'The billing account is not enabled.', { enabled: false }),
    noAccount('quota', 'The billing account has as many orgs as it may have.', { orgQuota: 2 }),
    noAccount('everything', 'All of that at once.', {
      tou: false,
      paymentMethods: [],
      enabled: false,
      orgQuota: 2,
    }),
    conflict(
      'recipient-add',
      'The address gets invoices already.',
      orderOf('recipient.add', { email: 'books@acme.example' }),
    ),
    conflict(
      'recipient-enable',
      'The recipient is switched on already.',
      orderOf('recipient.enable', { recipientId: 'r-1', email: 'books@acme.example' }),
    ),
    conflict(
      'recipient-disable',
      'The recipient is switched off already.',
      orderOf('recipient.disable', { recipientId: 'r-2', email: 'old-books@acme.example' }),
    ),
    conflict(
      'recipient-enable-gone',
      'The recipient to be switched on is gone.',
      ORDERS['recipient.enable'],
      RECIPIENTS,
    ),
    conflict(
      'recipient-disable-gone',
      'The recipient to be switched off is gone.',
      ORDERS['recipient.disable'],
      RECIPIENTS,
    ),
    conflict(
      'recipient-delete-gone',
      'The recipient to be deleted is gone.',
      ORDERS['recipient.delete'],
      RECIPIENTS,
    ),
    conflict(
      'quota-unknown',
      'The org has no quota of that name.',
      orderOf('quota.request', { quotaName: 'workload' }),
    ),
    conflict(
      'quota-enough',
      'The quota is as high already.',
      orderOf('quota.request', { requestedMax: 50 }),
    ),
  ],
};
