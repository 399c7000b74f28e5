import { SandboxError } from '../errors.ts';
import { readRange, type QueryBody } from './body.ts';
import type { ChargeableItem } from './books.ts';
import { createFilter } from './filter.ts';
import type { Series } from './series.ts';
import { addMonths, ceilTo, floorTo, HOUR_MS, iso, TIME_STEPS, type TimeStep } from './time.ts';

const RETAINED_MONTHS = 12;

/** A query that was understood. Times are ms since the epoch. */
export interface Query {
  /** Aligned outward to whole steps. */
  readonly start: number;
  readonly end: number;
  readonly step: TimeStep;
  /** One period per step. */
  readonly perStep: boolean;
  /** Nothing before this is known at the resolution of the step. */
  readonly retainedFrom: number;
  readonly groupBy: readonly string[];
  readonly selections: readonly Selection[];
}

/** One of the `consumptionQueries`. */
interface Selection {
  readonly selects: (series: Series) => boolean;
  /** The tags of its rows. */
  readonly keys: readonly string[];
}

/**
 * Understands a body by the rules of spec 4.1 and 4.5. Throws a SandboxError: 400 for an invalid
 * value and for times before the retention window, 500 for what spec section 7 has under 500.
 * @param options.priced charge queries want whole hours, and add the tag `feature`
 * @param options.items the catalogue
 */
export function readQuery(
  body: QueryBody,
  options: { priced: boolean; now: number; items: readonly ChargeableItem[] },
): Query {
  const { priced, now, items } = options;
  const { start, end } = readRange(body);
  const step = TIME_STEPS.find((known) => known === body.timeStep);
  if (step === undefined) {
    const known = TIME_STEPS.join(', ');
    throw new SandboxError(500, `invalid timeStep "${body.timeStep}": it must be one of ${known}`);
  }
  if (priced && (start % HOUR_MS !== 0 || end % HOUR_MS !== 0)) {
    throw new SandboxError(500, 'startTime and endTime must be aligned with an hour boundary');
  }
  const selections = readSelections(body, priced, items);
  const retainedFrom = retention(step, now);
  if (start < retainedFrom) {
    throw new SandboxError(
      400,
      `consumption data at timeStep=${step} is retained for ${RETAINED_MONTHS} months`,
      { details: { earliestStartTime: iso(retainedFrom) } },
    );
  }
  return {
    start: floorTo(start, step),
    end: ceilTo(end, step),
    step,
    perStep: body.aggregateByTimeStep ?? false,
    retainedFrom,
    groupBy: body.groupBy ?? ['name'],
    selections,
  };
}

/** Hours, days and weeks are kept for whole months before the current one, months for ever (spec 8). */
function retention(step: TimeStep, now: number): number {
  return step === 'month' ? -Infinity : addMonths(now, -RETAINED_MONTHS);
}

function readSelections(
  body: QueryBody,
  priced: boolean,
  catalogue: readonly ChargeableItem[],
): Selection[] {
  return body.consumptionQueries.map((one, index) => {
    const items = one.chargeableItems?.map((name) => itemNamed(catalogue, name));
    const keys = new Set(one.aggregateBy);
    if (body.groupBy === undefined) keys.add('name');
    if (priced) keys.add('feature');
    for (const item of items ?? []) {
      for (const key of Object.keys(item.consumptionTags)) keys.add(key);
    }
    const missing = body.groupBy?.find((key) => !keys.has(key));
    if (missing !== undefined) {
      throw new SandboxError(
        500,
        `the given metering query groups by ${missing}, ` +
          `but consumption query ${index + 1} does not aggregate by ${missing}`,
      );
    }
    const passes = createFilter(one.filterBy ?? {});
    return {
      keys: [...keys],
      selects: ({ tags, item }) =>
        (items === undefined || (item !== undefined && items.includes(item))) && passes(tags),
    };
  });
}

function itemNamed(catalogue: readonly ChargeableItem[], name: string): ChargeableItem {
  const found = catalogue.find((item) => item.name === name);
  if (found === undefined) throw new SandboxError(400, `there is no chargeable item "${name}"`);
  return found;
}
