import type { Button, KnownBlock } from '@slack/types';
import { context, table } from '../slack/kit/blocks.ts';
import { pageOf } from '../slack/kit/pages.ts';
import { type Cell, dataTable, type DataRow, Numeric, rowPages } from '../slack/kit/tables.ts';
import { mrkdwn } from '../slack/kit/text.ts';

export interface ListColumn<Row> {
  /** Begins with a capital; the first column names the row. */
  readonly title: string;
  readonly of: (row: Row) => Cell;
}

export interface List<Row> {
  /** For screen readers: "Invoices from August to October 2026". */
  readonly caption: string;
  /** At most 20, with the one of the buttons. */
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
  /** The next step for a row: Open, Details, Review, Delete. */
  readonly step?: ((row: Row) => Button | undefined) | undefined;
  /** From 1 on; the nearest one that exists is shown. */
  readonly page?: number;
  /** Rows that Slack shows at a time; 20 when absent. */
  readonly pageSize?: number;
}

export interface Listed {
  readonly blocks: KnownBlock[];
  readonly page: number;
  readonly pages: number;
}

/** Up to two rows without a button need neither sorting nor pages. */
const FEW_ROWS = 2;

/**
 * Rows as one table: all, up to Slack's limits, else a page of as many as fit. Slack sorts, filters and turns
 * the pages within a table itself. Pure.
 */
export function listed<Row>(list: List<Row>): Listed {
  const { caption, columns, rows, step, page: asked = 1, pageSize } = list;
  const all = rows.map((row): DataRow => ({
    cells: columns.map(({ of }) => of(row)),
    button: step?.(row),
  }));
  const titles = columns.map(({ title }) => title);
  const isSmall = all.length <= FEW_ROWS && all.every(({ button }) => button === undefined);
  if (all.length === 0) return { blocks: [], page: 1, pages: 1 };
  if (isSmall) return { blocks: [smallTable(titles, all)], page: 1, pages: 1 };
  const { items, from, page, pages } = pageOf(rowPages(all), asked);
  const to = from + items.length;
  return {
    blocks: [
      dataTable({ caption, columns: titles, rows: items, pageSize }),
      ...(pages === 1
        ? []
        : [context(mrkdwn`Rows ${from + 1} to ${to} of ${all.length.toLocaleString('en-US')}`)]),
    ],
    page,
    pages,
  };
}

function smallTable(titles: readonly string[], rows: readonly DataRow[]): KnownBlock {
  const isNumber = (at: number): boolean => rows.every(({ cells }) => cells[at] instanceof Numeric);
  return table(
    titles.map((title, at) => ({ title, align: isNumber(at) ? 'right' : 'left' })),
    rows.map(({ cells }) => cells.map((cell) => (cell instanceof Numeric ? cell.text : cell))),
  );
}
