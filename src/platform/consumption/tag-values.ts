import { PlatformError } from '../errors.ts';
import { objectOf, own, tagOf } from '../members.ts';
import { sorted } from './query.ts';
import type { TagFilter } from './query.ts';

/** A query for the distinct values of a tag (spec 4.6); the platform widens the range to whole months. */
export interface TagValuesQuery {
  /** RFC 3339 in UTC. */
  readonly startTime: string;
  readonly endTime: string;
  readonly tag: string;
  readonly filterBy?: TagFilter;
}

/** The values of a tag, in alphabetical order (billing sends them in none). */
export interface TagValues {
  /** With an empty string when some of the matching usage lacks the tag. */
  readonly values: readonly string[];
  /** Values that could not be read. */
  readonly skipped: number;
}

/** The body of the query; equal questions have equal bodies. */
export function tagValuesBodyOf({ startTime, endTime, tag, filterBy }: TagValuesQuery) {
  return { startTime, endTime, tag, filterBy: sorted(filterBy) };
}

/** @throws PlatformError `malformed` when it does not say whether there are values */
export function readTagValues(answer: unknown): TagValues {
  const object = objectOf(answer);
  const said = object && own(object, 'tagValues');
  if (said !== null && !Array.isArray(said)) {
    throw new PlatformError('malformed', 'the answer has no values of a tag');
  }
  const values = (said ?? []).map(tagOf).filter((value) => value !== undefined);
  return { values: values.toSorted(), skipped: (said?.length ?? 0) - values.length };
}
