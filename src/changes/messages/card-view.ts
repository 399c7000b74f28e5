import type { KnownBlock } from '@slack/types';
import type { Message } from '../../notify/message.ts';
import { actions, button, context, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mentionUser, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { isOpen } from '../change.ts';
import type { Change, Decision, Sealed } from '../change.ts';
import { consequenceBlocks, planBlocks, readBackBlocks } from './plan-view.ts';
import {
  approversOf,
  commandFor,
  endingOf,
  quotedLines,
  REVEAL_ACTION,
  REVIEW_ACTION,
  sentenceOf,
  signOf,
  titleOf,
  WITHDRAW_ACTION,
} from './words.ts';

/** What became of the secret, for everybody who reads the card. Pure. */
function secretLine(change: SecretOwner, secret: Sealed): Mrkdwn {
  const { state, what, until, at } = secret;
  const who = mentionUser(change.requester.userId);
  switch (state) {
    case 'sealed':
      return mrkdwn`:lock: The ${what} waits for ${who}, who alone can reveal it, until ${moment(until)}: ${whereRevealed(change)}.`;
    case 'opening':
      return mrkdwn`:lock: The ${what} is being shown to ${who}.`;
    case 'revealed':
      return mrkdwn`:lock: The ${what} was shown to ${who}, once, ${moment(at)}.`;
    case 'lapsed':
    case 'lost':
      return mrkdwn`:lock: ${whyGivenUp(secret)} ${cleared(secret)}`;
  }
}

type SecretOwner = Pick<Change, 'id' | 'requester' | 'dm'>;

/** Where the button is, which is not on the card. */
function whereRevealed({ id, dm }: SecretOwner): Mrkdwn {
  const place = dm === undefined ? 'in the thread of the card' : 'in their messages with Purser';
  return mrkdwn`${place}, or with ${code(`/changes show ${id}`)}`;
}

/** The same, for the one whom it belongs to; undefined where the message about its end says it. Pure. */
export function ownSecretLine({ what, state, until, at }: Sealed): Mrkdwn {
  switch (state) {
    case 'sealed':
      return mrkdwn`:lock: The ${what} is shown *once*, to you alone, until ${moment(until)}: reveal it when you can put it away.`;
    case 'opening':
      return mrkdwn`:lock: The ${what} is being shown to you.`;
    case 'revealed':
      return mrkdwn`:lock: The ${what} was shown to you, once, ${moment(at)}. It cannot be shown again.`;
    case 'lapsed':
    case 'lost':
      return mrkdwn`:lock: The ${what} was not shown and cannot be any more: the message below says what to do.`;
  }
}

/** What the requester is told of a secret that was given up, with the next step. Pure. */
export function givenUpText(change: Change, secret: Sealed): Mrkdwn {
  const said = mrkdwn`:warning: ${whyGivenUp(secret)} ${cleared(secret)}`;
  if (secret.what !== 'token') return said;
  return mrkdwn`${said} If you still need one, ask again with ${code(commandFor(change))}.`;
}

export function revealButton(id: string) {
  return button({ action: REVEAL_ACTION, text: 'Reveal', value: id, style: 'primary' });
}

function whyGivenUp({ state, what, at, until }: Sealed): string {
  if (state === 'lost') return `The ${what} never got here: the platform’s answer was lost.`;
  return at < until
    ? `The ${what} was not seen, as far as Purser can tell.`
    : `Nobody revealed the ${what} in time.`;
}

/** What became of the token, or is still to be done. */
function cleared({ what, cleaned }: Sealed): string {
  if (cleaned !== undefined) return sentenceOf(cleaned);
  return what === 'token'
    ? 'The token is being deleted.'
    : 'No API deletes such a key: delete it in the org itself, under its service accounts.';
}

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
