import type { DateContext } from './date-token.ts';
import type { Align, Inline, TextBlock } from './inline.ts';
import { parseMarkdownInline } from './markdown-inline.ts';

type Reader = (lines: readonly string[], at: number, dates: DateContext) => Read | undefined;
type Read = { readonly block: TextBlock; readonly end: number };

/**
 * Reads the standard Markdown of a `markdown` block: headings, emphasis, lists, quotes, code,
 * tables, rules and links. HTML is text like any other.
 */
export function parseMarkdown(text: string, dates: DateContext): TextBlock[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: TextBlock[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const read = readBlock(lines, at, dates);
    blocks.push(read.block);
    at = read.end;
  }
  return blocks;
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

const readers: readonly Reader[] = [
  readFence,
  readHeading,
  readRule,
  readQuote,
  readList,
  readTable,
];

function readBlock(lines: readonly string[], at: number, dates: DateContext): Read {
  for (const reader of readers) {
    const read = reader(lines, at, dates);
    if (read !== undefined) return read;
  }
  let end = at + 1;
  while (
    end < lines.length &&
    !isBlank(lines[end]) &&
    readers.every((reader) => reader(lines, end, dates) === undefined)
  ) {
    end += 1;
  }
  return {
    block: { type: 'paragraph', children: inlineLines(lines.slice(at, end), dates) },
    end,
  };
}

function inlineLines(lines: readonly string[], dates: DateContext): Inline[] {
  return lines.flatMap((line, index) => [
    ...(index > 0 ? [{ type: 'break' } as const] : []),
    ...parseMarkdownInline(line.trim(), dates),
  ]);
}

function readFence(lines: readonly string[], at: number): Read | undefined {
  const mark = /^\s*(```+|~~~+)/.exec(lines[at] ?? '')?.[1];
  if (mark === undefined) return undefined;
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? '').trim().startsWith(mark)) end += 1;
  return { block: { type: 'pre', text: lines.slice(at + 1, end).join('\n') }, end: end + 1 };
}

function readHeading(lines: readonly string[], at: number, dates: DateContext): Read | undefined {
  const match = /^(#{1,6})\s+(.*?)\s*#*$/.exec(lines[at] ?? '');
  if (match === null) return undefined;
  const children = parseMarkdownInline(match[2] ?? '', dates);
  return { block: { type: 'heading', level: match[1]?.length ?? 1, children }, end: at + 1 };
}

function readRule(lines: readonly string[], at: number): Read | undefined {
  return /^\s*([-*_])(?:\s*\1){2,}\s*$/.test(lines[at] ?? '')
    ? { block: { type: 'rule' }, end: at + 1 }
    : undefined;
}

function readQuote(lines: readonly string[], at: number, dates: DateContext): Read | undefined {
  let end = at;
  while (/^\s*>/.test(lines[end] ?? '')) end += 1;
  if (end === at) return undefined;
  const inner = lines.slice(at, end).map((line) => line.replace(/^\s*> ?/, ''));
  return { block: { type: 'quote', blocks: parseMarkdown(inner.join('\n'), dates) }, end };
}

const listItem = /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/;

/** One list is a run of items of one depth and one kind. */
function readList(lines: readonly string[], at: number, dates: DateContext): Read | undefined {
  const first = listItem.exec(lines[at] ?? '');
  if (first === null) return undefined;
  const depth = (match: RegExpExecArray): number => Math.min(8, (match[1]?.length ?? 0) >> 1);
  const items: (readonly Inline[])[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const match = listItem.exec(lines[end] ?? '');
    const ordered = match?.[3] !== undefined;
    if (match === null || depth(match) !== depth(first) || ordered !== (first[3] !== undefined)) {
      break;
    }
    const text = (match[4] ?? '').replace(/^\[ \]/, '☐').replace(/^\[[xX]\]/, '☑');
    items.push(parseMarkdownInline(text, dates));
  }
  const block = {
    type: 'list',
    ordered: first[3] !== undefined,
    start: Number(first[3] ?? 1),
    indent: depth(first),
    items,
  } as const;
  return { block, end };
}

function readTable(lines: readonly string[], at: number, dates: DateContext): Read | undefined {
  const divider = lines[at + 1] ?? '';
  if (
    !(lines[at] ?? '').includes('|') ||
    !/^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(divider)
  ) {
    return undefined;
  }
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? '').includes('|')) end += 1;
  const rows = [lines[at] ?? '', ...lines.slice(at + 2, end)].map((line) =>
    cells(line).map((cell) => parseMarkdownInline(cell, dates)),
  );
  return { block: { type: 'table', align: cells(divider).map(alignment), rows }, end };
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function alignment(mark: string): Align {
  if (!mark.endsWith(':')) return 'left';
  return mark.startsWith(':') ? 'center' : 'right';
}
