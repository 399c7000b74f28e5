import type { KnownBlock, RichTextElement } from '@slack/types';
import { revealed } from '../../lib/lookalikes.ts';
import { joinLines } from '../../lib/text.ts';
import { tidy } from './escape.ts';
import { LIMITS } from './limits.ts';
import { clip, EMPTY } from './plain.ts';

/**
 * A line of rich text. Slack formats nothing in it by its characters: `*x*` stays `*x*`, and a backtick
 * is one. What cannot be seen in a foreign value is written out: `⟨U+200B⟩`.
 */
export class Rich {
  readonly elements: readonly RichTextElement[];

  constructor(elements: readonly RichTextElement[]) {
    this.elements = elements;
  }

  /** All that can be read in it, in characters. */
  get length(): number {
    return this.elements.reduce(
      (sum, one) => sum + ('text' in one ? (one.text?.length ?? 0) : 20),
      0,
    );
  }
}

/**
 * Template for a line of rich text: every value stands as it is, on one line.
 * @example rich`${strong(name)}: ${verbatim(was)} → ${verbatim(becomes)}`
 */
export function rich(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Rich)[]
): Rich {
  const parts = values.flatMap((value, index) => [
    ...(value instanceof Rich ? value.elements : textRun(oneLine(String(value)))),
    ...textRun(strings[index + 1] ?? ''),
  ]);
  return new Rich([...textRun(strings[0] ?? ''), ...parts]);
}

/** In bold. */
export function strong(text: string): Rich {
  return new Rich(textRun(oneLine(text), { bold: true }));
}

/**
 * A foreign value in code style, with all its spaces; where a line ends there is a sign for it, so that
 * none can write a line of its own. Longer ones are cut at `max` characters.
 */
export function verbatim(text: string, max: number = LIMITS.fieldText): Rich {
  const shown = clip(literal(text).replaceAll('\n', ' ⏎ '), max);
  return new Rich(textRun(shown === '' ? ' ' : shown, { code: true }));
}

/** A person by their id. */
export function person(id: string): Rich {
  return new Rich([{ type: 'user', user_id: id.replace(/[^A-Z0-9]/gi, '') }]);
}

/** A moment in the reader's own time zone. `ms` since the epoch. */
export function instant(ms: number, format = '{date_short_pretty} {time}'): Rich {
  const fallback = `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new Rich([{ type: 'date', timestamp: Math.floor(ms / 1000), format, fallback }]);
}

export function joinRich(parts: readonly Rich[], separator: string): Rich {
  return new Rich(
    parts.flatMap(({ elements }, index) => [
      ...(index === 0 ? [] : textRun(separator)),
      ...elements,
    ]),
  );
}

/**
 * Lines with a bullet each below a heading: as many whole ones as fit, at most `max`; the rest is counted.
 * @param room for all of it, in characters
 */
export function bulletList(
  title: Rich | undefined,
  items: readonly Rich[],
  { max = 20, room = LIMITS.richText }: { max?: number; room?: number } = {},
): KnownBlock {
  let used = 0;
  const over = items.slice(0, max).findIndex((item) => (used += item.length) > room);
  const shown = items.slice(0, over === -1 ? max : Math.max(over, 1));
  const rest = items.length - shown.length;
  const lines = [...shown, ...(rest > 0 ? [rich`… and ${rest} more`] : [])].map(sectionOf);
  return {
    type: 'rich_text',
    elements: [
      ...(title === undefined ? [] : [sectionOf(title)]),
      ...(lines.length === 0
        ? []
        : [{ type: 'rich_text_list', style: 'bullet', elements: lines } as const]),
    ],
  };
}

function sectionOf({ elements }: Rich) {
  const filled = elements.length > 0 ? elements : textRun(EMPTY);
  return { type: 'rich_text_section' as const, elements: [...filled] };
}

function textRun(text: string, style?: { bold?: true; code?: true }): RichTextElement[] {
  if (text === '') return [];
  return [{ type: 'text', text, ...(style === undefined ? {} : { style }) }];
}

function oneLine(text: string): string {
  return joinLines(literal(text));
}

/** Line breaks of every kind as one, before what hides is written out. */
function literal(text: string): string {
  return tidy(revealed(text.replace(/\r\n?|[\u2028\u2029]/g, '\n')));
}
