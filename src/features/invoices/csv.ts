import { rfc3339 } from '../../figures/consumption-query.ts';
import { toCsv } from '../../figures/csv.ts';
import type { Cell } from '../../figures/csv.ts';
import { wholeUnits } from '../../figures/money.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
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
