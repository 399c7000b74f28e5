import type { Button } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { compareNames } from '../../lib/text.ts';
import { factOf, known } from '../../monitors/monitor.ts';
import type { ChargesClient } from '../../platform/billing/charges.ts';
import type { Invoice, InvoicePeriod, LineItem } from '../../platform/billing/invoices.ts';
import { unitInDescription } from '../../reporting/quantity.ts';
import { button } from '../../slack/kit/blocks.ts';
import { LIMITS } from '../../slack/kit/text.ts';
import { sumOf } from './sheet.ts';

/** Replaces an org that is absent or cannot be read. */
export const NOT_SAID = '(not reported)';

/** Of buttons and menus about an invoice: "invoices.show". */
export const INVOICE_ACTIONS = ['show', 'csv', 'pdf', 'pay', 'deliveries'] as const;
export type InvoiceAction = (typeof INVOICE_ACTIONS)[number];

/** None for an invoice without an id, or with one that no button can hold. */
export function invoiceButton(
  text: string,
  kind: InvoiceAction,
  { id }: Pick<Invoice, 'id'>,
): Button[] {
  return id === '' || id.length > LIMITS.buttonValue
    ? []
    : [button({ action: `invoices.${kind}`, text, value: id })];
}

/** A line as the platform wrote it: one org, item, pricing tier and period (spec 2.8). */
export type InvoiceLine = ReturnType<typeof lineOf>;
export type ItemLines = ReturnType<typeof together>;

export type UnitOf = (item: string) => string | undefined;

/** Every line of an invoice, in its order (spec 2.8). @param unitOf for lines whose description omits the unit */
export function linesOf({ periods }: Pick<Invoice, 'periods'>, unitOf: UnitOf) {
  return periods.flatMap((period) => period.items.map((line) => lineOf(line, period, unitOf)));
}

/** The largest charge first. */
export function itemsOf(lines: readonly InvoiceLine[]) {
  const items = new Map<string, InvoiceLine[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.org, line.item, line.unit]);
    const known = items.get(key);
    if (known) known.push(line);
    else items.set(key, [line]);
  }
  return [...items.values()]
    .map(together)
    .toSorted(
      (a, b) =>
        b.charge.comparedTo(a.charge)! ||
        compareNames(a.org ?? '', b.org ?? '') ||
        compareNames(a.item, b.item),
    );
}

/** A surcharge is a line of the whole account (spec 2.8). */
export function isSurcharge({ org }: Pick<LineItem, 'org'>): boolean {
  return org === '';
}

const MAX_EXPONENT = 30;

function lineOf(line: LineItem, period: InvoicePeriod, unitOf: UnitOf) {
  const { description } = line;
  // Brackets in a surcharge contain no unit.
  const named = isSurcharge(line) ? undefined : unitInDescription(description);
  const item = named?.item ?? description;
  const unit = isSurcharge(line) ? undefined : (named?.unit ?? unitOf(item));
  /** Price of one raw unit in whole units of the currency; undefined: not given. */
  const rate = rateIn(description);
  return { ...line, item, unit, rate, period };
}

/** The last rate in a description such as "…, Quantity: 7200, Rate: 0.0000000000068". */
function rateIn(description: string): BigNumber | undefined {
  const number = [...description.matchAll(RATE)].at(-1)?.groups?.['rate'];
  const rate = number === undefined ? undefined : new BigNumber(number);
  // A number with more digits is not a price.
  return rate && Math.abs(rate.e ?? 0) <= MAX_EXPONENT ? rate : undefined;
}

/** A complete number: not "1,000", whose comma is ambiguous. */
const RATE = /\brate\s*:\s*(?<rate>-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,2})?)(?![\w.,+-]*\d)/gi;

function together(lines: readonly InvoiceLine[]) {
  const { org, item, unit } = lines[0]!;
  const quantities = lines.flatMap(({ quantity }) => quantity ?? []);
  return {
    org,
    item,
    unit,
    /** At least one, in the order of the invoice. */
    lines,
    /** In the raw unit; undefined if a line omits it. */
    quantity: quantities.length < lines.length ? undefined : BigNumber.sum(...quantities),
    /** The sum of the readable charges; smallest currency unit. */
    charge: sumOf(lines),
  };
}

/**
 * Units of items whose lines omit them, from the catalogue (spec 2.6, 2.8). Reads it only if needed; without it a
 * quantity stays a raw number.
 */
export async function unitsOf(
  charges: Pick<ChargesClient, 'chargeableItems'>,
  { periods }: Pick<Invoice, 'periods'>,
): Promise<UnitOf> {
  const hasUnits = periods.every(({ items }) =>
    items.every(
      (item) =>
        item.quantity === undefined ||
        isSurcharge(item) ||
        unitInDescription(item.description).unit !== undefined,
    ),
  );
  if (hasUnits) return () => undefined;
  const read = known(await factOf(charges.chargeableItems()));
  const units = new Map(read?.value.items.map(({ name, unit }) => [name.toLowerCase(), unit]));
  return (item) => units.get(item.toLowerCase()) || undefined;
}
