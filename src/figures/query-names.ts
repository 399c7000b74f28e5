import { nearest } from '../lib/nearest.ts';
import type { Word } from '../lib/words.ts';
import { keywordAt, partEndsAt, shown, unreadable } from './query-cursor.ts';
import type { Cursor } from './query-cursor.ts';
import { KNOWN_METRICS, KNOWN_TAGS } from './tags.ts';

const lists = {
  by: { what: 'tag', known: KNOWN_TAGS, first: 'After "by" comes a tag, for example by gvc.' },
  of: {
    what: 'metric',
    known: KNOWN_METRICS,
    first: 'After "of" comes a metric, for example of cpu.',
  },
  item: {
    what: 'chargeable item',
    known: undefined,
    first: 'After "item" comes the name of a chargeable item: "/charges items" lists them.',
  },
  org: { what: 'org', known: undefined, first: 'After "org" comes the name of an org.' },
} as const;

/**
 * Reads the names after a keyword, which commas join, with or without spaces; each counts once. A
 * known name gets its proper spelling, and in quotes a name is taken as it is.
 * @throws Unreadable
 */
export function readNames(cursor: Cursor, keyword: keyof typeof lists): string[] {
  const { what, known } = lists[keyword];
  const start = cursor.at;
  const items = readItems(cursor, keyword);
  const names = items.map(({ text, quoted }, index) => {
    const name = quoted || known === undefined ? text : properName(text, known);
    if (name !== undefined) return name;

    const meant = nearest(text, known ?? []);
    const fixed = items.with(index, { text: meant ?? text, quoted: meant === undefined });
    const fix = { at: start, count: cursor.at - start, words: joinNames(fixed) };
    throw unreadable(cursor, unknownName(what, text, meant), fix);
  });
  return [...new Set(names)];
}

/** The proper spelling of a known name, undefined when it is none. */
export function properName(text: string, known: readonly string[]): string | undefined {
  return known.find((name) => name.toLowerCase() === text.toLowerCase());
}

/** A sentence about a name that is not known. */
export function unknownName(what: string, text: string, meant: string | undefined): string {
  const hint = meant === undefined ? '' : ` (the nearest is "${meant}")`;
  return `${shown(text)} is no known ${what}${hint}: in quotes, ${shown(text)} is taken as it is.`;
}

/** Names as they can be typed again; those in quotes stay in quotes. */
export function joinNames(items: readonly Word[]): string {
  const texts = items.map(({ text, quoted }) => (quoted ? `"${text}"` : text));
  return texts.join(items.some((item) => item.quoted) ? ', ' : ',');
}

function readItems(cursor: Cursor, keyword: keyof typeof lists): Word[] {
  const items: Word[] = [];
  do {
    // "org" is a keyword and a tag, too.
    if (partEndsAt(cursor) && !(keyword === 'by' && keywordAt(cursor) === 'org')) break;
    const word = cursor.words[cursor.at];
    const [first, ...more] = piecesOf(word, keyword);
    // Of "org, gvc" and "org ,gvc" one of the two words has nothing on its side of the comma.
    const last = items.pop();
    if (first) items.push(last === undefined || last.text === '' ? first : last);
    items.push(...more);
    cursor.at += 1;
  } while (goesOn(cursor));

  if (items.length === 0) throw unreadable(cursor, lists[keyword].first);
  if (items.some((item) => item.text === '')) {
    throw unreadable(
      cursor,
      `A name is missing in the list after "${keyword}": names stand between the commas.`,
    );
  }
  return items;
}

function piecesOf(word: Word | undefined, keyword: keyof typeof lists): Word[] {
  const { text, quoted } = word ?? { text: '', quoted: false };
  // An item may have commas in its name: in quotes they are a part of it, except for the last one.
  const comma = keyword === 'item' && quoted ? /,$/ : /,/g;
  return text.split(comma).map((piece) => ({ text: piece.trim(), quoted }));
}

/** Whether a comma joins the words on both sides of the cursor. */
function goesOn({ words, at }: Cursor): boolean {
  return words[at - 1]?.text.endsWith(',') === true || words[at]?.text.startsWith(',') === true;
}
