import { describe, expect, it } from 'vitest';
import { editDistance, nearest, splitWords } from '../../../src/lib/words.ts';
import * as fc from '../../support/fast-check.ts';

function texts(line: string): string[] {
  const split = splitWords(line);
  return 'words' in split ? split.words.map((word) => word.text) : [`problem: ${split.problem}`];
}

describe('the words of a command line', () => {
  it.each([
    ['', []],
    ['  \t ', []],
    ['charges  last 30d', ['charges', 'last', '30d']],
    ['a\nb\u00A0c', ['a', 'b', 'c']],
    ['name "my workload" x', ['name', 'my workload', 'x']],
    ['name “my workload” x', ['name', 'my workload', 'x']],
    ['„low quotes“', ['low quotes']],
    ['tag="a b"c d', ['tag=a bc', 'd']],
    ['empty "" word', ['empty', '', 'word']],
    ["it's 5 o'clock", ["it's", '5', "o'clock"]],
    ['a &lt; b &amp;&amp; c &gt; d', ['a', '<', 'b', '&&', 'c', '>', 'd']],
    ['&amp;lt; &amp;amp;', ['&lt;', '&amp;']],
    ['ask <@U1|ann b> in <#C1|my room>', ['ask', '<@U1|ann b>', 'in', '<#C1|my room>']],
    ['of <http://foo.com|foo.com> by', ['of', 'foo.com', 'by']],
    ['<http://Foo.com/|foo.com>', ['foo.com']],
    ['tag=<http://foo.com|foo.com>:8080', ['tag=foo.com:8080']],
    ['"my <http://foo.com|foo.com>"', ['my foo.com']],
    ['<https://x.io/?a=1&amp;b=2>', ['https://x.io/?a=1&b=2']],
    ['<https://x.io/?a=1&amp;b=2|x>', ['https://x.io/?a=1&b=2']],
    ['<mailto:a@b.io|a@b.io> <mailto:c@d.io>', ['a@b.io', 'c@d.io']],
    ['<tel:+41123|+41123>', ['+41123']],
    ['&lt;http://foo.com|foo.com&gt;', ['<http://foo.com|foo.com>']],
    ['a < b', ['a', '<', 'b']],
    ['sh\u202Eop\u200B', ['shop']],
  ])('%j', (line, expected) => {
    expect(texts(line)).toEqual(expected);
  });

  it('shows a quoted word from a plain one', () => {
    expect(splitWords('all "all" a"ll"')).toEqual({
      words: [
        { text: 'all', quoted: false },
        { text: 'all', quoted: true },
        { text: 'all', quoted: false },
      ],
    });
  });

  it('ends a quoted word at the comma of a list, whose next word is quoted or not by itself', () => {
    expect(splitWords('"a b",c "d","e, f" "g",')).toEqual({
      words: [
        { text: 'a b,', quoted: true },
        { text: 'c', quoted: false },
        { text: 'd,', quoted: true },
        { text: 'e, f', quoted: true },
        { text: 'g,', quoted: true },
      ],
    });
    expect(texts('a,b,"c d"')).toEqual(['a,b,', 'c d']);
    expect(texts('tag="a b",c tag=a,"b c"')).toEqual(['tag=a b,c', 'tag=a,b c']);
  });

  it('says so when a quotation mark is never closed', () => {
    expect(texts('name "my workload')).toEqual([
      'problem: A quotation mark is opened and never closed.',
    ]);
  });

  it('reads 4 KB and refuses more', () => {
    expect(texts('é'.repeat(2_048))).toEqual(['é'.repeat(2_048)]);
    expect(texts(`${'é'.repeat(2_048)}x`)[0]).toContain('too long');
  });
});

/** Escapes as Slack does with the text that a person types. */
function slackEscape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

describe('any command line', () => {
  const letters = fc.constantFrom(...Array.from("ab <>&;|@#'é🙂lt amp;="));
  const typed = fc.string({ unit: letters, maxLength: 20 });
  const mention = fc.constantFrom('<@U1|ann b>', '<#C1>', '<!subteam^S1|@the team>');

  it('gives back quoted words and mentions exactly as they were typed', () => {
    const word = fc.oneof(
      fc.tuple(typed, fc.constantFrom('""', '“”', '”“')).map(([text, marks]) => ({
        text,
        line: `${marks.charAt(0)}${slackEscape(text)}${marks.charAt(1)}`,
        quoted: true,
      })),
      mention.map((text) => ({ text, line: text, quoted: false })),
    );

    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const split = splitWords(words.map(({ line }) => line).join('  '));

        expect(split).toEqual({ words: words.map(({ text, quoted }) => ({ text, quoted })) });
      }),
    );
  });

  it('without quotes is divided at white space and nowhere else', () => {
    fc.assert(
      fc.property(typed, (line) => {
        expect(texts(slackEscape(line))).toEqual(line.split(/\s+/).filter((word) => word !== ''));
      }),
    );
  });

  it('is answered, never thrown at', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (line) => {
        const split = splitWords(line);

        expect('words' in split ? split.words.length : split.problem.length).toBeGreaterThanOrEqual(
          0,
        );
      }),
    );
  });

  it('takes no longer when it is built to be slow', () => {
    const hostile = ['<', '"', '“<', '&amp;', '<a"', ' <'].map((text) => text.repeat(1_300));

    const started = performance.now();
    for (let round = 0; round < 20; round += 1) hostile.map((line) => splitWords(line));

    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

const commands = ['charges', 'usage', 'invoices', 'deployments', 'watch', 'unwatch'] as const;

describe('the word that was meant', () => {
  it.each([
    ['deploymnets', 'deployments'],
    ['chrges', 'charges'],
    ['USAGE', 'usage'],
    ['wacth', 'watch'],
    ['zebra', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%.12s is %s', (typed, meant) => {
    expect(nearest(typed, commands)).toBe(meant);
  });
});

describe('the distance of two words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

  it('is nothing for a word and itself only, and the same both ways', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(editDistance(one, other) === 0).toBe(one === other);
        expect(editDistance(one, other)).toBe(editDistance(other, one));
      }),
    );
  });

  it('counts one for each single error', () => {
    expect(editDistance('watch', 'wtch')).toBe(1);
    expect(editDistance('watch', 'waatch')).toBe(1);
    expect(editDistance('watch', 'match')).toBe(1);
    expect(editDistance('watch', 'wacth')).toBe(1);
    expect(editDistance('watch', '')).toBe(5);
  });
});
