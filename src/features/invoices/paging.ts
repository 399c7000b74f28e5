import type { Button } from '@slack/types';
import { button, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import { PAGE_ROWS } from './words.ts';

export const PREVIOUS_ACTION = 'invoices.previous';
export const NEXT_ACTION = 'invoices.next';

/** One page of something long. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** From 0 on. */
  readonly page: number;
  readonly pages: number;
  readonly total: number;
}

/** The page that is asked for, or the nearest one that there is. */
export function pageOf<T>(all: readonly T[], asked: number): Page<T> {
  const pages = countPages(all.length);
  const page = nearestPage(all.length, asked);
  const rows = all.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  return { rows, page, pages, total: all.length };
}

/** Where the page that is asked for is, from 0 on: what was there before can have become shorter. */
export function nearestPage(total: number, asked: number): number {
  return Math.min(Math.max(0, asked), countPages(total) - 1);
}

function countPages(total: number): number {
  return Math.max(1, Math.ceil(total / PAGE_ROWS));
}

/**
 * Buttons to the pages beside this one.
 * @param kept what the answer stands for in the store; undefined when it could not be kept
 */
export function turnButtons(
  { page, pages }: Pick<Page<unknown>, 'page' | 'pages'>,
  kept: string | undefined,
): Button[] {
  if (kept === undefined) return [];
  return [
    ...(page > 0 ? [button({ action: PREVIOUS_ACTION, text: 'Previous', value: kept })] : []),
    ...(page < pages - 1 ? [button({ action: NEXT_ACTION, text: 'Next', value: kept })] : []),
  ];
}

/** "Page 1 of 3", where there are several. */
export function pageNumber({ page, pages }: Pick<Page<unknown>, 'page' | 'pages'>): Mrkdwn[] {
  return pages === 1 ? [] : [mrkdwn`Page ${page + 1} of ${pages}`];
}

/** The same, and what to do when nobody can turn them. */
export function pageNotes(
  page: Pick<Page<unknown>, 'page' | 'pages'>,
  kept: string | undefined,
): Mrkdwn[] {
  const stuck =
    kept === undefined
      ? ': the buttons to the others are missing just now, run the command again in a minute'
      : '';
  return pageNumber(page).map((said) => mrkdwn`${said}${stuck}`);
}
