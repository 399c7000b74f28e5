import { Readable } from 'node:stream';
import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { invoiceCsv, pdfChunks } from '../../../../src/features/invoices/find.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import * as fc from '../../../support/fast-check.ts';
import { invoice, line, OCTOBER, period } from './scenario.ts';

const NOVEMBER = { startTime: OCTOBER.endTime, endTime: Date.UTC(2026, 11, 1) };

function rowsIn(
  one: Invoice,
  currency = 'USD',
  unitOf: (item: string) => string | undefined = () => undefined,
) {
  return parse<Record<string, string>>(invoiceCsv(one, unitOf, currency), {
    columns: true,
    record_delimiter: '\r\n',
  });
}

describe('the file of an invoice', () => {
  it('has each line as it is, with its period, rate and exact amounts, and each credit', () => {
    const memory =
      'acme: memory (bytes * seconds), Quantity: 13950729216000.125, Rate: 0.0000000000068';
    const one = invoice({
      periods: [
        period({
          status: 'paid',
          items: [
            line({
              description: memory,
              quantity: new BigNumber('13950729216000.125'),
              charge: new BigNumber(9500),
            }),
          ],
        }),
        period({
          ...NOVEMBER,
          status: 'payment-failed',
          items: [line({ org: '', description: 'Support, 3 %', quantity: undefined })],
        }),
      ],
      credits: [
        line({
          org: '',
          description: 'Goodwill',
          quantity: new BigNumber(1),
          charge: new BigNumber(-1234),
        }),
      ],
    });
    expect(rowsIn(one)).toEqual([
      {
        kind: 'line',
        'period start': '2026-10-01T00:00:00Z',
        'period end': '2026-11-01T00:00:00Z',
        'period status': 'paid',
        org: 'acme',
        item: 'memory',
        description: memory,
        quantity: '13950729216000.125',
        unit: 'bytes * seconds',
        rate: '0.0000000000068',
        'charge in smallest unit': '9500',
        charge: '95',
        currency: 'USD',
      },
      expect.objectContaining({
        kind: 'surcharge',
        'period start': '2026-11-01T00:00:00Z',
        'period status': 'payment-failed',
        org: '',
        item: 'Support, 3 %',
        quantity: '',
        unit: '',
        rate: '',
        charge: '1',
      }),
      expect.objectContaining({
        kind: 'credit',
        'period start': '',
        description: 'Goodwill',
        'charge in smallest unit': '-1234',
        charge: '-12.34',
      }),
    ]);
  });

  it.each([
    ['JPY', '9500', '9500'],
    ['KWD', '9500', '9.5'],
  ])('counts %s in its own smallest unit', (currency, smallest, whole) => {
    const items = [line({ charge: new BigNumber(9500) })];
    const [row] = rowsIn(invoice({ periods: [period({ items })] }), currency);
    expect(row).toMatchObject({ 'charge in smallest unit': smallest, charge: whole, currency });
  });

  it('has an empty cell for a value that cannot be read, and no text that runs in a spreadsheet', () => {
    const items = [line({ description: '=HYPERLINK("x")', charge: undefined })];
    const odd = period({ startTime: undefined, items });
    const [row] = rowsIn(invoice({ periods: [odd] }));

    expect(row).toMatchObject({
      'period start': '',
      description: `'=HYPERLINK("x")`,
      'charge in smallest unit': '',
      charge: '',
    });
  });

  it('adds up to the lines, exactly', () => {
    const charges = fc.array(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(charges, (drawn) => {
        const items = drawn.map((charge) => line({ charge: new BigNumber(charge.toString()) }));

        const rows = rowsIn(invoice({ periods: [period({ items }), period({ items })] }));

        const sum = rows.reduce((all, row) => all + BigInt(row['charge in smallest unit']!), 0n);
        expect(sum).toBe(2n * drawn.reduce((all, charge) => all + charge, 0n));
        const whole = rows.reduce((all, { charge }) => all.plus(charge!), new BigNumber(0));
        expect(whole.times(100).toFixed()).toBe(sum.toString());
      }),
      { numRuns: 200 },
    );
  });
});

async function read(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString('latin1');
}

describe('a PDF', () => {
  it('passes unchanged, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 900 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 700 }),
        async (rest, size) => {
          const whole = Buffer.concat([Buffer.from('%PDF-1.7\n'), ...rest]);
          const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
            whole.subarray(index * size, (index + 1) * size),
          );

          expect(await read(await pdfChunks(Readable.from(parts)))).toBe(whole.toString('latin1'));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('may begin with something else, as long as it names itself soon', async () => {
    const text = `${'\n'.repeat(1_019)}%PDF-1.7`;
    expect(await read(await pdfChunks(Readable.from([Buffer.from(text)])))).toBe(text);
  });

  it.each([
    ['nothing', []],
    ['a page', ['<html>', 'Please log in']],
    ['one that names itself too late', [' '.repeat(2_000), '%PDF-1.7']],
  ])('is not %s: it is refused, and the rest is not read', async (_what, texts) => {
    const source = Readable.from(texts.map((text) => Buffer.from(text)));
    await expect(pdfChunks(source)).rejects.toThrow('no PDF');
    expect(source.destroyed).toBe(true);
  });

  it('that breaks off ends with the error of its source', async () => {
    const source = Readable.from(
      (async function* () {
        yield Buffer.from(`%PDF-1.7${' '.repeat(2_000)}`);
        throw new PlatformError('timeout', 'it took too long');
      })(),
    );
    await expect(read(await pdfChunks(source))).rejects.toThrow('it took too long');
  });
});
