import type { ActionsBlockElement } from '@slack/types';
import type { Change } from '../../changes/change.ts';
import { KINDS, titleOf } from '../../changes/messages/words.ts';
import { formatAge, formatDuration } from '../../lib/text.ts';
import {
  button,
  code,
  context,
  mrkdwn,
  section,
  selectMenu,
  table,
  topText,
} from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { NO_BUTTONS } from '../no-buttons.ts';
import { ANY_KIND, optionValue, WHICH } from './state.ts';
import type { ListState } from './state.ts';

export const LIST_ACTIONS = {
  previous: 'changes.previous',
  next: 'changes.next',
  which: 'changes.which',
  kind: 'changes.kind',
  show: 'changes.show',
  audit: 'changes.audit',
} as const;

/** The rows of a page. */
const PAGE_ROWS = 15;

interface ListView {
  /** All that are listed, in their order. */
  found: readonly Change[];
  /** The older ones were not looked at. */
  isCut: boolean;
  state: ListState;
  /** Everything can be seen, and the audit be had as a file. */
  isAdmin: boolean;
  /** Ms since the epoch. */
  now: number;
  /** What the answer stands for in the store. */
  kept: string | undefined;
}

/** The page that is asked for, or the nearest one that there is; from 0 on. */
export function nearestPage(total: number, asked: number): number {
  return Math.min(Math.max(0, asked), lastPage(total));
}

/** What `/changes` answers. Pure. */
export function listAnswer(view: ListView): Answer {
  const { found, state, now } = view;
  const head = headOf(view);
  const rows = found.slice(state.page * PAGE_ROWS, (state.page + 1) * PAGE_ROWS);
  const notes = notesOf(view);
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...(rows.length === 0 ? [] : [tableOf(rows, now)]),
      ...(notes.length === 0 ? [] : [context(...notes)]),
    ],
    ...controlsOf(view, rows),
  };
}

function headOf({ found, state }: ListView): Mrkdwn {
  const { which, of } = state;
  const kind = of === ANY_KIND ? mrkdwn`` : mrkdwn` of the kind ${code(of)}`;
  const title = mrkdwn`*${TITLES[which] ?? `Requests in the state ${which}`}*${kind}`;
  if (found.length > 0) return mrkdwn`${title}: ${found.length}`;
  return which === 'open'
    ? mrkdwn`${title}: none. Ask for a change with ${code('/alert set')} or ${code('/billing help')}.`
    : mrkdwn`${title}: none. Choose another list below.`;
}

/** Lists that are no state's. */
const TITLES: Readonly<Record<string, string>> = {
  open: 'Open requests',
  mine: 'Requests of yours',
  all: 'All requests',
};
const MENU_WORDS: Readonly<Record<string, string>> = {
  open: 'Open',
  mine: 'Mine',
  all: 'All',
};

function tableOf(rows: readonly Change[], now: number) {
  const columns = ['ID', 'What', 'Who', 'State', 'When'].map((title) => ({ title }));
  return table(
    columns,
    rows.map((change) => [
      change.id,
      titleOf(change),
      change.requester.email ?? change.requester.userId,
      change.state,
      when(change, now),
    ]),
  );
}

function when({ state, expiresAt, requestedAt }: Change, now: number): string {
  if (state === 'pending' && expiresAt > now)
    return `expires in ${formatDuration(expiresAt - now)}`;
  return `asked ${formatAge(now - requestedAt)}`;
}

function notesOf({ found, state, isCut, isAdmin, kept }: ListView): Mrkdwn[] {
  const last = lastPage(found.length);
  return [
    ...(last > 0 ? [mrkdwn`Page ${state.page + 1} of ${last + 1}`] : []),
    ...(isAdmin ? [] : [mrkdwn`What you asked for, and what you could approve`]),
    ...(isCut ? [mrkdwn`Older ones are in the audit`] : []),
    ...(kept === undefined ? [mrkdwn`${NO_BUTTONS}`] : []),
  ];
}

function controlsOf(
  { found, state, isAdmin, kept }: ListView,
  rows: readonly Change[],
): Pick<Answer, 'controls' | 'buttons'> {
  if (kept === undefined) return {};
  const { page } = state;
  const turns = [
    ...(page > 0 ? [button({ action: LIST_ACTIONS.previous, text: 'Previous', value: kept })] : []),
    ...(page < lastPage(found.length)
      ? [button({ action: LIST_ACTIONS.next, text: 'Next', value: kept })]
      : []),
  ];
  const file = button({ action: LIST_ACTIONS.audit, text: 'Audit as a file' });
  return {
    controls: [
      filters(state, kept),
      ...(rows.length === 0 ? [] : [[showMenu(rows)]]),
      ...(turns.length === 0 ? [] : [turns]),
    ],
    ...(isAdmin ? { buttons: [file] } : {}),
  };
}

function filters({ which, of }: ListState, kept: string): ActionsBlockElement[] {
  const option = (text: string, word: string) => ({ text, value: optionValue(kept, word) });
  return [
    selectMenu({
      action: LIST_ACTIONS.which,
      placeholder: 'Which',
      options: WHICH.map((word) => option(MENU_WORDS[word] ?? `State: ${word}`, word)),
      initial: optionValue(kept, which),
    }),
    selectMenu({
      action: LIST_ACTIONS.kind,
      placeholder: 'Kind',
      options: [option('Every kind', ANY_KIND), ...KINDS.map((kind) => option(kind, kind))],
      initial: optionValue(kept, of),
    }),
  ];
}

function showMenu(rows: readonly Change[]): ActionsBlockElement {
  return selectMenu({
    action: LIST_ACTIONS.show,
    placeholder: 'Show a request',
    options: rows.map((change) => ({ text: `${change.id} ${titleOf(change)}`, value: change.id })),
  });
}

function lastPage(total: number): number {
  return Math.max(0, Math.ceil(total / PAGE_ROWS) - 1);
}
