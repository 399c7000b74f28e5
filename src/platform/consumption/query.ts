/** The time steps of a query; weeks start on Monday, everything in UTC (spec 4.1, 4.5). */
export const TIME_STEPS = ['hour', 'day', 'week', 'month'] as const;
export type TimeStep = (typeof TIME_STEPS)[number];

/** What a row's tags must match: exactly, or by `/a POSIX regular expression/` (spec 4.5 rule 2). */
export type TagFilter = Readonly<Record<string, string>>;

/** One selection of rows within a query. */
export interface ConsumptionSelection {
  readonly filterBy?: TagFilter;
  /** Rows are summed over the tags that are not named here. */
  readonly aggregateBy: readonly string[];
  /** Only rows that these items of the catalogue price, by name. */
  readonly chargeableItems?: readonly string[];
}

/** What charge and usage queries have in common (spec 4.1, 4.5). */
export interface ConsumptionQuery {
  /** RFC 3339 in UTC. */
  readonly startTime: string;
  /** Exclusive. */
  readonly endTime: string;
  readonly timeStep: TimeStep;
  /** One period per step instead of one for the whole range (false). */
  readonly aggregateByTimeStep?: boolean;
  /** Each must be in every `aggregateBy`. */
  readonly groupBy: readonly string[];
  readonly consumptionQueries: readonly ConsumptionSelection[];
}

/**
 * The body of a query, with nothing in it that the specification does not name. Equal questions
 * have equal bodies. `groupBy` is always there: left out it would mean something else.
 */
export function bodyOf(query: ConsumptionQuery) {
  return {
    startTime: query.startTime,
    endTime: query.endTime,
    timeStep: query.timeStep,
    aggregateByTimeStep: query.aggregateByTimeStep ?? false,
    groupBy: query.groupBy,
    consumptionQueries: query.consumptionQueries.map((selection) => ({
      filterBy: sorted(selection.filterBy),
      aggregateBy: selection.aggregateBy,
      ...(selection.chargeableItems ? { chargeableItems: selection.chargeableItems } : {}),
    })),
  };
}

/** A filter in a fixed order. */
export function sorted(filterBy: TagFilter = {}): TagFilter {
  return Object.fromEntries(Object.entries(filterBy).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
