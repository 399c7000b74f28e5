import type { Button } from '@slack/types';
import { button, code, mrkdwn, section, table, topText } from '../../slack/kit/index.ts';
import type { Column, Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import type { FormName, Given } from '../changes/forms/form.ts';
import { valueOf } from '../changes/forms/openings.ts';
import type { RequestRoutes } from '../changes/forms/openings.ts';
import { pageNotes, pageOf } from '../invoices/paging.ts';
import type { Page } from '../invoices/paging.ts';
import { footnotes, SHARING, smallPrint } from '../invoices/words.ts';

export const PREVIOUS_ACTION = 'billing.previous';
export const NEXT_ACTION = 'billing.next';

/** What every list of `/billing` is shown with. */
export interface ListContext {
  /** From 0 on. */
  readonly page: number;
  /** Rows that could not be read. */
  readonly skipped: number;
  /** Ms since the epoch, as is `now`. */
  readonly readAt: number;
  readonly now: number;
  /** What the answer stands for in the store. */
  readonly kept: string | undefined;
  /** Buttons that ask for a change; empty for those who may not. */
  readonly asks: readonly Button[];
}

export interface ListView<T> extends ListContext {
  readonly rows: readonly T[];
  /** "token", and its plural where an s is not enough. */
  readonly thing: string;
  readonly things?: string;
  /** Said after the count: " of org acme". */
  readonly of?: Mrkdwn;
  /** What to do where there are none; a whole sentence. */
  readonly none: Mrkdwn;
  readonly columns: readonly Column[];
  readonly cells: (row: T) => readonly string[];
  readonly notes?: readonly Mrkdwn[];
  readonly needs: string;
}

/** A list with its pages and the buttons that ask for a change of it. Pure. */
export function listAnswer<T>(view: ListView<T>): Answer {
  const { rows, thing, things, of = mrkdwn``, kept, asks, needs, skipped } = view;
  const page = pageOf(rows, view.page);
  const unread = mrkdwn`The ${things ?? `${thing}s`}${of} cannot be read: please try again.`;
  const count = mrkdwn`*${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? thing : (things ?? `${thing}s`)}*${of}`;
  const head = rows.length > 0 ? count : skipped > 0 ? unread : view.none;
  const turns = turnButtons(page, kept);
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...(rows.length === 0 ? [] : [table(view.columns, page.rows.map(view.cells))]),
      ...smallPrint([
        ...(rows.length === 0 ? [] : pageNotes(page, kept)),
        ...(view.notes ?? []),
        ...footnotes({ ...view, thing, ...(things === undefined ? {} : { things }) }),
      ]),
    ],
    controls: turns.length > 0 ? [turns] : [],
    buttons: [...asks],
    ...SHARING,
    needs,
  };
}

/** A button that opens a form; who may send it is up to the form. */
export function askButton(
  routes: RequestRoutes,
  name: FormName,
  text: string,
  given: Given = {},
): Button {
  return button({ action: routes[name].actionId, text, value: valueOf(given) });
}

/** "Nobody …: `/billing users add` asks for one." */
export function noneYet(what: string, command: string): Mrkdwn {
  return mrkdwn`${what}: ${code(command)} asks for one.`;
}

function turnButtons({ page, pages }: Page<unknown>, kept: string | undefined): Button[] {
  if (kept === undefined) return [];
  const turn = (action: string, text: string) => button({ action, text, value: kept });
  return [
    ...(page > 0 ? [turn(PREVIOUS_ACTION, 'Previous')] : []),
    ...(page < pages - 1 ? [turn(NEXT_ACTION, 'Next')] : []),
  ];
}
