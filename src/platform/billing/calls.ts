import { Secret } from '../../lib/secret.ts';
import { isAbsence, PlatformError } from '../errors.ts';
import type { Call, Http } from '../http.ts';
import { membersOf, objectOf, objectsOf } from '../json.ts';
import { ROW_BYTES, type ReadOptions } from '../concurrency.ts';
import { followPages } from '../pages.ts';
import type { BillingContext } from './context.ts';

export interface Listing<T> {
  readonly items: readonly T[];
  /** Unreadable rows; a total over the items is incomplete. */
  readonly skipped: number;
}

/** `status` shows whether a write took effect all the same. */
export function malformed(what: string, status?: number): PlatformError {
  return new PlatformError('malformed', `the answer is not ${what}`, { status });
}

/** Undefined for an unreadable row. */
type ToRow<T> = (row: unknown) => T | undefined;

/**
 * Reads a list that is bare, in one of the members named `wrappers`, or else the only list in an unknown
 * wrapper; null is an empty list. Unreadable rows are skipped and counted.
 * @throws PlatformError `malformed`
 */
export function readListing<T>(
  body: unknown,
  wrappers: readonly string[],
  toRow: ToRow<T>,
): Listing<T> {
  const rows = Array.isArray(body) ? (body as unknown[]) : wrappedIn(body, wrappers);
  const items = rows.map(toRow).filter((row) => row !== undefined);
  return { items, skipped: rows.length - items.length };
}

function wrappedIn(body: unknown, wrappers: readonly string[]): unknown[] {
  const said = wrappers.map((name) => membersOf(body)[name]).filter((rows) => rows !== undefined);
  const rows = said.length > 0 ? said.find(isRows) : onlyListIn(body);
  if (rows === undefined) throw malformed('a list');
  return rows ?? [];
}

function isRows(value: unknown): value is unknown[] | null {
  return value === null || Array.isArray(value);
}

/** An object with an id is a record, and a list in it is one of its members. */
function onlyListIn(body: unknown): unknown[] | undefined {
  const { links: _links, ...members } = objectOf(body) ?? {};
  const [rows, ...others] = Object.values(members).filter((member) => Array.isArray(member));
  const isOfObjects = rows?.every((row) => objectOf(row) !== undefined);
  const isWrapper = others.length === 0 && !Object.hasOwn(members, 'id');
  return isOfObjects && isWrapper ? rows : undefined;
}

/**
 * The link to the next page, undefined on the last page.
 * @throws PlatformError `malformed` for a next page without an address
 */
function nextPageOf(body: unknown): string | undefined {
  const next = objectsOf(membersOf(body)['links']).find(
    (link) => membersOf(link)['rel'] === 'next',
  );
  const href = membersOf(next)['href'] ?? '';
  if (typeof href !== 'string') throw malformed('a list that says where it goes on');
  return href || undefined;
}

/** A record may be bare or in the member `wrapper`. */
export function unwrap(body: unknown, wrapper: string): unknown {
  const wrapped = membersOf(body)[wrapper];
  return typeof wrapped === 'object' && wrapped !== null ? wrapped : body;
}

/** Undefined for anything but a boolean. */
export function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** As the platform writes it; undefined for anything but an address. */
export function emailOf(value: unknown): string | undefined {
  const isEmail =
    typeof value === 'string' && !/\s/.test(value) && value.slice(1, -1).includes('@');
  return isEmail ? value : undefined;
}

interface Question {
  readonly path: string;
  readonly query?: Call['query'];
  /** Cache key, for different paths with the same meaning (default: `path`). */
  readonly key?: string;
}

interface ListQuestion extends Question {
  readonly wrappers: readonly string[];
  readonly mayBeEmpty?: boolean;
}

/**
 * @param asked the API, or a function that returns it for each call and throws when a credential is missing
 */
export function createCalls({ cache }: Pick<BillingContext, 'cache'>, asked: Http | (() => Http)) {
  const httpOf = typeof asked === 'function' ? asked : () => asked;
  const load = async (question: Question) => (await httpOf().send(callOf(question))).body;
  const fetchList = async <T>(question: ListQuestion, toRow: ToRow<T>) =>
    fetchPages(httpOf(), question, toRow);

  return {
    /** Cached for seconds. @param toValue may throw `malformed` */
    read: <T>(question: Question, toValue: (body: unknown) => T, options?: ReadOptions) =>
      cache.read(keyOf('record', question), async () => toValue(await load(question)), options),
    /** As `read`; undefined for a 404. */
    readIfAny: <T>(question: Question, toValue: (body: unknown) => T, options?: ReadOptions) =>
      cache.read(
        keyOf('record or none', question),
        () =>
          load(question).then(toValue, (error: unknown) => {
            if (isAbsence(error)) return undefined;
            throw error;
          }),
        options,
      ),
    /** As `read`, for all pages of a list (see `readListing`). */
    readList: <T>(question: ListQuestion, toRow: ToRow<T>, options?: ReadOptions) =>
      cache.read(keyOf('list', question), () => fetchList(question, toRow), {
        ...options,
        weigh: ({ items }) => ROW_BYTES * items.length,
      }),
    /** As `readList`, never cached. */
    fetchList,
    /**
     * Clears the cache. It is sent once: before sending it again, the caller has to check the current state.
     */
    async write(call: Call) {
      cache.forget();
      try {
        return await httpOf().send(call);
      } finally {
        cache.forget();
      }
    },
  };
}

/** One path can be read as a record and as a list, with different results. */
function keyOf(kind: string, { path, query = {}, key = path }: Question): string {
  return `${kind} ${key}?${new URLSearchParams(query).toString()}`;
}

function callOf({ path, query }: Question): Call {
  return { method: 'GET', path, query };
}

const MAX_PAGES = 100;

/** Reads all pages: without the last one a list only looks complete. */
async function fetchPages<T>(
  http: Http,
  question: ListQuestion,
  toRow: ToRow<T>,
): Promise<Listing<T>> {
  const { path, query, wrappers, mayBeEmpty = false } = question;
  const pages: Listing<T>[] = [];
  await followPages(http, path, MAX_PAGES, async (address) => {
    const own = pages.length === 0 ? { query, mayBeEmpty } : {};
    const { body } = await http.send({ method: 'GET', path: address, ...own });
    pages.push(readListing(mayBeEmpty && isEmpty(body) ? [] : body, wrappers, toRow));
    return nextPageOf(body);
  });
  return {
    items: pages.flatMap(({ items }) => items),
    skipped: pages.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

function isEmpty(body: unknown): boolean {
  const members = objectOf(body ?? {});
  return members !== undefined && Object.keys(members).length === 0;
}

/**
 * A secret that an answer shows once: the text itself or, in an object, its `key`, its `token` or its only
 * text.
 */
export function newSecretOf(value: unknown): Secret | undefined {
  const members = membersOf(value);
  const texts = Object.values(members).filter(isText);
  const only = texts.length === 1 ? texts[0] : undefined;
  const secret = [value, members['key'], members['token'], only].find(isText);
  return secret === undefined ? undefined : new Secret(secret);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
