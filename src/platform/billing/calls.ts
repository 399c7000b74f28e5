import { PlatformError } from '../errors.ts';
import type { Call, Http, JsonAnswer } from '../http.ts';
import type { ReadOptions, Reading } from '../read-cache.ts';
import type { BillingContext } from './context.ts';
import { readListing } from './listing.ts';
import type { Listing } from './listing.ts';

/** What is asked by a GET; it is also the name under which the answer is remembered. */
interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
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
  /** As `read`, of a list (see `readListing`). */
  readList<T>(
    question: Question & { wrappers: readonly string[] },
    toRow: (row: unknown) => T | undefined,
    options?: ReadOptions,
  ): Promise<Reading<Listing<T>>>;
  /** A call that changes something: nothing that was read before it is remembered. */
  write(call: Call): Promise<JsonAnswer>;
}

/** @param httpOf asked for each call; it throws where the credential is missing */
export function createCalls({ cache }: Pick<BillingContext, 'cache'>, httpOf: () => Http): Calls {
  const keyOf = ({ path, query = {} }: Question) =>
    `${path}?${new URLSearchParams(query).toString()}`;
  const load = async ({ path, query }: Question) =>
    (await httpOf().send({ method: 'GET', path, ...(query ? { query } : {}) })).body;

  return {
    read: (question, toValue, options) =>
      cache.read(keyOf(question), async () => toValue(await load(question)), options),
    readIfAny: (question, toValue, options) =>
      cache.read(
        keyOf(question),
        () =>
          load(question).then(toValue, (error: unknown) => {
            if (isAbsence(error)) return undefined;
            throw error;
          }),
        options,
      ),
    readList: (question, toRow, options) =>
      cache.read(
        keyOf(question),
        async () => readListing(await load(question), question.wrappers, toRow),
        { ...options, weigh: ({ items }) => items.length },
      ),
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

function isAbsence(error: unknown): boolean {
  return error instanceof PlatformError && error.reason === 'not-found';
}
