import type { Explain } from '../answer.ts';

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
const RETENTION = /\b(?:retained|retention|earliest|oldest)/i;
const EARLIEST =
  /earliest|oldest|available|retained|since|not be\b|must be|no earlier than|or after/i;
const ECHO = /\b(?:start|end)Time\b/i;
/** A date, with its time when it has one; 1 = date, 2 = time, 3 = offset from UTC. */
const TIME =
  /(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?(?: ?(?:Z|UTC|([+-]\d{2}):?(\d{2})))?/g;
/** Members of an error body that say something; deeper ones are not looked at. */
const MAX_DEPTH = 4;

/**
 * What the refusal of a charge, usage or tag-values query means (spec section 7): a 500 with a
 * validation sentence is the caller's mistake, and a refusal for retention has the earliest start,
 * in whatever member or sentence the server says it; where only the caller's own times stand, none.
 */
export const explainQuery: Explain = ({ status, sentence, body }) => {
  const isRefused = status === 400 || (status === 500 && VALIDATION.test(sentence));
  if (!isRefused) return {};
  const earliestStart =
    RETENTION.test(sentence) || RETENTION.test(body)
      ? (earliestInMembers(documentOf(body), MAX_DEPTH) ?? earliestInText(sentence))
      : undefined;
  return { reason: 'bad-request', ...(earliestStart === undefined ? {} : { earliestStart }) };
};

function documentOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The time in the first member that is named after what it is, ms since the epoch. */
function earliestInMembers(value: unknown, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  const members = Object.entries(value);
  const named = members
    .filter(([name, member]) => EARLIEST.test(name) && typeof member === 'string')
    .map(([, member]) => timesIn(member as string)[0]?.ms);
  const nested = members.map(([, member]) => earliestInMembers(member, depth - 1));
  return [...named, ...nested].find((ms) => ms !== undefined);
}

/** The time whose clause calls it the earliest; else the only one that is not the caller's. */
function earliestInText(text: string): number | undefined {
  const times = timesIn(text);
  const named = times.find(({ clause }) => EARLIEST.test(clause));
  if (named) return named.ms;
  const foreign = times.filter(({ clause }) => !ECHO.test(clause));
  return foreign.length === 1 ? foreign[0]?.ms : undefined;
}

/** Every time in a text, with the words between it and the mark or the time before it. */
function timesIn(text: string): { ms: number; clause: string }[] {
  let end = 0;
  return [...text.matchAll(TIME)].flatMap((match) => {
    const [whole, date = '', time = '00:00:00', hours, minutes = '00'] = match;
    const clause =
      text
        .slice(end, match.index)
        .split(/[.,;:()]/)
        .findLast((part) => part.trim() !== '') ?? '';
    end = match.index + whole.length;
    const ms = Date.parse(`${date}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
    return Number.isNaN(ms) ? [] : [{ ms, clause }];
  });
}
