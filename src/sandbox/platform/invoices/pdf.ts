import type PDFDocument from 'pdfkit';

import { iso } from '../metering/time.ts';
import { amountDue, type Invoice, type Item, type Period } from './model.ts';
import { dollars } from './money.ts';

const MARGIN = 50;
const AMOUNT_WIDTH = 90;

/**
 * An invoice as a PDF to read: number, range, the lines of every period, credits, total and amount due.
 * @param payer name of the account
 */
export async function invoicePdf(invoice: Invoice, payer: string): Promise<Buffer> {
  // Loading the library takes longer than everything else at start-up, and few runs need it.
  const { default: PdfDocument } = await import('pdfkit');
  const title = `Invoice ${invoice.number}`;
  const document = new PdfDocument({
    size: 'A4',
    margin: MARGIN,
    info: { Title: title, CreationDate: new Date(invoice.endTime) },
  });
  const chunks: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });

  document.fontSize(20).text(title).fontSize(10);
  document.text(payer).text(`${spanOf(invoice)}, ${invoice.status}`);
  for (const period of invoice.periods) writePeriod(document, period);
  if (invoice.credits.length > 0) writeTable(document, 'Credits', rowsOf(invoice.credits));
  writeTable(document, 'Summary', [
    ['Total', dollars(invoice.totalCharge)],
    ['Amount due', dollars(amountDue(invoice))],
  ]);
  document.end();
  return finished;
}

type Document = InstanceType<typeof PDFDocument>;

function writePeriod(document: Document, period: Period): void {
  const total = ['Total of the period', dollars(period.totalCharge)];
  writeTable(document, `${spanOf(period)}, ${period.status}`, [...rowsOf(period.items), total]);
}

function writeTable(document: Document, heading: string, rows: string[][]): void {
  document.moveDown().fontSize(12).text(heading).moveDown(0.5).fontSize(8);
  document.table({
    columnStyles: [{ width: '*' }, { width: AMOUNT_WIDTH, align: { x: 'right' } }],
    defaultStyle: { border: [0, 0, 0.5, 0], padding: 3 },
    data: rows,
  });
}

function rowsOf(items: readonly Item[]): string[][] {
  return items.map(({ description, charge }) => [description, dollars(charge)]);
}

function spanOf({ startTime, endTime }: { startTime: number; endTime: number }): string {
  return `${iso(startTime)} to ${iso(endTime)}`;
}
