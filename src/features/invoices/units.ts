import { unitInDescription } from '../../figures/quantity.ts';
import type { ChargesClient } from '../../platform/billing/charges.ts';
import type { Invoice, LineItem } from '../../platform/billing/invoices.ts';
import { PlatformError } from '../../platform/errors.ts';
import { isSurcharge } from './lines.ts';
import type { UnitOf } from './lines.ts';

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
