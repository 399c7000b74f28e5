import { describe, expect, it } from 'vitest';
import { stripControl } from '../../../src/lib/text.ts';
import { TIME_STEPS } from '../../../src/platform/consumption/query.ts';
import { writeQuery, type ReportQuery } from '../../../src/reporting/query.ts';
import { RANGE_WORDS } from '../../../src/reporting/range-words.ts';
import { KNOWN_METRICS, KNOWN_TAGS } from '../../../src/reporting/query-words.ts';
import * as fc from '../../support/fast-check.ts';
import { outcomeOf, typedQuery, type Outcome } from './query-typed.ts';

const nastyLetters = Array.from(
  'ab =,/\\&<>;|@#\'%é🙂\t\n\u00A0\u200D\uD800"“”„\u202E\u200B\r\u2028',
);

/** Any text of a word: no quotation marks, nothing invisible. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...nastyLetters) }),
    fc.constantFrom('by', 'today', 'last', 'org', '2026-10', '&amp;', '&lt;b&gt;', '/^a b$/'),
  )
  .map((text) => stripControl(text).replace(/["“”„]/g, ''));
const anyName = anyText
  .map((text) => text.replaceAll(',', '').trim())
  .filter((text) => text !== '');
/** In quotes the name of an item may have commas, only none at its end. */
const anyItem = anyText.map((text) => text.trim()).filter((text) => !/^$|,$/.test(text));
const anyTag = anyName.map((text) => text.replaceAll('=', '').trim()).filter((text) => text !== '');

const anyRangeWords = fc.oneof(
  fc.constantFrom<string>(...RANGE_WORDS),
  fc.constantFrom(
    'last 1 hour',
    '2026-10',
    '2026-10-05',
    '2026-10-01..2026-10-15',
    '2026-10-01T00:00:00Z..2026-10-01T12:00:00Z',
  ),
);

function listOf(names: fc.Arbitrary<string>, minLength: number): fc.Arbitrary<string[]> {
  return fc.uniqueArray(names, { minLength, maxLength: 4 });
}

const anyQuery: fc.Arbitrary<ReportQuery> = fc
  .record({
    range: anyRangeWords,
    by: fc.option(listOf(fc.oneof(fc.constantFrom(...KNOWN_TAGS), anyName), 1), { nil: undefined }),
    of: listOf(fc.oneof(fc.constantFrom(...KNOWN_METRICS), anyName), 0),
    items: listOf(fc.oneof(fc.constantFrom('egress', 'item', 'a, b', 'byok-cpu'), anyItem), 0),
    where: fc.dictionary(fc.oneof(fc.constantFrom(...KNOWN_TAGS), anyTag), anyText, { maxKeys: 4 }),
    orgs: listOf(fc.oneof(fc.constantFrom('acme', 'globex', 'initech'), anyName), 0),
    step: fc.option(fc.constantFrom(...TIME_STEPS), { nil: undefined }),
  })
  .filter(({ of, where }) => of.length === 0 || !Object.hasOwn(where, 'metric'))
  .filter(({ orgs, where }) => orgs.length === 0 || !Object.hasOwn(where, 'org'));

