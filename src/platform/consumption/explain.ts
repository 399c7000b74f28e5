import type { Explain } from '../answer.ts';
import { timeOf } from '../tolerant.ts';
import { objectOf, own } from '../members.ts';

/** What a refused query says of itself, in its known wordings; a 500 of any other wording stays the server's. */
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
const DAY_MS = 86_400_000;
/** How far the platform moves an end at most when it aligns it outward (spec 4.5 rule 1). */
const ALIGNED_MS: Readonly<Record<string, number>> = { hour: 0, day: DAY_MS, week: 7 * DAY_MS };
const MONTH_MS = 31 * DAY_MS;
const ISO =
  /(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(?: ?(?:Z|UTC|(?<hours>[+-]\d{2}):?(?<minutes>\d{2})))?/;
const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
/** As people write it: "Nov 1, 2025", "1 November 2025 00:00". */
const WRITTEN = new RegExp(
  `\\b(?<day>${MONTH}\\.? \\d{1,2},? \\d{4}|\\d{1,2} ${MONTH}\\.?,? \\d{4})(?:,? (?:at )?(?<clock>\\d{1,2}:\\d{2}(?::\\d{2})?))?`,
);
/** Seconds or milliseconds. */
const EPOCH = /(?<![\d.-])(?<epoch>\d{10}|\d{13})(?!\d|\.\d)/;
const TIME = new RegExp([ISO, WRITTEN, EPOCH].map(({ source }) => source).join('|'), 'gi');
/** A refusal for what is no longer kept, and for how many months it is. */
const RETENTION = /\bretain|\bretention\b/i;
const MONTHS_KEPT = /\b(?<months>\d{1,2}) (?:\w+ )?months?\b/i;
/** What calls a time the end of something. */
const END = /\bend\b|end_?time\b|latest|newest|\bfuture\b/i;

/** What was asked for, ms since the epoch. */
interface Range {
  readonly start: number;
  readonly end: number;
  /** What the end may be aligned to. */
  readonly alignedEnd: number;
}

/**
 * What the refusal of a charge, usage or tag-values query means (spec section 7): a 500 with a
 * validation sentence is the caller's mistake, and one for retention carries the earliest start,
 * wherever and in whatever words the server says it, or else as the specification has it.
 */
export const explainQuery: Explain = ({ status, sentence, body, sent, nowMs }) => {
  const isMistake = status === 400 || (status === 500 && VALIDATION.test(sentence));
  if (!isMistake) return {};
  const range = rangeOf(sent);
  const isTooOld = RETENTION.test(body);
  if (range === undefined || (status === 500 && !isTooOld)) return { reason: 'bad-request' };
  const kept = isTooOld ? firstKept(body, nowMs) : Number.NEGATIVE_INFINITY;
  const earliestStart = earliestStartIn(body, range) ?? (kept > range.start ? kept : undefined);
  return { reason: 'bad-request', ...(earliestStart === undefined ? {} : { earliestStart }) };
};

/** The start of the whole months before this one that are kept: 12 (spec section 8), or as many as are said. */
function firstKept(body: string, nowMs: number): number {
  const months = Number(MONTHS_KEPT.exec(body)?.groups?.['months'] ?? 12);
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1);
}

function rangeOf(sent: unknown): Range | undefined {
  const query = objectOf(sent) ?? {};
  const start = timeOf(own(query, 'startTime'));
  const end = timeOf(own(query, 'endTime'));
  if (start === undefined || end === undefined) return undefined;
  return { start, end, alignedEnd: end + (ALIGNED_MS[String(own(query, 'timeStep'))] ?? MONTH_MS) };
}

/**
 * The time in a refusal that the query should have started at. What is kept begins with a day
 * (spec section 8), later than what was asked for; the question's own times are none of the answer.
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

/** Every time in a text or a document, with the words or the name right before it. */
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
