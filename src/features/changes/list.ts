import type { ActionsBlockElement } from '@slack/types';
import { z } from 'zod';
import type { Principal } from '../../access/policy.ts';
import { stateAt, STATES, type Change } from '../../changes/change.ts';
import { KINDS, SHOW_ACTION, titleOf } from '../../changes/messages/plan-view.ts';
import { STATE_RULES } from '../../changes/messages/end-rules.ts';
import { isAdmin, isRequester, maySee } from '../../changes/context.ts';
import type { Changes } from '../../changes/changes.ts';
import type { ChangeStore } from '../../changes/store.ts';
import { Refusal } from '../../lib/errors.ts';
import { formatAge, formatDuration } from '../../lib/text.ts';
import { button, context, section, table, topText } from '../../slack/kit/blocks.ts';
import { selectMenu } from '../../slack/kit/inputs.ts';
import { code, mrkdwn, person, type Mrkdwn } from '../../slack/kit/text.ts';
import type { InteractionStore } from '../../slack/replies/reply.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { screenReaderText, NO_BUTTONS } from '../answer-parts.ts';

/** Requests read at once, and at most for one list; older ones are in the audit. */
const BATCH = 200;
const MAX_READ = 2_000;

/** @throws when the store does not answer */
export async function list(
  { changes, clock }: Pick<Changes, 'changes' | 'clock'>,
  interactions: InteractionStore,
  who: Principal,
  asked: ListState,
): Promise<Answer> {
  const { found: unsorted, isCut } = await find(changes, who, asked);
  const now = clock.now();
  const isWaiting = (change: Change): boolean => stateAt(change, now) === 'pending';
  const found = unsorted.toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)));
  const state = { ...asked, page: nearestPage(found.length, asked.page) };
  const kept = await interactions.put(who.userId, state);
  return listAnswer({ found, isCut, state, kept, isAdmin: isAdmin(who), now });
}

async function find(
  changes: ChangeStore,
  who: Principal,
  { which, of }: ListState,
): Promise<{ found: Change[]; isCut: boolean }> {
  const isListed = (change: Change): boolean =>
    maySee(change, who) &&
    (of === ANY_KIND || change.order.kind === of) &&
    isMeant(change, which, who);
  if (which === 'open') return { found: (await changes.open()).filter(isListed), isCut: false };
  const found: Change[] = [];
  for (let from = 0; from < MAX_READ; from += BATCH) {
    const batch = await changes.list(from, BATCH);
    found.push(...batch.filter(isListed));
    if (batch.length < BATCH) return { found, isCut: false };
  }
  return { found, isCut: (await changes.count()) > MAX_READ };
}

/** For "open", only open requests were read. */
function isMeant(change: Change, which: ListState['which'], who: Principal): boolean {
  if (which === 'mine') return isRequester(change, who);
  return which === 'open' || which === 'all' || change.state === which;
}

const WHICH = ['open', 'mine', 'all', ...STATES] as const;
const ANY_KIND = 'any';

const ListState = z.object({
  which: z.enum(WHICH),
  of: z.enum([ANY_KIND, ...KINDS]),
  /** From 0 on. */
  page: z.number().int(),
});
export type ListState = z.infer<typeof ListState>;

export const FIRST: ListState = { which: 'open', of: ANY_KIND, page: 0 };

/** @throws Refusal when the button is too old, or of another version */
export async function readState(
  interactions: InteractionStore,
  userId: string,
  id: string | undefined,
): Promise<ListState> {
  return asState(id === undefined ? undefined : await interactions.get(userId, id));
}

function optionValue(kept: string, word: string): string {
  return `${kept}:${word}`;
}

/** From the first page on. @throws Refusal as `readState` */
export async function readChoice(
  interactions: InteractionStore,
  { userId, value = '', field }: { userId: string; value?: string; field: 'which' | 'of' },
): Promise<ListState> {
  const [kept, word] = value.split(':');
  const before = await readState(interactions, userId, kept);
  return asState({ ...before, [field]: word, page: 0 });
}

function asState(value: unknown): ListState {
  const { data } = ListState.safeParse(value);
  if (data) return data;
  throw new Refusal('This answer is too old: run the command again.');
}

export const LIST_ACTIONS = {
  previous: 'changes.previous',
  next: 'changes.next',
  which: 'changes.which',
  kind: 'changes.kind',
  show: SHOW_ACTION,
  audit: 'changes.audit',
} as const;

