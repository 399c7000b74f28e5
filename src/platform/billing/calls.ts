import { isAbsence } from '../errors.ts';
import type { Call, Http, JsonAnswer } from '../http.ts';
import { objectOf } from '../members.ts';
import { ROW_BYTES } from '../read-cache.ts';
import type { ReadOptions, Reading } from '../read-cache.ts';
import type { BillingContext } from './context.ts';
import { malformed, nextPageOf, readListing } from './listing.ts';
import type { Listing } from './listing.ts';

/** What is asked by a GET. */
interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** What the answer is remembered by, where paths differ that mean the same (`path`). */
  readonly key?: string;
}

interface ListQuestion extends Question {
  readonly wrappers: readonly string[];
  /** Whether an answer without a body, or with nothing in it, is a list of nothing. */
  readonly mayBeEmpty?: boolean;
}

/** The calls of one part of the API. All throw PlatformError and nothing else. */
export interface Calls {
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
   * A call that changes something: nothing that was read before it is remembered. It is sent once: whoever
   * wants it sent again looks first at what is there by then.
   */
  write(call: Call): Promise<JsonAnswer>;
}

/** Pages of one list; more than this is a loop of links, not an account. */
const MAX_PAGES = 100;

/** @param asked who is called, or a function that says it for each call and throws where a credential is missing */
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
