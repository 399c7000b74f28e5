import type { KnownBlock } from '@slack/types';
import { formatDuration } from '../../lib/text.ts';
import type { Message } from '../../notify/message.ts';
import { actions, context, section, topText } from '../../slack/kit/blocks.ts';
import { code, mentionUser, moment, mrkdwn } from '../../slack/kit/text.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';
import type { Change } from '../change.ts';
import { REMIND_MS } from '../states.ts';
import {
  cardContent,
  decided,
  givenUpText,
  heading,
  ownSecretLine,
  revealButton,
} from './card-view.ts';
import { readBackBlocks } from './plan-view.ts';
import { approversOf, commandFor, endingOf, lookFor, titleOf } from './words.ts';

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
