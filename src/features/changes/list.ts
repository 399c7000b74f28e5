import type { ActionsBlockElement, Button } from '@slack/types';
import { z } from 'zod';
import type { Principal } from '../../access/policy.ts';
import { changeAt, isOpen, STATES, type Change } from '../../changes/change.ts';
import { detailsButton } from '../../changes/messages/messages.ts';
import { KINDS, REVIEW_ACTION, titleOf } from '../../changes/messages/plan-view.ts';
import { STATE_RULES, wordOf } from '../../changes/messages/state-line.ts';
import { isAdmin, isRequester, mayDecide, maySee } from '../../changes/context.ts';
import type { Changes } from '../../changes/changes.ts';
import type { ChangeStore } from '../../changes/store.ts';
import { formatAge, formatDuration } from '../../lib/text.ts';
import { button, section } from '../../slack/kit/blocks.ts';
import { selectMenu } from '../../slack/kit/inputs.ts';
import { code, mrkdwn, person, rich, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { smallPrint } from '../answer-parts.ts';
import { type ListColumn, listed } from '../list.ts';

/** Requests read at once, and at most for one list; older ones are in the audit. */
const BATCH = 200;
const MAX_READ = 2_000;

/** @param page from 1 on @throws when the store does not answer */
export async function list(
  context: Pick<Changes, 'approvals' | 'changes' | 'clock' | 'kindOf'>,
  who: Principal,
  question: ListQuestion,
  page = 1,
): Promise<Answer> {
  const now = context.clock.now();
  const { found: unsorted, isCut } = await find(context.changes, who, question, now);
  return listAnswer({
    found: unsorted.toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a))),
    isCut,
    question,
    page,
    mayDecide: (change) => isWaiting(change) && mayDecide(context, change, who),
    isAdmin: isAdmin(who),
    now,
  });
}

/** The changes in their state now. @param now ms since the epoch */
async function find(
  changes: ChangeStore,
  who: Principal,
  { which, of }: ListQuestion,
  now: number,
): Promise<{ found: Change[]; isCut: boolean }> {
  const isListed = (change: Change): boolean =>
    maySee(change, who) &&
    (of === ANY_KIND || change.order.kind === of) &&
    isMeant(change, which, who);
  const listed = (all: readonly Change[]): Change[] =>
    all.map((change) => changeAt(change, now)).filter(isListed);
  if (which === 'open') return { found: listed(await changes.open()), isCut: false };
  const found: Change[] = [];
  for (let from = 0; from < MAX_READ; from += BATCH) {
    const batch = await changes.list(from, BATCH);
    found.push(...listed(batch));
    if (batch.length < BATCH) return { found, isCut: false };
  }
  return { found, isCut: (await changes.count()) > MAX_READ };
}

function isMeant(change: Change, which: ListQuestion['which'], who: Principal): boolean {
  if (which === 'mine') return isRequester(change, who);
  if (which === 'open') return isOpen(change);
  return which === 'all' || change.state === which;
}

function isWaiting({ state }: Change): boolean {
  return state === 'pending';
}

const WHICH = ['open', 'mine', 'all', ...STATES] as const;
const ANY_KIND = 'any';

export const ListQuestion = z.object({
  which: z.enum(WHICH),
  of: z.enum([ANY_KIND, ...KINDS]),
});
export type ListQuestion = z.infer<typeof ListQuestion>;

export const LIST_ROUTE = 'changes.list';
export const FIRST: ListQuestion = { which: 'open', of: ANY_KIND };

export const LIST_ACTIONS = {
  which: 'changes.which',
  kind: 'changes.kind',
  audit: 'changes.audit',
} as const;

interface ListView {
  found: readonly Change[];
  /** Older ones were not read. */
  isCut: boolean;
  question: ListQuestion;
  page: number;
  /** It waits for a decision, and the person may decide on it. */
  mayDecide: (change: Change) => boolean;
  isAdmin: boolean;
  /** Ms since the epoch. */
  now: number;
}

export function listAnswer(view: ListView): Answer {
  const { found, question, now, mayDecide: mayReview } = view;
  const { blocks, page, pages } = listed({
    caption: 'Requests for changes',
    columns: columnsOf(now),
    rows: found,
    step: (change) => (mayReview(change) ? reviewStep(change.id) : detailsButton(change.id)),
    page: view.page,
  });
  return {
    blocks: [section(headOf(view)), ...blocks, ...smallPrint(notesOf(view))],
    asked: { route: LIST_ROUTE, question, page },
    pages,
    controls: filters(question),
    menu: view.isAdmin ? [{ text: 'Audit as a file', action: LIST_ACTIONS.audit }] : [],
  };
}

/** In a row, where a coloured button would be too much in each. */
function reviewStep(id: string): Button {
  return button({ action: REVIEW_ACTION, text: 'Review', value: id });
}

function headOf({ found, isCut, question: { which, of } }: ListView): Mrkdwn {
  const kind = of === ANY_KIND ? mrkdwn`` : mrkdwn` of the kind ${code(of)}`;
  const all = isCut && which === 'all' ? 'Requests' : TITLES[which];
  const name = all ?? `Requests in the state ${wordFor(which)}`;
  const title = mrkdwn`*${isCut ? `${name} among the latest ${countText(MAX_READ)}` : name}*${kind}`;
  const waiting = found.filter(isWaiting).length;
  const part = waiting === found.length ? '' : `${waiting} `;
  const open = which === 'open' && waiting > 0 ? `, ${part}waiting for a decision` : '';
  if (found.length > 0) return mrkdwn`${title}: ${countText(found.length)}${open}`;
  return which === 'open'
    ? mrkdwn`${title}: none. Request a change with ${code('/alert set')} or ${code('/billing help')}.`
    : mrkdwn`${title}: none. Choose another list below.`;
}

function countText(count: number): string {
  return count.toLocaleString('en-US');
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

function wordFor(which: ListQuestion['which']): string {
  return MENU_WORDS[which] ?? STATE_RULES[which as Change['state']].word;
}

function columnsOf(now: number): ListColumn<Change>[] {
  return [
    { title: 'What', of: titleOf },
    { title: 'State', of: (change) => stateText(change, now) },
    {
      title: 'Requested by',
      of: ({ requester, requestedAt }) =>
        rich`${person(requester.userId)}, ${formatAge(now - requestedAt)}`,
    },
    { title: 'ID', of: ({ id }) => id },
  ];
}

function stateText(change: Change, now: number): string {
  const { state, expiresAt } = change;
  const end = state === 'pending' ? `, expires in ${formatDuration(expiresAt - now)}` : '';
  return `${wordOf(change)}${end}`;
}

function notesOf({ isCut, isAdmin, question }: ListView): Mrkdwn[] {
  return [
    ...(isAdmin || question.which === 'mine'
      ? []
      : [mrkdwn`Your requests, and those that you could approve`]),
    ...(isCut ? [isAdmin ? mrkdwn`Older ones are in the audit` : OLDER] : []),
  ];
}

const OLDER = mrkdwn`Older ones are not listed: a billing_admin has them in the audit`;

function filters({ which, of }: ListQuestion): ActionsBlockElement[] {
  return [
    selectMenu({
      action: LIST_ACTIONS.which,
      placeholder: 'Which',
      options: WHICH.map((word) => ({ text: wordFor(word), value: word })),
      initial: which,
    }),
    selectMenu({
      action: LIST_ACTIONS.kind,
      placeholder: 'Kind',
      options: [
        { text: 'Every kind', value: ANY_KIND },
        ...KINDS.map((kind) => ({ text: kind, value: kind })),
      ],
      initial: of,
    }),
  ];
}
