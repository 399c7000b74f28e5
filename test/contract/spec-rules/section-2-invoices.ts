import type { Rule } from './rule.ts';

const INVOICES = 'contract/platform/invoices.test.ts';
const USERS = 'contract/platform/users.test.ts';
const RECIPIENTS = 'contract/platform/recipients.test.ts';
const USAGE = 'contract/platform/usage.test.ts';
const LIMITS = 'contract/platform/limits.test.ts';

/** Spec 2.8 to 2.11: invoices, billing users, recipients, usage rows. */
export const SECTION_2_INVOICES: readonly Rule[] = [
  {
    id: '2.8/ids',
    says: 'id and accountId are strings',
    test: [INVOICES, 'an invoice is read whole: number, range, status, orgs, periods and lines'],
  },
  {
    id: '2.8/number',
    says: 'number is a sequential integer',
    test: [
      INVOICES,
      'the invoices that overlap the range are listed, newest first, numbered one after another',
    ],
  },
  {
    id: '2.8/range',
    says: 'startTime and endTime are the range of the invoice',
    test: [INVOICES, 'an invoice is read whole: number, range, status, orgs, periods and lines'],
  },
  {
    id: '2.8/total-charge',
    says: 'totalCharge is an integer in the smallest unit, before credits',
    test: [
      INVOICES,
      'there is a line for each org, item and tier; lines add up to periods, periods to the total',
    ],
  },
  {
    id: '2.8/status',
    says: 'status is one of the five; a word that came later is shown as it is',
    test: [INVOICES, 'the status %s is read'],
  },
  {
    id: '2.8/org-names',
    says: 'orgNames are strings',
    test: [INVOICES, 'an invoice is read whole: number, range, status, orgs, periods and lines'],
  },
  {
    id: '2.8/periods',
    says: 'a period has startTime, endTime, totalCharge, status and items',
    test: [INVOICES, 'an invoice is read whole: number, range, status, orgs, periods and lines'],
  },
  {
    id: '2.8/items',
    says: 'there is one line per org, chargeable item and pricing tier',
    test: [
      INVOICES,
      'there is a line for each org, item and tier; lines add up to periods, periods to the total',
    ],
  },
  {
    id: '2.8/item-fields',
    says: 'a line has description, quantity, charge in the smallest unit, and org',
    test: [INVOICES, 'an invoice is read whole: number, range, status, orgs, periods and lines'],
  },
  {
    id: '2.8/item-quantity',
    says: 'quantity is in the item’s raw unit, however large',
    test: [
      INVOICES,
      'amounts are whole numbers of the smallest unit, and quantities stay exact beyond 2^53',
    ],
  },
  {
    id: '2.8/credits',
    says: 'credits are line items with negative charge',
    test: [INVOICES, 'credits are negative, and absent where there are none'],
  },
  {
    id: '2.8/no-credits',
    says: 'credits are omitted when there are none',
    test: [INVOICES, 'credits are negative, and absent where there are none'],
  },
  {
    id: '2.8/amount-due',
    says: 'the amount due is totalCharge plus the credit charges',
    test: [INVOICES, 'the amount due is the total less the credits, and never below 0'],
  },
  {
    id: '2.8/amount-due-not-negative',
    says: 'the amount due is never below 0',
    test: [INVOICES, 'the amount due is the total less the credits, and never below 0'],
  },
  {
    id: '2.8/credits-only-here',
    says: 'credits appear only on invoices, not in the charges of the same month',
    test: [INVOICES, 'a month of charges is its invoice to the cent, before credits'],
  },
  {
    id: '2.8/payment-links',
    says: 'payment page links are invoicePeriods with id, a UUID, and externalUrl',
    test: [
      INVOICES,
      'payment pages come by period of the invoice, for an account that is billed by card alone',
    ],
  },
  {
    id: '2.8/payment-links-card',
    says: 'payment pages are for accounts billed by card',
    test: [
      INVOICES,
      'payment pages come by period of the invoice, for an account that is billed by card alone',
    ],
  },
  {
    id: '2.9/e-mail',
    says: 'a billing user is identified by e-mail',
    test: [USERS, 'the billing users are listed, and each is read by e-mail'],
  },
  {
    id: '2.9/roles',
    says: 'a billing user has one or more billing roles',
    test: [
      USERS,
      'a user without a role, with an unknown role or a bad address is refused before it is sent: %s',
    ],
  },
  {
    id: '2.9/wrapped',
    says: 'request bodies wrap the user in user with email and roles',
    test: [USERS, 'a new user is sent wrapped, has the roles and is invited by mail'],
  },
  {
    id: '2.9/open-record',
    says: 'other fields of the record are not shown: more or fewer may come',
    test: [USERS, 'a user is read bare or wrapped, with more or fewer fields'],
  },
  {
    id: '2.10/recipient',
    says: 'a recipient has id, email and enabled',
    test: [
      RECIPIENTS,
      'recipients are listed, added (enabled unless told otherwise), switched and removed',
    ],
  },
  {
    id: '2.10/enabled-by-default',
    says: 'enabled is true on create unless it is said',
    test: [
      RECIPIENTS,
      'recipients are listed, added (enabled unless told otherwise), switched and removed',
    ],
  },
  {
    id: '2.10/delivery',
    says: 'a delivery has recipientEmail, attemptCount and errorMessages',
    test: [
      RECIPIENTS,
      'a delivery that is %s tells to whom it goes, how often it was tried and what went wrong',
    ],
  },
  {
    id: '2.10/delivery-status',
    says: 'status of a delivery is one of the five; a word that came later is shown as it is',
    test: [
      RECIPIENTS,
      'a delivery that is %s tells to whom it goes, how often it was tried and what went wrong',
    ],
  },
  {
    id: '2.10/delivery-states',
    says: 'a delivery is pending, then in progress, and delivered or failed in the end',
    test: [RECIPIENTS, 'a delivery is tried until it is delivered, or fails for good'],
  },
  {
    id: '2.10/open-fields',
    says: 'other fields of recipients and deliveries are not shown: more may come',
    test: [
      RECIPIENTS,
      'deliveries are read in any wrapper, and fields that nobody knows change nothing',
    ],
  },
  {
    id: '2.11/tags-of-the-platform',
    says: 'a value carries tags that the platform set, not labels of a user',
    test: [
      USAGE,
      'usage is summed over what is not named and grouped by what is, by tags of the platform alone',
    ],
  },
  {
    id: '2.11/absent-tag',
    says: 'a tag that does not apply to a row is absent; aggregated by, it is the empty string',
    test: [USAGE, 'usage that lacks a tag stands under the empty string'],
  },
  {
    id: '2.11/tag-names',
    says: 'feature, metric, org, gvc, workload, locationType, performanceClass and volumeIndex are tags',
    test: [USAGE, 'usage is found by every tag, feature and metric of the specification: %s'],
  },
  {
    id: '2.11/volume-index',
    says: 'volumeIndex is a number, matched by regular expression',
    test: [USAGE, 'a filter is a word or an expression, and all of them must match: %s'],
  },
  {
    id: '2.11/values',
    says: 'feature and metric have the values of the specification, and others',
    test: [USAGE, 'usage is found by every tag, feature and metric of the specification: %s'],
  },
  {
    id: '2.11/unit-seconds',
    says: 'usage is metered per second and summed into hours: a quantity times the seconds it was held',
    test: [USAGE, '%s holds %i replicas for the seconds of each hour'],
  },
  {
    id: '2.11/hourly-rows',
    says: 'hours are the rows that longer steps are the sums of',
    test: [USAGE, 'the hours of a day add up to it'],
  },
  {
    id: '2.11/cpu-of-two-features',
    says: 'cpu and memory occur under workloads and volume-sets: filter on feature and metric together',
    test: [USAGE, 'cpu of workloads and cpu of volume sets are told apart by the feature'],
  },
  {
    id: '2.11/volume-in-two-ways',
    says: 'the two capacities of a volume must not be added together',
    test: [
      USAGE,
      'two metrics measure the same volumes, so that both together count each volume twice',
    ],
  },
  {
    id: '2.11/revision',
    says: 'snapshot-storage and load-balancer-processed-bytes can be revised for up to about 48 hours',
    test: [LIMITS, 'what the provider bills is revised within 48 hours and stays after that'],
  },
  {
    id: '2.11/open-list',
    says: 'the complete list of tags, metrics and units is not shown: unknown ones are read like the others',
    test: [USAGE, 'a tag or metric that nobody knows is read like any other'],
  },
];
