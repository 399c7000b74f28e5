import type { Button, KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { button, section } from './blocks.ts';
import { pack, thatFit } from './fit.ts';
import { code, escapeText, joinMrkdwn, LIMITS, mrkdwn, type Mrkdwn, tidy } from './text.ts';

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
  const shown = thatFit(points, (point) => SENT_LENGTHS.get(point) ?? point.length, max);
  return mrkdwn`${code(shown.join(''), Infinity)}… (${more(points.length - shown.length)})`;
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
  const headingOf = ({ under }: Line): Mrkdwn[] => [again, ...(under === undefined ? [] : [under])];
  const length = (texts: readonly Mrkdwn[]): number => joinMrkdwn(texts, '\n').text.length + 1;
  const heading = Math.max(0, ...all.map((line) => length(headingOf(line))));
  const packs = pack(all, ({ text }) => [length([text])], [LIMITS.sectionText + 1 - heading]);
  return packs.map((some, at) => {
    const [first] = some;
    const above = at === 0 || first === undefined ? [] : headingOf(first);
    return section(joinMrkdwn([...above, ...some.map(({ text }) => text)], '\n'));
  });
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Position of its first item, from 0 on. */
  readonly from: number;
  /** From 1 on. */
  readonly page: number;
  readonly pages: number;
}

/** The requested page, or the nearest one that exists. @param all see `pack` */
export function pageOf<T>(all: readonly (readonly T[])[], requested: number): Page<T> {
  const pages = Math.max(1, all.length);
  const page = Math.min(Math.max(1, requested), pages);
  const from = all.slice(0, page - 1).flat().length;
  return { items: all[page - 1] ?? [], from, page, pages };
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
