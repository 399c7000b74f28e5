import { isObject, type Json, numberOf, objectsOf, stringOf } from '../json.ts';
import { type DateContext, formatDate } from './date-token.ts';
import { findEmoji } from './emoji.ts';
import { type Inline, mergeText, safeUrl, type TextBlock } from './inline.ts';

/** Reads the `elements` of a `rich_text` block; unknown types are left out. */
export function parseRichText(elements: unknown, dates: DateContext): TextBlock[] {
  return objectsOf(elements).flatMap((element) => parseElement(element, dates));
}

function parseElement(element: Json, dates: DateContext): TextBlock[] {
  const children = (): Inline[] => parseRuns(element['elements'], dates);
  switch (element['type']) {
    case 'rich_text_section':
      return [{ type: 'paragraph', children: children() }];
    case 'rich_text_quote':
      return [{ type: 'quote', blocks: [{ type: 'paragraph', children: children() }] }];
    case 'rich_text_preformatted':
      return [{ type: 'pre', text: children().map(plainTextOf).join('') }];
    case 'rich_text_list':
      return [
        {
          type: 'list',
          ordered: element['style'] === 'ordered',
          start: numberOf(element['offset'], 0) + 1,
          indent: Math.min(8, Math.max(0, numberOf(element['indent'], 0))),
          items: objectsOf(element['elements']).map((item) => parseRuns(item['elements'], dates)),
        },
      ];
    default:
      return [];
  }
}

/** The text of a run without its style, for places that show characters only. */
export function plainTextOf(node: Inline): string {
  if ('text' in node) return node.text;
  if ('children' in node) return node.children.map(plainTextOf).join('');
  if ('glyph' in node) return node.glyph;
  if ('range' in node) return `@${node.range}`;
  if ('id' in node) return `${node.type === 'channel' ? '#' : '@'}${node.label ?? node.id}`;
  return '\n';
}

function parseRuns(runs: unknown, dates: DateContext): Inline[] {
  return mergeText(objectsOf(runs).flatMap((run) => styled(parseRun(run, dates), run['style'])));
}

function parseRun(run: Json, dates: DateContext): Inline[] {
  const text = stringOf(run['text']);
  switch (run['type']) {
    case 'text':
      return textWithBreaks(text);
    case 'link': {
      const href = stringOf(run['url']);
      const url = safeUrl(href);
      const children = [{ type: 'text', text: text === '' ? href : text }] as const;
      return url === undefined ? [...children] : [{ type: 'link', url, children }];
    }
    case 'user':
      return [{ type: 'user', id: stringOf(run['user_id']) }];
    case 'channel':
      return [{ type: 'channel', id: stringOf(run['channel_id']) }];
    case 'usergroup':
      return [{ type: 'usergroup', id: stringOf(run['usergroup_id']) }];
    case 'broadcast':
      return broadcast(run['range']);
    case 'emoji': {
      const name = stringOf(run['name']);
      return [findEmoji(name) ?? { type: 'text', text: `:${name}:` }];
    }
    case 'date':
      return [{ type: 'text', text: dateText(run, dates) }];
    default:
      return [];
  }
}

function broadcast(range: unknown): Inline[] {
  return range === 'here' || range === 'channel' || range === 'everyone'
    ? [{ type: 'broadcast', range }]
    : [];
}

function dateText(run: Json, dates: DateContext): string {
  return formatDate(
    {
      timestampSeconds: numberOf(run['timestamp'], Number.NaN),
      format: stringOf(run['format']),
      fallback: stringOf(run['fallback']),
    },
    dates,
  );
}

function textWithBreaks(text: string): Inline[] {
  return text
    .split('\n')
    .flatMap((line, index): Inline[] => [
      ...(index > 0 ? [{ type: 'break' } as const] : []),
      { type: 'text', text: line },
    ]);
}

function styled(nodes: Inline[], style: unknown): Inline[] {
  if (!isObject(style)) return nodes;
  let children = nodes;
  if (style['code'] === true) {
    children = children.map((node) =>
      node.type === 'text' ? { type: 'code', text: node.text } : node,
    );
  }
  for (const type of ['bold', 'italic', 'strike', 'underline'] as const) {
    if (style[type] === true) children = [{ type, children }];
  }
  return children;
}
