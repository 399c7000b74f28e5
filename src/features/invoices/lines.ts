import { BigNumber } from 'bignumber.js';
import { unitInDescription } from '../../figures/quantity.ts';
import { compareNames } from '../../lib/text.ts';
import type { Invoice, LineItem } from '../../platform/billing/invoices.ts';

/** What an org is billed for one item: the sum of its pricing tiers, over all periods. */
export interface InvoiceLine {
  /** Empty where the line is of no org: a surcharge. */
  readonly org: string;
  readonly item: string;
  readonly unit: string | undefined;
  /** In the raw unit; undefined where a part of it is not told. */
  readonly quantity: BigNumber | undefined;
  /** Smallest currency unit. */
  readonly charge: BigNumber;
}

/** The unit of a chargeable item by its name, where that is known. */
export type UnitOf = (item: string) => string | undefined;

/**
 * The lines of an invoice by org and item, largest charge first (spec 2.8).
 * @param unitOf asked for lines whose description does not say the unit
 */
export function linesOf({ periods }: Pick<Invoice, 'periods'>, unitOf: UnitOf): InvoiceLine[] {
  const sums = new Map<string, InvoiceLine>();
  for (const line of periods.flatMap(({ items }) => items.map((item) => lineOf(item, unitOf)))) {
    const key = JSON.stringify([line.org, line.item, line.unit]);
    const known = sums.get(key);
    sums.set(key, known ? plus(known, line) : line);
  }
  return [...sums.values()].toSorted(
    (a, b) =>
      b.charge.comparedTo(a.charge)! || compareNames(a.org, b.org) || compareNames(a.item, b.item),
  );
}

/** A line of the whole account (spec 2.8); every other one is of an org. */
export function isSurcharge({ org }: Pick<LineItem, 'org'>): boolean {
  return org === '';
}

/** The charges in all; smallest currency unit. */
export function sumOf(items: readonly Pick<LineItem, 'charge'>[]): BigNumber {
  return items.reduce((sum, { charge }) => sum.plus(charge), new BigNumber(0));
}

function lineOf({ description, quantity, charge, org }: LineItem, unitOf: UnitOf): InvoiceLine {
  const { item = description, unit = unitOf(item) } = unitInDescription(description);
  return { org, item, unit, quantity, charge };
}

function plus(one: InvoiceLine, other: InvoiceLine): InvoiceLine {
  const quantity = one.quantity && other.quantity ? one.quantity.plus(other.quantity) : undefined;
  return { ...one, quantity, charge: one.charge.plus(other.charge) };
}
