import type { KnownBlock } from '@slack/types';
import { formatInUnit } from '../../figures/quantity.ts';
import { plural, truncate } from '../../lib/text.ts';
import { joinMrkdwn, mrkdwn, section, table } from '../../slack/kit/index.ts';
import type { Column, Mrkdwn } from '../../slack/kit/index.ts';
import { formatRate } from '../consumption/rate.ts';
import { countUnread, isSurcharge, orgsOf, sumOf } from './lines.ts';
import type { InvoiceLine, ItemLines } from './lines.ts';
import { monthsInWords } from './months.ts';
import { amountIn, NOT_SAID, NOTHING } from './words.ts';
import type { Money } from './words.ts';

/** Orgs that are named with their sums; the others are added up. */
const MAX_ORGS = 5;

/** A row of the table: a line, or what the lines of one item are together. */
export type LineRow = { readonly line: InvoiceLine } | { readonly item: ItemLines };

/** The lines of each item, below what they are together where there are several. */
export function lineRows(items: readonly ItemLines[]): LineRow[] {
  return items.flatMap((item): LineRow[] => [
    ...(item.lines.length > 1 ? [{ item }] : []),
    ...item.lines.map((line) => ({ line })),
  ]);
}

/** What all lines come to, and those of each org; what is missing in these sums. */
export function sumsBlock(lines: readonly InvoiceLine[], money: Money): KnownBlock[] {
  const unread = countUnread(lines);
  if (lines.length < 2 && unread === 0) return [];
  const orgs = orgsOf(lines);
  const others = orgs.slice(MAX_ORGS);
  const sums = [
    ...orgs
      .slice(0, MAX_ORGS)
      .map(
        ({ org, charge }) =>
          mrkdwn`${org === '' ? '(surcharges)' : truncate(org ?? NOT_SAID, 24)} ${money(charge)}`,
      ),
    ...(others.length > 0
      ? [mrkdwn`${plural(others.length, 'other')} ${money(sumOf(others))}`]
      : []),
  ];
  const all = mrkdwn`All lines: *${money(sumOf(lines))}*`;
  const head = orgs.length > 1 ? mrkdwn`${all} = ${joinMrkdwn(sums, ' + ')}` : all;
  const missing = mrkdwn`⚠ The charge of ${plural(unread, 'line')} is not readable: sums are without ${unread === 1 ? 'it' : 'them'}`;
  const said = [...(unread < lines.length ? [head] : []), ...(unread > 0 ? [missing] : [])];
  return [section(joinMrkdwn(said, '\n'))];
}

/** @param all every line of the invoice, so that all pages have the same columns */
export function lineTable(
  rows: readonly LineRow[],
  all: readonly InvoiceLine[],
  { money, currency }: { money: Money; currency: string },
): KnownBlock[] {
  if (rows.length === 0) return [];
  const [first] = all;
  const withPeriod = all.some(({ period }) => period !== first?.period);
  const withRate = all.some(({ rate }) => rate !== undefined);
  const columns: Column[] = [
    { title: 'Org' },
    { title: 'Item' },
    ...(withPeriod ? [{ title: 'Period' }] : []),
    { title: 'Quantity', align: 'right' },
    ...(withRate ? [{ title: 'Rate' }] : []),
    { title: 'Charge', align: 'right' },
  ];
  const cellsOf = (row: LineRow): string[] => {
    const { org, item, quantity, unit } = 'line' in row ? row.line : row.item;
    const { period, rate } = 'line' in row ? row.line : { period: undefined, rate: undefined };
    const isWhole = 'line' in row || countUnread(row.item.lines) === 0;
    const charge = 'line' in row ? row.line.charge : row.item.charge;
    const isOfAll = isSurcharge({ org });
    return [
      isOfAll ? '(surcharge)' : (org ?? NOT_SAID),
      'line' in row
        ? item
        : `${item || NOTHING}, ${plural(row.item.lines.length, 'line')} together`,
      ...(withPeriod ? [period ? monthsInWords(period.startTime, period.endTime) : NOTHING] : []),
      quantity === undefined || isOfAll ? NOTHING : formatInUnit(quantity, unit),
      ...(withRate ? [rate === undefined ? NOTHING : formatRate(rate, currency, unit)] : []),
      amountIn(money, isWhole ? charge : undefined),
    ];
  };
  return [table(columns, rows.map(cellsOf))];
}

/** What the table is of; nothing where it is empty. */
export function lineNotes(all: readonly InvoiceLine[], rows: readonly LineRow[]): Mrkdwn[] {
  if (all.length === 0) return [];
  const sums = rows.length > all.length ? '; “together” is the sum of the lines below it' : '';
  return [
    mrkdwn`${plural(all.length, 'line')}, one for each org, item, pricing tier and period; the largest item first${sums}`,
  ];
}
