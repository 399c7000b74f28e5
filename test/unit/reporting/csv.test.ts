import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, test } from 'vitest';
import { toCsv, type Cell } from '../../../src/reporting/csv.ts';
import * as fc from '../../support/fast-check.ts';

function readBack(csv: string): string[][] {
  return parse(csv, { record_delimiter: '\r\n' });
}

function onlyCell(cell: Cell): string | undefined {
  return readBack(toCsv(['value', 'other'], [[cell, 'x']]))[1]?.[0];
}

describe('a table', () => {
  it('has a heading and a line for each row, all of them ended', () => {
    const csv = toCsv(
      ['workload', 'total', 'before'],
      [
        ['api', new BigNumber('12.50'), undefined],
        ['say "hi", then\nleave', new BigNumber(0), new BigNumber('-3.1')],
      ],
    );

    expect(csv).toBe('workload,total,before\r\napi,12.5,\r\n"say ""hi"", then\nleave",0,-3.1\r\n');
  });

  it('without rows is its heading', () => {
    expect(toCsv(['org', 'total'], [])).toBe('org,total\r\n');
  });

  it('never starts with a byte order mark, not even in a foreign heading', () => {
    expect(toCsv(['\u{FEFF}org'], [])).toBe('"\u{FEFF}org"\r\n');
  });
});

describe('a number', () => {
  test.each([
    ['1e30', `1${'0'.repeat(30)}`],
    ['1e-18', `0.${'0'.repeat(17)}1`],
    ['11132555231232000.123456789', '11132555231232000.123456789'],
    ['-0.1', '-0.1'],
  ])('%s is written in full', (number, text) => {
    expect(onlyCell(new BigNumber(number))).toBe(text);
  });

  it('is read back exactly', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: -30, max: 30 }), (digits, shift) => {
        const number = new BigNumber(String(digits)).shiftedBy(shift);
        const text = onlyCell(number);

        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(new BigNumber(text ?? '').eq(number)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a formula', () => {
  test.each([
    '=HYPERLINK("http://127.0.0.1")',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\tharmless',
    '\rharmless',
    '\nharmless',
    '  =1',
    '\u{A0}=1',
    '\u{200B}=1',
    '\u{FEFF}=1',
    '\u{202E}=1',
    '\0=1',
    '＝1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '﹦1',
  ])('%j is text', (formula) => {
    expect(onlyCell(formula)).toBe(`'${formula}`);
  });

  it('in the heading is text too', () => {
    expect(toCsv(['=1', '-'], [])).toBe("'=1,'-\r\n");
  });

  test.each(['a=1', 'my-org', 'ada@example.com', '  api', "'quoted", '', '<!channel>', '1+1'])(
    'does not include %j',
    (text) => {
      expect(onlyCell(text)).toBe(text);
    },
  );
});

const pieces = fc.oneof(
  fc.constantFrom('=', '+', '-', '@', '＝', "'", '"', '""', ',', ';', '🙂', 'a', '1', '1e5'),
  fc.constantFrom('\r', '\n', '\r\n', '\t', ' ', '\0', '\u{85}', '\u{2028}'),
  fc.constantFrom('\u{FEFF}', '\u{202E}', '\u{200B}'),
);
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

it('anything is read back as it was, but for the apostrophe before a formula', () => {
  const rows = fc.array(fc.tuple(texts, texts, texts), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.tuple(texts, texts, texts), rows, (columns, cells) => {
      const read = readBack(toCsv(columns, cells)).flat();
      const asked = [columns, ...cells].flat();

      expect(read.length).toBe(asked.length);
      for (const [index, text] of asked.entries()) {
        expect([text, `'${text}`]).toContain(read[index]);
        expect(read[index]).not.toMatch(/^[\s\p{Cc}\p{Cf}]*[=+\-@＝]|^[\t\r\n]/u);
      }
    }),
    { numRuns: 1_000 },
  );
});
