import type { ConsumptionQuery } from '../platform/consumption/query.ts';
import type { FigureQuery } from './query.ts';
import type { Range } from './range.ts';

/**
 * The query that the platform is asked (spec 4.1, 4.5; design section 3). A step whose boundaries the
 * range does not keep would widen it, so then a finer one is asked for, to be added up here.
 */
export function toConsumptionQuery(
  _query: FigureQuery,
  _by: readonly string[],
  _range: Range,
): ConsumptionQuery {
  throw new Error('not there yet');
}
