import type { Button, KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { button, section } from './blocks.ts';
import { code, escapeText, LIMITS, mrkdwn, Mrkdwn, tidy } from './text.ts';

/** "the first words… (1,200 more characters)": plain text of at most `max` code points and that note. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = Array.from(tidy(text));
  const rest = points.length - max;
  return rest <= 0 ? points.join('') : `${points.slice(0, max).join('')}… (${more(rest)})`;
}

/** As `shorten`, in a code span. @param max of the text in it, in characters as they are sent */
export function excerpt(text: string, max: number): Mrkdwn {
  const whole = code(text, Infinity);
  if (whole.text.length <= max + 2) return whole;
  const points = Array.from(tidy(text));
  let room = max;
  const end = points.findIndex((point) => {
    room -= SENT_LENGTHS.get(point) ?? point.length;
    return room < 0;
  });
  const shown = end === -1 ? points.length : end;
  return mrkdwn`${code(points.slice(0, shown).join(''), Infinity)}… (${more(points.length - shown)})`;
}

/** Of the characters that are escaped. */
const SENT_LENGTHS = new Map(['&', '<', '>'].map((one) => [one, escapeText(one).length]));

function more(characters: number): string {
  return plural(characters, 'more character');
}

export interface Line {
  text: Mrkdwn;
  /** The heading of the line, repeated when the heading itself is in the section before. */
  under?: Mrkdwn;
}

/**
 * Lines in as many sections as they take, all of them in their order.
 * @param again the first line of each section but the first
 */
export function sections(again: Mrkdwn, all: readonly Line[]): KnownBlock[] {
  const made: string[][] = [];
  let room = 0;
  for (const { text, under } of all) {
    const last = made.at(-1);
    const length = text.text.length + 1;
    if (last !== undefined && length <= room) {
      last.push(text.text);
      room -= length;
    } else {
      const heading = made.length === 0 ? [] : [again, ...(under === undefined ? [] : [under])];
      const next = [...heading, text].map((line) => line.text);
      made.push(next);
      room = LIMITS.sectionText - next.join('\n').length;
    }
  }
  return made.map((some) => section(new Mrkdwn(some.join('\n'))));
}

export interface Page<T> {
  readonly items: readonly T[];
  /** From 1 on. */
  readonly page: number;
  readonly pages: number;
}

/**
 * The requested page, or the nearest one that exists; each page is as full as possible.
 * @param sizesOf of an item, each in a unit of its own
 * @param most per page, in the same units; an item that is larger has a page of its own
 */
export function pageOf<T>(
  all: readonly T[],
  requested: number,
  sizesOf: (item: T) => readonly number[],
  most: readonly number[],
): Page<T> {
  const pages: T[][] = [[]];
  let room = [...most];
  for (const item of all) {
    const sizes = sizesOf(item);
    const left = room.map((size, unit) => size - (sizes[unit] ?? 0));
    const last = pages.at(-1) ?? [];
    if (last.length === 0 || left.every((size) => size >= 0)) {
      last.push(item);
      room = left;
    } else {
      pages.push([item]);
      room = most.map((size, unit) => size - (sizes[unit] ?? 0));
    }
  }
  const page = Math.min(Math.max(1, requested), pages.length);
  return { items: pages[page - 1] ?? [], page, pages: pages.length };
}

/** Buttons to the adjacent pages, all of one action. @param valueOf the value of a page's button */
export function turnButtons(
  action: string,
  { page, pages }: Pick<Page<unknown>, 'page' | 'pages'>,
  valueOf: (page: number) => string,
): Button[] {
  const turn = (text: string, to: number): Button => button({ action, text, value: valueOf(to) });
  return [
    ...(page > 1 ? [turn('Previous', page - 1)] : []),
    ...(page < pages ? [turn('Next', page + 1)] : []),
  ];
}
