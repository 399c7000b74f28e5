import { describe, expect, it } from 'vitest';
import { FAMILIES, hitsIn, passagesOfCode, passagesOfPage } from '../../scripts/words/count.ts';

const familiesIn = (code: string) =>
  hitsIn(passagesOfCode('sample.ts', code, true)).map(({ family }) => family);

describe('the lint of words that the style guide replaces', () => {
  it.each([
    ['tell', '// The channel is told once.'],
    ['nobody', '// Nobody reads it.'],
    ['what', '/** What is left of the list. */'],
    ['say', '// The platform does not say how many.'],
    ['none', '// The role is none of ours.'],
    ['no', '// An answer that fails counts as a no.'],
    ['mend', '// An admin has to mend the token.'],
    ['anymore', '// It is not read any more.'],
    ['look', '// The next look asks again.'],
    ['stand', '// The name stands in the first line.'],
    ['it', '// The list, or a part of it.'],
  ])('finds "%s" in a comment', (family, code) => {
    expect(familiesIn(code)).toEqual([family]);
  });

  it('has an example for every family', () => {
    expect(Object.keys(FAMILIES)).toHaveLength(11);
  });

  it('reads names of tests, strings of two words and templates, and no code', () => {
    expect(familiesIn("it('is told once', () => {});")).toEqual(['tell']);
    expect(familiesIn("it.each(rows)('what is new: %s', run);")).toEqual(['what']);
    expect(familiesIn('const line = `nobody reads ${name}`;')).toEqual(['nobody']);
    expect(familiesIn("const told = tell('told', nobody);")).toEqual([]);
  });

  it('leaves questions in strings, stand-ins and plain comments alone', () => {
    expect(familiesIn("const title = 'What costs the most?';")).toEqual([]);
    expect(familiesIn('// The stand-in posts the message; the button stands for a row.')).toEqual(
      [],
    );
  });

  it('reads a string only where strings are read', () => {
    expect(passagesOfCode('sample.ts', "const line = 'nobody reads it';", false)).toEqual([]);
  });

  it('gives the line of a place, and skips code in pages', () => {
    const hits = hitsIn(passagesOfPage('One.\n\n```\ntold\n```\nIt is told.'));

    expect(hits).toEqual([{ family: 'tell', line: 6, text: 'It is told.' }]);
  });
});
