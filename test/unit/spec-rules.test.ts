import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** One row or sentence of the specification, and the test that shows it. */
interface Rule {
  /** Section, then a path of words: `4.2/list/newest-first`. */
  readonly id: string;
  readonly test: readonly [file: string, title: string];
}

const repository = fileURLToPath(new URL('../../', import.meta.url));
const RULE = /^- `(?<id>[^`]+)` .+ — `(?<file>[^`]+)` `(?<title>.+)`$/gm;
const PAGE = readFileSync(`${repository}docs/specification.md`, 'utf8');
const RULES = readRules(PAGE);

function readRules(page: string): Rule[] {
  return [...page.matchAll(RULE)].map(({ groups = {} }) => {
    const { id = '', file = '', title = '' } = groups;
    return { id, test: [file, title] };
  });
}

/** Every subsection of sections 2 to 9, so that none can be forgotten as a whole. */
const SECTIONS = `
  2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.11 2.12 2.13 2.14 2.15 2.16 2.17
  3 4 4.1 4.2 4.3 4.4 4.5 4.6 5 6 7 8 9`;

/** The source of a test file; empty when there is no such file. */
type ReadTest = (file: string) => string;

const readTest: ReadTest = (file) =>
  existsSync(repository + file) ? readFileSync(repository + file, 'utf8') : '';

/**
 * The titles of the tests in a source text as they are written; tests that are skipped, commented out or have an empty
 * table do not count.
 */
function titlesIn(source: string): Set<string> {
  const code = source.replaceAll(/^\s*(\/\/.*$|\/\*[^]*?\*\/)/gm, '');
  const literal = /\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*,/.source;
  const opening = String.raw`(?<![.\w])(?:test|it)(?:\.each(?:<[^]*?>(?=\())?\((?!\s*\[\s*\])[^]*?\))?\(`;
  const found = code.matchAll(new RegExp(opening + literal, 'g'));
  return new Set([...found].map(([, title = '']) => title.slice(1, -1).replaceAll(/\\(.)/g, '$1')));
}

/** The faults of the list, one line each; a missing test is named once, with all its rules. */
function problemsOf(rules: readonly Rule[], read: ReadTest): string[] {
  const ids = rules.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [...twice.map((id) => `${id} is there twice`), ...missingTests(rules, read)];
}

function missingTests(rules: readonly Rule[], read: ReadTest): string[] {
  const titles = new Map<string, Set<string>>();
  const missing = new Map<string, string[]>();
  for (const rule of rules) {
    const [file, title] = rule.test;
    const present = titles.get(file) ?? titlesIn(read(file));
    titles.set(file, present);
    if (present.has(title)) continue;
    const lack = `${file}: no test “${title}”`;
    missing.set(lack, [...(missing.get(lack) ?? []), rule.id]);
  }
  return [...missing].map(([lack, of]) => `${lack} for ${of.join(', ')}`);
}

describe('the rules of the specification', () => {
  test('each has a test that is there', () => {
    expect(problemsOf(RULES, readTest)).toEqual([]);
  });

  test('are all read from the page', () => {
    expect(RULES).toHaveLength(PAGE.match(/^- /gm)?.length ?? 0);
  });

  test('are of every section', () => {
    const sections = new Set(RULES.map(({ id }) => id.split('/')[0]));

    expect([...sections]).toEqual(SECTIONS.trim().split(/\s+/));
  });
});

describe('a list with a gap is refused', () => {
  const SOURCE = `
test('a plain one', () => {});
it("one that isn't plain", async () => {});
test.each<[string, number]>([['a', 1], ['b', Number('2')]])('a table of %s', (word) => {});
it.each(['a'])(
  'a table with a long title: %s',
  () => {},
);
test.each<[string, (of: string) => Promise<string>]>([['a', ask]])('a table of calls: %s', () => {});
test.skip('a skipped one', () => {});
test.each([])('an empty table', () => {});
test.each<string>([
])('a typed empty table', () => {});
// test('one in a comment', () => {});
/*
test('one in a long comment', () => {});
*/
tell('no test', () => {});
`;
  const rule = (title: string, file = 'a.test.ts', id = '2.1/a'): Rule => {
    return { id, test: [file, title] };
  };
  const problems = (...rules: Rule[]) =>
    problemsOf(rules, (file) => (file === 'a.test.ts' ? SOURCE : ''));

  test.each([
    'a plain one',
    "one that isn't plain",
    'a table of %s',
    'a table of calls: %s',
    'a table with a long title: %s',
  ])('not for a test that is there: %s', (title) => {
    expect(problems(rule(title))).toEqual([]);
  });

  test.each([
    'a skipped one',
    'an empty table',
    'a typed empty table',
    'one in a comment',
    'one in a long comment',
    'no test',
    'a plain',
    'a',
    '',
  ])('for a title that no test has: "%s"', (title) => {
    expect(problems(rule(title))).toEqual([`a.test.ts: no test “${title}” for 2.1/a`]);
  });

  test('for a file that is not there, named once with all its rules', () => {
    expect(problems(rule('x', 'b.test.ts'), rule('x', 'b.test.ts', '2.1/b'))).toEqual([
      'b.test.ts: no test “x” for 2.1/a, 2.1/b',
    ]);
  });

  test('for two rules of one name', () => {
    expect(problems(rule('a plain one'), rule('a plain one'))).toEqual(['2.1/a is there twice']);
  });
});
