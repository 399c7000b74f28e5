import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../../src/platform/workload/read.ts';

/** Why a text is not read: "3: lacks a comma"; empty when it is. */
function whyNot(text: string): string {
  const read = readManifest(text);
  return 'unreadable' in read ? `${read.unreadable.line}: ${read.unreadable.says}` : '';
}

const MISALIGNED = 'is not indented like the lines that it belongs to';

describe('a text that is no YAML is reported in words that need no grammar', () => {
  it.each<[string, string, string]>([
    ['a list that stays open', 'spec:\n  a: [1, 2\n', '2: opens a [ that is not closed'],
    ['a mapping that stays open', 'a: {b: 1\nc: 2\n', '1: opens a { that is not closed'],
    ['a file that breaks off', '{\n "a": {\n  "b": 1\n\n', '2: opens a { that is not closed'],
    ['JSON with a list left open', '{\n "a": [1,\n 2\n}', '2: opens a [ that is not closed'],
    ['the wrong bracket', 'a: {\nb: ]\n', '1: opens a { that is not closed'],
    [
      'a list that is not indented',
      'spec:\n  a: [1,\n2]\n',
      '2: opens a [ that is not closed, or the lines up to its ] are not indented',
    ],
    ['a bracket too many', 'a: 1\nb: {c: 2}}', '2: has a } that nothing opens'],
    ['a text in quotes that stays open', 'name: "web\nspec: 1\n', '1: opens a quote (") that is'],
    ['one of several lines', "a: 1\nb: 'c\n  d\n\n", "2: opens a quote (') that is not closed"],
    ['one between brackets', 'a: {b: "c}\nd: 1', '1: opens a quote (") that is not closed'],
    ['more after a text in quotes', 'a: "b" c\n', '1: goes on after the end of a text in quotes'],
    ['a name without a colon', 'a: 1\nname web\nspec: 2', '2: lacks a colon with a space after it'],
    ['a colon without its space', 'spec:\n  a:5\n  b: 6', '2: lacks a colon with a space after it'],
    ['a name at the end', 'kind: workload\nname\n', '2: lacks a colon with a space after it'],
    ['JSON without a comma', '{\n "a": 1\n "b": 2\n}', '2: lacks a comma'],
    ['JSON without one, in a line', '{"a": "b" "c": 2}', '1: lacks a comma'],
    ['brackets without one', 'a: {b: 1 c: 2}', '1: lacks a comma, or has list items (-)'],
    ['a line too far left', 'spec:\n    a: 1\n  b: 2', `3: ${MISALIGNED}`],
    ['an item too far left', 'a:\n  - b\n - c\n', `3: ${MISALIGNED}`],
    ['a name beside items', 'a:\n  - b: 1\n   c: 2\n', `3: ${MISALIGNED}, or lacks its -`],
    ['a name after items', '- a\nb: c', `2: ${MISALIGNED}`],
    ['a line too far right', 'kind: workload\n name: x\n', '2: is indented further than the line'],
    ['two colons', 'a: 1\nb: c: d', '2: has two colons: put its value in quotes'],
    ['an item after a name', 'a: - b', '1: has a list item after a name'],
    ['a sign at the start', 'a: @b', '1: has a value that starts with @: put it in quotes'],
    ['a backslash', 'a: "\\d"', '1: has a lone backslash in double quotes'],
  ])('%s', (_, text, why) => {
    expect(whyNot(text)).toContain(why);
  });

  it('of JSON has no words about YAML', () => {
    expect(whyNot('{\n\t"a": 1\n\t"b": 2\n}')).toBe('2: lacks a comma');
    expect(whyNot('{\n "a": “b”: 1\n}')).toContain('where JSON takes straight ones');
    expect(whyNot('{"a": !x !y 1}')).toBe(
      '1: is no JSON from here on: look at it, and at the line before it',
    );
  });
});
