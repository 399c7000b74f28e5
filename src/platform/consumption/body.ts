import { documentText, readDocumentIn, tooLarge } from '../answer.ts';
import { createAllowance } from '../allowance.ts';
import type { Allowance } from '../allowance.ts';
import { parseExact } from '../exact-json.ts';
import type { Http } from '../http.ts';
import { parseInParts } from '../json-parts.ts';
import type { Part } from '../json-parts.ts';
import type { ReadCache, Reading, ReadOptions } from '../read-cache.ts';

/** How the answer to a query is asked for, when somebody else parses it. */
export interface BodyOptions extends ReadOptions {
  /** What of it is read at most; an answer that is remembered counts, too. */
  readonly allowance: Allowance;
}

/** The answer to a query as it came; a query changes nothing, so it may be asked again. @throws PlatformError */
export async function readBody(
  { cache, http }: { readonly cache: ReadCache; readonly http: Http },
  path: string,
  query: object,
  { allowance, ...options }: BodyOptions,
): Promise<Reading<Uint8Array>> {
  let isAsked = false;
  const load = async (): Promise<Uint8Array> => {
    isAsked = true;
    const call = {
      method: 'POST',
      path,
      body: query,
      repeatable: true,
      answer: allowance,
    } as const;
    return (await http.send(call)).body as Uint8Array;
  };
  const reading = await cache.read(`${path} ${JSON.stringify(query)}`, load, {
    ...options,
    weigh: ({ length }) => length,
  });
  const { length } = reading.value;
  if (!isAsked && !allowance.take(length)) throw tooLarge(length - 1);
  return reading;
}

/**
 * What is made of the answer to a query, of which groups come as `Part`s; undefined where there was none.
 * @throws PlatformError `malformed`
 */
export function readAnswerIn<T>(body: Uint8Array, read: (answer: unknown) => T): T {
  return readDocumentIn(body, (document) => {
    const parts: Part[] = [];
    const value = read(parseInParts(document, 'groups', parts));
    // As of a document that is parsed as a whole: one name with two values, wherever, is no answer.
    for (const part of parts) part.check();
    return value;
  });
}

/**
 * What is parsed at once, in the thread that answers Slack: a sum by org is far from it, and what is larger
 * takes a thread of its own.
 */
const SMALL_BYTES = 4 * 1024 * 1024;

/** Asks for a small answer and reads it here. @throws PlatformError `too-large` beyond 4 MB, `malformed` */
export async function readSmall<
  Options extends ReadOptions,
  T extends { readonly body: Uint8Array },
  V,
>(
  ask: (options: Options & BodyOptions) => Promise<Reading<T>>,
  options: Options,
  read: (answer: unknown, told: T) => V,
): Promise<Reading<V>> {
  const { value, readAt } = await ask({ ...options, allowance: createAllowance(SMALL_BYTES) });
  return { value: readAnswerIn(value.body, (answer) => read(answer, value)), readAt };
}

/** A question whose answer is small and changes nothing. @throws PlatformError `too-large` beyond 4 MB, `malformed` */
export async function postSmall(http: Http, path: string, body: object): Promise<unknown> {
  const answer = createAllowance(SMALL_BYTES);
  const { body: said } = await http.send({ method: 'POST', path, body, repeatable: true, answer });
  return readDocumentIn(said as Uint8Array, (document) => {
    const text = documentText(document);
    return text.trim() === '' ? undefined : parseExact(text);
  });
}
