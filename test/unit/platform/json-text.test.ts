import { describe, expect, test } from 'vitest';
import { readAnswerIn } from '../../../src/platform/consumption/result.ts';
import { parseInParts, Part } from '../../../src/platform/json-text.ts';
import { parseExact } from '../../../src/platform/json.ts';
import * as fc from '../../support/fast-check.ts';

/** A document with all of its parts. */
function whole(node: unknown): unknown {
  if (node instanceof Part) return whole(node.parse());
  if (Array.isArray(node)) return node.map(whole);
  if (typeof node !== 'object' || node === null || 'isNaN' in node) return node;
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, whole(value)]));
}

const inParts = (text: string) => whole(parseInParts(Buffer.from(text), 'groups'));

/** Names that are, or nearly are, the one that is looked for. */
const name = fc.constantFrom('groups', 'groups"', '"groups', 'gr\\oups', 'key', '{', '[', '\\');
const text = fc.oneof(name, fc.string({ unit: 'binary', maxLength: 8 }));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(text, fc.integer(), fc.constantFrom(null, true, 1.5)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
  ),
}));

describe('a document that is parsed in parts', () => {
  test('is the same as in one piece, whatever it holds and however it is written', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 1, '\t'), (value, blanks) => {
        const written = JSON.stringify({ groups: [value, { groups: value }] }, null, blanks);

        expect(inParts(written)).toEqual(parseExact(written));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is refused wherever it breaks off, as a whole would be', () => {
    const written = JSON.stringify({ periods: [{ groups: [{ key: { a: 'b"}' } }, { n: [1] }] }] });

    for (let length = 1; length < written.length; length += 1) {
      expect(() => inParts(written.slice(0, length))).toThrow(SyntaxError);
    }
    expect(() => inParts(written.replace('[1]', '[1}'))).toThrow(SyntaxError);
    expect(() => inParts(written.replace('}}', '}},'))).toThrow(SyntaxError);
    expect(() => inParts(written.replace('}]', '},]'))).toThrow(SyntaxError);
  });

  test('leaves the elements of the lists of that name for later, and nothing else', () => {
    const read = parseInParts(
      Buffer.from('{"groups":[{"a":1},2,{"a":3}],"rows":[{"a":4}]}'),
      'groups',
    );

    expect(read).toEqual({ groups: [expect.any(Part), 2, { a: 3 }], rows: [{ a: 4 }] });
  });

  test('keeps every digit of a part', () => {
    const [digits] = ['9007199254740993.000000000000000001'];

    expect(
      String((inParts(`{"groups":[{"value":${digits}}]}`) as never)['groups'][0]['value']),
    ).toBe(digits);
  });

  test('may say a list twice, if it says the same', () => {
    const twice = (second: string) => `{"groups":[{"a":1}],"groups":[${second}]}`;

    expect(inParts(twice('{"a":1}'))).toEqual({ groups: [{ a: 1 }] });
    expect(() => inParts(twice('{"a":2}'))).toThrow(SyntaxError);
  });

  test('may be empty, and may begin with the mark of some servers', () => {
    expect(inParts('')).toBeUndefined();
    expect(inParts('\uFEFF ')).toBeUndefined();
    expect(inParts('\uFEFF{"groups":[{"a":1}]}')).toEqual({ groups: [{ a: 1 }] });
  });
});

test('one name with two values is no answer, also in a part that no one reads', () => {
  const answer = Buffer.from('{"results":[{"groups":[{"value":1,"value":null}]}]}');

  expect(() => readAnswerIn(answer, () => 'read')).toThrow('the answer is not valid JSON');
});
