import type { Rule } from './rule.ts';

const ALERT = 'contract/platform/alert.test.ts';
const RECIPIENTS = 'contract/platform/recipients.test.ts';
const USERS = 'contract/platform/users.test.ts';
const ORGS = 'contract/platform/orgs.test.ts';

/** Spec 6: mail that the platform sends. */
export const SECTION_6: readonly Rule[] = [
  {
    id: '6/spend-alert',
    says: 'the alert is mailed to every billing_admin, the first time that month',
    test: [
      ALERT,
      'charges of this UTC month that reach the amount fire it once and mail every billing admin',
    ],
  },
  {
    id: '6/spend-alert-month',
    says: 'it counts the charges of the current UTC month',
    test: [
      ALERT,
      'charges of this UTC month that reach the amount fire it once and mail every billing admin',
    ],
  },
  {
    id: '6/new-invoice',
    says: 'a new invoice is mailed to the enabled recipients',
    test: [
      RECIPIENTS,
      'a new invoice goes to each enabled recipient, as deliveries that can be asked for by invoice',
    ],
  },
  {
    id: '6/new-invoice-status',
    says: 'each delivery gets a status',
    test: [
      RECIPIENTS,
      'a new invoice goes to each enabled recipient, as deliveries that can be asked for by invoice',
    ],
  },
  {
    id: '6/invitation-user',
    says: 'a new billing user gets an invitation',
    test: [USERS, 'a new user is sent wrapped, has the roles and is invited by mail'],
  },
  {
    id: '6/invitation-org',
    says: 'invitees of a new org get an invitation',
    test: [ORGS, 'whoever is invited to a new org gets an invitation by mail'],
  },
];
