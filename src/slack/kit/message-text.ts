import type { KnownBlock, RichTextBlock } from '@slack/types';
import { SIGN } from './blocks.ts';
import { isChart, plainChart } from './charts.ts';
import { cutText } from './fit.ts';
import { rowsIn, spokenPart } from './tables.ts';
import { EMPTY, escapeText, joinMrkdwn, LIMITS, mrkdwn } from './text.ts';

const ROWS_READ = 5;
/** Of the first line, in characters: a notification shows no more. */
const HEADLINE = 100;
/** Bold text and italics; a code span stays as it is, and foreign text has such marks only in one. */
const BOLD = /`[^`]*`|(?<![\p{L}\p{N}*])\*(?!\s)((?:[^*`\n]|`[^`]*`)+)\*(?![\p{L}\p{N}*])/gu;
const ITALICS = /`[^`]*`|(?<![\p{L}\p{N}_])_(?!\s)([^_`\n]+)_(?![\p{L}\p{N}_])/gu;
/** A screen reader reads "0/2" as a date; in a code span, a name or an address it stays as it is. */
const FRACTIONS = /`[^`]*`|(?<![\w.,/-])(\d{1,9})\/(\d{1,9})(?![\w./-])/g;
/** Bars drawn with characters, which a screen reader spells one by one. */
const GLYPHS = /[▀-▟▰▱]{2,} ?/g;

/**
 * The top-level text of a message, made from its blocks: for notifications and screen readers, which do not read
 * blocks. All lines of its sections and its small print, charts in words, "Next: …", "Changed: …", and up to five rows as
 * sentences. A text that is too long ends after a whole line.
 */
export function messageText(blocks: readonly KnownBlock[]): string {
  const [first = '', ...others] = blocks.flatMap(linesOf).flatMap(spoken);
  return cutLines([first, ...others.map(labelled)].join('\n') || EMPTY);
}

function cutLines(text: string): string {
  if (text.length <= LIMITS.messageText) return text;
  const end = text.lastIndexOf('\n', LIMITS.messageText - REST.length);
  return end <= 0 ? cutText(text, LIMITS.messageText) : text.slice(0, end) + REST;
}

const REST = '\n… more in the message';

/**
 * As `messageText`, with a headline of at most 100 characters where it has parts. A long question ends early there, before
 * its figures, and follows whole on the next line. Other headlines end between two of their parts.
 */
export function answerText(blocks: readonly KnownBlock[]): string {
  const text = messageText(blocks);
  const [first = ''] = text.split('\n');
  if (first.length <= HEADLINE) return text;
  const [name = '', ...figures] = first.split(SEPARATOR);
  const rest = figures.map((part) => SEPARATOR + part).join('');
  const at = first.lastIndexOf(SEPARATOR, HEADLINE);
  // A name with a figure says already what matters.
  const short =
    at > 0 && /\d/.test(name.replace(CODE, ''))
      ? undefined
      : shortened(name, HEADLINE - rest.length);
  if (rest !== '' && short !== undefined) {
    return cutLines(`${short}${rest}\n${name}${text.slice(first.length)}`);
  }
  return at <= 0 ? text : `${text.slice(0, at)}\n${text.slice(at + SEPARATOR.length)}`;
}

/** The words of a list that fit into `room` characters, never a part of a code span. */
function shortened(list: string, room: number): string | undefined {
  const ends = [...list.matchAll(/`[^`]*`|, /g)].filter(
    ({ 0: found, index }) => found === ', ' && index + REST_OF_LIST.length <= room,
  );
  const end = ends.at(-1);
  return end && list.slice(0, end.index) + REST_OF_LIST;
}

const CODE = /`[^`]*`/g;
const SEPARATOR = ' · ';
const REST_OF_LIST = ', …';

/** The content of a message: its blocks, and the text that is made from them. */
export function contentOf(blocks: KnownBlock[]): { text: string; blocks: KnownBlock[] } {
  return { text: messageText(blocks), blocks };
}

/** The texts of a block, a line each, as mrkdwn. */
function linesOf(block: KnownBlock): string[] {
  if (block.type === 'header') return [escapeText(block.text.text)];
  if (block.type === 'section') {
    return [block.text, ...(block.fields ?? [])].flatMap((text) => text?.text.split('\n') ?? []);
  }
  if (block.type === 'alert') return block.text.text.split('\n');
  if (block.type === 'rich_text') return richLines(block);
  if (isChart(block)) return linesOf(plainChart(block));
  if (block.type === 'table' || block.type === 'data_table') return rowLines(block);
  if (block.type !== 'context') return [];
  return block.elements.flatMap((one) => ('text' in one ? one.text.split('\n') : []));
}

function richLines({ elements }: RichTextBlock): string[] {
  const lines = elements.flatMap((part) =>
    part.type === 'rich_text_list' ? part.elements : [part],
  );
  return lines.map((line) => joinMrkdwn(line.elements.map(spokenPart), '').text);
}

/** "acme: charge $1,199.57; share 79 %", "Invoice 12: status paid". */
function rowLines(block: Parameters<typeof rowsIn>[0]): string[] {
  const [heads = [], ...rows] = rowsIn(block);
  const more = rows.length - ROWS_READ;
  return [
    ...rows.slice(0, ROWS_READ).map(([name = mrkdwn``, ...cells]) => {
      const said = cells.flatMap((cell, at) =>
        cell.text === '' ? [] : [withHead(heads[at + 1]?.text.toLowerCase(), cell.text)],
      );
      const [head] = heads;
      const title = /^\d+$/.test(name.text) ? `${head?.text} ${name.text}` : name.text;
      return [title, said.join('; ')].filter((part) => part !== '').join(': ');
    }),
    ...(more > 0 ? [`${more} more in the table`] : []),
  ];
}

/** "share 79 %"; "no change" says by itself what it is. */
function withHead(head: string | undefined, cell: string): string {
  return head === undefined || cell.endsWith(` ${head}`) ? cell : `${head} ${cell}`;
}

function unmarked(part: string, marked: string | undefined): string {
  return marked ?? part;
}

function spoken(line: string): string[] {
  const text = line
    .replace(GLYPHS, '')
    .replace(BOLD, unmarked)
    .replace(ITALICS, unmarked)
    .replace(FRACTIONS, (found, part?: string, whole?: string) =>
      part === undefined ? found : `${part} of ${whole}`,
    )
    // In a code span it is foreign text.
    .replace(/`[^`]*`|:[a-z_]+:/g, (found) => SIGNS.get(found) ?? found)
    .replace(/^\s*• /, '')
    .trim();
  return text === '' ? [] : [text];
}

/** Signs of a state are characters; the others add nothing to the words. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  [':warning:', ''],
  ...Object.values(SIGN).map((code): [string, string] => [code, '']),
  [SIGN.hurt, '🔴'],
  [SIGN.wrong, '🟠'],
  [SIGN.unknown, '⚪'],
  [SIGN.good, '✅'],
]);

/** Words of people, where an arrow is no change: “raise 500 → 800”. */
const QUOTED = /`[^`]*`|“[^“”]*”|^>.*/g;

function labelled(line: string): string {
  if (line.startsWith('→')) return `Next: ${line.slice(1).trim()}`;
  return / → /.test(line.replace(QUOTED, '')) ? `Changed: ${line}` : line;
}
