import type { Readable } from 'node:stream';
import { Refusal } from '../../lib/errors.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import { rfc3339 } from '../../reporting/range.ts';
import { toCsv } from '../../reporting/csv.ts';
import type { Cell } from '../../reporting/csv.ts';
import { wholeUnits } from '../../reporting/money.ts';
import { isSurcharge, linesOf } from './lines.ts';
import type { UnitOf } from './lines.ts';
import { nameOf } from './words.ts';

const COLUMNS = [
  'kind',
  'period start',
  'period end',
  'period status',
  'org',
  'item',
  'description',
  'quantity',
  'unit',
  'rate',
  'charge in smallest unit',
  'charge',
  'currency',
];

/**
 * Every line and credit of an invoice as it stands there (spec 2.8). A cell is empty where the platform
 * says nothing that can be read.
 * @param unitOf asked for lines whose description does not say the unit
 * @throws Refusal when there is none
 */
export function invoiceCsv(invoice: Invoice, unitOf: UnitOf, currency: string): string {
  const ofLines = linesOf(invoice, unitOf).map((line): Cell[] => [
    isSurcharge(line) ? 'surcharge' : 'line',
    ...[line.period.startTime, line.period.endTime].map(timeCell),
    line.period.status,
    line.org,
    line.item,
    line.description,
    line.quantity,
    line.unit,
    line.rate,
    line.charge,
    line.charge && wholeUnits(line.charge, currency),
    currency,
  ]);
  const ofCredits = invoice.credits.map(({ description, quantity, charge, org }): Cell[] => [
    'credit',
    '',
    '',
    '',
    org,
    '',
    description,
    quantity,
    '',
    '',
    charge,
    charge && wholeUnits(charge, currency),
    currency,
  ]);
  const rows = [...ofLines, ...ofCredits];
  if (rows.length === 0) {
    throw new Refusal(`${nameOf(invoice)} has no lines, so there is nothing to put into a file.`);
  }
  return toCsv(COLUMNS, rows);
}

function timeCell(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : rfc3339(ms);
}

/** Where a PDF names itself, in bytes from its beginning. */
const HEAD_BYTES = 1_024;

/**
 * The chunks of a PDF, once it has proven to be one: anything else would arrive as a broken file.
 * The stream is closed when the chunks are at an end or are not wanted any more.
 * @throws Refusal when it is none; the stream's own errors
 */
export async function pdfChunks(source: Readable): Promise<AsyncIterable<Uint8Array>> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const head: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head.push(value);
    size += value.length;
  }
  if (Buffer.concat(head).subarray(0, HEAD_BYTES).includes('%PDF-')) return rejoin(head, chunks);
  source.destroy();
  throw new Refusal(
    'The platform sent something that is no PDF, so there is no file: please try again, and tell whoever runs Purser if it stays so.',
  );
}

async function* rejoin(head: Uint8Array[], rest: AsyncIterator<Uint8Array>) {
  yield* head;
  yield* { [Symbol.asyncIterator]: () => rest };
}
