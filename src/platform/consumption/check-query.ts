import { nearest } from '../../lib/nearest.ts';
import { checkHour, checkTime, refusal } from '../checks.ts';
import type { PlatformError } from '../errors.ts';
import { TIME_STEPS } from './query.ts';
import type { ConsumptionQuery, TagFilter } from './query.ts';
import type { TagValuesQuery } from './tag-values.ts';

/** What is checked of a query before it is sent, with the reason that the platform would have. */

/** The chargeable items as far as a query depends on them (spec 2.6). */
interface Catalogue {
  readonly items: readonly { readonly name: string }[];
  /** Items that could not be read. */
  readonly skipped: number;
}

type CheckTime = (name: string, value: string) => number;

/** Tags without which no row is priced (spec 4.1 rule 1). */
const PRICED_TAGS = ['metric', 'locationType'];

/**
 * Checks a usage query (spec 4.5): times in UTC, which the platform aligns by itself, and what is
 * said of `groupBy` and the filters. @throws PlatformError `bad-request`
 */
export function checkUsageQuery(query: ConsumptionQuery): void {
  checkRange(query, checkTime);
  checkShape(query);
}

/**
 * Checks a charge query (spec 4.1): as a usage query, with times on hour boundaries and the tags
 * that rows are priced on. @throws PlatformError `bad-request`
 */
export function checkChargeQuery(query: ConsumptionQuery, orgs?: readonly string[]): void {
  checkRange(query, checkHour);
  checkShape(query);
  if (orgs?.length === 0) throw refusal('name at least one org, or leave orgs out for all');
  for (const [index, { aggregateBy }] of query.consumptionQueries.entries()) {
    for (const tag of PRICED_TAGS) {
      if (aggregateBy.includes(tag)) continue;
      throw refusal(
        `consumption query ${index + 1} does not aggregate by ${tag}, so no row of it would be priced`,
      );
    }
  }
}

/** Checks that the named chargeable items exist (spec 2.6). @throws PlatformError `bad-request` */
export function checkItems(query: ConsumptionQuery, { items, skipped }: Catalogue): void {
  // It may be one of those that could not be read.
  if (skipped > 0) return;
  const names = items.map(({ name }) => name);
  const named = query.consumptionQueries.flatMap(({ chargeableItems }) => chargeableItems ?? []);
  const unknown = named.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownItem(unknown, names);
}

function unknownItem(name: string, names: readonly string[]): PlatformError {
  const meant = nearest(name, names);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return refusal(`there is no chargeable item ${JSON.stringify(name)}${hint}`);
}

/** Checks a query for the values of a tag (spec 4.6). @throws PlatformError `bad-request` */
export function checkTagValuesQuery(query: TagValuesQuery): void {
  checkRange(query, checkTime);
  if (query.tag === '') throw refusal('a tag must be named');
  checkFilter(query.filterBy);
}

function checkRange(range: { startTime: string; endTime: string }, check: CheckTime): void {
  const start = check('startTime', range.startTime);
  const end = check('endTime', range.endTime);
  if (end <= start) throw refusal('endTime must be after startTime');
}

function checkShape({ timeStep, groupBy, consumptionQueries }: ConsumptionQuery): void {
  if (!TIME_STEPS.includes(timeStep)) {
    throw refusal(`timeStep must be one of ${TIME_STEPS.join(', ')}`);
  }
  if (consumptionQueries.length === 0) throw refusal('at least one consumption query is needed');
  for (const [index, { filterBy, aggregateBy }] of consumptionQueries.entries()) {
    const missing = groupBy.find((tag) => !aggregateBy.includes(tag));
    if (missing !== undefined) {
      throw refusal(
        `the query groups by ${missing}, but consumption query ${index + 1} does not aggregate by ${missing}`,
      );
    }
    checkFilter(filterBy);
  }
}

/** Spec 4.5 rule 2. Whether an expression is right in itself, the platform says (500). */
function checkFilter(filterBy: TagFilter = {}): void {
  const index = filterBy['volumeIndex'];
  if (index !== undefined && !/^\/.+\/$/s.test(index)) {
    throw refusal('volumeIndex is matched by a regular expression only, such as /^0$/');
  }
}
