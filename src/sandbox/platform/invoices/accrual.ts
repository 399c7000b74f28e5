import type { BookLine } from '../metering/books.ts';
import type { Currency } from '../metering/catalogue.ts';
import type { Item } from './model.ts';
import { centOf, decimal, shareCents, sum, toCents } from './money.ts';

const SURCHARGE_PERCENT = 3n;

/** The cost of a month, or of its remaining days. */
export interface Accrual {
  /** Cents: the sum of the items. */
  readonly totalCharge: bigint;
  readonly items: readonly Item[];
}

/**
 * The lines of a month that no invoice has yet, in cents that add up: all invoices of a month
 * together charge the month's exact amount, rounded once.
 * @param lines the month up to now, `billed` the month up to its last invoice
 */
export function accrue(
  lines: readonly BookLine[],
  billed: readonly BookLine[],
  currency: Currency,
): Accrual {
  const cent = centOf(currency);
  const open = withoutBilled(lines, billed);
  const totalCharge = toCents(amountOf(lines), cent) - toCents(amountOf(billed), cent);
  const charges = shareCents(
    open.map(({ amount }) => amount),
    totalCharge,
    cent,
  );
  return { totalCharge, items: open.map((line, index) => itemOf(line, charges[index] ?? 0n)) };
}

/** Adds the surcharge on everything in `accrual`, if there is anything, as a line of the whole account. */
export function withSurcharge(accrual: Accrual): Accrual {
  const { totalCharge, items } = accrual;
  if (items.length === 0) return accrual;
  const charge = (totalCharge * SURCHARGE_PERCENT + 50n) / 100n;
  const description = `Support surcharge, ${SURCHARGE_PERCENT} %`;
  return {
    totalCharge: totalCharge + charge,
    items: [...items, { description, quantity: '1', charge, org: '' }],
  };
}

function withoutBilled(lines: readonly BookLine[], billed: readonly BookLine[]): BookLine[] {
  const earlier = new Map(billed.map((line) => [keyOf(line), line]));
  return lines
    .map((line) => {
      const { units = 0n, amount = 0n } = earlier.get(keyOf(line)) ?? {};
      return { ...line, units: line.units - units, amount: line.amount - amount };
    })
    .filter(({ units, amount }) => units !== 0n || amount !== 0n);
}

function keyOf({ org, item, tier }: BookLine): string {
  return [org, item.id, tier.from].join(' ');
}

function amountOf(lines: readonly BookLine[]): bigint {
  return sum(lines.map(({ amount }) => amount));
}

function itemOf({ org, item, tier, units }: BookLine, charge: bigint): Item {
  const quantity = decimal(units, 3);
  const rate = decimal(tier.rate, 15);
  const description = `${org}: ${item.name} (${item.unit}), Quantity: ${quantity}, Rate: ${rate}`;
  return { description, quantity, charge, org };
}
