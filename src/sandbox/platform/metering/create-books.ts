import type { Account } from '../billing/model.ts';
import type { BookLine, Books, ChargeableItem } from './books.ts';
import type { Currency } from './catalogue.ts';
import { REVISED_FOR_HOURS, type History } from './history.ts';
import type { Plans } from './plans.ts';
import { createPricing } from './pricing.ts';
import { arrangeRows, type Arrangement } from './rows.ts';
import type { Series } from './series.ts';
import { addMonths, HOUR_MS } from './time.ts';

/** A row for each org and item: the tags of all items distinguish every two rows. */
function byOrgAndItem(items: readonly ChargeableItem[]): Arrangement {
  const keys = new Set(items.flatMap(({ consumptionTags }) => Object.keys(consumptionTags)));
  return {
    groupBy: [],
    selections: [{ keys: ['org', ...keys], selects: ({ item }) => item !== undefined }],
  };
}

/** The books: a month of an account, with the tiers over all that the account used. */
export function createBooks(deps: {
  censusOf: (orgs: ReadonlySet<string>) => readonly Series[];
  history: History;
  items: readonly ChargeableItem[];
  plans: Plans;
  firstMonth: number;
  currency: Currency;
  now: () => number;
}): Books {
  const { censusOf, history, items, plans, firstMonth, now } = deps;
  const arrangement = byOrgAndItem(items);
  const final = new Map<string, readonly BookLine[]>();

  const bookMonth = (account: Account, start: number, end: number): readonly BookLine[] => {
    const reading = history.at(now());
    const rows = arrangeRows(arrangement, censusOf(new Set(account.orgs.keys())));
    const pricing = createPricing({ rows, reading, plans });
    return rows
      .flatMap((row) =>
        pricing.priceRow(row, start, end).map(({ priced: { item }, tier, units, amount }) => ({
          org: String(row.tags['org']),
          item,
          tier,
          units,
          amount,
        })),
      )
      .sort(inOrder);
  };

  return {
    firstMonth,
    currency: deps.currency,
    monthLines(account, monthStart) {
      const end = addMonths(monthStart, 1);
      // Asked again as of an earlier moment, a month may still have been under way.
      if (now() < end + REVISED_FOR_HOURS * HOUR_MS) return bookMonth(account, monthStart, end);
      const key = [monthStart, account.id, ...account.orgs.keys()].join(' ');
      const lines = final.get(key) ?? bookMonth(account, monthStart, end);
      final.set(key, lines);
      return lines;
    },
  };
}

function inOrder(left: BookLine, right: BookLine): number {
  const [one, other] =
    left.org === right.org ? [left.item.id, right.item.id] : [left.org, right.org];
  if (one !== other) return one < other ? -1 : 1;
  return left.tier.from < right.tier.from ? -1 : 1;
}
