import type { Rule } from './rule.ts';

const CREDENTIALS = 'contract/platform/credentials.test.ts';
const CHARGES = 'contract/platform/charges.test.ts';
const CHARGES_ANSWER = 'contract/platform/charges-answer.test.ts';
const CHARGES_DETAILED = 'contract/platform/charges-detailed.test.ts';
const TAG_VALUES = 'contract/platform/tag-values.test.ts';
const CHARGEABLE_ITEMS = 'contract/platform/chargeable-items.test.ts';

/** Spec 4 and 4.1: base addresses, charges, tag values, chargeable items. */
export const SECTION_4_CHARGES: readonly Rule[] = [
  {
    id: '4/base',
    says: 'paths are relative to the base address of their API',
    test: [CREDENTIALS, 'every call goes to the base address of its own API, also one with a path'],
  },
  {
    id: '4.1/account-form',
    says: 'the account form covers every org of the account',
    test: [CHARGES, 'the charges of an account cover all its orgs, or those that orgs names'],
  },
  {
    id: '4.1/org-form',
    says: 'the org form covers only the org in the path',
    test: [
      CHARGES,
      'the charges of an org cover that org alone, at the rate plan of the account that pays',
    ],
  },
  {
    id: '4.1/org-form-rates',
    says: 'the org form is priced with the rate plan of the paying account',
    test: [
      CHARGES,
      'the charges of an org cover that org alone, at the rate plan of the account that pays',
    ],
  },
  {
    id: '4.1/body/times',
    says: 'startTime and endTime are required, in UTC',
    test: [CHARGES, 'a charge query with %s is refused before it is sent'],
  },
  {
    id: '4.1/body/hour',
    says: 'startTime and endTime are on an hour boundary',
    test: [CHARGES, 'a charge query with %s is refused before it is sent'],
  },
  {
    id: '4.1/body/end-exclusive',
    says: 'endTime is exclusive',
    test: [CHARGES, 'the hour that a query ends with is not in it'],
  },
  {
    id: '4.1/body/time-step',
    says: 'timeStep is required: hour, day, week or month',
    test: [CHARGES, 'a charge query takes the steps hour, day, week and month, and no other'],
  },
  {
    id: '4.1/body/by-step',
    says: 'aggregateByTimeStep true is one period per step, false one period for the range',
    test: [CHARGES, 'by step each step is a period, otherwise the whole range is one'],
  },
  {
    id: '4.1/body/group-by',
    says: 'each key of groupBy must be in every aggregateBy',
    test: [
      CHARGES,
      'a groupBy that a query does not aggregate by is refused before it is sent, both named',
    ],
  },
  {
    id: '4.1/body/queries',
    says: 'consumptionQueries are required',
    test: [CHARGES, 'a charge query with %s is refused before it is sent'],
  },
  {
    id: '4.1/body/filter-by',
    says: 'filterBy is an object of tags to match',
    test: [CHARGES, 'filters narrow the charges: by a word, by an expression, by several at once'],
  },
  {
    id: '4.1/body/aggregate-by',
    says: 'aggregateBy are the tags that rows are kept apart by',
    test: [
      CHARGES,
      'rows are kept apart by aggregateBy and the priced tags, and the feature comes by itself',
    ],
  },
  {
    id: '4.1/body/chargeable-items',
    says: 'chargeableItems narrow a query by the names of items',
    test: [CHARGES, 'chargeable items narrow a query to what they price, by their names'],
  },
  {
    id: '4.1/body/orgs',
    says: 'orgs narrows the account form; left out it means all',
    test: [CHARGES, 'the charges of an account cover all its orgs, or those that orgs names'],
  },
  {
    id: '4.1/body/orgs-account-only',
    says: 'orgs belongs to the account form only',
    test: [
      CHARGES,
      'the charges of an org cover that org alone, at the rate plan of the account that pays',
    ],
  },
  {
    id: '4.1/body/detailed',
    says: 'detailed true answers with detailedResults',
    test: [
      CHARGES_DETAILED,
      'detailed charges come by billing period, each with its rate plan and a list of results',
    ],
  },
  {
    id: '4.1/empty',
    says: 'without matching usage results.periods is an empty array',
    test: [CHARGES_ANSWER, 'without usage there are no periods, and that is no failure'],
  },
  {
    id: '4.1/rule-1/priced',
    says: 'a row is priced when its tags include every tag that its item prices on',
    test: [
      CHARGES,
      'rows with every tag of their item are priced, and add up whatever they are grouped by',
    ],
  },
  {
    id: '4.1/rule-1/metric-location-type',
    says: 'metric and locationType must be in aggregateBy',
    test: [
      CHARGES,
      'a priced query without metric or locationType in aggregateBy is refused before it is sent: %s',
    ],
  },
  {
    id: '4.1/rule-1/other-tags',
    says: 'other consumptionTags, such as performanceClass, must be in aggregateBy, too',
    test: [CHARGES, 'rows are told apart by every tag that an item prices on, whoever asks'],
  },
  {
    id: '4.1/rule-1/feature',
    says: 'feature is added automatically',
    test: [
      CHARGES,
      'rows are kept apart by aggregateBy and the priced tags, and the feature comes by itself',
    ],
  },
  {
    id: '4.1/rule-2',
    says: 'a row that matches no item has a total of 0',
    test: [CHARGES, 'what no item prices costs 0'],
  },
  {
    id: '4.1/rule-3/month',
    says: 'tiers start from the first of the month',
    test: [CHARGES, 'tiers begin anew on the first of the month, not with the range'],
  },
  {
    id: '4.1/rule-3/selected',
    says: 'tiers apply to the selected rows, so a narrowed query may have other rates than the invoice',
    test: [
      CHARGES,
      'a narrowed query begins in the first tier, so its rates may be others than the invoice’s',
    ],
  },
  {
    id: '4.1/tags/body',
    says: 'the body has startTime, endTime, tag and filterBy',
    test: [
      TAG_VALUES,
      'the values of an account are read across its orgs, with the question and the account',
    ],
  },
  {
    id: '4.1/tags/echo',
    says: 'the answer echoes the request and adds accountId',
    test: [
      TAG_VALUES,
      'the values of an account are read across its orgs, with the question and the account',
    ],
  },
  {
    id: '4.1/tags/values',
    says: 'tagValues is an array without a guaranteed order',
    test: [TAG_VALUES, 'in whatever order values come, none is lost and none doubled'],
  },
  {
    id: '4.1/tags/empty-string',
    says: 'an empty string stands for matching usage that lacks the tag',
    test: [
      TAG_VALUES,
      'usage without the tag is an empty value, and a filter by feature avoids it: %s',
    ],
  },
  {
    id: '4.1/tags/range',
    says: 'the month that begins at or after endTime is always included',
    test: [
      TAG_VALUES,
      'values are those of whole months, from the start’s through the one at or after the end: %s',
    ],
  },
  {
    id: '4.1/items/any-token',
    says: 'GET /chargeable_items takes any valid token',
    test: [
      CHARGEABLE_ITEMS,
      'any valid token reads the chargeable items, an invalid one does not: %s',
    ],
  },
  {
    id: '4.1/items/array',
    says: 'it answers with an array of items',
    test: [CHARGEABLE_ITEMS, 'every chargeable item is read with its tags, its unit and its words'],
  },
];
