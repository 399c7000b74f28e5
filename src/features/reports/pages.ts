import { sumOf } from '../../reporting/amounts.ts';
import type { Line, MeasureLines, Sum } from '../../reporting/amounts.ts';

/** What of a measure one page shows; what it does not show is added up. */
export interface Window extends MeasureLines {
  readonly shown: readonly Line[];
  /** Of one line at least; `shown` and `others` are the total exactly. */
  readonly others: { readonly count: number; readonly sum: Sum } | undefined;
}

/** Rows of one page that are lines, by the number of measures on it; the last page may have one more. */
const ROWS = [15, 15, 12, 7, 5, 4];

/** More measures than that are on pages of their own, so that a table can be taken in at a glance. */
const MEASURES = ROWS.length - 1;

/**
 * One page of every measure: the first shows the largest lines of each.
 * @param page from 1; one beyond the last is the last
 */
export function pageOf(
  groups: readonly MeasureLines[],
  page: number,
): { windows: Window[]; page: number; pages: number } {
  const chunks = Array.from({ length: Math.ceil(groups.length / MEASURES) }, (_, index) => {
    const chunk = groups.slice(index * MEASURES, (index + 1) * MEASURES);
    const rows = ROWS[chunk.length] ?? 1;
    return { chunk, rows, pages: Math.max(...chunk.map((group) => countPages(group, rows))) };
  });
  const pages = chunks.reduce((sum, chunk) => sum + chunk.pages, 0);
  const wanted = Math.min(Math.max(1, page), Math.max(1, pages));
  let first = 1;
  for (const { chunk, rows, pages: own } of chunks) {
    if (wanted < first + own) {
      const place = wanted - first;
      const windows = chunk
        .filter((group) => countPages(group, rows) > place)
        .map((group) => windowOf(group, place, rows));
      return { windows, page: wanted, pages };
    }
    first += own;
  }
  return { windows: [], page: 1, pages: 1 };
}

/** A single line more than there are rows is shown with them: "1 other" would take the same room. */
function countPages({ lines }: MeasureLines, rows: number): number {
  return Math.max(1, Math.ceil((lines.length - 1) / rows));
}

/** @param place of the page among those of the group, from 0 */
function windowOf(group: MeasureLines, place: number, rows: number): Window {
  const start = place * rows;
  const isLast = place + 1 === countPages(group, rows);
  const shown = group.lines.slice(start, isLast ? undefined : start + rows);
  const count = group.lines.length - shown.length;
  const others = count === 0 ? undefined : { count, sum: minus(group.total, sumOf(shown)) };
  return { ...group, shown, others };
}

function minus(whole: Sum, part: Sum): Sum {
  return {
    value: whole.value.minus(part.value),
    projected: whole.projected.minus(part.projected),
    before: part.before && whole.before?.minus(part.before),
  };
}
