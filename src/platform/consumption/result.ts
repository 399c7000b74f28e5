import type { BigNumber } from 'bignumber.js';
import { createAllowance, exactJson, readDocumentIn, tooLarge, type Allowance } from '../answer.ts';
import { PlatformError } from '../errors.ts';
import type { Http } from '../http.ts';
import { parseInParts, Part } from '../json-text.ts';
import {
  countOf,
  isNothing,
  membersOf,
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
  const result = membersOf(answer);
  const said = listIn(result, 'periods');
  const consumptionCount = countOf(result['consumptionCount']);
  const hasResult = result['periods'] !== undefined || consumptionCount === 0;
  if (said === undefined || !hasResult) {
    throw new PlatformError('malformed', 'the answer is not the result of a query');
  }
  const reading = { groupBy, readRow, shared: createShared(), skipped: 0 };
  const periods = readEach(said, readPeriod<Row>, rowsOfPeriod, reading);
  return { periods, consumptionCount, skipped: reading.skipped };
}

/** Spec 4.5 rule 3. */
export const readUsageRow: ReadRow<UsageRow> = ({ value, tags }, members) => {
  const projected = members['projectedValue'] ?? undefined;
  const projectedValue = quantityOf(projected);
  const isBad = projected !== undefined && projectedValue === undefined;
  return isBad ? undefined : { value, tags, projectedValue };
};

interface RowReading<Row> {
  readonly groupBy: readonly string[];
  readonly readRow: ReadRow<Row>;
  readonly shared: (tags: Tags) => Tags;
  skipped: number;
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

/** The readable items of a list; an unreadable one is skipped with all the rows that are `lost` with it. */
function readEach<T, Row>(
  values: readonly unknown[],
  read: (value: unknown, reading: RowReading<Row>) => T | undefined,
  lost: (value: unknown) => number,
  reading: RowReading<Row>,
): T[] {
  const items: T[] = [];
  for (const value of values) {
    const item = read(value, reading);
    if (item === undefined) reading.skipped += lost(value);
    else items.push(item);
  }
  return items;
}

function readPeriod<Row extends Consumption>(
  value: unknown,
  reading: RowReading<Row>,
): Period<Row> | undefined {
  const period = membersOf(value);
  const said = listIn(value, 'groups');
  const startMs = timeOf(period['startTime']);
  const endMs = timeOf(period['endTime']);
  if (said === undefined || startMs === undefined || endMs === undefined) return undefined;
  if (endMs <= startMs) return undefined;
  const groups = readEach(said, readGroup<Row>, rowsOfGroup, reading);
  reading.skipped += rowsMissing(period, said, groups);
  return {
    startMs,
    endMs,
    totalSeconds: countOf(period['totalSeconds']),
    elapsedSeconds: countOf(period['elapsedSeconds']),
    consumptionCount: countOf(period['consumptionCount']),
    groups,
  };
}

/** Rows that a period counts but lacks, if a list that may have held them is missing. */
function rowsMissing(
  period: Members,
  said: readonly unknown[],
  read: readonly Group<unknown>[],
): number {
  const counted = countOf(period['consumptionCount']) ?? 0;
  if (counted <= read.reduce((sum, { rows }) => sum + rows.length, 0)) return 0;
  const lists = said
    .map((group) => objectOf(wholeOf(group)))
    .flatMap((group) => (group === undefined ? [] : [group['consumptions']]));
  if (![period['groups'], ...lists].some(isNothing)) return 0;
  const rows = lists.reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  );
  return Math.max(0, counted - rows);
}

/** Parses a group that was deferred, because all groups at once take too much memory. */
function wholeOf(group: unknown): unknown {
  return group instanceof Part ? group.parse() : group;
}

function readGroup<Row extends Consumption>(
  value: unknown,
  reading: RowReading<Row>,
): Group<Row> | undefined {
  const { groupBy, shared } = reading;
  const group = objectOf(wholeOf(value));
  const consumptions = listIn(group, 'consumptions');
  const said = group && tagsOf(group['key']);
  if (said === undefined || consumptions === undefined) return undefined;
  const lacking = groupBy.filter((tag) => !Object.hasOwn(said, tag));
  // A tag that the rows lack is the empty string. If rows have it and the key has not, the group is unknown.
  if (lacking.some((tag) => consumptions.some((row) => hasTag(row, tag)))) return undefined;
  const key = shared({ ...said, ...Object.fromEntries(lacking.map((tag) => [tag, ''])) });
  const named = Object.entries(key);
  const readOne = (row: unknown) => readConsumption(row, named, reading);
  return { key, rows: readEach(consumptions, readOne, () => 1, reading) };
}

function hasTag(row: unknown, tag: string): boolean {
  const said = own(membersOf(membersOf(row)['tags']), tag);
  return !isNothing(said) && said !== '';
}

function readConsumption<Row extends Consumption>(
  value: unknown,
  named: readonly (readonly [tag: string, said: string])[],
  { readRow, shared }: RowReading<Row>,
): Row | undefined {
  const members = objectOf(value);
  if (members === undefined) return undefined;
  const amount = quantityOf(members['value']);
  const tags = tagsOf(members['tags']);
  if (amount === undefined || tags === undefined) return undefined;
  // A row that names another group cannot be attributed.
  const isForeign = named.some(([tag, said]) => (own(tags, tag) ?? said) !== said);
  return isForeign ? undefined : readRow({ value: amount, tags: shared(tags) }, members);
}

/** At least one row was lost with a group or a period. */
function rowsOfGroup(group: unknown): number {
  return listIn(wholeOf(group), 'consumptions')?.length || 1;
}

function rowsOfPeriod(period: unknown): number {
  const groups = listIn(period, 'groups') ?? [];
  return groups.reduce<number>((sum, group) => sum + rowsOfGroup(group), 0) || 1;
}

/** Empty for null or absent, undefined for anything but a list. */
function listIn(value: unknown, name: string): readonly unknown[] | undefined {
  const object = objectOf(value);
  const list = object && (object[name] ?? []);
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
export const SMALL_BYTES = 4 * 1024 * 1024;

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
