import { describe, expect, it } from 'vitest';
import { createBlockChecker } from '../../../../src/sandbox/slack/block-check.ts';
import { parseMrkdwn } from '../../../../src/sandbox/slack/page/text/mrkdwn.ts';
import {
  actions,
  button,
  context,
  lines,
  section,
  table,
  topText,
} from '../../../../src/slack/kit/blocks.ts';
import {
  bulletList,
  code,
  escapeText,
  LIMITS,
  mentionChannel,
  mentionGroup,
  mentionUser,
  moment,
  mrkdwn,
  namingPeople,
  Mrkdwn,
  person,
  rich,
  strong,
  tidy,
  verbatim,
} from '../../../../src/slack/kit/text.ts';
import * as fc from '../../../support/fast-check.ts';
import { hostile, runs } from '../hostile.ts';

/** Words with the marks of formatting at any of their edges. */
const parts = ['*', '_', '~', ':fire:', ':', 'x', 'Ж', '1', ' ', '(', ')', '.', '\n', '>'];
const marked = fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((all) => all.join(''));

/** A mention, a link or anything else that Slack would act on. */
const token = /<[!@#a-z]/i;

function unescape(text: string): string {
  return text.replace(/&(lt|gt|amp);/g, (_, name: string) =>
    name === 'lt' ? '<' : name === 'gt' ? '>' : '&',
  );
}

/** Every text of a block, at any depth. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'text' && typeof member === 'string' ? [member] : textsOf(member),
  );
}

/** Complete: no entity and no token is cut in two, no surrogate is alone. */
function isWhole(text: string): boolean {
  return (
    !/&(?!(?:amp|lt|gt);)/.test(text) &&
    text.lastIndexOf('<') <= text.lastIndexOf('>') &&
    !/\p{Cs}/u.test(text)
  );
}

describe('foreign text', () => {
  it('becomes inert, and loses nothing', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeText(text);

        expect(escaped).not.toMatch(/[<>]/);
        expect(isWhole(escaped)).toBe(true);
        expect(unescape(escaped)).toBe(tidy(text));
      }),
      runs,
    );
  });

  it('stays as it is when it is harmless', () => {
    const any = fc.string({ unit: 'grapheme' });
    const harmless = any.filter((one) => !/[<>&\r\u2028\u2029]/.test(one));
    fc.assert(
      fc.property(harmless, (text) => {
        expect(escapeText(text)).toBe(text);
      }),
    );
  });

  it('cannot leave a code span, nor make an empty one', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 300 }), (text, max) => {
        const span = code(text, max).text;

        expect(span).toMatch(/^`[^`\n]+`$/);
        expect(span).not.toMatch(token);
      }),
      runs,
    );
  });

  it('cannot write a line of its own', () => {
    const name = 'cart\n:white_check_mark: *web*\r\nis ready\u2028now';
    expect(mrkdwn`:x: *${name}* failed`.text).toBe(
      ':x: *cart `:white_check_mark: *web*` is ready now* failed',
    );
  });

  it.each([
    ['the token *ci* is there', 'the token `*ci*` is there'],
    ['_x_', '`_x_`'],
    ['a ~b c~ d', 'a `~b c~` d'],
    ['*ci* <!channel> _x_ `y`', '`*ci* &lt;!channel&gt; _x_` ˋyˋ'],
    ['all well :white_check_mark:', 'all well `:white_check_mark:`'],
    ['aa:bb:cc', '`aa:bb:cc`'],
    ['well done :+1:', 'well done `:+1:`'],
    ['x:-1:y', '`x:-1:y`'],
    ['a :100: b', 'a `:100:` b'],
    [':1234:', '`:1234:`'],
    ['a :スライム: b', 'a `:スライム:` b'],
    [':_é_1:', '`:_é_1:`'],
    ['> as the boss says', '`&gt;` as the boss says'],
    ['x*', '`x*`'],
    ['*', '`*`'],
    ['x *', 'x `*`'],
    ['(*a)', '`(*a)`'],
  ])('is never formatted: %s', (name, shown) => {
    expect(mrkdwn`${name}`.text).toBe(shown);
  });

  it.each([
    'billing_viewer',
    '5 * 3 = 15',
    '10:00:05',
    '10:30:15',
    '2:15:',
    ':-: :',
    ': a:',
    'a_b_c',
    'x*y*z',
    'a > b',
  ])('is no code where nothing in it would be formatted: %s', (name) => {
    expect(mrkdwn`${name}`.text).toBe(escapeText(name));
  });

  it('cannot make more of a mention than a mention', () => {
    expect(mentionGroup('S0ADMINS').text).toBe('<!subteam^S0ADMINS>');
    expect(mentionGroup('S0|<!channel>').text).toBe('<!subteam^S0channel>');
  });

  it.each([
    ['<#C0HELP>', '<#C0HELP>'],
    ['<!subteam^S0ONCALL>', '<!subteam^S0ONCALL>'],
    ['<@U0ANN>', '<@U0ANN>'],
    ['#help', '#help'],
    ['<!channel>', '&lt;!channel&gt;'],
    ['#help <@U0ANN>', '#help &lt;@U0ANN&gt;'],
    [undefined, 'your Purser administrator'],
  ])('names the contact %s as %s, and hides secrets as before', (contact, name) => {
    const scrub = namingPeople((text) => text.replace('key', '***'), contact ? { contact } : {});

    const text = 'Ask your Purser administrator for a key.';
    expect(scrub(text)).toBe(`Ask ${name} for a ***.`);
    expect(scrub.bare?.(text)).toBe('Ask your Purser administrator for a ***.');
  });

  it('names the people who grant roles', () => {
    const scrub = namingPeople((text) => text, { approvers: '<!subteam^S0ADMINS>' });

    expect(scrub('Ask a billing_admin of the account.')).toBe('Ask <!subteam^S0ADMINS>.');
  });

  it('is never formatted, whatever it is: no bold, no picture, no mention, no quote', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, marked), (text) => {
        const said = parseMrkdwn(mrkdwn`a ${text} b`.text, {
          nowSeconds: 0,
          timeZone: 'UTC',
          verbatim: true,
        });

        expect(said.map(({ type }) => type)).toEqual(['paragraph']);
        expect(JSON.stringify(said)).not.toMatch(
          /"type":"(?:bold|italic|strike|emoji|broadcast|user|channel|link)"/,
        );
      }),
      runs,
    );
  });

  it('is escaped once, also where it is put into text that is safe already', () => {
    const inner = mrkdwn`in ${'<#C1>'}`;
    expect(mrkdwn`${'a&b'} ${inner}`.text).toBe('a&amp;b in &lt;#C1&gt;');
  });
});

describe('rich text', () => {
  const listed = (text: string, count: number) =>
    bulletList(
      rich`${strong(text)} ${person(text)}`,
      Array.from({ length: count }, () => rich`${text}: ${verbatim(text, 500)} ${text}`),
    );

  it('is taken by Slack, keeps to its room, and counts the items left out', () => {
    const checker = createBlockChecker();
    fc.assert(
      fc.property(hostile, fc.integer({ min: 0, max: 30 }), (text, count) => {
        const block = listed(text.slice(0, 300), count);
        const length = textsOf(block).join('').length;

        expect(checker.blocks([block], 'message')).toEqual([]);
        expect(checker.blocks([block], 'modal')).toEqual([]);
        expect(length).toBeLessThan(LIMITS.richText + 4_000);
        const [, rest] = 'elements' in block ? block.elements : [];
        const items = rest && 'elements' in rest ? rest.elements : [];
        const left = Number(/^… and (\d+) more$/.exec(textsOf(items.at(-1)).join(''))?.[1] ?? 0);
        expect(items.length - (left > 0 ? 1 : 0) + left).toBe(count);
      }),
      { ...runs, numRuns: 200 },
    );
  });

  it('has foreign text as it is, on one line, with invisible characters written out', () => {
    expect(
      rich`a ${'*b*\n<@U1>'} ${verbatim('c\r\n`d`  \u200B')}${person('U0<b>')}`.elements,
    ).toEqual([
      { type: 'text', text: 'a ' },
      { type: 'text', text: '*b* <@U1>' },
      { type: 'text', text: ' ' },
      { type: 'text', text: 'c ⏎ `d`  ⟨U+200B⟩', style: { code: true } },
      { type: 'user', user_id: 'U0b' },
    ]);
    expect(verbatim('').elements).toEqual([{ type: 'text', text: ' ', style: { code: true } }]);
    expect(verbatim('abcdef', 4).elements).toMatchObject([{ text: 'abc…' }]);
  });
});

describe('blocks', () => {
  it.each([
    ['section', (text: string) => section(mrkdwn`${text}`), LIMITS.sectionText],
    ['context', (text: string) => context(mrkdwn`a ${text}`), LIMITS.fieldText],
    ['button', (text: string) => actions(button({ action: 'a', text })), LIMITS.buttonText],
    ['list', (text: string) => lines([mrkdwn`${text}`, code(text)]), LIMITS.sectionText],
  ])('a %s is whole, not empty and within the limit, whatever it is given', (_, build, limit) => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const shown of textsOf(build(text))) {
          expect(shown.length).toBeLessThanOrEqual(limit);
          expect(shown.trim()).not.toBe('');
          expect(shown).not.toMatch(/\p{Cs}/u);
        }
      }),
      { ...runs, numRuns: 300 },
    );
  });

  it('mrkdwn is cut between entities and tokens, never inside one', () => {
    const piece = fc.oneof(
      hostile.map((text) => mrkdwn`${text}`),
      fc.constantFrom(mentionUser('U0ADA'), mentionChannel('C0OPS'), mentionGroup('S0')),
      fc.constant(moment(1_700_000_000_000)),
      fc.constant(new Mrkdwn('<https://x.example/?a=1&amp;b=2|more>')),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 400 }), (pieces) => {
        const text = new Mrkdwn(pieces.map((one) => one.text).join(''));

        expect(isWhole(textsOf(section(text))[0] ?? '')).toBe(true);
        expect(isWhole(topText(text))).toBe(true);
        expect(topText(text).length).toBeLessThanOrEqual(LIMITS.messageText);
      }),
      { ...runs, numRuns: 300 },
    );
  });

  it('a token at the limit is there as a whole or not at all', () => {
    const link = '<https://x.example/?a=1&amp;b=2|more>';
    for (let before = LIMITS.sectionText - 60; before <= LIMITS.sectionText; before += 1) {
      const [text = ''] = textsOf(section(new Mrkdwn(`${'x'.repeat(before)}${link} and so on`)));

      expect(text.includes(link) || !text.includes('<')).toBe(true);
    }
  });

  it('a text that only looks like a link or a mention is not made one by Slack', () => {
    expect(section(mrkdwn`@here`)).toHaveProperty('text.verbatim', true);
    expect(context(mrkdwn`http://evil.example`)).toHaveProperty('elements.0.verbatim', true);
  });
});

