import { Readable } from 'node:stream';

import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';

import { pdfChunks } from '../../../../src/features/invoices/pdf.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';

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
