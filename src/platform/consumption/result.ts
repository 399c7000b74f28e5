import type { BigNumber } from 'bignumber.js';
import { createAllowance, exactJson, readDocumentIn, tooLarge, type Allowance } from '../answer.ts';
import { PlatformError } from '../errors.ts';
import type { Http } from '../http.ts';
import { parseInParts, Part } from '../json-text.ts';
import {
  countOf,
  isNothing,
  objectOf,
  own,
  quantityOf,
  tagsOf,
  timeOf,
  type Members,
} from '../json.ts';
import { ROW_BYTES, type ReadCache, type Reading, type ReadOptions } from '../concurrency.ts';
import {
  checkTagValuesQuery,
  readTagValues,
  tagValuesBodyOf,
  type TagValues,
  type TagValuesQuery,
} from './query.ts';

/** The readable part of an answer (spec 2.7). */
export interface ConsumptionResult<Row> {
  readonly periods: readonly Period<Row>[];
  readonly consumptionCount: number | undefined;
  /** Unreadable rows: totals without them are incomplete. */
  readonly skipped: number;
}

export interface Period<Row> {
  /** Ms since the epoch, as are all times here. */
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
  readonly totalSeconds: number | undefined;
  /** Absent for a period that has not begun. */
  readonly elapsedSeconds: number | undefined;
  readonly consumptionCount: number | undefined;
  readonly groups: readonly Group<Row>[];
}

export interface Group<Row> {
  /** The grouping tags; an empty string for one that the rows lack. */
  readonly key: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

/** `value` is in the metric's unit, exact. */
export interface Consumption {
  readonly value: BigNumber;
  readonly tags: Readonly<Record<string, string>>;
}

export interface UsageRow extends Consumption {
  /** `value` extrapolated to the full period, if the platform states it. */
  readonly projectedValue: BigNumber | undefined;
}

/** Reads the members of a row beyond `Consumption`; undefined for an unreadable row. */
type ReadRow<Row> = (consumption: Consumption, members: Members) => Row | undefined;

/**
 * Reads the answer of a query. A row with unclear money, quantity or tags is skipped and counted; so are all
 * rows of an unclear group or period. Lists that are null or absent are empty, if the counts of the answer
 * agree.
 * @param groupBy the tags that name a group; one that none of its rows has is an empty string
 * @throws PlatformError `malformed` when it is not the answer of a query; SyntaxError for a group of
 *   invalid JSON
 */
export function readResult<Row extends Consumption>(
  answer: unknown,
  groupBy: readonly string[],
  readRow: ReadRow<Row>,
): ConsumptionResult<Row> {
  const result = objectOf(answer) ?? {};
  const periods = listIn(result, 'periods');
  const consumptionCount = countOf(own(result, 'consumptionCount'));
  const hasResult = own(result, 'periods') !== undefined || consumptionCount === 0;
  if (periods === undefined || !hasResult) {
    throw new PlatformError('malformed', 'the answer is not the result of a query');
  }
  const reading = { groupBy, readRow, shared: createShared() };
  const read = (period: unknown) => readPeriod(period, reading);
  const { items, skipped } = readEach(periods, read, rowsOfPeriod);
  return { periods: items, consumptionCount, skipped };
}

/** Spec 4.5 rule 3. */
export const readUsageRow: ReadRow<UsageRow> = ({ value, tags }, members) => {
  const projected = own(members, 'projectedValue') ?? undefined;
  const projectedValue = quantityOf(projected);
  const isBad = projected !== undefined && projectedValue === undefined;
  return isBad ? undefined : { value, tags, projectedValue };
};

interface RowReading<Row> {
  readonly groupBy: readonly string[];
  readonly readRow: ReadRow<Row>;
  readonly shared: (tags: Tags) => Tags;
}

type Tags = Consumption['tags'];

/**
 * Shares equal tag objects: an hourly answer repeats each a thousand times, which takes most of the memory.
 */
function createShared(): (tags: Tags) => Tags {
  const known = new Map<string, Tags>();
  return (tags) => {
    const name = JSON.stringify(tags);
    const same = known.get(name);
    if (same === undefined) known.set(name, tags);
    return same ?? tags;
  };
}

function readPeriod<Row extends Consumption>(
  value: unknown,
  reading: RowReading<Row>,
): Outcome<Period<Row>> | undefined {
  const period = objectOf(value);
  const groups = listIn(period, 'groups');
  if (period === undefined || groups === undefined) return undefined;
  const startMs = timeOf(own(period, 'startTime'));
  const endMs = timeOf(own(period, 'endTime'));
  if (startMs === undefined || endMs === undefined || endMs <= startMs) return undefined;
  const read = (group: unknown) => readGroup(group, reading);
  const { items, skipped } = readEach(groups, read, rowsOfGroup);
  const count = (name: string) => countOf(own(period, name));
  return {
    item: {
      startMs,
      endMs,
      totalSeconds: count('totalSeconds'),
      elapsedSeconds: count('elapsedSeconds'),
      consumptionCount: count('consumptionCount'),
      groups: items,
    },
    skipped: skipped + rowsMissing(period, groups, countRows(items)),
  };
}

/** Rows that a period counts but lacks, if a list that may have held them is missing. */
function rowsMissing(period: Members, groups: readonly unknown[], read: number): number {
  const counted = countOf(own(period, 'consumptionCount')) ?? 0;
  if (counted <= read) return 0;
  const lists = groups.flatMap((group) => {
    const members = objectOf(wholeOf(group));
    return members ? [own(members, 'consumptions')] : [];
  });
  if (![own(period, 'groups'), ...lists].some(isNothing)) return 0;
  const rows = lists.reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  );
  return Math.max(0, counted - rows);
}

