import type { KnownBlock } from '@slack/types';
import type { Message } from '../../notify/message.ts';
import { actions, code, context, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Change } from '../change.ts';
import { decided, heading } from './card-view.ts';
import { readBackBlocks } from './plan-view.ts';
import { givenUpText, ownSecretLine, revealButton } from './secret-words.ts';
import { commandFor, endingOf, lookFor, titleOf } from './words.ts';

type Content = Pick<Message, 'text' | 'blocks'>;

/**
 * What the requester is told when it is over: how, what they can do next, and what is there now; undefined
 * while it is not over, and for what they have withdrawn themselves. Pure.
 * @param to the requester by name, where others read it too
 */
export function toldContent(change: Change, to = NOBODY): Content | undefined {
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
export function lapsedContent(change: Change, to = NOBODY): Content | undefined {
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
