import type { KnownBlock, PlainTextElement, RichTextElement } from '@slack/types';
import type { Scrub } from '../../lib/secret.ts';
import { revealed } from '../../lib/lookalikes.ts';
import { joinLines, stripControl, truncate } from '../../lib/text.ts';
import { firstOf, pack, restLine, type FirstOptions } from './fit.ts';

/**
 * Slack's limits in characters or counts, from docs.slack.dev/reference/block-kit. Lengths count after escaping, so
 * builders cut below them.
 */
export const LIMITS = {
  /** Of a private answer with its buttons; a longer one is cut, so the views keep below this. */
  messageBlocks: 50,
  /** All texts of a message: Slack refused about 13,200. */
  messageCharacters: 13_000,
  blockId: 255,
  modalBlocks: 100,
  homeBlocks: 100,
  /** Title, submit and close of a modal. */
  modalTitle: 24,
  privateMetadata: 3_000,
  /** Advised length of the top-level text; Slack cuts at 40,000. */
  messageText: 4_000,
  headerText: 150,
  sectionText: 3_000,
  fieldText: 2_000,
  contextElements: 10,
  /** Of an alert, which only modals take. */
  alertText: 200,
  /** Of a list in rich text. Slack documents no limit: as much as two sections hold. */
  richText: 6_000,
  actionsElements: 25,
  buttonText: 75,
  buttonUrl: 3_000,
  buttonValue: 2_000,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  label: 2_000,
  placeholder: 150,
  inputText: 3_000,
  optionText: 75,
  /** Slack's types say 75, its pages 150. */
  optionValue: 75,
  optionDescription: 75,
  checkboxes: 10,
  /** Options of a select, and of each group of one. */
  options: 100,
  optionGroups: 100,
  /** All options of a select, in bytes as sent: Slack takes about 250 KB for a whole view. */
  optionsBytes: 60_000,
  /** All options of a menu in a message, in characters, because they count among its texts. */
  menuCharacters: 3_000,
  tableRows: 100,
  /** All cells of a table. Slack takes 10,000, and a whole message of about 13,200. */
  tableCharacters: 6_000,
  /** Of a data table, without its head. */
  dataTableRows: 200,
  dataTableCharacters: 20_000,
  dataTablePage: 100,
  caption: 300,
  chartTitle: 50,
  /** Of a series and of a point. */
  chartLabel: 20,
  chartSeries: 12,
  chartPoints: 20,
} as const;

type Given<Members> = {
  [Name in keyof Members]?: Exclude<Members[Name], undefined>;
};

/** The members that are not undefined: Slack's types take no undefined. */
export function given<Members extends object>(members: Members): Given<Members> {
  const all = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as Given<Members>;
}

