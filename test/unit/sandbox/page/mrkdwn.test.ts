import { describe, expect, it } from 'vitest';
import type { Inline, TextBlock } from '../../../../src/sandbox/slack/page/text/inline.ts';
import { parseMrkdwn } from '../../../../src/sandbox/slack/page/text/mrkdwn.ts';
import { plainTextOf } from '../../../../src/sandbox/slack/page/text/rich-text.ts';
import * as fc from '../../../support/fast-check.ts';
import { allInlines, allTypes, allUrls } from './trees.ts';

const options = { nowSeconds: 1_760_000_000, timeZone: 'UTC' };

const text = (value: string): Inline => ({ type: 'text', text: value });

/** The runs of a text that is one paragraph. */
function inline(raw: string): readonly Inline[] {
  const [block, ...rest] = parseMrkdwn(raw, options);
  expect(rest).toEqual([]);
  return block?.type === 'paragraph' ? block.children : [];
}

const shown = (blocks: readonly TextBlock[]): string =>
  allInlines(blocks)
    .filter((node) => !('children' in node))
    .map(plainTextOf)
    .join('');

describe('emphasis', () => {
  it('reads bold, italic, strike and code, also inside each other', () => {
    expect(inline('*b* _i_ ~s~ `c` *_both_*')).toEqual([
      { type: 'bold', children: [text('b')] },
      text(' '),
      { type: 'italic', children: [text('i')] },
      text(' '),
      { type: 'strike', children: [text('s')] },
      text(' '),
      { type: 'code', text: 'c' },
      text(' '),
      { type: 'bold', children: [{ type: 'italic', children: [text('both')] }] },
    ]);
  });

  it.each(['2*3*4', 'snake_case_name', '* not bold *', '**', 'a *b\nc* d', '~ ~'])(
    'leaves %j alone',
    (raw) => {
      expect(allTypes(parseMrkdwn(raw, options))).not.toContain('bold');
      expect(allTypes(parseMrkdwn(raw, options))).not.toContain('italic');
      expect(allTypes(parseMrkdwn(raw, options))).not.toContain('strike');
    },
  );

  it('knows no emphasis in code', () => {
    expect(inline('`*a* :rocket:`')).toEqual([{ type: 'code', text: '*a* :rocket:' }]);
  });
});

describe('what stands between < and >', () => {
  it('reads links with and without a label', () => {
    expect(inline('<https://example.com/?a=1&amp;b=2|the *docs*>')).toEqual([
      {
        type: 'link',
        url: 'https://example.com/?a=1&b=2',
        children: [text('the '), { type: 'bold', children: [text('docs')] }],
      },
    ]);
    expect(inline('<mailto:ada@acme.example>')).toEqual([
      { type: 'link', url: 'mailto:ada@acme.example', children: [text('ada@acme.example')] },
    ]);
  });

  it('reads people, channels, groups and broadcasts', () => {
    expect(inline('<@U1> <#C1|ops> <!subteam^S1|@team> <!here>')).toEqual([
      { type: 'user', id: 'U1' },
      text(' '),
      { type: 'channel', id: 'C1', label: 'ops' },
      text(' '),
      { type: 'usergroup', id: 'S1', label: 'team' },
      text(' '),
      { type: 'broadcast', range: 'here' },
    ]);
  });

  it('writes dates for the reader, and their fallback when they cannot be read', () => {
    expect(inline('<!date^1760000000^{date_num} {time}|then>')).toEqual([
      text('2025-10-09 8:53 AM'),
    ]);
    expect(inline('<!date^1759913600^{date_short_pretty}|then>')).toEqual([text('yesterday')]);
    expect(inline('<!date^1760000000^{ago}^https://example.com/|then>')).toEqual([
      { type: 'link', url: 'https://example.com/', children: [text('now')] },
    ]);
    expect(inline('<!date^1759913600^{date_short_pretty} {time_secs}, {ago}|then>')).toEqual([
      text('yesterday 8:53:20 AM, yesterday'),
    ]);
    expect(inline('<!date^soon^{date}|then>')).toEqual([text('then')]);
  });

  it.each(['<javascript:alert(1)|click>', '<data:text/html,x>', '<b>bold</b>', '<img src=x>'])(
    'shows %j as the characters it is made of',
    (raw) => {
      expect(inline(raw)).toEqual([text(raw)]);
    },
  );
});

describe('the rest of the text', () => {
  it('undoes entities once', () => {
    expect(inline('&lt;b&gt; &amp;amp; &amp;lt;')).toEqual([text('<b> &amp; &lt;')]);
  });

  it('knows the emoji that Slack names, and leaves other names alone', () => {
    expect(inline(':rocket::large_green_circle: :no_such_emoji: 10:30:45')).toEqual([
      { type: 'emoji', name: 'rocket', glyph: '🚀' },
      { type: 'emoji', name: 'large_green_circle', glyph: '🟢' },
      text(' :no_such_emoji: 10:30:45'),
    ]);
  });

  it('links bare addresses without the full stop, unless the text is verbatim', () => {
    const link = {
      type: 'link',
      url: 'https://a.example/x',
      children: [text('https://a.example/x')],
    };
    expect(inline('see https://a.example/x.')).toEqual([text('see '), link, text('.')]);

    const verbatim = parseMrkdwn('https://a.example/x', { ...options, verbatim: true });

    expect(allTypes(verbatim)).not.toContain('link');
  });

  it('reads quotes and preformatted text as blocks of their own', () => {
    const blocks = parseMrkdwn('a\n&gt; q\n> r\n```\n*x* &lt;\n```\nb', options);
    expect(blocks).toEqual([
      { type: 'paragraph', children: [text('a')] },
      {
        type: 'quote',
        blocks: [{ type: 'paragraph', children: [text('q'), { type: 'break' }, text('r')] }],
      },
      { type: 'pre', text: '*x* <' },
      { type: 'paragraph', children: [text('b')] },
    ]);
  });
});

describe('hostile text', () => {
  const pieces =
    '< > | &lt; &amp; & * _ ~ ` ``` &gt; :x: javascript: https://a @U1 #C1 !here !date^1^{date} " é <@U1> <!here> <javascript:a|b> <https://a|b>'
      .split(' ')
      .concat(' ', '\n');
  const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 40 });

  it('never becomes a link that leads to a script', () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        const urls = allUrls(parseMrkdwn(parts.join(''), options));

        expect(urls.filter((url) => !url.startsWith('https://a'))).toEqual([]);
      }),
    );
  });

  it('never becomes a mention or a link once it is escaped', () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        const raw = parts.join('');
        const escaped = raw
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;');
        const types = allTypes(parseMrkdwn(escaped, { ...options, verbatim: true }));

        expect(types).not.toEqual(
          expect.arrayContaining([
            expect.stringMatching(/^(?:user|channel|usergroup|broadcast|link)$/),
          ]),
        );
      }),
    );
  });

  it('is shown character by character when it has no markup in it', () => {
    const plain = fc.string({ unit: 'binary' }).map((raw) => raw.replace(/[*_~`<>&:\n]|http/g, ''));
    fc.assert(
      fc.property(plain, (raw) => {
        expect(shown(parseMrkdwn(raw, options))).toBe(raw);
      }),
    );
  });
});