function countRows(groups: readonly Group<unknown>[]): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** Parses a group that was deferred, because all groups at once take too much memory. */
function wholeOf(group: unknown): unknown {
  return group instanceof Part ? group.parse() : group;
}

function readGroup<Row extends Consumption>(
  value: unknown,
  reading: RowReading<Row>,
): Outcome<Group<Row>> | undefined {
  const { groupBy, shared } = reading;
  const group = objectOf(wholeOf(value));
  const consumptions = listIn(group, 'consumptions');
  const said = group && tagsOf(own(group, 'key'));
  if (said === undefined || consumptions === undefined) return undefined;
  const lacking = groupBy.filter((tag) => !Object.hasOwn(said, tag));
  // A tag that the rows lack is the empty string. If rows have it and the key has not, the group is unknown.
  if (lacking.some((tag) => consumptions.some((row) => hasTag(row, tag)))) return undefined;
  const key = shared({ ...said, ...Object.fromEntries(lacking.map((tag) => [tag, ''])) });
  const named = Object.entries(key);
  const read = (row: unknown) => {
    const item = readConsumption(row, named, reading);
    return item && { item, skipped: 0 };
  };
  const { items, skipped } = readEach(consumptions, read, () => 1);
  return { item: { key, rows: items }, skipped };
}

function hasTag(row: unknown, tag: string): boolean {
  const said = own(objectOf(own(objectOf(row) ?? {}, 'tags')) ?? {}, tag);
  return !isNothing(said) && said !== '';
}

function readConsumption<Row extends Consumption>(
  value: unknown,
  named: readonly (readonly [tag: string, said: string])[],
  { readRow, shared }: RowReading<Row>,
): Row | undefined {
  const members = objectOf(value);
  if (members === undefined) return undefined;
  const amount = quantityOf(own(members, 'value'));
  const tags = tagsOf(own(members, 'tags'));
  if (amount === undefined || tags === undefined) return undefined;
  // A row that names another group cannot be attributed.
  const isForeign = named.some(([tag, said]) => (own(tags, tag) ?? said) !== said);
  return isForeign ? undefined : readRow({ value: amount, tags: shared(tags) }, members);
}

interface Outcome<T> {
  readonly item: T;
  readonly skipped: number;
}

/** Reads the readable items of a list; an unreadable one counts with all the rows that are `lost` with it. */
function readEach<T>(
  values: readonly unknown[],
  read: (value: unknown) => Outcome<T> | undefined,
  lost: (value: unknown) => number,
): { items: T[]; skipped: number } {
  const items: T[] = [];
  let skipped = 0;
  for (const value of values) {
    const outcome = read(value);
    if (outcome) items.push(outcome.item);
    skipped += outcome?.skipped ?? lost(value);
  }
  return { items, skipped };
}

/** At least one row was lost with a group or a period. */
function rowsOfGroup(group: unknown): number {
  return listIn(wholeOf(group), 'consumptions')?.length || 1;
}

function rowsOfPeriod(period: unknown): number {
  return (
    (listIn(period, 'groups') ?? []).reduce<number>((sum, group) => sum + rowsOfGroup(group), 0) ||
    1
  );
}

/** Empty for null or absent, undefined for anything but a list. */
function listIn(value: unknown, name: string): readonly unknown[] | undefined {
  const object = objectOf(value);
  const list = object && (own(object, name) ?? []);
  return Array.isArray(list) ? list : undefined;
}

export interface BodyOptions extends ReadOptions {
  /** Limit for the body; a cached answer counts, too. */
  readonly allowance: Allowance;
}

/** The raw answer to a query. A query changes nothing, so it may be retried. @throws PlatformError */
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
 * Reads the answer to a query, with groups as `Part`s; undefined for an empty body.
 * @throws PlatformError `malformed`
 */
export function readAnswerIn<T>(body: Uint8Array, read: (answer: unknown) => T): T {
  return readDocumentIn(body, (document) => {
    const parts: Part[] = [];
    const value = read(parseInParts(document, 'groups', parts));
    // As when parsed whole: a name with two values anywhere makes the answer invalid.
    for (const part of parts) part.check();
    return value;
  });
}

/**
 * Limit for parsing in the thread that answers Slack: a sum by org is far below; larger answers go to the
 * report thread.
 */
const SMALL_BYTES = 4 * 1024 * 1024;

/** Reads a small answer in this thread. @throws PlatformError `too-large` beyond 4 MB, `malformed` */
export async function readSmall<
  Options extends ReadOptions,
  T extends { readonly body: Uint8Array },
  V,
>(
  ask: (options: Options & BodyOptions) => Promise<Reading<T>>,
  options: Options,
  read: (answer: unknown, body: T) => V,
): Promise<Reading<V>> {
  const { value, readAt } = await ask({ ...options, allowance: createAllowance(SMALL_BYTES) });
  return { value: readAnswerIn(value.body, (answer) => read(answer, value)), readAt };
}

/** Values of a tag; those of the current month can lag (spec 4.6). @throws PlatformError */
export async function askTagValues(
  { cache, http }: { readonly cache: ReadCache; readonly http: Http },
  path: string,
  query: TagValuesQuery,
  options?: ReadOptions,
): Promise<Reading<TagValues>> {
  checkTagValuesQuery(query);
  const body = tagValuesBodyOf(query);
  const answer = createAllowance(SMALL_BYTES);
  const call = { method: 'POST', path, body, repeatable: true, answer } as const;
  const load = async () =>
    readDocumentIn((await http.send(call)).body as Uint8Array, (document) =>
      readTagValues(exactJson(document, true)),
    );
  return cache.read(`${path} ${JSON.stringify(body)}`, load, {
    ...options,
    weigh: ({ values }) => ROW_BYTES * values.length,
  });
}
