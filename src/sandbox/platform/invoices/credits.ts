import type { Item } from './model.ts';

/**
 * The credits that the platform grants for a month: one in the seed exceeds every bill, and from the
 * fourth month on there is one every five months, so that the month of the seed has one, too.
 * @param month counted from the first month that has usage
 */
export function creditsOf(month: number): Item[] {
  if (month === 6) return [credit('Migration credit', 25_000_00n)];
  if (month % 5 !== 3) return [];
  const credits = [credit('Service level credit', 50_00n)];
  return month === 8 ? [...credits, credit('Goodwill credit', 12_34n)] : credits;
}

function credit(description: string, cents: bigint): Item {
  return { description, quantity: '1', charge: -cents, org: '' };
}
