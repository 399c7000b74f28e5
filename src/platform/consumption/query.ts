import { DAY_MS } from '../../lib/time.ts';
import { nearest } from '../../lib/words.ts';
import type { Explain } from '../answer.ts';
import { checkHour, checkTime, PlatformError, refusal } from '../errors.ts';
import { membersOf, tagOf, timeOf } from '../json.ts';

/** Weeks start on Monday; everything in UTC (spec 4.1, 4.5). */
export const TIME_STEPS = ['hour', 'day', 'week', 'month'] as const;
export type TimeStep = (typeof TIME_STEPS)[number];

/** Exact values, or `/a POSIX regular expression/` (spec 4.5 rule 2). */
export type TagFilter = Readonly<Record<string, string>>;

export interface ConsumptionSelection {
  readonly filterBy?: TagFilter;
  /** Rows are summed over all other tags. */
  readonly aggregateBy: readonly string[];
  /** Only rows priced by these catalogue items, by name. */
  readonly chargeableItems?: readonly string[];
}

/** Common part of charge and usage queries (spec 4.1, 4.5). */
export interface ConsumptionQuery {
  /** RFC 3339 in UTC. */
  readonly startTime: string;
  /** Exclusive. */
  readonly endTime: string;
  readonly timeStep: TimeStep;
  /** One period per step instead of one for the whole range (false). */
  readonly aggregateByTimeStep?: boolean;
  /** Each must be in every `aggregateBy`. */
  readonly groupBy: readonly string[];
  readonly consumptionQueries: readonly ConsumptionSelection[];
}

/**
 * The body of a query, with only specified members. Equal questions have equal bodies. `groupBy` is always
 * present: omitting it has another meaning.
 */
export function bodyOf(query: ConsumptionQuery) {
  return {
    startTime: query.startTime,
    endTime: query.endTime,
    timeStep: query.timeStep,
    aggregateByTimeStep: query.aggregateByTimeStep ?? false,
    groupBy: query.groupBy,
    consumptionQueries: query.consumptionQueries.map((selection) => ({
      filterBy: sorted(selection.filterBy),
      aggregateBy: selection.aggregateBy,
      chargeableItems: selection.chargeableItems,
    })),
  };
}

