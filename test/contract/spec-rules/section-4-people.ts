import type { Rule } from './rule.ts';

const USERS = 'contract/platform/users.test.ts';
const CREDENTIALS = 'contract/platform/credentials.test.ts';
const RECIPIENTS = 'contract/platform/recipients.test.ts';
const LIMITS = 'contract/platform/limits.test.ts';
const QUOTAS = 'contract/platform/quotas.test.ts';

/** Spec 4.3: billing users, recipients, quotas. */
export const SECTION_4_PEOPLE: readonly Rule[] = [
  {
    id: '4.3/users/list',
    says: 'GET lists the users',
    test: [USERS, 'the billing users are listed, and each is read by e-mail'],
  },
  {
    id: '4.3/users/get',
    says: 'GET by e-mail reads one',
    test: [USERS, 'the billing users are listed, and each is read by e-mail'],
  },
  {
    id: '4.3/users/path',
    says: 'the e-mail is one part of the path, whatever signs it has',
    test: [USERS, 'an e-mail with odd signs stays one part of the path'],
  },
  {
    id: '4.3/users/read-role',
    says: 'reading users takes billing_admin or billing_viewer',
    test: [
      CREDENTIALS,
      'charges, tag values, invoices and users are read by an admin or a viewer: %s',
    ],
  },
  {
    id: '4.3/users/post',
    says: 'POST adds a user',
    test: [USERS, 'a new user is sent wrapped, has the roles and is invited by mail'],
  },
  {
    id: '4.3/users/put',
    says: 'PUT replaces the roles',
    test: [USERS, 'the roles of a user are replaced as a whole, and a removed user is gone'],
  },
  {
    id: '4.3/users/delete',
    says: 'DELETE removes the user',
    test: [USERS, 'the roles of a user are replaced as a whole, and a removed user is gone'],
  },
  {
    id: '4.3/users/change-role',
    says: 'POST, PUT and DELETE take billing_admin',
    test: [CREDENTIALS, 'alert, users, recipients, deliveries and tokens are for an admin: %s'],
  },
  {
    id: '4.3/users/body',
    says: 'bodies of POST and PUT are {user: {email, roles}}',
    test: [USERS, 'a new user is sent wrapped, has the roles and is invited by mail'],
  },
  {
    id: '4.3/users/conflict',
    says: 'adding a user who exists gives 409',
    test: [USERS, 'a user who is there already is a conflict'],
  },
  {
    id: '4.3/users/own',
    says: 'changing or removing your own billing user gives 400',
    test: [USERS, 'nobody changes or removes their own billing user: %s'],
  },
  {
    id: '4.3/users/invitation',
    says: 'adding a user sends an invitation',
    test: [USERS, 'a new user is sent wrapped, has the roles and is invited by mail'],
  },
  {
    id: '4.3/users/open-bodies',
    says: 'answers of the user endpoints are not shown: more than one shape is read',
    test: [USERS, 'a user is read bare or wrapped, with more or fewer fields'],
  },
  {
    id: '4.3/recipients/role',
    says: 'recipients and deliveries take billing_admin',
    test: [CREDENTIALS, 'alert, users, recipients, deliveries and tokens are for an admin: %s'],
  },
  {
    id: '4.3/recipients/list',
    says: 'GET gives {accountId, items}',
    test: [
      RECIPIENTS,
      'recipients are listed, added (enabled unless told otherwise), switched and removed',
    ],
  },
  {
    id: '4.3/recipients/post',
    says: 'POST with {email, enabled} gives 201 with the recipient',
    test: [
      RECIPIENTS,
      'recipients are listed, added (enabled unless told otherwise), switched and removed',
    ],
  },
  {
    id: '4.3/recipients/conflict',
    says: 'POST gives 409 for an address that is a recipient already',
    test: [RECIPIENTS, 'an address that is a recipient already is a conflict'],
  },
  {
    id: '4.3/recipients/patch',
    says: 'PATCH with {enabled} gives the recipient',
    test: [
      RECIPIENTS,
      'recipients are listed, added (enabled unless told otherwise), switched and removed',
    ],
  },
  {
    id: '4.3/recipients/delete',
    says: 'DELETE gives 204',
    test: [
      RECIPIENTS,
      'recipients are listed, added (enabled unless told otherwise), switched and removed',
    ],
  },
  {
    id: '4.3/deliveries/latest',
    says: 'GET of deliveries gives the latest 500 of the account',
    test: [LIMITS, 'of more than 500 deliveries the latest 500 come'],
  },
  {
    id: '4.3/deliveries/invoice',
    says: 'deliveries may be narrowed to one invoice',
    test: [
      RECIPIENTS,
      'a new invoice goes to each enabled recipient, as deliveries that can be asked for by invoice',
    ],
  },
  {
    id: '4.3/deliveries/wrapper',
    says: 'the wrapper of the deliveries is not shown: any is read',
    test: [
      RECIPIENTS,
      'deliveries are read in any wrapper, and fields that nobody knows change nothing',
    ],
  },
  {
    id: '4.3/quotas/read',
    says: '/org/<org>/quotas is where quotas are read',
    test: [QUOTAS, 'quotas are shown with whatever fields come'],
  },
  {
    id: '4.3/quotas/raise',
    says: '/org/<org>/quota-increase-requests is where a raise is asked for',
    test: [QUOTAS, 'a raise of a quota is asked for, and its answer shown as it comes'],
  },
  {
    id: '4.3/quotas/open',
    says: 'methods, bodies and answers are not shown: a strange answer is no crash',
    test: [QUOTAS, 'an answer about quotas that nobody foresaw is shown or refused, never guessed'],
  },
];
