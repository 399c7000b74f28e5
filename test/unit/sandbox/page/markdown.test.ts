import { describe, expect, it } from 'vitest';
import type { Inline } from '../../../../src/sandbox/slack/page/text/inline.ts';
import { parseMarkdown } from '../../../../src/sandbox/slack/page/text/markdown.ts';
import { parseRichText } from '../../../../src/sandbox/slack/page/text/rich-text.ts';
import * as fc from '../../../support/fast-check.ts';
import { allUrls } from './trees.ts';

const dates = { nowSeconds: 1_760_000_000, timeZone: 'UTC' };
const text = (value: string): Inline => ({ type: 'text', text: value });

describe('markdown', () => {
  it('reads headings, rules, code, quotes and paragraphs', () => {
    const blocks = parseMarkdown('# A *b*\n---\n```js\nx < 1\n```\n> q\n\nline\nnext', dates);
    expect(blocks).toEqual([
      {
        type: 'heading',
        level: 1,
        children: [text('A '), { type: 'italic', children: [text('b')] }],
      },
      { type: 'rule' },
      { type: 'pre', text: 'x < 1' },
      { type: 'quote', blocks: [{ type: 'paragraph', children: [text('q')] }] },
      { type: 'paragraph', children: [text('line'), { type: 'break' }, text('next')] },
    ]);
  });

  it('reads lists by depth and kind', () => {
    const blocks = parseMarkdown('3. a\n4. b\n   - c\n- [x] d', dates);
    const list = (ordered: boolean, start: number, indent: number, ...items: string[]) => ({
      type: 'list',
      ordered,
      start,
      indent,
      items: items.map((item) => [text(item)]),
    });
    expect(blocks).toEqual([
      list(true, 3, 0, 'a', 'b'),
      list(false, 1, 1, 'c'),
      list(false, 1, 0, '☑ d'),
    ]);
  });

  it('reads tables with their alignment', () => {
    expect(parseMarkdown('| a | b |\n|:--|--:|\n| 1 | x\\|y |', dates)).toEqual([
      {
        type: 'table',
        align: ['left', 'right'],
        rows: [
          [[text('a')], [text('b')]],
          [[text('1')], [text('x|y')]],
        ],
      },
    ]);
  });

  it('reads emphasis inside emphasis, and shows HTML as text', () => {
    expect(parseMarkdown('**a _b_** ~~c~~ snake_case <i>d</i>', dates)).toEqual([
      {
        type: 'paragraph',
        children: [
          { type: 'bold', children: [text('a '), { type: 'italic', children: [text('b')] }] },
          text(' '),
          { type: 'strike', children: [text('c')] },
          text(' snake_case <i>d</i>'),
        ],
      },
    ]);
  });

  it('never links to a script, and always comes to an end', () => {
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
});

describe('rich text', () => {
  it('reads runs with their styles, mentions, dates and emoji', () => {
    const elements = [
      { type: 'text', text: 'a', style: { bold: true, code: true } },
      { type: 'link', url: 'https://a.example/', text: 'docs' },
      { type: 'link', url: 'javascript:alert(1)', text: 'no' },
      { type: 'user', user_id: 'U1' },
      { type: 'emoji', name: 'x' },
      { type: 'emoji', name: 'unknown' },
      { type: 'date', timestamp: 1_760_000_000, format: '{date_num}', fallback: 'then' },
      { type: 'broadcast', range: 'here' },
    ];
    expect(parseRichText([{ type: 'rich_text_section', elements }], dates)).toEqual([
      {
        type: 'paragraph',
        children: [
          { type: 'bold', children: [{ type: 'code', text: 'a' }] },
          { type: 'link', url: 'https://a.example/', children: [text('docs')] },
          text('no'),
          { type: 'user', id: 'U1' },
          { type: 'emoji', name: 'x', glyph: '❌' },
          text(':unknown:2025-10-09'),
          { type: 'broadcast', range: 'here' },
        ],
      },
    ]);
  });

  it('reads lists, quotes and preformatted text, and leaves out what it does not know', () => {
    const section = { type: 'rich_text_section', elements: [{ type: 'text', text: 'a' }] };
    const elements = [{ type: 'text', text: 'a\nb' }];
    const blocks = parseRichText(
      [
        { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, elements: [section] },
        { type: 'rich_text_quote', elements },
        { type: 'rich_text_preformatted', elements },
        { type: 'rich_text_surprise', elements },
        'nonsense',
      ],
      dates,
    );
    expect(blocks).toEqual([
      { type: 'list', ordered: true, start: 3, indent: 1, items: [[text('a')]] },
      {
        type: 'quote',
        blocks: [{ type: 'paragraph', children: [text('a'), { type: 'break' }, text('b')] }],
      },
      { type: 'pre', text: 'a\nb' },
    ]);
  });
});
