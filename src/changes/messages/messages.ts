import type { Button, KnownBlock } from '@slack/types';
import { revealed } from '../../lib/lookalikes.ts';
import { formatDuration } from '../../lib/text.ts';
import type { Message } from '../../notify/message.ts';
import { actions, button, context, menuActions, section, sign } from '../../slack/kit/blocks.ts';
import { answerText, contentOf } from '../../slack/kit/message-text.ts';
import {
  code,
  joinMrkdwn,
  mentionUser,
  moment,
  mrkdwn,
  type Mrkdwn,
} from '../../slack/kit/text.ts';
import { isOpen, type Change, type Sealed } from '../change.ts';
import { askAgainButton } from '../forms/form.ts';
import { REMIND_MS } from '../states.ts';
import {
  approversOf,
  commentLines,
  consequenceBlocks,
  fitted,
  nowBlocks,
  planBlocks,
  REVEAL_ACTION,
  REVIEW_ACTION,
  sentenceOf,
  SHOW_ACTION,
  titleOf,
  warningLines,
  WITHDRAW_ACTION,
  type Room,
} from './plan-view.ts';
import {
  anotherToken,
  deleteToken,
  headingOf,
  headlineOf,
  isAgainAdvised,
  isOnlyAsked,
  mayHaveBeenSeen,
  type Reader,
  reasonsOf,
  type Shown,
  signOf,
  stateLine,
} from './state-line.ts';

/** The card of an approved change while no worker is running. Pure. */
export function waitingCard(change: Change): Message {
  const content = cardContent({ ...change, hasNoWorker: true });
  return { channel: change.channel, key: cardKey(change.id), ...content };
}

/** The card of a change: one message, edited in place. Pure. */
function cardContent(change: Shown): Content {
  const { id, state } = change;
  const blocks = fitted((room) => cardBlocks(change, isOpen(change) ? room : { ...room, kept: 0 }));
  const choices = state === 'approved' || state === 'pending' ? [WITHDRAW, DETAILS] : undefined;
  const review = state === 'pending' ? [reviewButton(id)] : [];
  const row = choices ? menuActions(id, review, choices) : actions(detailsButton(id));
  return {
    text: textWith([headlineOf(change), ...requestLines(change)], blocks),
    blocks: [...blocks, row],
  };
}

/** All that the blocks say. The lines stand for the first block: a notification shows the first line alone. */
function textWith(lines: readonly Mrkdwn[], [, ...blocks]: readonly KnownBlock[]): string {
  return answerText([section(joinMrkdwn(lines, '\n')), ...blocks]);
}

function requestLines(change: Change): Mrkdwn[] {
  const { id, requester, requestedAt, reason } = change;
  const by = mrkdwn`Requested by ${mentionUser(requester.userId)}, ${moment(requestedAt)}`;
  return [
    isOpen(change) ? mrkdwn`${by} · ${code(id)}` : by,
    mrkdwn`“${revealed(reason)}”`,
    ...warningsAhead(change),
  ];
}

function warningsAhead(change: Change): Mrkdwn[] {
  return isOpen(change) ? warningLines(change).map((line) => mrkdwn`${line}`) : [];
}

/** A card without its buttons. Pure. */
export function cardBlocks(change: Shown, room?: Room, reader: Reader = 'channel'): KnownBlock[] {
  const { id, plan } = change;
  // The buttons of an open card lead on, so the id is enough.
  const isGoingOn = isOpen(change);
  const line = mrkdwn`${stateLine(change)}${isGoingOn ? mrkdwn` · ${code(id)}` : mrkdwn``}`;
  return [
    section(joinMrkdwn([headingOf(change), ...warningsAhead(change), line], '\n')),
    ...reasons(change, endLines(change, reader), room),
    ...(room === undefined || mayHaveEffect(change) ? planBlocks(plan, room, phaseOf(change)) : []),
    ...(isGoingOn ? consequenceBlocks(plan, room) : []),
    ...(room === undefined || isNewsworthy(change) ? nowBlocks(change, room) : []),
    ...(isGoingOn ? [] : [context(mrkdwn`Change ${code(id)}`)]),
  ];
}

function phaseOf(change: Change): 'ahead' | 'done' | 'requested' {
  if (isOnlyAsked(change) || !mayHaveEffect(change)) return 'requested';
  return change.state === 'succeeded' ? 'done' : 'ahead';
}

