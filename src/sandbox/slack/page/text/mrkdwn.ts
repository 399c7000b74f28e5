import { parseControl } from './control.ts';
import type { DateContext } from './date-token.ts';
import { findEmoji } from './emoji.ts';
import { type Inline, mergeText, safeUrl, type TextBlock, unescapeEntities } from './inline.ts';

/** How a text is read. `verbatim` leaves bare addresses alone. */
export type MrkdwnOptions = DateContext & { readonly verbatim?: boolean };

const styles = { '*': 'bold', _: 'italic', '~': 'strike' } as const;
type Marker = keyof typeof styles;

const wordCharacter = /[\p{L}\p{N}]/u;

/**
 * Reads Slack's mrkdwn into a tree. Whatever is not exactly one of Slack's forms stays text,
 * so nothing foreign can become an element.
 */
export function parseMrkdwn(text: string, options: MrkdwnOptions): TextBlock[] {
  const blocks: TextBlock[] = [];
  const fence = /```([\s\S]+?)```/g;
  let from = 0;
  for (const match of text.matchAll(fence)) {
    blocks.push(...parseLines(trimLineEnds(text.slice(from, match.index)), options));
    blocks.push({ type: 'pre', text: plainText(trimLineEnds(match[1] ?? '')) });
    from = match.index + match[0].length;
  }
  const rest = text.slice(from);
  blocks.push(...parseLines(from === 0 ? rest : trimLineEnds(rest), options));
  return blocks;
}

const trimLineEnds = (text: string): string => text.replace(/^\n|\n$/g, '');

/** Inside code, links show their address or label and entities are undone; nothing else counts. */
function plainText(raw: string): string {
  return unescapeEntities(
    raw.replace(/<((?:https?:\/\/|mailto:)[^<>|\n]+)(?:\|([^<>\n]*))?>/g, (_, url, label) =>
      String(label ?? url),
    ),
  );
}

const quoteMark = /^(?:&gt;|>) ?/;
const quoteRest = /^(?:&gt;|>){3} ?/;

function parseLines(text: string, options: MrkdwnOptions): TextBlock[] {
  if (text === '') return [];
  const blocks: TextBlock[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const everything = quoteRest.test(line);
    const quoted = everything || quoteMark.test(line);
    const other = lines.findIndex((each, index) => index > at && quoteMark.test(each) !== quoted);
    const end = everything || other < 0 ? lines.length : other;
    const chunk = lines.slice(at, end);
    const mark = everything ? quoteRest : quoteMark;
    const children = parseInlineLines(
      quoted ? chunk.map((each) => each.replace(mark, '')) : chunk,
      options,
    );
    const paragraph = { type: 'paragraph', children } as const;
    blocks.push(quoted ? { type: 'quote', blocks: [paragraph] } : paragraph);
    at = end;
  }
  return blocks;
}

/** Emphasis does not reach over a line's end in Slack, so every line is read by itself. */
function parseInlineLines(lines: readonly string[], options: MrkdwnOptions): Inline[] {
  return lines.flatMap((line, index) => [
    ...(index > 0 ? [{ type: 'break' } as const] : []),
    ...parseInline(line, options),
  ]);
}

/** Reads one line (or a label) of mrkdwn. */
function parseInline(line: string, options: MrkdwnOptions): Inline[] {
  const nodes: Inline[] = [];
  for (let at = 0; at < line.length;) {
    const token = readToken(line, at, options);
    nodes.push(token?.node ?? { type: 'text', text: line[at] ?? '' });
    at = token?.end ?? at + 1;
  }
  return mergeText(nodes);
}

type Token = { readonly node: Inline; readonly end: number };

function readToken(line: string, at: number, options: MrkdwnOptions): Token | undefined {
  switch (line[at]) {
    case '<':
      return readControl(line, at, options);
    case '`':
      return readCode(line, at);
    case ':':
      return readEmoji(line, at);
    case '&':
      return readEntity(line, at);
    case '*':
    case '_':
    case '~':
      return readStyle(line, at, line[at], options);
    case 'h':
      return options.verbatim === true ? undefined : readBareUrl(line, at);
    default:
      return undefined;
  }
}

function readControl(line: string, at: number, options: MrkdwnOptions): Token | undefined {
  const end = controlEnd(line, at);
  if (end === undefined) return undefined;
  const node = parseControl(line.slice(at + 1, end - 1), options, (raw) =>
    parseInline(raw, { ...options, verbatim: true }).filter(isPlain),
  );
  return node === undefined ? undefined : { node, end };
}

/** A link's label holds no second link and no mention. */
function isPlain(node: Inline): boolean {
  return node.type !== 'link' && node.type !== 'user' && node.type !== 'channel';
}

function controlEnd(line: string, at: number): number | undefined {
  const close = line.indexOf('>', at);
  const nested = line.indexOf('<', at + 1);
  return close < 0 || (nested >= 0 && nested < close) ? undefined : close + 1;
}

function readCode(line: string, at: number): Token | undefined {
  const close = line.indexOf('`', at + 1);
  if (close <= at + 1) return undefined;
  return { node: { type: 'code', text: plainText(line.slice(at + 1, close)) }, end: close + 1 };
}

function readEmoji(line: string, at: number): Token | undefined {
  const match = /^:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/.exec(line.slice(at, at + 80));
  const node = match === null ? undefined : findEmoji(match[1] ?? '');
  return node === undefined || match === null ? undefined : { node, end: at + match[0].length };
}

function readEntity(line: string, at: number): Token | undefined {
  const match = /^&(?:amp|lt|gt);/.exec(line.slice(at, at + 5));
  if (match === null) return undefined;
  return { node: { type: 'text', text: unescapeEntities(match[0]) }, end: at + match[0].length };
}

function readBareUrl(line: string, at: number): Token | undefined {
  if (at > 0 && wordCharacter.test(line[at - 1] ?? '')) return undefined;
  const match = /^https?:\/\/[^\s<>"|*`]+/.exec(line.slice(at));
  const raw = match?.[0].replace(/(?:[.,;:!?)'\]]|&gt;|&lt;)+$/, '');
  const url = raw === undefined ? undefined : safeUrl(unescapeEntities(raw));
  if (raw === undefined || url === undefined) return undefined;
  return {
    node: { type: 'link', url, children: [{ type: 'text', text: url }] },
    end: at + raw.length,
  };
}

function readStyle(
  line: string,
  at: number,
  marker: Marker,
  options: MrkdwnOptions,
): Token | undefined {
  const before = line[at - 1];
  const opens =
    (before === undefined || (!wordCharacter.test(before) && before !== marker)) &&
    !/^(?:\s|$)/.test(line.slice(at + 1, at + 2));
  const close = opens ? styleEnd(line, at, marker) : undefined;
  if (close === undefined) return undefined;
  const children = parseInline(line.slice(at + 1, close), options);
  return { node: { type: styles[marker], children }, end: close + 1 };
}

/** Where an emphasis ends; markers inside code and control sequences do not count. */
function styleEnd(line: string, open: number, marker: Marker): number | undefined {
  for (let at = open + 1; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (char === '<') at = (controlEnd(line, at) ?? at + 1) - 1;
    else if (char === '`') at = (readCode(line, at)?.end ?? at + 1) - 1;
    else if (char === marker) {
      const after = line[at + 1];
      const closes =
        at > open + 1 &&
        !/\s/.test(line[at - 1] ?? '') &&
        (after === undefined || (!wordCharacter.test(after) && after !== marker));
      if (closes) return at;
    }
  }
  return undefined;
}