function sorted(filterBy: TagFilter = {}): TagFilter {
  return Object.fromEntries(Object.entries(filterBy).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Distinct values of a tag (spec 4.6); the platform widens the range to whole months. */
export interface TagValuesQuery {
  /** RFC 3339 in UTC. */
  readonly startTime: string;
  readonly endTime: string;
  readonly tag: string;
  readonly filterBy?: TagFilter;
}

/** In alphabetical order; billing sends them unordered. */
export interface TagValues {
  /** Includes an empty string when some of the matching usage lacks the tag. */
  readonly values: readonly string[];
  readonly skipped: number;
}

/** Equal questions have equal bodies. */
export function tagValuesBodyOf({ startTime, endTime, tag, filterBy }: TagValuesQuery) {
  return { startTime, endTime, tag, filterBy: sorted(filterBy) };
}

/** @throws PlatformError `malformed` without a list or null */
export function readTagValues(answer: unknown): TagValues {
  const said = membersOf(answer)['tagValues'];
  if (said !== null && !Array.isArray(said)) {
    throw new PlatformError('malformed', 'the answer has no values of a tag');
  }
  const values = (said ?? []).map(tagOf).filter((value) => value !== undefined);
  return { values: values.toSorted(), skipped: (said?.length ?? 0) - values.length };
}

/** The part of the catalogue that queries depend on (spec 2.6). */
interface Catalogue {
  readonly items: readonly { readonly name: string }[];
  readonly skipped: number;
}

type CheckTime = (name: string, value: string) => number;

/** Tags without which no row is priced (spec 4.1 rule 1). */
const PRICED_TAGS = ['metric', 'locationType'];

/**
 * Checks a usage query (spec 4.5): times in UTC, which the platform aligns, `groupBy` and the filters.
 * @throws PlatformError `bad-request`
 */
export function checkUsageQuery(query: ConsumptionQuery): void {
  checkRange(query, checkTime);
  checkShape(query);
}

/**
 * As a usage query, with times on hour boundaries and the tags that rows are priced on (spec 4.1).
 * @throws PlatformError `bad-request`
 */
export function checkChargeQuery(query: ConsumptionQuery, orgs?: readonly string[]): void {
  checkRange(query, checkHour);
  checkShape(query);
  if (orgs?.length === 0) throw refusal('name at least one org, or leave orgs out for all');
  for (const [index, { aggregateBy }] of query.consumptionQueries.entries()) {
    for (const tag of PRICED_TAGS) {
      if (aggregateBy.includes(tag)) continue;
      throw refusal(
        `consumption query ${index + 1} does not aggregate by ${tag}, so no row of it would be priced`,
      );
    }
  }
}

/** Spec 2.6. @throws PlatformError `bad-request` */
export function checkItems(query: ConsumptionQuery, { items, skipped }: Catalogue): void {
  // It may be an unreadable one.
  if (skipped > 0) return;
  const names = items.map(({ name }) => name);
  const named = query.consumptionQueries.flatMap(({ chargeableItems }) => chargeableItems ?? []);
  const unknown = named.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownItem(unknown, names);
}

function unknownItem(name: string, names: readonly string[]): PlatformError {
  const meant = nearest(name, names);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return refusal(`there is no chargeable item ${JSON.stringify(name)}${hint}`);
}

/** Spec 4.6. @throws PlatformError `bad-request` */
export function checkTagValuesQuery(query: TagValuesQuery): void {
  checkRange(query, checkTime);
  if (query.tag === '') throw refusal('a tag must be named');
  checkFilter(query.filterBy);
}

function checkRange(range: { startTime: string; endTime: string }, check: CheckTime): void {
  const start = check('startTime', range.startTime);
  const end = check('endTime', range.endTime);
  if (end <= start) throw refusal('endTime must be after startTime');
}

function checkShape({ timeStep, groupBy, consumptionQueries }: ConsumptionQuery): void {
  if (!TIME_STEPS.includes(timeStep)) {
    throw refusal(`timeStep must be one of ${TIME_STEPS.join(', ')}`);
  }
  if (consumptionQueries.length === 0) throw refusal('at least one consumption query is needed');
  for (const [index, { filterBy, aggregateBy }] of consumptionQueries.entries()) {
    const missing = groupBy.find((tag) => !aggregateBy.includes(tag));
    if (missing !== undefined) {
      throw refusal(
        `the query groups by ${missing}, but consumption query ${index + 1} does not aggregate by ${missing}`,
      );
    }
    checkFilter(filterBy);
  }
}

/** Spec 4.5 rule 2. The platform validates the expression itself (500). */
function checkFilter(filterBy: TagFilter = {}): void {
  const index = filterBy['volumeIndex'];
  if (index !== undefined && !/^\/.+\/$/s.test(index)) {
    throw refusal('volumeIndex is matched by a regular expression only, such as /^0$/');
  }
}

/** Known validation sentences; a 500 with any other wording is the server's fault. */
const VALIDATION = new RegExp(
  [
    'hour boundar',
    String.raw`\btimeStep\b`,
    String.raw`\b(?:groups? by|groupBy|aggregateBy|does not aggregate)\b`,
    String.raw`\b(?:startTime|endTime)\b`,
    String.raw`\bregular expression`,
    String.raw`\bregexp?\b`,
  ].join('|'),
  'i',
);
/** How far the platform moves an end at most when it aligns it outward (spec 4.5 rule 1). */
const ALIGNED_MS: Readonly<Record<string, number>> = { hour: 0, day: DAY_MS, week: 7 * DAY_MS };
const MONTH_MS = 31 * DAY_MS;
const ISO =
  /(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(?: ?(?:Z|UTC|(?<hours>[+-]\d{2}):?(?<minutes>\d{2})))?/;
const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
/** "Nov 1, 2025", "1 November 2025 00:00". */
const WRITTEN = new RegExp(
  `\\b(?<day>${MONTH}\\.? \\d{1,2},? \\d{4}|\\d{1,2} ${MONTH}\\.?,? \\d{4})(?:,? (?:at )?(?<clock>\\d{1,2}:\\d{2}(?::\\d{2})?))?`,
);
/** Seconds or milliseconds. */
const EPOCH = /(?<![\d.-])(?<epoch>\d{10}|\d{13})(?!\d|\.\d)/;
const TIME = new RegExp([ISO, WRITTEN, EPOCH].map(({ source }) => source).join('|'), 'gi');
/** A refusal because of retention, and its number of months. */
const RETENTION = /\bretain|\bretention\b/i;
const MONTHS_KEPT = /\b(?<months>\d{1,2}) (?:\w+ )?months?\b/i;
const END = /\bend\b|end_?time\b|latest|newest|\bfuture\b/i;

/** The range of the query, ms since the epoch. */
interface Range {
  readonly start: number;
  readonly end: number;
  /** The latest end after alignment. */
  readonly alignedEnd: number;
}

/**
 * Explains the refusal of a charge, usage or tag-values query (spec section 7): a 500 with a validation
 * sentence is the caller's mistake, and one for retention carries the earliest start, taken from the body in
 * any wording, or else from the specification.
 */
export const explainQuery: Explain = ({ status, sentence, body, sent, nowMs }) => {
  const isMistake = status === 400 || (status === 500 && VALIDATION.test(sentence));
  if (!isMistake) return {};
  const range = rangeOf(sent);
  const isTooOld = RETENTION.test(body);
  if (range === undefined || (status === 500 && !isTooOld)) return { reason: 'bad-request' };
  const kept = isTooOld ? firstKept(body, nowMs) : Number.NEGATIVE_INFINITY;
  const earliestStart = earliestStartIn(body, range) ?? (kept > range.start ? kept : undefined);
  return { reason: 'bad-request', earliestStart };
};

/** The start of the retained months before this one: 12 (spec section 8), or the number in the body. */
function firstKept(body: string, nowMs: number): number {
  const months = Number(MONTHS_KEPT.exec(body)?.groups?.['months'] ?? 12);
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1);
}

function rangeOf(sent: unknown): Range | undefined {
  const { startTime, endTime, timeStep } = membersOf(sent);
  const start = timeOf(startTime);
  const end = timeOf(endTime);
  if (start === undefined || end === undefined) return undefined;
  return { start, end, alignedEnd: end + (ALIGNED_MS[String(timeStep)] ?? MONTH_MS) };
}

/**
 * The earliest start in a refusal. Retention begins on a day (spec section 8), later than the requested
 * start; echoed times of the query do not count.
 */
function earliestStartIn(body: string, { start, end, alignedEnd }: Range): number | undefined {
  const times = timesIn(body);
  const isEchoed = times.some(({ ms }) => ms <= start);
  const isOwnEnd = (ms: number) => isEchoed && ms >= end && ms <= alignedEnd;
  const later = times.filter(
    ({ ms, clause }) => ms > start && ms % DAY_MS === 0 && !isOwnEnd(ms) && !END.test(clause),
  );
  return later.map(({ ms }) => ms).toSorted((a, b) => a - b)[0];
}

/** Every time in a text, with the words or the name right before it. */
function timesIn(text: string): { ms: number; clause: string }[] {
  let end = 0;
  return [...text.matchAll(TIME)].flatMap((match) => {
    const before = text.slice(end, match.index).split(/[.,;:()"]/);
    end = match.index + match[0].length;
    const ms = instantIn(match);
    const clause = before.findLast((part) => /[a-z]/i.test(part)) ?? '';
    return Number.isNaN(ms) ? [] : [{ ms, clause }];
  });
}

function instantIn({ groups = {} }: RegExpExecArray): number {
  const { date, time = '00:00:00', hours, minutes, day, clock = '00:00', epoch } = groups;
  if (epoch !== undefined) return Number(epoch) * (epoch.length === 10 ? 1000 : 1);
  if (day !== undefined) return Date.parse(`${day} ${clock} UTC`);
  return Date.parse(`${date}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}
