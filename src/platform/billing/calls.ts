import { z } from 'zod';
import { Secret } from '../../lib/secret.ts';
import { isAbsence, PlatformError } from '../errors.ts';
import type { Call, Http, JsonAnswer } from '../http.ts';
import { idOf, objectOf, objectsOf, own } from '../json.ts';
import { ROW_BYTES, type Reading, type ReadOptions } from '../concurrency.ts';
import type { BillingContext } from './context.ts';

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
 * Reads a list that is bare, in one of the members named `wrappers`, or else the only list in an
 * unknown wrapper; null is an empty list. A row that cannot be read is skipped and counted.
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
function nextPageOf(body: unknown): string | undefined {
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

/**
 * What the records of the billing API must have to be read at all: identity, roles and consent. These
 * are checked and never guessed; but for ids, which may be numbers, they are taken as they are.
 * Everything else is a `label`: it may be anything, and what has the wrong type counts as absent.
 */
export const label = z.unknown().optional();
export const identity = z.preprocess(idOf, z.string().min(1));
export const email = z
  .string()
  .refine((text) => !/\s/.test(text) && text.slice(1, -1).includes('@'));

/** What is asked by a GET. */
interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Key in the cache, for paths that differ and mean the same (default: `path`). */
  readonly key?: string;
}

interface ListQuestion extends Question {
  readonly wrappers: readonly string[];
  /** Whether an answer without a body, or with nothing in it, is a list of nothing. */
  readonly mayBeEmpty?: boolean;
}

/** The calls of one part of the API. All throw PlatformError and nothing else. */
interface Calls {
  /** A read that is remembered for seconds. @param toValue may throw `malformed` */
  read<T>(
    question: Question,
    toValue: (body: unknown) => T,
    options?: ReadOptions,
  ): Promise<Reading<T>>;
  /** As `read`; undefined where the platform says 404. */
  readIfAny<T>(
    question: Question,
    toValue: (body: unknown) => T,
    options?: ReadOptions,
  ): Promise<Reading<T | undefined>>;
  /** As `read`, of all pages of a list (see `readListing`). */
  readList<T>(
    question: ListQuestion,
    toRow: (row: unknown) => T | undefined,
    options?: ReadOptions,
  ): Promise<Reading<Listing<T>>>;
  /** As `readList`, never remembered. */
  fetchList<T>(question: ListQuestion, toRow: (row: unknown) => T | undefined): Promise<Listing<T>>;
  /**
   * A call that changes something: it clears the cache. It is sent once: before sending it again, the
   * caller has to look at what is there by then.
   */
  write(call: Call): Promise<JsonAnswer>;
}

/** Pages of one list; more than this is a loop of links, not an account. */
const MAX_PAGES = 100;

/** @param asked the API that is called, or a function that gives it for each call and throws where a credential is missing */
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

/** One path can be read as a record and as a list, and what is remembered of the one is not the other. */
function keyOf(kind: string, { path, query = {}, key = path }: Question): string {
  return `${kind} ${key}?${new URLSearchParams(query).toString()}`;
}

function callOf({ path, query }: Question): Call {
  return { method: 'GET', path, ...(query ? { query } : {}) };
}

/** Follows the links from page to page: without the last one a list only looks complete. */
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
 * A secret that an answer says once: the text itself or, in an object, its `key`, its `token` or its
 * only text. Undefined when there is none to be found.
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
