import type { Rule } from './rule.ts';

const CHARGEABLE_ITEMS = 'contract/platform/chargeable-items.test.ts';
const CHARGES = 'contract/platform/charges.test.ts';
const CHARGES_ANSWER = 'contract/platform/charges-answer.test.ts';
const CHARGES_DETAILED = 'contract/platform/charges-detailed.test.ts';

/** Spec 2.6 and 2.7: chargeable items and priced usage. */
export const SECTION_2_CHARGES: readonly Rule[] = [
  {
    id: '2.6/id',
    says: 'an item has an id, a string',
    test: [CHARGEABLE_ITEMS, 'every chargeable item is read with its tags, its unit and its words'],
  },
  {
    id: '2.6/name',
    says: 'an item’s name is what chargeableItems of a query names',
    test: [CHARGES, 'chargeable items narrow a query to what they price, by their names'],
  },
  {
    id: '2.6/description',
    says: 'an item has a description',
    test: [CHARGEABLE_ITEMS, 'every chargeable item is read with its tags, its unit and its words'],
  },
  {
    id: '2.6/consumption-tags',
    says: 'consumptionTags are the tags that a row must carry, with feature, metric and locationType',
    test: [CHARGEABLE_ITEMS, 'every chargeable item is read with its tags, its unit and its words'],
  },
  {
    id: '2.6/performance-class',
    says: 'items for volume sets price on performanceClass, too',
    test: [CHARGES, 'rows are told apart by every tag that an item prices on, whoever asks'],
  },
  {
    id: '2.6/unit',
    says: 'unit is what the priced usage is counted in, for example a product of bytes and seconds',
    test: [CHARGEABLE_ITEMS, 'every chargeable item is read with its tags, its unit and its words'],
  },
  {
    id: '2.6/type',
    says: 'type is a string; consumption appears, other words and none are possible',
    test: [CHARGEABLE_ITEMS, 'the type of an item may be any word, or absent'],
  },
  {
    id: '2.7/results',
    says: 'the answer wraps the result of a usage query in results',
    test: [
      CHARGES_ANSWER,
      'charges come as periods of groups of priced rows, under the keys that were asked for',
    ],
  },
  {
    id: '2.7/period-range',
    says: 'a period has startTime, endTime and totalSeconds',
    test: [
      CHARGES_ANSWER,
      'a period says its range, its length, how much of it has passed and how many rows it holds',
    ],
  },
  {
    id: '2.7/period-elapsed',
    says: 'a period has elapsedSeconds; a period that has not begun has none',
    test: [
      CHARGES_ANSWER,
      'a period says its range, its length, how much of it has passed and how many rows it holds',
    ],
  },
  {
    id: '2.7/period-count',
    says: 'a period has consumptionCount, and so has the top level',
    test: [
      CHARGES_ANSWER,
      'a period says its range, its length, how much of it has passed and how many rows it holds',
    ],
  },
  {
    id: '2.7/group-key',
    says: 'a group’s key is an object of the groupBy tags',
    test: [
      CHARGES_ANSWER,
      'charges come as periods of groups of priced rows, under the keys that were asked for',
    ],
  },
  {
    id: '2.7/consumption',
    says: 'a consumption has value, in the metric’s unit, and tags',
    test: [
      CHARGES_ANSWER,
      'charges come as periods of groups of priced rows, under the keys that were asked for',
    ],
  },
  {
    id: '2.7/total',
    says: 'total is the charge in whole currency units, decimal',
    test: [
      CHARGES_ANSWER,
      'each charge is an exact decimal in whole units, with its currency and its rate plans',
    ],
  },
  {
    id: '2.7/projected-total',
    says: 'projectedTotal is the total extrapolated to the full period, for the period of the current time',
    test: [
      CHARGES_ANSWER,
      'the period of the present has a total projected to its end, and no other period has',
    ],
  },
  {
    id: '2.7/currency',
    says: 'currency is that of the rate plan',
    test: [
      CHARGES_ANSWER,
      'each charge is an exact decimal in whole units, with its currency and its rate plans',
    ],
  },
  {
    id: '2.7/rate-plans',
    says: 'ratePlans are the ids of the rate plans that priced the row',
    test: [
      CHARGES_ANSWER,
      'each charge is an exact decimal in whole units, with its currency and its rate plans',
    ],
  },
  {
    id: '2.7/money-is-not-guessed',
    says: 'a row whose money cannot be read is left out and counted, never shown as another sum',
    test: [CHARGES_ANSWER, 'a row whose money cannot be read is left out and counted'],
  },
  {
    id: '2.7/detailed-results',
    says: 'detailed answers with detailedResults: one entry per billing period that overlaps the range',
    test: [
      CHARGES_DETAILED,
      'detailed charges come by billing period, each with its rate plan and a list of results',
    ],
  },
  {
    id: '2.7/detailed-account-state',
    says: 'accountState of an entry carries the period’s ratePlan',
    test: [
      CHARGES_DETAILED,
      'detailed charges come by billing period, each with its rate plan and a list of results',
    ],
  },
  {
    id: '2.7/detailed-array',
    says: 'results of an entry is an array of usage query responses',
    test: [
      CHARGES_DETAILED,
      'detailed charges come by billing period, each with its rate plan and a list of results',
    ],
  },
  {
    id: '2.7/details',
    says: 'every row has details, one entry per pricing tier',
    test: [
      CHARGES_DETAILED,
      'every row tells its tiers: units, rate, bounds (-1 is none), item and rate plan item',
    ],
  },
  {
    id: '2.7/detail-amount',
    says: 'amount of a detail is the charge of the tier in whole currency units',
    test: [
      CHARGES_DETAILED,
      'units times rate is the amount of a tier; units add up to the usage, amounts to the total',
    ],
  },
  {
    id: '2.7/detail-units',
    says: 'units of a detail is the usage billed in the tier',
    test: [
      CHARGES_DETAILED,
      'units times rate is the amount of a tier; units add up to the usage, amounts to the total',
    ],
  },
  {
    id: '2.7/detail-rate',
    says: 'rate of a detail is the price of one unit in the tier',
    test: [
      CHARGES_DETAILED,
      'units times rate is the amount of a tier; units add up to the usage, amounts to the total',
    ],
  },
  {
    id: '2.7/detail-bounds',
    says: 'from and to are the bounds of the tier in usage units',
    test: [
      CHARGES_DETAILED,
      'every row tells its tiers: units, rate, bounds (-1 is none), item and rate plan item',
    ],
  },
  {
    id: '2.7/detail-unbounded',
    says: '-1 as a bound means unbounded',
    test: [
      CHARGES_DETAILED,
      'every row tells its tiers: units, rate, bounds (-1 is none), item and rate plan item',
    ],
  },
  {
    id: '2.7/detail-items',
    says: 'chargeableItemId and ratePlanItem are what priced the tier',
    test: [
      CHARGES_DETAILED,
      'every row tells its tiers: units, rate, bounds (-1 is none), item and rate plan item',
    ],
  },
];
