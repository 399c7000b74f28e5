import { objectOf } from '../members.ts';
import { PlatformError } from '../errors.ts';
import { objectsOf } from '../tolerant.ts';

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
 * Reads a list that is bare, in one of the members named `wrappers`, or else the only one in a
 * wrapper that nobody foresaw; null is an empty one. A bad row costs itself only.
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
  const said = wrappers.map((name) => memberOf(body, name)).filter((rows) => rows !== undefined);
  const rows = said.length > 0 ? said.find(isRows) : onlyListIn(body);
  if (rows === undefined) throw malformed('a list');
  return rows ?? [];
}

function isRows(value: unknown): value is unknown[] | null {
  return value === null || Array.isArray(value);
}

/** What has an id is a record, and a list in it is one of its members. */
function onlyListIn(body: unknown): unknown[] | undefined {
  const { links: _links, ...members } = objectOf(body) ?? {};
  const [rows, ...others] = Object.values(members).filter((member) => Array.isArray(member));
  const isOfObjects = rows?.every((row) => objectOf(row) !== undefined);
  const isWrapper = others.length === 0 && !Object.hasOwn(members, 'id');
  return isOfObjects && isWrapper ? rows : undefined;
}

/**
 * The link from a page of a list to the next one, undefined on the last page.
 * @throws PlatformError `malformed` when there is a next page and no telling where
 */
export function nextPageOf(body: unknown): string | undefined {
  const next = objectsOf(memberOf(body, 'links')).find((link) => memberOf(link, 'rel') === 'next');
  const href = memberOf(next, 'href') ?? '';
  if (typeof href !== 'string') throw malformed('a list that says where it goes on');
  return href || undefined;
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

/** What is said in so many words; anything else says nothing. */
export function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
