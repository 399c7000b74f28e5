import { joinLines, stripControl, truncate } from '../../lib/text.ts';

/** Text in Slack's mrkdwn that is safe to send: made by `mrkdwn`, `code` or `raw` only. */
export class Mrkdwn {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Foreign text without what cannot be seen or sent: control and direction marks, halves of pairs. */
export function tidy(text: string): string {
  return stripControl(text).replace(/\p{Cs}/gu, '\uFFFD');
}

/**
 * Makes foreign text inert: `&`, `<` and `>` become entities, so no mention, link or channel can be
 * smuggled in; control and direction marks go.
 */
export function escapeText(text: string): string {
  return tidy(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Template for mrkdwn: every value is escaped and kept on one line, save those that are `Mrkdwn`
 * already. A line break in a foreign name would let it write a line of its own. Words that Slack would
 * format, or make a picture of, come out as they are, in a code span; a backtick would open one, or
 * close it: it becomes the look-alike U+02CB.
 * @example mrkdwn`*${name}* is ready in ${code(location)}`
 */
export function mrkdwn(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Mrkdwn)[]
): Mrkdwn {
  const parts = values.map((value, index) => {
    const safe = value instanceof Mrkdwn ? value.text : unformatted(tidy(String(value)));
    return safe + (strings[index + 1] ?? '');
  });
  return new Mrkdwn((strings[0] ?? '') + parts.join(''));
}

export function joinMrkdwn(parts: readonly Mrkdwn[], separator: string): Mrkdwn {
  return new Mrkdwn(parts.map((part) => part.text).join(separator));
}

/** A code span; a backtick inside would end it, so it is replaced as in `mrkdwn`. */
export function code(text: string, max = 200): Mrkdwn {
  const inert = withoutTicks(escapeText(truncate(text, max)))
    .replace(/\s+/g, ' ')
    .trim();
  return new Mrkdwn(inert === '' ? '` `' : `\`${inert}\``);
}

/** A name of an emoji has a letter of any alphabet, or digits and no digit before it, as a time has: `:100:`, `10:30:15`. */
const PICTURE = /:(?=[^\s:]*\p{L})[\p{L}\p{M}\p{N}_+'-]+:|:[+-]\d+:|(?<!\d):\d+:/u;

/** What Slack acts on in a text: `*bold*`, `_italic_` and `~struck~` at the edge of a word, `:fire:`, a quote. */
const MARKS = new RegExp(
  `(?<![\\p{L}\\p{N}])[*_~](?!\\s)|(?<!\\s)[*_~](?![\\p{L}\\p{N}])|${PICTURE.source}|^>`,
  'u',
);

/** One line, in which the words from the first to the last with a mark in them are a code span. */
function unformatted(text: string): string {
  const line = joinLines(withoutTicks(text));
  if (!MARKS.test(line)) return escapeText(line);

  const words = line.split(/(\s+)/);
  const [first, end] = [words.findIndex(isMarked), words.findLastIndex(isMarked) + 1];
  const textOf = (some: readonly string[]): string => some.join('');
  const marked = code(textOf(words.slice(first, end)), Infinity);
  return `${escapeText(textOf(words.slice(0, first)))}${marked.text}${escapeText(textOf(words.slice(end)))}`;
}

function isMarked(word: string): boolean {
  return MARKS.test(word);
}

function withoutTicks(text: string): string {
  return text.replaceAll('`', 'ˋ');
}

/** A moment in the reader's own time zone, with UTC for clients that cannot. `ms` since the epoch. */
export function moment(ms: number, format = '{date_short_pretty} {time}'): Mrkdwn {
  const fallback = `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new Mrkdwn(`<!date^${Math.floor(ms / 1000)}^${format}|${fallback}>`);
}

export function mentionUser(id: string): Mrkdwn {
  return new Mrkdwn(`<@${id.replace(/[^A-Z0-9]/gi, '')}>`);
}

export function mentionChannel(id: string): Mrkdwn {
  return new Mrkdwn(`<#${id.replace(/[^A-Z0-9]/gi, '')}>`);
}

export function mentionGroup(id: string): Mrkdwn {
  return new Mrkdwn(`<!subteam^${id.replace(/[^A-Z0-9]/gi, '')}>`);
}
