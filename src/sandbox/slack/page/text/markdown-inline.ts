import { parseControl } from './control.ts';
import type { DateContext } from './date-token.ts';
import { findEmoji } from './emoji.ts';
import { type Inline, mergeText, safeUrl, unescapeEntities } from './inline.ts';

type Match = {
  readonly pattern: RegExp;
  readonly read: (groups: string[], dates: DateContext) => Inline | undefined;
};

/** The forms of inline Markdown, tried in this order at every position. */
const forms: readonly Match[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, read: ([char = '']) => ({ type: 'text', text: char }) },
  { pattern: /(`+)(?!`)(.+?)(?<!`)\1(?!`)/y, read: ([, text = '']) => ({ type: 'code', text }) },
  { pattern: /!?\[([^\]]*)\]\(([^()\s]+)(?:\s+"[^"]*")?\)/y, read: readLink },
  { pattern: /<([^<>\n]+)>/y, read: readControl },
  { pattern: /\*\*(?=\S)(.+?\*?)(?<=\S)\*\*/y, read: wrap('bold') },
  { pattern: /(?<![\p{L}\p{N}])__(?=\S)(.+?)(?<=\S)__(?![\p{L}\p{N}])/uy, read: wrap('bold') },
  { pattern: /~~(?=\S)(.+?)(?<=\S)~~/y, read: wrap('strike') },
  { pattern: /\*(?=[^\s*])(.+?)(?<=\S)\*(?!\*)/y, read: wrap('italic') },
  { pattern: /(?<![\p{L}\p{N}])_(?=[^\s_])(.+?)(?<=\S)_(?![\p{L}\p{N}])/uy, read: wrap('italic') },
  { pattern: /:([a-z0-9_+'-]{1,60}):/y, read: ([name = '']) => findEmoji(name) },
  { pattern: /(https?:\/\/[^\s<>"*`)\]]*[^\s<>"*`)\].,;:!?])/y, read: readBareUrl },
  {
    pattern: /(&(?:amp|lt|gt);)/y,
    read: ([entity = '']) => ({ type: 'text', text: unescapeEntities(entity) }),
  },
];

/** Reads one line of standard Markdown, with Slack's mentions and emoji in it. */
export function parseMarkdownInline(line: string, dates: DateContext): Inline[] {
  const nodes: Inline[] = [];
  for (let at = 0; at < line.length;) {
    const token = readToken(line, at, dates);
    nodes.push(token?.node ?? { type: 'text', text: line[at] ?? '' });
    at = token?.end ?? at + 1;
  }
  return mergeText(nodes);
}

function readToken(
  line: string,
  at: number,
  dates: DateContext,
): { node: Inline; end: number } | undefined {
  for (const { pattern, read } of forms) {
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    const node = match === null ? undefined : read(match.slice(1), dates);
    if (match !== null && node !== undefined) return { node, end: at + match[0].length };
  }
  return undefined;
}

function wrap(type: 'bold' | 'italic' | 'strike'): Match['read'] {
  return ([text = ''], dates) => ({ type, children: parseMarkdownInline(text, dates) });
}

function readLink([label = '', href = '']: string[], dates: DateContext): Inline | undefined {
  const url = safeUrl(href);
  if (url === undefined) return undefined;
  const children = label === '' ? [] : parseMarkdownInline(label, dates);
  const plain = children.filter((node) => node.type !== 'link');
  return { type: 'link', url, children: plain.length > 0 ? plain : [{ type: 'text', text: url }] };
}

function readControl([content = '']: string[], dates: DateContext): Inline | undefined {
  return parseControl(content, dates, (label) => [{ type: 'text', text: unescapeEntities(label) }]);
}

function readBareUrl([raw = '']: string[]): Inline | undefined {
  const url = safeUrl(unescapeEntities(raw));
  return url === undefined
    ? undefined
    : { type: 'link', url, children: [{ type: 'text', text: url }] };
}
