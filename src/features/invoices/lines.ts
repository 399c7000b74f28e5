import { BigNumber } from 'bignumber.js';
import { compareNames } from '../../lib/text.ts';
import type { ChargesClient } from '../../platform/billing/charges.ts';
import type { Invoice, InvoicePeriod, LineItem } from '../../platform/billing/invoices.ts';
import { PlatformError } from '../../platform/errors.ts';
import { unitInDescription } from '../../reporting/quantity.ts';

/** A line of an invoice as the platform wrote it: one org, item, pricing tier and period (spec 2.8). */
export interface InvoiceLine {
  /** Empty where the line is of no org: a surcharge; undefined where the platform does not say. */
  readonly org: string | undefined;
  readonly item: string;
  /** As the platform says it. */
  readonly description: string;
  readonly unit: string | undefined;
  /** In the raw unit; undefined where it is not given. */
  readonly quantity: BigNumber | undefined;
  /** Price of one raw unit in whole units of the currency; undefined where it is not given. */
  readonly rate: BigNumber | undefined;
  /** Smallest currency unit; undefined where it cannot be read. */
  readonly charge: BigNumber | undefined;
  readonly period: InvoicePeriod;
}

/** The lines of one org and item, over all tiers and periods. */
export interface ItemLines extends Pick<InvoiceLine, 'org' | 'item' | 'unit'> {
  /** At least one, in the order of the invoice. */
  readonly lines: readonly InvoiceLine[];
  /** In the raw unit; undefined where a part of it is not given. */
  readonly quantity: BigNumber | undefined;
  /** What can be read of the charges; smallest currency unit. */
  readonly charge: BigNumber;
}

/** The unit of a chargeable item by its name, where that is known. */
export type UnitOf = (item: string) => string | undefined;

/**
 * Every line of an invoice, in its order (spec 2.8).
 * @param unitOf asked for lines whose description does not say the unit
 */
export function linesOf({ periods }: Pick<Invoice, 'periods'>, unitOf: UnitOf): InvoiceLine[] {
  return periods.flatMap((period) => period.items.map((line) => lineOf(line, period, unitOf)));
}

/** The lines by org and item, the largest charge first. */
export function itemsOf(lines: readonly InvoiceLine[]): ItemLines[] {
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

/** A line of the whole account (spec 2.8). */
export function isSurcharge({ org }: Pick<LineItem, 'org'>): boolean {
  return org === '';
}

/** The charges that can be read in all; smallest currency unit. */
export function sumOf(items: readonly Pick<LineItem, 'charge'>[]): BigNumber {
  return items.reduce((sum, { charge }) => sum.plus(charge ?? ZERO), ZERO);
}

/** How many of them have no charge that can be read. */
export function countUnread(items: readonly Pick<LineItem, 'charge'>[]): number {
  return items.filter(({ charge }) => charge === undefined).length;
}

const MAX_EXPONENT = 30;
const ZERO = new BigNumber(0);

function lineOf(line: LineItem, period: InvoicePeriod, unitOf: UnitOf): InvoiceLine {
  const { description, quantity, charge, org } = line;
  // Brackets of a surcharge hold no unit.
  const named = isSurcharge(line) ? undefined : unitInDescription(description);
  const item = named?.item ?? description;
  const unit = isSurcharge(line) ? undefined : (named?.unit ?? unitOf(item));
  return { org, item, description, unit, quantity, rate: rateIn(description), charge, period };
}

/** The last rate that a description names, as in "…, Quantity: 7200, Rate: 0.0000000000068". */
function rateIn(description: string): BigNumber | undefined {
  const said = [...description.matchAll(RATE)].at(-1)?.groups?.['rate'];
  const rate = said === undefined ? undefined : new BigNumber(said);
  // A number of more digits is no price.
  return rate && Math.abs(rate.e ?? 0) <= MAX_EXPONENT ? rate : undefined;
}

/** A number that ends where it seems to: not "1,000", whose comma is ambiguous. */
const RATE = /\brate\s*:\s*(?<rate>-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,2})?)(?![\w.,+-]*\d)/gi;

function together(lines: readonly InvoiceLine[]): ItemLines {
  const { org, item, unit } = lines[0]!;
  return { org, item, unit, lines, quantity: quantityOf(lines), charge: sumOf(lines) };
}

function quantityOf(lines: readonly InvoiceLine[]): BigNumber | undefined {
  let sum = ZERO;
  for (const { quantity } of lines) {
    if (quantity === undefined) return undefined;
    sum = sum.plus(quantity);
  }
  return sum;
}

/**
 * The units of the items that an invoice names without one, from the catalogue (spec 2.6, 2.8). It is
 * read only where it is needed; without it a quantity stays the raw number.
 */
export async function unitsOf(
  charges: Pick<ChargesClient, 'chargeableItems'>,
  { periods }: Pick<Invoice, 'periods'>,
): Promise<UnitOf> {
  const isTold = periods.every(({ items }) =>
    items.every((item) => item.quantity === undefined || isSurcharge(item) || saysUnit(item)),
  );
  if (isTold) return () => undefined;
  try {
    const { value } = await charges.chargeableItems();
    const units = new Map(value.items.map(({ name, unit }) => [name.toLowerCase(), unit]));
    return (item) => units.get(item.toLowerCase()) || undefined;
  } catch (error) {
    if (error instanceof PlatformError) return () => undefined;
    throw error;
  }
}

function saysUnit({ description }: LineItem): boolean {
  return unitInDescription(description).unit !== undefined;
}
