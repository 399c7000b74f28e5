import { expect, it } from 'vitest';
import type { Inline } from '../../../../src/sandbox/slack/page/text/inline.ts';
import { parseRichText } from '../../../../src/sandbox/slack/page/text/rich-text.ts';

const dates = { nowSeconds: 1_760_000_000, timeZone: 'UTC' };
const text = (value: string): Inline => ({ type: 'text', text: value });
const paragraph = (...children: Inline[]) => ({ type: 'paragraph', children });
const list = (ordered: boolean, start: number, indent: number, ...items: string[]) => ({
  type: 'list',
  ordered,
  start,
  indent,
  items: items.map((item) => [text(item)]),
});

it.each<[element: object, run: object]>([
  [
    { type: 'text', text: 'a', style: { bold: true, code: true } },
    { type: 'bold', children: [{ type: 'code', text: 'a' }] },
  ],
  [
    { type: 'link', url: 'https://a.example/', text: 'docs' },
    { type: 'link', url: 'https://a.example/', children: [text('docs')] },
  ],
  [{ type: 'link', url: 'javascript:alert(1)', text: 'no' }, text('no')],
  [
    { type: 'user', user_id: 'U1' },
    { type: 'user', id: 'U1' },
  ],
  [
    { type: 'emoji', name: 'x' },
    { type: 'emoji', name: 'x', glyph: '❌' },
  ],
  [{ type: 'emoji', name: 'unknown' }, text(':unknown:')],
  [
    { type: 'date', timestamp: 1_760_000_000, format: '{date_num}', fallback: 'then' },
    text('2025-10-09'),
  ],
  [
    { type: 'broadcast', range: 'here' },
    { type: 'broadcast', range: 'here' },
  ],
])('rich text has %j', (element, run) => {
  const blocks = parseRichText([{ type: 'rich_text_section', elements: [element] }], dates);

  expect(blocks).toEqual([{ type: 'paragraph', children: [run] }]);
});

it('rich text has lists, quotes and preformatted text, and drops unknown elements', () => {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text: 'a' }] };
  const elements = [{ type: 'text', text: 'a\nb' }];
  const blocks = [
    { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, elements: [section] },
    { type: 'rich_text_quote', elements },
    { type: 'rich_text_preformatted', elements },
    { type: 'rich_text_surprise', elements },
    'nonsense',
  ];

  expect(parseRichText(blocks, dates)).toEqual([
    list(true, 3, 1, 'a'),
    { type: 'quote', blocks: [paragraph(text('a'), { type: 'break' }, text('b'))] },
    { type: 'pre', text: 'a\nb' },
  ]);
});