/** Whether the change has or may still have an effect; else its title marks the failure. */
function mayHaveEffect(change: Change): boolean {
  const { state, outcome } = change;
  if (state === 'succeeded') return outcome?.code !== 'nothing';
  return state === 'unknown' || isOpen(change);
}

function paragraph(lines: readonly Mrkdwn[]): KnownBlock[] {
  return lines.length === 0 ? [] : [section(joinMrkdwn(lines, '\n'))];
}

function reasons(change: Change, lines: readonly Mrkdwn[], room?: Room): KnownBlock[] {
  const why = paragraph(lines);
  const comment = paragraph(commentLines(change, room));
  return change.state === 'rejected' ? [...comment, ...why] : [...why, ...comment];
}

/** The result differs from the request, or the platform gives its reason. */
function isNewsworthy({ state, outcome }: Change): boolean {
  return state === 'failed' || (state === 'succeeded' && outcome?.code === 'otherwise');
}

function secretLines({ dm, order, requester, secret }: Change, reader: Reader): Mrkdwn[] {
  if (secret === undefined) return [];
  const { what, state, until, at } = secret;
  const isOwn = reader === 'requester';
  const who = isOwn ? mrkdwn`you` : mentionUser(requester.userId);
  const place = dm === undefined ? 'in the thread of the card' : 'in their messages with Purser';
  switch (state) {
    case 'sealed':
      return [
        isOwn
          ? mrkdwn`→ Have a safe place ready, then Reveal: the ${what} is shown *once*, to you alone. After ${moment(until)} it ${UNSEEN[what]}.`
          : mrkdwn`The ${what} waits for ${who}, who alone can reveal it until ${moment(until)}: ${place}, or in the details.`,
      ];
    case 'opening':
      return [mrkdwn`The ${what} is being shown to ${who}.`];
    case 'revealed':
      return [
        mrkdwn`The ${what} was shown to ${who}, once, ${moment(at)}.${isOwn ? ' It cannot be shown again.' : ''}`,
      ];
    case 'lapsed':
    case 'lost':
      return [...cleared(secret, isOwn), (isOwn && anotherToken({ order }).line) || []].flat();
  }
}

const UNSEEN = {
  token: 'is deleted',
  'superuser key': 'can no longer be shown, and goes on working',
};

/** The cleanup of a secret that was not seen, and the remaining steps. @param isOwn the requester reads it */
function cleared(secret: Sealed, isOwn: boolean): Mrkdwn[] {
  const { what, cleaned } = secret;
  const isDoubtful = mayHaveBeenSeen(secret);
  if (what !== 'token') {
    return [
      isDoubtful ? mrkdwn`The key works.` : mrkdwn`The key works, and was not shown to anyone.`,
      mrkdwn`→ Delete it in the org itself, under its service accounts: Purser cannot. If a key is needed, create another there`,
    ];
  }
  if (cleaned === undefined) {
    return [
      mrkdwn`The token is being deleted${isDoubtful && isOwn ? ', also if you saved it' : ''}.`,
    ];
  }
  if (cleaned.code !== 'not-cleaned') return [mrkdwn`${sentenceOf(cleaned.sentence)}`];
  return [mrkdwn`The token could not be deleted, so it still works.`, deleteToken().line];
}

export function reviewButton(id: string) {
  return button({ action: REVIEW_ACTION, text: 'Review', value: id, style: 'primary' });
}

export function withdrawButton(id: string) {
  return button({ action: WITHDRAW_ACTION, text: 'Withdraw', value: id });
}

export function detailsButton(id: string) {
  return button({ action: SHOW_ACTION, text: 'Details', value: id });
}

export const WITHDRAW = { text: 'Withdraw', action: WITHDRAW_ACTION } as const;
export const DETAILS = { text: 'Details', action: SHOW_ACTION } as const;

export function revealButton(id: string) {
  return button({ action: REVEAL_ACTION, text: 'Reveal', value: id, style: 'primary' });
}

type Content = Pick<Message, 'text' | 'blocks'>;

/**
 * The end of a change for its requester, with the next step; undefined before the end, and after their own withdrawal.
 * Pure.
 * @param to the requester by name, where others read it too
 */