describe('a list', () => {
  it('counts the items that it does not show', () => {
    const list = lines(
      ['a', 'b', 'c'].map((name) => mrkdwn`${name}`),
      2,
    );
    expect(textsOf(list)).toEqual(['a\nb\n… and 1 more']);
  });

  it('shows whole lines only, and counts the others, when the lines are long', () => {
    const items = Array.from({ length: 9 }, (_, index) => mrkdwn`${index} ${'x'.repeat(900)}`);
    const [text = ''] = textsOf(lines(items));
    expect(text.split('\n').map((line) => line.slice(0, 7))).toEqual([
      '0 xxxxx',
      '1 xxxxx',
      '2 xxxxx',
      '… and 6',
    ]);
  });

  it('of nothing is not empty', () => {
    expect(textsOf(lines([]))).toEqual(['–']);
  });
});

describe('a table', () => {
  const grid = fc
    .integer({ min: 1, max: 20 })
    .chain((width) =>
      fc.array(fc.array(hostile, { minLength: width, maxLength: width }), { maxLength: 12 }),
    );

  it('has no empty cell, no broken one, and fits into a message', () => {
    fc.assert(
      fc.property(grid, fc.integer({ min: 1, max: 12 }), (rows, copies) => {
        const many = Array.from({ length: copies }, () => rows).flat();
        const titles = (rows[0] ?? ['']).map((_, index) => ({ title: `Column ${index}` }));

        const cells = table(titles, many).rows.flat();

        const texts = textsOf(cells);
        expect(texts.every((text) => text.trim() !== '' && !/\p{Cs}/u.test(text))).toBe(true);
        expect(texts.join('').length).toBeLessThanOrEqual(LIMITS.tableCharacters);
      }),
      { ...runs, numRuns: 50 },
    );
  });

  it('shows long names whole while there is room', () => {
    const name = 'recommendations-of-the-day-v2-canary';
    const rows = Array.from({ length: 60 }, () => [name, 'eu', 'ready', 'v12', '3/3', '–']);
    const columns = ['Workload', 'Location', 'State', 'Version', 'Ready', 'Restarts'];

    const built = table(
      columns.map((title) => ({ title })),
      rows,
    );

    expect(textsOf(built.rows[60]?.[0])).toEqual([name]);
  });

  it('has at most 100 rows with the header', () => {
    const rows = Array.from({ length: 300 }, (_, index) => [`w${index}`]);
    expect(table([{ title: 'Workload' }], rows).rows).toHaveLength(LIMITS.tableRows);
  });

  it('breaks words and no numbers', () => {
    const columns = [{ title: 'org' }, { title: 'Charge', align: 'right' }] as const;
    expect(table(columns, [['acme', '$1.00']]).column_settings).toEqual([
      { align: 'left', is_wrapped: true },
      { align: 'right', is_wrapped: false },
    ]);
  });
});
