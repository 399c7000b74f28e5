import { expect, it } from 'vitest';
import type { Inline } from '../../../../src/sandbox/slack/page/text/inline.ts';
import { parseMarkdown } from '../../../../src/sandbox/slack/page/text/markdown.ts';
import { parseRichText } from '../../../../src/sandbox/slack/page/text/rich-text.ts';
import * as fc from '../../../support/fast-check.ts';
import { allUrls } from './trees.ts';

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

it.each<[name: string, raw: string, blocks: object[]]>([
  [
    'headings, rules, code and quotes',
    '# A *b*\n---\n```js\nx < 1\n```\n> q',
    [
      {
        type: 'heading',
        level: 1,
        children: [text('A '), { type: 'italic', children: [text('b')] }],
      },
      { type: 'rule' },
      { type: 'pre', text: 'x < 1' },
      { type: 'quote', blocks: [paragraph(text('q'))] },
    ],
  ],
  [
    'lines of a paragraph',
    'line\nnext',
    [paragraph(text('line'), { type: 'break' }, text('next'))],
  ],
  [
    'lists by depth and kind',
    '3. a\n4. b\n   - c\n- [x] d',
    [list(true, 3, 0, 'a', 'b'), list(false, 1, 1, 'c'), list(false, 1, 0, '☑ d')],
  ],
  [
    'tables with their alignment',
    '| a | b |\n|:--|--:|\n| 1 | x\\|y |',
    [
      {
        type: 'table',
        align: ['left', 'right'],
        rows: [
          [[text('a')], [text('b')]],
          [[text('1')], [text('x|y')]],
        ],
      },
    ],
  ],
  [
    'emphasis inside emphasis, and HTML as text',
    '**a _b_** ~~c~~ snake_case <i>d</i>',
    [
      paragraph(
        { type: 'bold', children: [text('a '), { type: 'italic', children: [text('b')] }] },
        text(' '),
        { type: 'strike', children: [text('c')] },
        text(' snake_case <i>d</i>'),
      ),
    ],
  ],
])('markdown has %s', (_name, raw, blocks) => {
  expect(parseMarkdown(raw, dates)).toEqual(blocks);
});

it('markdown never links to a script, and always comes to an end', () => {
  const pieces =
    '[ ] ( ) * ** _ __ ~~ ` ``` # | - < > ! \\ 1. x |---| javascript:alert(1) https://a'
      .split(' ')
      .concat(' ', '\n', '> ');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      const urls = allUrls(parseMarkdown(parts.join(''), dates));

      expect(urls.filter((url) => !url.startsWith('https://a'))).toEqual([]);
    }),
  );
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