function endContent(change: Change, to = NO_MENTION): Content | undefined {
  const { id, state, secret } = change;
  if (isOpen(change) || state === 'withdrawn') return undefined;
  const lines = endLines(change, 'requester');
  const blocks = fitted((room) => [
    section(mrkdwn`${to}*${titleOf(change)}*\n${stateLine(change)}`),
    ...reasons(change, lines, room),
    ...(isNewsworthy(change) ? nowBlocks(change, room) : []),
    context(mrkdwn`Change ${code(id)}`),
  ]);
  const reveal = secret?.state === 'sealed' ? [revealButton(id)] : [];
  return {
    text: textWith([mrkdwn`${to}${headlineOf(change)}`], blocks),
    blocks: [...blocks, actions(...reveal, ...againButtons(change), detailsButton(id))],
  };
}

/** A discarded secret, for its requester; undefined without one. Pure. @param to as above */
function lapsedContent(change: Change, to = NO_MENTION): Content | undefined {
  const { id, secret } = change;
  if (secret?.state !== 'lapsed') return undefined;
  const blocks = [
    section(mrkdwn`${to}*${titleOf(change)}*\n${stateLine(change)}`),
    ...paragraph(secretLines(change, 'requester')),
    context(mrkdwn`Change ${code(id)}`),
    actions(...againButtons(change), detailsButton(id)),
  ];
  return { text: textWith([mrkdwn`${to}${headlineOf(change)}`], blocks), blocks };
}

function endLines(change: Change, reader: Reader): readonly Mrkdwn[] {
  return reasonsOf(change, secretLines(change, reader), reader);
}

export function againButtons(change: Change): Button[] {
  return isAgainAdvised(change) ? [askAgainButton(change)] : [];
}

const NO_MENTION = mrkdwn``;

/**
 * All messages of a change in this state: the card, the reminder that is due, and those to the requester (ADR 13). The
 * same change gives the same messages. Pure.
 */
export function messagesOf(change: Change): Message[] {
  const { channel } = change;
  const card: Message = { channel, key: cardKey(change.id), ...cardContent(change) };
  return [card, ...remindersOf(change), ...endsOf(change)];
}

/** For operators: a stored request is damaged, or of a later release. Pure. */
export function unreadableMessage(channel: string, id: string): Message {
  const text = mrkdwn`${sign('wrong')} *A stored request cannot be read* · ${code(id)}. Nothing is done for it, and it is tried again every hour. → Was Purser downgraded? Start the newer release; else ask its requester to ask again`;
  return { channel, key: keyOf({ id }, 'unreadable'), ...contentOf([section(text)]) };
}

/**
 * Only the latest reminder: earlier ones were posted, or missed. After a decision no reminder is posted, and posted
 * ones stay as they are.
 */
function remindersOf(change: Change): Message[] {
  const { channel, state, reminders, requester, expiresAt } = change;
  if (state !== 'pending' || reminders === 0) return [];
  const waited = formatDuration(REMIND_MS * 2 ** (reminders - 1));
  const who = mrkdwn`*${titleOf(change)}* · requested by ${mentionUser(requester.userId)}`;
  const until = moment(expiresAt, '{date_short_pretty} {time}, {ago}');
  const pending = mrkdwn`${signOf(change)} Waiting for more than ${waited} · expires ${until}`;
  const next = mrkdwn`→ ${approversOf(change)}: please review it above`;
  const [key, threadKey] = [keyOf(change, `reminder/${reminders}`), cardKey(change.id)];
  const content = contentOf([section(joinMrkdwn([who, pending, next], '\n'))]);
  return [{ channel, key, threadKey, ...content }];
}

/** Without a direct channel the requester is named in the thread of the card. */
function endsOf(change: Change): Message[] {
  const { id, channel, dm, requester } = change;
  const place = dm === undefined ? { channel, threadKey: cardKey(id) } : { channel: dm };
  const to = dm === undefined ? mrkdwn`${mentionUser(requester.userId)} ` : undefined;
  const [end, lapsed] = [endContent(change, to), lapsedContent(change, to)];
  return [
    ...(end === undefined ? [] : [{ ...place, key: keyOf(change, 'told'), ...end }]),
    ...(lapsed === undefined ? [] : [{ ...place, key: keyOf(change, 'lapsed'), ...lapsed }]),
  ];
}

export function cardKey(id: string): string {
  return keyOf({ id }, 'card');
}

function keyOf({ id }: Pick<Change, 'id'>, word: string): string {
  return `@changes/${id}/${word}`;
}
