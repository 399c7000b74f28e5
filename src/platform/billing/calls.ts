import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import { isAbsence, PlatformError } from '../errors.ts';
import type { Call, Http, JsonAnswer } from '../http.ts';
import { idOf, objectOf, objectsOf, own } from '../json.ts';
import { ROW_BYTES, type Reading, type ReadOptions } from '../concurrency.ts';
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

/**
 * Reads a list that is bare, in one of the members named `wrappers`, or else the only list in an unknown
 * wrapper; null is an empty list. Unreadable rows are skipped and counted.
 * @param toRow returns undefined for an unreadable row
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
  const next = objectsOf(memberOf(body, 'links')).find((link) => memberOf(link, 'rel') === 'next');
  const href = memberOf(next, 'href') ?? '';
  if (typeof href !== 'string') throw malformed('a list that says where it goes on');
  return href || undefined;
}

/** A record may be bare or in the member `wrapper`. */
export function unwrap(body: unknown, wrapper: string): unknown {
  const wrapped = memberOf(body, wrapper);
  return typeof wrapped === 'object' && wrapped !== null ? wrapped : body;
}

/** Undefined for anything but an object. */
export function memberOf(value: unknown, name: string): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isThere ? (value as Record<string, unknown>)[name] : undefined;
}

/** Undefined for anything but a boolean. */
export function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/**
 * Required members of billing records: identity, roles and consent. They are checked and never guessed, and
 * taken as they are; only ids may be numbers. All others are a `label`: any type, and a wrong type counts as
 * absent.
 */
export const label = z.unknown().optional();
export const identity = z.preprocess(idOf, z.string().min(1));
export const email = z
  .string()
  .refine((text) => !/\s/.test(text) && text.slice(1, -1).includes('@'));

interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Cache key, for different paths with the same meaning (default: `path`). */
  readonly key?: string;
}

interface ListQuestion extends Question {
  readonly wrappers: readonly string[];
  readonly mayBeEmpty?: boolean;
}

/** All calls throw PlatformError and nothing else. */
interface Calls {
  /** Cached for seconds. @param toValue may throw `malformed` */
  read<T>(
    question: Question,
    toValue: (body: unknown) => T,
    options?: ReadOptions,
  ): Promise<Reading<T>>;
  /** As `read`; undefined for a 404. */
  readIfAny<T>(
    question: Question,
    toValue: (body: unknown) => T,
    options?: ReadOptions,
  ): Promise<Reading<T | undefined>>;
  /** As `read`, for all pages of a list (see `readListing`). */
  readList<T>(
    question: ListQuestion,
    toRow: (row: unknown) => T | undefined,
    options?: ReadOptions,
  ): Promise<Reading<Listing<T>>>;
  /** As `readList`, never cached. */
  fetchList<T>(question: ListQuestion, toRow: (row: unknown) => T | undefined): Promise<Listing<T>>;
  /**
   * A write clears the cache. It is sent once: before sending it again, the caller has to check the current
   * state.
   */
  write(call: Call): Promise<JsonAnswer>;
}

/** More pages of one list are a loop of links. */
const MAX_PAGES = 100;

/**
 * @param asked the API, or a function that returns it for each call and throws when a credential is missing
 */
export function createCalls(
  { cache }: Pick<BillingContext, 'cache'>,
  asked: Http | (() => Http),
): Calls {
  const httpOf = typeof asked === 'function' ? asked : () => asked;
  const load = async (question: Question) => (await httpOf().send(callOf(question))).body;
  const fetchList: Calls['fetchList'] = async (question, toRow) =>
    fetchPages(httpOf(), question, toRow);

  return {
    read: (question, toValue, options) =>
      cache.read(keyOf('record', question), async () => toValue(await load(question)), options),
    readIfAny: (question, toValue, options) =>
      cache.read(
        keyOf('record or none', question),
        () =>
          load(question).then(toValue, (error: unknown) => {
            if (isAbsence(error)) return undefined;
            throw error;
          }),
        options,
      ),
    readList: (question, toRow, options) =>
      cache.read(keyOf('list', question), () => fetchList(question, toRow), {
        ...options,
        weigh: ({ items }) => ROW_BYTES * items.length,
      }),
    fetchList,
    async write(call) {
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
  return { method: 'GET', path, ...(query ? { query } : {}) };
}

/** Reads all pages: without the last one a list only looks complete. */
async function fetchPages<T>(
  http: Http,
  question: ListQuestion,
  toRow: (row: unknown) => T | undefined,
): Promise<Listing<T>> {
  const { path, wrappers, mayBeEmpty = false } = question;
  const pages: Listing<T>[] = [];
  const followed = new Set<string>();
  let address = http.resolve(path);
  let call: Call = { ...callOf(question), mayBeEmpty };
  for (;;) {
    const { body } = await http.send(call);
    pages.push(readListing(mayBeEmpty && isEmpty(body) ? [] : body, wrappers, toRow));
    const link = nextPageOf(body);
    if (link === undefined) return joined(pages);
    address = http.resolve(link, address);
    if (followed.has(address) || pages.length >= MAX_PAGES) {
      throw malformed('a list that comes to an end');
    }
    followed.add(address);
    call = callOf({ path: address });
  }
}

function isEmpty(body: unknown): boolean {
  const members = objectOf(body ?? {});
  return members !== undefined && Object.keys(members).length === 0;
}

function joined<T>(pages: readonly Listing<T>[]): Listing<T> {
  return {
    items: pages.flatMap(({ items }) => items),
    skipped: pages.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/**
 * A secret that an answer shows once: the text itself or, in an object, its `key`, its `token` or its only
 * text.
 */
export function newSecretOf(value: unknown): Secret | undefined {
  const object = objectOf(value) ?? {};
  const texts = Object.values(object).filter(isText);
  const [secret] = [
    value,
    own(object, 'key'),
    own(object, 'token'),
    texts.length === 1 ? texts[0] : undefined,
  ].filter(isText);
  return secret === undefined ? undefined : new Secret(secret);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
