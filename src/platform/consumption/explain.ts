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
/** A time: date (1), time (2) and offset from UTC (3, 4); or seconds or milliseconds since the epoch (5). */
const TIME =
  /(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(?: ?(?:Z|UTC|([+-]\d{2}):?(\d{2})))?|(?<![\d.-])(\d{10}|\d{13})(?!\d|\.\d)/gi;
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
 * validation sentence is the caller's mistake, and a 400 for retention carries the earliest start,
 * wherever and in whatever words the server says it.
 */
export const explainQuery: Explain = ({ status, sentence, body, sent }) => {
  if (status === 500 && VALIDATION.test(sentence)) return { reason: 'bad-request' };
  if (status !== 400) return {};
  const range = rangeOf(sent);
  const earliestStart = range && earliestStartIn(body, range);
  return { reason: 'bad-request', ...(earliestStart === undefined ? {} : { earliestStart }) };
};

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

function instantIn([, date, time = '00:00:00', hours, minutes, epoch]: RegExpExecArray): number {
  if (epoch !== undefined) return Number(epoch) * (epoch.length === 10 ? 1000 : 1);
  return Date.parse(`${date}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}
