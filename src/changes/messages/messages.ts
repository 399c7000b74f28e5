import type { KnownBlock } from '@slack/types';
import { formatDuration } from '../../lib/text.ts';
import type { Message } from '../../notify/message.ts';
import { actions, button, context, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mentionUser, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { isOpen } from '../change.ts';
import type { Change, Decision, Sealed } from '../change.ts';
import { REMIND_MS } from '../states.ts';
import {
  approversOf,
  commandFor,
  consequenceBlocks,
  endingOf,
  lookFor,
  planBlocks,
  quotedLines,
  readBackBlocks,
  REVEAL_ACTION,
  REVIEW_ACTION,
  sentenceOf,
  signOf,
  titleOf,
  WITHDRAW_ACTION,
} from './plan-view.ts';

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
function ownSecretLine({ what, state, until, at }: Sealed): Mrkdwn {
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
function givenUpText(change: Change, secret: Sealed): Mrkdwn {
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
function cardContent(change: Change): Pick<Message, 'text' | 'blocks'> {
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
function heading(change: Change): Mrkdwn {
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
function decided({ verdict, by, at, comment, self }: Decision): Mrkdwn {
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

type Content = Pick<Message, 'text' | 'blocks'>;

/**
 * What the requester is told when it is over: how, what they can do next, and what is there now; undefined
 * while it is not over, and for what they have withdrawn themselves. Pure.
 * @param to the requester by name, where others read it too
 */
function toldContent(change: Change, to = NOBODY): Content | undefined {
  const said = saidOf(change);
  if (said === undefined) return undefined;
  return {
    text: topText(mrkdwn`${to}Your change ${change.id} ${ended(change)}: ${titleOf(change)}`),
    blocks: [
      section(mrkdwn`${to}${heading(change)}`),
      ...said.map((line) => section(line)),
      ...readBackBlocks(change),
      ...secretBlocks(change),
      ...nextStep(change).map((line) => section(line)),
      context(mrkdwn`All of it: ${code(`/changes show ${change.id}`)}`),
    ],
  };
}

/** What the requester is told when a secret was given up; undefined when none was. Pure. @param to as above */
function lapsedContent(change: Change, to = NOBODY): Content | undefined {
  const { secret } = change;
  if (secret?.state !== 'lapsed' && secret?.state !== 'lost') return undefined;
  return {
    text: topText(mrkdwn`${to}Your change ${change.id}: the ${secret.what} was not shown`),
    blocks: [
      section(mrkdwn`${to}${givenUpText(change, secret)}`),
      context(mrkdwn`About: ${titleOf(change)} · ${code(`/changes show ${change.id}`)}`),
    ],
  };
}

const NOBODY = mrkdwn``;

/** The state as the end of a sentence: some of their names are no verbs. */
function ended({ state }: Change): string {
  if (state === 'rejected') return 'was rejected';
  return state === 'unknown' ? 'ended in an unknown state' : state;
}

function saidOf(change: Change): Mrkdwn[] | undefined {
  const { state, decision } = change;
  const by = decision === undefined ? [] : [decided(decision)];
  switch (state) {
    case 'rejected':
      return [...by, mrkdwn`Nothing was changed.`];
    case 'expired':
      return [mrkdwn`Nobody decided in time, so nothing was changed.`];
    case 'drifted':
    case 'failed':
    case 'unknown':
    case 'succeeded':
      return [...by, ...endingOf(change)];
    case 'pending':
    case 'approved':
    case 'executing':
    case 'withdrawn':
      return undefined;
  }
}

/**
 * What did not happen can be asked for again; what perhaps happened has to be looked at first. Nothing
 * where the sentence that it ended with names a command: that one fits better.
 */
function nextStep(change: Change): Mrkdwn[] {
  const { state, outcome } = change;
  if (state === 'succeeded' || /(?:^|\s)\/[a-z]/.test(outcome?.sentence ?? '')) return [];
  return state === 'unknown'
    ? [mrkdwn`To look what is there: ${code(lookFor(change))}`]
    : [mrkdwn`To ask for it again: ${code(commandFor(change))}`];
}

function secretBlocks({ id, secret }: Change): KnownBlock[] {
  if (secret === undefined) return [];
  const line = section(ownSecretLine(secret));
  return secret.state === 'sealed' ? [line, actions(revealButton(id))] : [line];
}

/**
 * Everything that is to be told of a change as it is: the card, the reminder that is due, and what the
 * requester is told (ADR 13). The same change gives the same messages. Pure.
 */
export function messagesOf(change: Change): Message[] {
  const { channel } = change;
  const card: Message = { channel, key: cardKey(change.id), ...cardContent(change) };
  return [card, ...remindersOf(change), ...endsOf(change)];
}

/**
 * The latest reminder alone: those before it are there already, or were missed. Once somebody has
 * decided nobody is reminded, and what was posted stays as it is.
 */
function remindersOf(change: Change): Message[] {
  const { channel, state, reminders, requester, expiresAt } = change;
  if (state !== 'pending' || reminders === 0) return [];
  const waited = formatDuration(REMIND_MS * 2 ** (reminders - 1));
  const head = mrkdwn`Waiting for a review for more than ${waited}: ${titleOf(change)}`;
  const who = mrkdwn`${approversOf(change)}: please review the request of ${mentionUser(requester.userId)} above.`;
  const until = mrkdwn`It expires ${moment(expiresAt, '{date_short_pretty} {time}, {ago}')}.`;
  return [
    {
      channel,
      key: keyOf(change, `reminder/${reminders}`),
      threadKey: cardKey(change.id),
      text: topText(head),
      blocks: [section(mrkdwn`:bell: *${head}*\n${who} ${until}`)],
    },
  ];
}

/** Where Slack did not say where to tell the requester alone, they are named in the thread of the card. */
function endsOf(change: Change): Message[] {
  const { id, channel, dm, requester } = change;
  const place = dm === undefined ? { channel, threadKey: cardKey(id) } : { channel: dm };
  const to = dm === undefined ? mrkdwn`${mentionUser(requester.userId)} ` : undefined;
  const [told, lapsed] = [toldContent(change, to), lapsedContent(change, to)];
  return [
    ...(told === undefined ? [] : [{ ...place, key: keyOf(change, 'told'), ...told }]),
    ...(lapsed === undefined ? [] : [{ ...place, key: keyOf(change, 'lapsed'), ...lapsed }]),
  ];
}

/** Key of the card of a change (ADR 13). */
export function cardKey(id: string): string {
  return keyOf({ id }, 'card');
}

function keyOf({ id }: Pick<Change, 'id'>, word: string): string {
  return `@changes/${id}/${word}`;
}
