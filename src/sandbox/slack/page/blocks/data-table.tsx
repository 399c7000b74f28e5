import { useState } from 'preact/hooks';

import { type Json, numberOf, objectsOf, stringOf } from '../json.ts';
import { Cell } from './cell.tsx';

type Sorting = { readonly column: number; readonly descending: boolean };

/** A `data_table` block: sortable by a click on a header, shown in pages of `page_size` rows. */
export function DataTable({ block }: { block: Json }) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [page, setPage] = useState(0);
  const rows = Array.isArray(block['rows']) ? block['rows'].map(objectsOf) : [];
  const [header = [], ...body] = rows;
  const size = Math.max(1, numberOf(block['page_size'], 5));
  const pages = Math.max(1, Math.ceil(body.length / size));
  const current = Math.min(page, pages - 1);
  const shown = sorted(body, sorting).slice(current * size, (current + 1) * size);
  const rowHeader = numberOf(block['row_header_column_index'], 0);
  return (
    <div class="data-table">
      <div class="table-scroll" tabIndex={0} role="region" aria-label={stringOf(block['caption'])}>
        <table class="block-table">
          <caption>{stringOf(block['caption'])}</caption>
          <thead>
            <tr>
              {header.map((cell, column) => (
                <SortableHeader
                  key={column}
                  cell={cell}
                  column={column}
                  sorting={sorting}
                  onSort={setSorting}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <Row
                key={index}
                row={row}
                rowHeader={rowHeader}
                blockId={stringOf(block['block_id'])}
              />
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && <Pager page={current} pages={pages} onPage={setPage} />}
    </div>
  );
}

type RowProps = {
  readonly row: readonly Json[];
  readonly rowHeader: number;
  readonly blockId: string;
};

function Row({ row, rowHeader, blockId }: RowProps) {
  const name = stringOf(row[rowHeader]?.['text']);
  return (
    <tr>
      {row.map((cell, column) => {
        const content = <Cell cell={cell} blockId={blockId} row={name} />;
        if (column === rowHeader) {
          return (
            <th key={column} scope="row" class="row-header">
              {content}
            </th>
          );
        }
        return (
          <td key={column} class={cell['type'] === 'raw_number' ? 'number' : ''}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

type HeaderProps = {
  readonly cell: Json;
  readonly column: number;
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting) => void;
};

function SortableHeader({ cell, column, sorting, onSort }: HeaderProps) {
  const active = sorting?.column === column ? sorting : null;
  const order = active === null ? 'none' : active.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={order}>
      <button
        type="button"
        class="plain"
        onClick={() => onSort({ column, descending: active !== null && !active.descending })}
      >
        <Cell cell={cell} />
        <span aria-hidden="true">{active === null ? '' : active.descending ? ' ↓' : ' ↑'}</span>
      </button>
    </th>
  );
}

type PagerProps = {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
};

function Pager({ page, pages, onPage }: PagerProps) {
  return (
    <div class="pager">
      <button
        type="button"
        class="button small"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      >
        Previous
      </button>
      <span>
        Page {page + 1} of {pages}
      </span>
      <button
        type="button"
        class="button small"
        disabled={page === pages - 1}
        onClick={() => onPage(page + 1)}
      >
        Next
      </button>
    </div>
  );
}

function sorted(rows: readonly (readonly Json[])[], sorting: Sorting | null) {
  if (sorting === null) return rows;
  const direction = sorting.descending ? -1 : 1;
  return [...rows].sort(
    (a, b) => direction * compare(a[sorting.column] ?? {}, b[sorting.column] ?? {}),
  );
}

function compare(a: Json, b: Json): number {
  const [x, y] = [a['value'], b['value']];
  if (typeof x === 'number' && typeof y === 'number') return x - y;
  return stringOf(a['text']).localeCompare(stringOf(b['text']), 'en', { numeric: true });
}