/** Text in Slack's mrkdwn that is safe to send: made by the functions of the kit only. */
export class Mrkdwn {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Foreign text without control and direction marks and without lone surrogates. */
export function tidy(text: string): string {
  return stripControl(text).replace(/\p{Cs}/gu, '\uFFFD');
}

/**
 * Makes foreign text inert: `&`, `<` and `>` become entities, so no mention, link or channel can be smuggled in;
 * control and direction marks are removed.
 */
export function escapeText(text: string): string {
  return tidy(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Template for mrkdwn: every value is escaped and kept on one line, save those that are `Mrkdwn` already. A line break
 * in a foreign name would let it write a line of its own. Words that Slack would format, or make a picture of, are put
 * into a code span; a backtick, which would open or close one, becomes the look-alike U+02CB. @example mrkdwn`*${name}*
 * is ready in ${code(location)}`
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

/** As `firstOf` of plain texts: "a, b and 3 more". */
export function joinFirst(
  items: readonly Mrkdwn[],
  max: number,
  options: FirstOptions = {},
): Mrkdwn {
  const texts = items.map(({ text }) => text);
  return new Mrkdwn(firstOf(texts, max, options));
}

/** "→ Put it into `REDIS_URL`": the next step, on a line of its own. @param todo begins with a letter */
export function stepLine(todo: Mrkdwn): Mrkdwn {
  return new Mrkdwn(`→ ${todo.text.charAt(0).toUpperCase()}${todo.text.slice(1)}`);
}

/** A code span; a backtick inside would end it, so it is replaced as in `mrkdwn`. */
export function code(text: string, max = 200): Mrkdwn {
  const inert = withoutTicks(escapeText(truncate(text, max)))
    .replace(/\s+/g, ' ')
    .trim();
  return new Mrkdwn(inert === '' ? '` `' : `\`${inert}\``);
}

/** A sentence with the code between its backticks as code; a backtick without a second stays text. */
export function withCode(text: string): Mrkdwn {
  const parts = text.split(/`([^`]+)`/);
  return joinMrkdwn(
    parts.map((part, at) => (at % 2 === 1 ? code(part) : mrkdwn`${part}`)),
    '',
  );
}

/**
 * A name of an emoji has a letter of any alphabet, or digits and no digit before it, as a time has: `:100:`,
 * `10:30:15`.
 */
const PICTURE = /:(?=[^\s:]*\p{L})[\p{L}\p{M}\p{N}_+'-]+:|:[+-]\d+:|(?<!\d):\d+:/u;

/** Slack's formatting: `*bold*`, `_italic_` and `~struck~` at the edge of a word, `:fire:`, a quote. */
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

/** In all texts, the ones to ask where users cannot help themselves. */
const NAMED = {
  contact: 'your Purser administrator',
  approvers: 'a billing_admin of the account',
} as const;

/** `bare`: without names, for an error below a field, where Slack shows a mention as its characters. */
export type NamingScrub = Scrub & { readonly bare?: Scrub };

/**
 * The last step of all texts to Slack: with `CONTACT` they name it instead of the administrator, with `APPROVERS` those
 * who grant roles.
 * @param people the mention of a channel, a group or a person; anything else is plain text
 */
export function namingPeople(
  scrub: Scrub,
  people: { readonly [Name in keyof typeof NAMED]?: string | undefined },
): NamingScrub {
  const { contact, approvers } = people;
  const named: Scrub = (text) =>
    naming(naming(scrub(text), NAMED.contact, contact), NAMED.approvers, approvers);
  return Object.assign(named, { bare: scrub });
}

function naming(text: string, words: string, who: string | undefined): string {
  if (who === undefined) return text;
  const isMention = /^<(?:#[CG]|!subteam\^S|@[UW])[A-Z0-9]+>$/.test(who);
  const { text: name } = isMention ? new Mrkdwn(who) : mrkdwn`${who}`;
  return text.replaceAll(words, () => name);
}

/** Shown where a text must not be empty. */
export const EMPTY = '–';

/** Text in which Slack finds no mentions, links or pictures; foreign text needs no escaping here. */
export function plain(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: clip(tidy(text).trim() || EMPTY, max), emoji: false };
}

/** At most `max` UTF-16 units, the last of them an ellipsis if something was cut off. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${withoutHalfPair(text.slice(0, max - 1))}…`;
}

function withoutHalfPair(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * A line of rich text. Slack formats nothing in it by its characters: `*x*` stays `*x*`, and a backtick is one.
 * Invisible characters of a foreign value are written out: `⟨U+200B⟩`.
 */
export class Rich {
  readonly elements: readonly RichTextElement[];

  constructor(elements: readonly RichTextElement[]) {
    this.elements = elements;
  }

  get length(): number {
    return this.elements.reduce(
      (sum, one) => sum + ('text' in one ? (one.text?.length ?? 0) : 20),
      0,
    );
  }
}

/**
 * Template for a line of rich text: every value is kept as it is, on one line. @example rich`${strong(name)}:
 * ${verbatim(was)} → ${verbatim(becomes)}`
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

export function strong(text: string): Rich {
  return new Rich(textRun(oneLine(text), { bold: true }));
}

/**
 * A foreign value in bold, with all its spaces; a line end is shown as a sign, so that no value can write a line of its
 * own. Code style shows the spaces of a value that begins or ends with one, or has several in a row. Longer ones are
 * cut at `max` characters.
 */
export function verbatim(text: string, max: number = LIMITS.fieldText): Rich {
  const shown = clip(literal(text).replaceAll('\n', ' ⏎ '), max);
  const hasSpaces = shown.trim() !== shown || /\s\s/.test(shown) || shown === '';
  return new Rich(textRun(shown || ' ', hasSpaces ? { code: true } : { bold: true }));
}

export function person(id: string): Rich {
  return new Rich([{ type: 'user', user_id: id.replace(/[^A-Z0-9]/gi, '') }]);
}

export function channel(id: string): Rich {
  return new Rich([{ type: 'channel', channel_id: id.replace(/[^A-Z0-9]/gi, '') }]);
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
 * @param room for all lines, in characters
 */
export function bulletList(
  title: Rich | undefined,
  items: readonly Rich[],
  { max = 20, room = LIMITS.richText }: { max?: number; room?: number } = {},
): KnownBlock {
  const [shown = []] = pack(items, ({ length }) => [length, 1], [room, max]);
  const rest = restLine(shown.length, items.length).map((line) => rich`${line}`);
  const lines = [...shown, ...rest].map(sectionOf);
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
  return [{ type: 'text', text, ...given({ style }) }];
}

function oneLine(text: string): string {
  return joinLines(literal(text));
}

/** Line breaks of every kind as one, before invisible characters are written out. */
function literal(text: string): string {
  return tidy(revealed(text.replace(/\r\n?|[\u2028\u2029]/g, '\n')));
}
