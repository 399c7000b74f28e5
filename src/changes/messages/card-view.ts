import type { KnownBlock } from '@slack/types';
import type { Message } from '../../notify/message.ts';
import {
  actions,
  button,
  code,
  context,
  joinMrkdwn,
  mentionUser,
  moment,
  mrkdwn,
  Mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Change, Decision } from '../change.ts';
import { isOpen } from '../change.ts';
import { REVIEW_ACTION, WITHDRAW_ACTION } from './actions.ts';
import { consequenceBlocks, planBlocks, readBackBlocks } from './plan-view.ts';
import { secretLine } from './secret-words.ts';
import { approversOf, endingOf, quotedLines, sentenceOf, signOf, titleOf } from './words.ts';

/** The card of a change: one message, edited in place as the change goes on. Pure. */
export function cardContent(change: Change): Pick<Message, 'text' | 'blocks'> {
  return {
    text: topText(mrkdwn`Change ${change.id} ${change.state}: ${titleOf(change)}`),
    blocks: [...cardBlocks(change, [pointer(change)]), ...buttonsOf(change)],
  };
}

/** All that a card says, without its buttons. Pure. @param notes for the small print */
export function cardBlocks(change: Change, notes: readonly Mrkdwn[] = []): KnownBlock[] {
  return [
    section(mrkdwn`${heading(change)}\n${origin(change)}`),
    ...planBlocks(change.plan),
    ...(isOpen(change) ? consequenceBlocks(change.plan) : []),
    ...standing(change).map((line) => section(line)),
    ...readBackBlocks(change, change.plan.after),
    context(joinMrkdwn([...smallPrint(change), ...notes], ' · ')),
  ];
}

/** ":hourglass: *Pending* · Set the spend alert to 500.00 USD" */
export function heading(change: Change): Mrkdwn {
  const { state } = change;
  const word = `${state.charAt(0).toUpperCase()}${state.slice(1)}`;
  return mrkdwn`${signOf(state)} *${word}* · ${titleOf(change)}`;
}

/** "Asked for by @ada, today 10:00" */
export function origin({ requester, requestedAt }: Change): Mrkdwn {
  return mrkdwn`Asked for by ${mentionUser(requester.userId)}, ${moment(requestedAt)}`;
}

/** Where it stands, in whole sentences. */
function standing(change: Change): Mrkdwn[] {
  const { state, decision, secret } = change;
  return [
    ...(decision === undefined ? [] : [decided(decision)]),
    ...(state === 'pending' ? [mrkdwn`Waits for a review by ${approversOf(change)}.`] : []),
    ...(state === 'approved' || state === 'executing' ? [working(change)] : []),
    ...(state === 'expired'
      ? [mrkdwn`Nobody decided in time: it expired ${moment(change.expiresAt)}.`]
      : []),
    ...(state === 'withdrawn' ? [withdrawn(change)] : []),
    ...endingOf(change),
    ...(secret === undefined ? [] : [secretLine(change, secret)]),
  ];
}

/** By whom, when, and why. Pure. */
export function decided({ verdict, by, at, comment, self }: Decision): Mrkdwn {
  if (by === undefined) return mrkdwn`No approval was needed (APPROVALS=off), ${moment(at)}`;
  const who = mrkdwn`${mentionUser(by.userId)}, ${moment(at)}`;
  const said = new Mrkdwn(
    quotedLines(comment)
      .map(({ text }) => `\n${text}`)
      .join(''),
  );
  if (verdict === 'reject') return mrkdwn`Rejected by ${who}${said}`;
  return self
    ? mrkdwn`*Approved by the requester* (ALLOW_SELF_APPROVAL), ${who}${said}`
    : mrkdwn`Approved by ${who}${said}`;
}

function withdrawn({ requester, withdrawnAt, requestedAt }: Change): Mrkdwn {
  return mrkdwn`Withdrawn by ${mentionUser(requester.userId)}, ${moment(withdrawnAt ?? requestedAt)}`;
}

/** What is being done about it. A card does not know how late it is, so it promises no time. */
function working({ state, refusal, sendings, retryAt, silentSince }: Change): Mrkdwn {
  if (refusal !== undefined) return mrkdwn`It is not carried out: ${sentenceOf(refusal)}`;
  if (state === 'approved') {
    if (silentSince !== undefined) {
      return mrkdwn`Nothing was sent yet, because the platform or Slack does not answer: it is tried again every few seconds, for 15 minutes.`;
    }
    return retryAt === undefined
      ? mrkdwn`It is about to be carried out.`
      : mrkdwn`Nothing was sent yet: it waits for its turn, because another change of this kind is being carried out.`;
  }
  return sendings > 1 || retryAt !== undefined
    ? mrkdwn`It is being settled: the platform’s answer was lost, so what came of it is looked up.`
    : mrkdwn`It is being carried out. Should the platform’s answer be lost, what came of it is looked up.`;
}

function smallPrint({ id, state, expiresAt }: Change): Mrkdwn[] {
  return [code(id), ...(state === 'pending' ? [mrkdwn`expires ${moment(expiresAt)}`] : [])];
}

/** Where the rest is told. */
function pointer({ id }: Change): Mrkdwn {
  return mrkdwn`all of it: ${code(`/changes show ${id}`)}`;
}

function buttonsOf({ id, state }: Change): KnownBlock[] {
  if (state !== 'pending') return [];
  return [actions(reviewButton(id), withdrawButton(id))];
}

export function reviewButton(id: string) {
  return button({ action: REVIEW_ACTION, text: 'Review', value: id, style: 'primary' });
}

export function withdrawButton(id: string) {
  return button({ action: WITHDRAW_ACTION, text: 'Withdraw', value: id });
}
