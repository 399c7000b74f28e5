import type { ConsumptionQuery, TagFilter, TimeStep } from '../platform/consumption/query.ts';
import type { FigureQuery } from './query.ts';
import { isAligned, naturalStep } from './range.ts';
import type { Range } from './range.ts';
import { filterAsTyped, filterFor } from './tag-filter.ts';

/** Without these a row would not be priced, or would mix what is metered alike (spec 2.6, 4.1 rule 1). */
export const ALWAYS_APART: readonly string[] = [
  'feature',
  'metric',
  'locationType',
  'performanceClass',
];

/** The steps whose boundaries are all boundaries of the asked one's parts, largest first. */
const PARTS: Readonly<Record<TimeStep, readonly TimeStep[]>> = {
  month: ['month', 'day', 'hour'],
  week: ['week', 'day', 'hour'],
  day: ['day', 'hour'],
  hour: ['hour'],
};

/**
 * The query that the platform is asked (spec 4.1, 4.5; design section 3). A step whose boundaries the
 * range does not keep would widen it, so then a finer one is asked for, to be added up here.
 */
export function toConsumptionQuery(
  query: FigureQuery,
  by: readonly string[],
  range: Range,
): ConsumptionQuery {
  const { step, items } = query;
  return {
    startTime: rfc3339(range.startMs),
    endTime: rfc3339(range.endMs),
    timeStep: platformStep(step, range),
    aggregateByTimeStep: step !== undefined,
    groupBy: by,
    consumptionQueries: [
      {
        filterBy: filterOf(query),
        aggregateBy: [...new Set([...ALWAYS_APART, ...by])],
        ...(items.length > 0 ? { chargeableItems: items } : {}),
      },
    ],
  };
}

/**
 * The filter of a query, of its metrics too; it may be empty. A plain number becomes the regular
 * expression that it takes to match it (spec 4.5 rule 2).
 */
export function filterOf({ where, of }: Pick<FigureQuery, 'where' | 'of'>): TagFilter {
  const filters = Object.entries(where).map(([tag, value]) => [tag, filterAsTyped(tag, value)]);
  const metric = of.length === 0 ? {} : { metric: filterFor('metric', of) };
  return { ...(Object.fromEntries(filters) as TagFilter), ...metric };
}

/** RFC 3339 in UTC. `ms` since the epoch, on whole seconds. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** The step that the platform is asked for: the asked one where the range keeps its boundaries. */
export function platformStep(step: TimeStep | undefined, range: Range): TimeStep {
  if (step === undefined) return naturalStep(range);
  return PARTS[step].find((part) => isAligned(range, part)) ?? 'hour';
}