describe('any query', () => {
  it('is read back from its own words as Slack brings them', () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        expect(typedQuery(writeQuery(query))).toEqual(query);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has the existing names, with a dot for a character that no one can type in a name', () => {
    const anyEnd = fc.constantFrom('', ' ', ',', ', ', ' ,', ',,', '"', '\u00A0', '&amp;');
    const anyNoise = fc
      .tuple(anyEnd, fc.oneof(anyText, fc.constantFrom('a', 'x, y')), anyEnd)
      .map((parts) => parts.join(''));
    const lists = fc.constantFrom('items', 'orgs', 'by', 'of');
    fc.assert(
      fc.property(anyNoise, lists, fc.boolean(), (name, list, isLast) => {
        const query = { ...typedQuery(''), [list]: isLast ? ['another', name] : [name, 'another'] };
        const names = typedQuery(writeQuery(query))[list] ?? [];
        const read = names.at(isLast ? 1 : 0) ?? '';
        const letters = Array.from(name || '.');
        const undotted = Array.from(read, (letter, at) => (letter === '.' ? letters[at] : letter));

        expect(undotted).toEqual(letters);
        expect(names.at(isLast ? 0 : 1)).toBe('another');
        expect(names).toHaveLength(2);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['x,', 'x.'],
    [' a ', '.a.'],
    ['a, b, ', 'a, b,.'],
    ['say "hi"', 'say .hi.'],
    ['a, b', 'a, b'],
    ['&amp;', '&amp;'],
  ])('of the item %j is read back as %j', (name, read) => {
    const items = ['egress', name];

    expect(typedQuery(writeQuery({ ...typedQuery(''), items })).items).toEqual(['egress', read]);
  });

  it('means the same whatever the order and the case of its parts', () => {
    const parts = fc.record({
      range: fc.constantFrom('last 3 days', '"Last 3 days"', 'LAST 3 DAYS', 'last 3 day'),
      by: fc.constantFrom('by org,gvc', 'BY org, gvc', 'By Org , GVC', 'by "org",gvc'),
      of: fc.constantFrom('of cpu,memory', 'OF CPU ,memory'),
      where: fc.constantFrom('where gvc="a b" name=', 'WHERE GVC="a b" Name=""'),
      item: fc.constantFrom('item egress,"a b"', 'ITEM egress, "a b"'),
      org: fc.constantFrom('org acme,globex', 'Org acme, globex'),
      step: fc.constantFrom('step day', 'STEP Day'),
    });
    const anyLine = parts.chain((record) => {
      const all = Object.values(record);
      return fc.shuffledSubarray(all, { minLength: all.length }).map((words) => words.join('  '));
    });
    fc.assert(
      fc.property(anyLine, (line) => {
        expect(typedQuery(line)).toEqual({
          range: 'last 3 days',
          by: ['org', 'gvc'],
          of: ['cpu', 'memory'],
          items: ['egress', 'a b'],
          where: { gvc: 'a b', name: '' },
          orgs: ['acme', 'globex'],
          step: 'day',
        });
      }),
      { numRuns: 500 },
    );
  });
});

/** A query written and read once more. */
function againOf(outcome: Outcome): Outcome {
  return 'query' in outcome ? outcomeOf(writeQuery(outcome.query)) : outcome;
}

function lengthsOf(outcome: Outcome): number[] {
  return 'query' in outcome ? [] : [outcome.sentence.length, outcome.suggestion?.length ?? 0];
}

describe('any noise', () => {
  /** Words of the grammar and rubbish, so that the noise gets far into it. */
  const anyWord = fc.oneof(
    fc.constantFrom(
      'by',
      'of',
      'item',
      'where',
      'org',
      'step',
      'last',
      'this',
      'today',
      'month',
      'to',
    ),
    fc.constantFrom('gvc', 'gvc=', 'gvc=/a/', 'cpu', 'day', 'days', '=', '=x', ',', '""', '"by"'),
    fc.constantFrom('2026-10-01', '..', '2026-10', '2026-10-01T00:00:00Z', '..2026-99', '3', '7d'),
    fc.constantFrom('"last month"', '<@U1|a b>'),
    fc.string({ unit: fc.constantFrom(...nastyLetters), maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );

  it('is read, or refused with a sentence', () => {
    fc.assert(
      fc.property(fc.array(anyWord, { maxLength: 12 }), (words) => {
        const outcome = outcomeOf(words.join(' '));
        expect(againOf(outcome)).toEqual(outcome);
        expect(lengthsOf(outcome).every((length) => length <= 300)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is never answered with a suggestion that is not read itself', () => {
    const slip = fc
      .constantFrom(
        'lst month',
        'last mnth',
        'by gcv',
        'of memroy',
        'whre gvc=a',
        'where gcv=a b',
        'where gvc = a&b',
        'step dya',
        '30 days',
        "org 'a b'",
        'item "a" b',
        'by shelf',
      )
      .map((text) => text.split(' '));
    const anySlips = fc.array(
      fc.oneof(
        slip,
        anyWord.map((word) => [word]),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(anySlips, (words) => {
        const outcome = outcomeOf(words.flat().join(' '));
        if (!('suggestion' in outcome) || outcome.suggestion === undefined) return;

        const [command, ...rest] = outcome.suggestion.split(' ');
        expect(command).toBe('/charges');
        expect(outcomeOf(rest.join(' '))).toHaveProperty('query');
      }),
      { numRuns: 3_000 },
    );
  });

  it('of 4 KB is answered, too', () => {
    const anyPiece = fc.oneof(anyWord, fc.constantFrom('a=b ', ',', '..', '9', '2026-', ' '));
    fc.assert(
      fc.property(
        anyPiece,
        fc.constantFrom('', 'by ', 'where ', 'org ', 'item '),
        (piece, start) => {
          const bytes = Buffer.from(`${start}${piece.repeat(4_000)}`).subarray(0, 3_900);
          const outcome = outcomeOf(bytes.toString());
          expect(againOf(outcome)).toEqual(outcome);
          expect(lengthsOf(outcome).every((length) => length <= 300)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
