import type { ContextBlock, KnownBlock, RichTextBlock } from '@slack/types';
import { CHARACTERS, cutText } from './blocks.ts';
import { rowsIn } from './tables.ts';
import { escapeText, LIMITS, mrkdwn } from './text.ts';

/** Rows of a table that are read out. */
const ROWS_READ = 5;
/** Of the first line, in characters: a notification shows no more. */
const HEADLINE = 100;
/** Bars drawn with characters, which a screen reader spells one by one. */
const GLYPHS = /[▀-▟▰▱]{2,}/g;

/**
 * The top-level text of a message, made from its blocks: for notifications and screen readers, which do not read
 * blocks. The headline, the lines of all sections, "Next: …", "Changed: …", and up to five rows as sentences.
 */
export function messageText(blocks: readonly KnownBlock[]): string {
  const [first = '', ...others] = blocks.flatMap(linesOf).flatMap(spoken);
  return cutText([...headline(first), ...others.map(labelled)].join('\n'), LIMITS.messageText);
}

/** What a block says, a line each, as mrkdwn. */
function linesOf(block: KnownBlock): string[] {
  switch (block.type) {
    case 'header':
      return [escapeText(block.text.text)];
    case 'section':
      return [block.text, ...(block.fields ?? [])].flatMap((text) => text?.text.split('\n') ?? []);
    case 'alert':
      return block.text.text.split('\n');
    case 'rich_text':
      return richLines(block);
    case 'table':
    case 'data_table':
      return rowLines(block);
    case 'context':
      return smallPrint(block).filter((line) => /^[⚠→]/u.test(line));
    default:
      return [];
  }
}

function smallPrint({ elements }: ContextBlock): string[] {
  return elements.flatMap((one) => ('text' in one ? one.text.split('\n') : []));
}

function richLines({ elements }: RichTextBlock): string[] {
  const lines = elements.flatMap((part) =>
    part.type === 'rich_text_list' ? part.elements : [part],
  );
  return lines.map((line) => {
    const texts = line.elements.map((one) => {
      if (one.type === 'user') return `<@${one.user_id}>`;
      if (one.type === 'date')
        return `<!date^${one.timestamp}^${one.format}|${one.fallback ?? ''}>`;
      return 'text' in one ? mrkdwn`${one.text ?? ''}`.text : '';
    });
    return texts.join('');
  });
}

/** "acme: charge $1,199.57, share 79 %". */
function rowLines(block: Parameters<typeof rowsIn>[0]): string[] {
  const [heads = [], ...rows] = rowsIn(block);
  const more = rows.length - ROWS_READ;
  return [
    ...rows.slice(0, ROWS_READ).map(([name = mrkdwn``, ...cells]) => {
      const said = cells.flatMap((cell, at) =>
        cell.text === '' ? [] : [`${heads[at + 1]?.text.toLowerCase()} ${cell.text}`],
      );
      return [name.text, said.join(', ')].filter((part) => part !== '').join(': ');
    }),
    ...(more > 0 ? [`${more} more`] : []),
  ];
}

function spoken(line: string): string[] {
  const text = line
    .replace(GLYPHS, '')
    // Foreign text that looks like a code is in a code span.
    .replace(/`[^`]*`|:[a-z_]+:/g, (found) =>
      found[0] === '`' ? found : (CHARACTERS[found] ?? ''),
    )
    .replace(/^\s*• /, '')
    .trim();
  return text === '' ? [] : [text];
}

function labelled(line: string): string {
  if (line.startsWith('→')) return `Next: ${line.slice(1).trim()}`;
  return / → /.test(line) ? `Changed: ${line}` : line;
}

/** A long first line is two: the first ends between two of its parts. */
function headline(line: string): string[] {
  if (line.length <= HEADLINE) return [line];
  const at = line.lastIndexOf(' · ', HEADLINE);
  return at <= 0 ? [line] : [line.slice(0, at), line.slice(at + 3)];
}
