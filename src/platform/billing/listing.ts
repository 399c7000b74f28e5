import { PlatformError } from '../errors.ts';

/** The rows of a list as far as they could be read. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** Rows that are there and could not be read; a total over the items is short of them. */
  readonly skipped: number;
}

/** The answer is not what was asked for. `status` says whether a write had its effect all the same. */
export function malformed(what: string, status?: number): PlatformError {
  return new PlatformError('malformed', `the answer is not ${what}`, { status });
}

/**
 * Reads a list that is bare or in one of the members named `wrappers`; null is an empty one. A bad
 * row costs itself only.
 * @param toRow gives undefined for a row that cannot be read
 * @throws PlatformError `malformed`
 */
export function readListing<T>(
  body: unknown,
  wrappers: readonly string[],
  toRow: (row: unknown) => T | undefined,
): Listing<T> {
  const rows = Array.isArray(body) ? (body as unknown[]) : wrappedIn(body, wrappers);
  const items = rows.map(toRow).filter((row) => row !== undefined);
  return { items, skipped: rows.length - items.length };
}

function wrappedIn(body: unknown, wrappers: readonly string[]): unknown[] {
  for (const name of wrappers) {
    const rows = memberOf(body, name);
    if (Array.isArray(rows)) return rows as unknown[];
    if (rows === null) return [];
  }
  throw malformed('a list');
}

/** The record itself, which is bare or in the member `wrapper`. */
export function unwrap(body: unknown, wrapper: string): unknown {
  const wrapped = memberOf(body, wrapper);
  return typeof wrapped === 'object' && wrapped !== null ? wrapped : body;
}

/** An own member of an object; of anything else, undefined. */
export function memberOf(value: unknown, name: string): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isThere ? (value as Record<string, unknown>)[name] : undefined;
}