const PAGE_ROWS = 15;

interface ListView {
  found: readonly Change[];
  /** Older ones were not read. */
  isCut: boolean;
  state: ListState;
  isAdmin: boolean;
  /** Ms since the epoch. */
  now: number;
  /** Key of the stored list state; undefined: it could not be stored. */
  kept: string | undefined;
}

/** From 0 on. */
function nearestPage(total: number, asked: number): number {
  return Math.min(Math.max(0, asked), lastPage(total));
}

/** The answer to `/changes`. Pure. */
export function listAnswer(view: ListView): Answer {
  const { found, state, now } = view;
  const head = headOf(view);
  const rows = found.slice(state.page * PAGE_ROWS, (state.page + 1) * PAGE_ROWS);
  const notes = notesOf(view);
  return {
    text: topText(
      screenReaderText(
        head,
        rows.map((change) => inShort(change, now)),
      ),
    ),
    blocks: [
      section(head),
      ...(rows.length === 0 ? [] : [tableOf(rows, now)]),
      ...(notes.length === 0 ? [] : [context(...notes)]),
    ],
    ...controlsOf(view, rows),
  };
}

function headOf({ found, state, now }: ListView): Mrkdwn {
  const { which, of } = state;
  const kind = of === ANY_KIND ? mrkdwn`` : mrkdwn` of the kind ${code(of)}`;
  const title = mrkdwn`*${TITLES[which] ?? `Requests in the state ${wordFor(which)}`}*${kind}`;
  const waiting = found.filter((change) => stateAt(change, now) === 'pending').length;
  const part = waiting === found.length ? '' : `${waiting} `;
  const open = which === 'open' && waiting > 0 ? `, ${part}waiting for a decision` : '';
  if (found.length > 0) return mrkdwn`${title}: ${found.length}${open}`;
  return which === 'open'
    ? mrkdwn`${title}: none. Request a change with ${code('/alert set')} or ${code('/billing help')}.`
    : mrkdwn`${title}: none. Choose another list below.`;
}

const TITLES: Readonly<Record<string, string>> = {
  open: 'Open requests',
  mine: 'Your requests',
  all: 'All requests',
};
const MENU_WORDS: Readonly<Record<string, string>> = {
  open: 'Open',
  mine: 'Mine',
  all: 'All',
};

function wordFor(which: ListState['which']): string {
  return MENU_WORDS[which] ?? STATE_RULES[which as Change['state']].word;
}

/** A table row for screen readers. */
function inShort(change: Change, now: number): Mrkdwn {
  return mrkdwn`${titleOf(change)}: ${STATE_RULES[stateAt(change, now)].word}, ${when(change, now)} (${change.id})`;
}

function tableOf(rows: readonly Change[], now: number) {
  const columns = ['What', 'State', 'When', 'Who', 'ID'].map((title) => ({ title }));
  return table(
    columns,
    rows.map((change) => [
      titleOf(change),
      STATE_RULES[stateAt(change, now)].word,
      when(change, now),
      person(change.requester.userId),
      change.id,
    ]),
  );
}

function when(change: Change, now: number): string {
  const { expiresAt, requestedAt } = change;
  return stateAt(change, now) === 'pending'
    ? `expires in ${formatDuration(expiresAt - now)}`
    : `requested ${formatAge(now - requestedAt)}`;
}

function notesOf({ found, state, isCut, isAdmin, kept }: ListView): Mrkdwn[] {
  const last = lastPage(found.length);
  return [
    ...(last > 0 ? [mrkdwn`Page ${state.page + 1} of ${last + 1}`] : []),
    ...(isAdmin ? [] : [mrkdwn`Your requests, and those that you could approve`]),
    ...(isCut ? [isAdmin ? mrkdwn`Older ones are in the audit` : OLDER] : []),
    ...(kept === undefined ? [mrkdwn`${NO_BUTTONS}`] : []),
  ];
}

const OLDER = mrkdwn`Older ones are not listed: a billing_admin has them in the audit`;

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
      options: WHICH.map((word) => option(wordFor(word), word)),
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
    options: rows.map((change) => ({
      text: `${titleOf(change)} (${change.id})`,
      value: change.id,
    })),
  });
}

function lastPage(total: number): number {
  return Math.max(0, Math.ceil(total / PAGE_ROWS) - 1);
}
