import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';
import { describe, expect, test } from 'vitest';
import { numberIn, parseExact } from '../../../src/platform/json.ts';
import * as fc from '../../support/fast-check.ts';

/** A decimal of any length, and its value: `digits` divided by ten to the power of `scale`. */
const decimal = fc
  .record({
    digits: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
    scale: fc.integer({ min: 0, max: 20 }),
  })
  .map(({ digits, scale }) => {
    const sign = digits < 0n ? '-' : '';
    const padded = `${digits < 0n ? -digits : digits}`.padStart(scale + 1, '0');
    const cut = padded.length - scale;
    const fraction = scale === 0 ? '' : `.${padded.slice(cut)}`;
    return { digits, scale, text: `${sign}${padded.slice(0, cut)}${fraction}` };
  });

describe('numbers', () => {
  test('every digit that was sent is there', () => {
    fc.assert(
      fc.property(decimal, ({ digits, scale, text }) => {
        const [number] = parseExact(`[${text}]`) as (number | BigNumber)[];

        const exact = new BigNumber(number ?? Number.NaN);
        expect(exact.shiftedBy(scale).toFixed()).toBe(digits.toString());
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    '0',
    '7',
    '0.1',
    '11132555231232000',
    '9007199254740991',
    '1e3',
    '0.30000000000000004',
  ])('a number that a double holds exactly is a plain number: %s', (text) => {
    expect(parseExact(text)).toBe(Number(text));
  });

  test.each(['9007199254740993', '0.1000000000000000055', '123456789012345678.25'])(
    'a number that a double would round is not one: %s',
    (text) => {
      expect(parseExact(text)).toEqual(new BigNumber(text));
    },
  );

  test.each(['1e999', '-1e999', '1e61', '1e-400', '1e-99999999999', '9'.repeat(1_000)])(
    'a number that no one can mean is invalid: %#',
    (text) => {
      expect(parseExact(text)).toBeNaN();
    },
  );

  test.each(['-0', '-0.0', '-0e5', '0e999', `-0.${'0'.repeat(30)}`])(
    'zero has no sign: %s',
    (text) => {
      expect(Object.is(parseExact(text), 0)).toBe(true);
    },
  );
});

describe('documents', () => {
  test('one name that says two things is refused, twice the same is not', () => {
    expect(() => parseExact('{"total": 1, "total": 2}')).toThrow(SyntaxError);
    expect(parseExact('{"total": 1, "total": 1}')).toEqual({ total: 1 });
  });

  test.each([
    '-6.247288909732921e',
    '1234567890123456e\u0000188',
    '12345678901234567.',
    '--1234567890123456',
  ])('a text that begins like a number only is no JSON: %j', (text) => {
    expect(() => parseExact(`{"total": ${text}}`)).toThrow(SyntaxError);
  });

  test('a prototype is a member like any other', () => {
    const value = parseExact('{"__proto__": {"total": 5}, "constructor": 1}') as object;

    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('total' in value).toBe(false);
  });

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('nesting without end is an error, not the end: %s', (opening, closing) => {
    const start = opening.repeat(1_000_000);

    expect(() => parseExact(start)).toThrow(SyntaxError);
    expect(() => parseExact(`${start}1${closing.repeat(1_000_000)}`)).toThrow(RangeError);
  });
});

describe('the parser and a slower one that is given each number as it was written', () => {
  /** Numbers of all lengths, and as near to each other and to the marks as they can be. */
  const numbers = fc.oneof(
    decimal.map(({ text }) => text),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.bigInt({ min: 2n ** 52n - 9n, max: 2n ** 52n + 9n }).map(String),
    fc.bigInt({ min: -(2n ** 53n) - 9n, max: -(2n ** 52n) + 9n }).map(String),
    fc.constantFrom('-0', '-0.0', '0e7', '1E5', '1e22', '1e-30', '-1e300', '1e999', '1.50'),
  );
  /** Texts that look like parts of a document, escaped in all ways. */
  const strings = fc
    .array(
      fc.oneof(
        numbers,
        fc.constantFrom(
          ': ',
          ',',
          '[',
          '}',
          '\\"',
          '\\\\',
          '\\u0022',
          '\\u0000',
          '\\n',
          '\\/',
          'ü',
        ),
      ),
      { maxLength: 6 },
    )
    .map((parts) => `"${parts.join('')}"`);
  const documents = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      numbers,
      strings,
      fc.constantFrom('null', 'true', ' false '),
      fc.array(tie('node'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
      fc
        .array(fc.tuple(fc.oneof(strings, fc.constantFrom('"a"', '"__proto__"')), tie('node')), {
          maxLength: 4,
        })
        .map((members) => `{${members.map(([name, value]) => `${name} :${value}`).join(',')}}`),
    ),
  })).node;

  test('read the same numbers at the same places, and refuse the same', () => {
    fc.assert(
      fc.property(documents, (text) => {
        expect(outcomeOf(() => parseExact(text))).toEqual(
          outcomeOf(() => parse(text, undefined, numberFrom)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('take the same for no document', () => {
    const parts = fc.constantFrom(
      '-',
      '-',
      '0',
      '12345678901234567891',
      'e',
      '+',
      '.',
      '"',
      '\\',
      ':',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (broken) => {
        const text = broken.join('');

        const isNone = failureOf(() => JSON.parse(text)) !== undefined;

        expect(failureOf(() => parseExact(text)) !== undefined).toBe(isNone);
      }),
      { numRuns: 3_000 },
    );
  });

  test('a string of a million escapes without an end is refused at once', () => {
    expect(() => parseExact(`["${'\\"'.repeat(1_000_000)}`)).toThrow(SyntaxError);
  });
});

test.each<[string, number | BigNumber | undefined]>([
  ['60074', 60_074],
  ['-3.50', -3.5],
  ['0', 0],
  ['11132555231232001', new BigNumber('11132555231232001')],
  ['1e3', 1_000],
  ['', undefined],
  [' 5', undefined],
  ['5 ', undefined],
  ['05', undefined],
  ['+5', undefined],
  ['.5', undefined],
  ['5.', undefined],
  ['1,000', undefined],
  ['0x10', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
])('the text "%s" is the number %s', (text, number) => {
  expect(numberIn(text)).toEqual(number);
});

/** As the reading of numbers is documented: a double where that is exact, without the sign of zero. */
function numberFrom(text: string): unknown {
  const [exact, double] = [new BigNumber(text), Number(text)];
  if (exact.isZero()) return 0;
  if (!exact.isFinite() || Math.abs(exact.e ?? 0) > 60 || (exact.dp() ?? 0) > 60) return Number.NaN;
  return exact.eq(double) ? double : exact;
}

/** The value that was read, or that it was refused. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return error instanceof Error ? error.name : 'no error';
  }
}

function failureOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return String(error);
  }
}
