import { describe, expect, it } from 'vitest';
import type { Inline } from '../../../../src/sandbox/slack/page/text/inline.ts';
import { parseMrkdwn } from '../../../../src/sandbox/slack/page/text/mrkdwn.ts';
import { plainTextOf } from '../../../../src/sandbox/slack/page/text/rich-text.ts';
import * as fc from '../../../support/fast-check.ts';
import { allInlines, allTypes, allUrls } from './trees.ts';

const options = { nowSeconds: 1_760_000_000, timeZone: 'UTC' };

const text = (value: string): Inline => ({ type: 'text', text: value });
const bold = (...children: Inline[]): Inline => ({ type: 'bold', children });
const link = (url: string, ...children: Inline[]): Inline => ({ type: 'link', url, children });
const paragraph = (...children: Inline[]) => ({ type: 'paragraph', children });

it.each<[rule: string, raw: string, runs: Inline[]]>([
  ['bold', '*b*', [bold(text('b'))]],
  ['italic', '_i_', [{ type: 'italic', children: [text('i')] }]],
  ['strike', '~s~', [{ type: 'strike', children: [text('s')] }]],
  ['emphasis inside emphasis', '*_b_*', [bold({ type: 'italic', children: [text('b')] })]],
  ['code without emphasis', '`*a* :rocket:`', [{ type: 'code', text: '*a* :rocket:' }]],
  [
    'a link with a label',
    '<https://example.com/?a=1&amp;b=2|the *docs*>',
    [link('https://example.com/?a=1&b=2', text('the '), bold(text('docs')))],
  ],
  [
    'a link without one',
    '<mailto:ada@acme.example>',
    [link('mailto:ada@acme.example', text('ada@acme.example'))],
  ],
  ['a person', '<@U1>', [{ type: 'user', id: 'U1' }]],
  ['a channel', '<#C1|ops>', [{ type: 'channel', id: 'C1', label: 'ops' }]],
  ['a group', '<!subteam^S1|@team>', [{ type: 'usergroup', id: 'S1', label: 'team' }]],
  ['a broadcast', '<!here>', [{ type: 'broadcast', range: 'here' }]],
  ['a date', '<!date^1760000000^{date_num} {time}|then>', [text('2025-10-09 8:53 AM')]],
  [
    'a date near now',
    '<!date^1759913600^{date_short_pretty} {time_secs}, {ago}|then>',
    [text('yesterday 8:53:20 AM, yesterday')],
  ],
  [
    'a date with a link',
    '<!date^1760000000^{ago}^https://example.com/|then>',
    [link('https://example.com/', text('now'))],
  ],
  ['the fallback of an invalid date', '<!date^soon^{date}|then>', [text('then')]],
  ['entities, undone once', '&lt;b&gt; &amp;amp; &amp;lt;', [text('<b> &amp; &lt;')]],
  ['an emoji', ':rocket:', [{ type: 'emoji', name: 'rocket', glyph: '🚀' }]],
  ['no unknown emoji', ':no_such_emoji: 10:30:45', [text(':no_such_emoji: 10:30:45')]],
  [
    'a bare address without the full stop',
    'see https://a.example/x.',
    [text('see '), link('https://a.example/x', text('https://a.example/x')), text('.')],
  ],
  ['no link to a script', '<javascript:alert(1)|click>', [text('<javascript:alert(1)|click>')]],
  ['no link to data', '<data:text/html,x>', [text('<data:text/html,x>')]],
  ['no HTML', '<b>bold</b>', [text('<b>bold</b>')]],
])('mrkdwn has %s', (_rule, raw, runs) => {
  expect(parseMrkdwn(raw, options)).toEqual([paragraph(...runs)]);
});

it.each(['2*3*4', 'snake_case_name', '* not bold *', '**', 'a *b\nc* d', '~ ~'])(
  'leaves %j alone',
  (raw) => {
    const types = allTypes(parseMrkdwn(raw, options));

    expect(types.filter((type) => ['bold', 'italic', 'strike'].includes(type))).toEqual([]);
  },
);

it('reads quotes and preformatted text as blocks of their own', () => {
  expect(parseMrkdwn('a\n&gt; q\n> r\n```\n*x* &lt;\n```\nb', options)).toEqual([
    paragraph(text('a')),
    { type: 'quote', blocks: [paragraph(text('q'), { type: 'break' }, text('r'))] },
    { type: 'pre', text: '*x* <' },
    paragraph(text('b')),
  ]);
});

describe('hostile text', () => {
  const pieces =
    '< > | &lt; &amp; & * _ ~ ` ``` &gt; :x: javascript: https://a @U1 #C1 !here !date^1^{date} " é <@U1> <!here> <javascript:a|b> <https://a|b>'
      .split(' ')
      .concat(' ', '\n');
  const hostile = fc
    .array(fc.constantFrom(...pieces), { maxLength: 40 })
    .map((parts) => parts.join(''));

  it('never becomes a link to a script', () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const urls = allUrls(parseMrkdwn(raw, options));

        expect(urls.filter((url) => !url.startsWith('https://a'))).toEqual([]);
      }),
    );
  });

  it('never becomes a mention or a link once it is escaped', () => {
    fc.assert(
      fc.property(hostile, (raw) => {
        const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
        const escaped = raw.replaceAll(/[&<>]/g, (sign) => entities[sign as '&' | '<' | '>']);
        const types = allTypes(parseMrkdwn(escaped, { ...options, verbatim: true }));

        const live = ['user', 'channel', 'usergroup', 'broadcast', 'link'];
        expect(types.filter((type) => live.includes(type))).toEqual([]);
      }),
    );
  });

  it('is shown character by character when it has no markup in it', () => {
    const plain = fc.string({ unit: 'binary' }).map((raw) => raw.replace(/[*_~`<>&:\n]|http/g, ''));
    fc.assert(
      fc.property(plain, (raw) => {
        const leaves = allInlines(parseMrkdwn(raw, options)).filter((run) => !('children' in run));

        expect(leaves.map(plainTextOf).join('')).toBe(raw);
      }),
    );
  });
});
