import type { KnownBlock } from '@slack/types';
import type { Message } from '../../notify/message.ts';
import { actions, code, context, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Change } from '../change.ts';
import { decided, heading } from './card-view.ts';
import { readBackBlocks } from './plan-view.ts';
import { givenUpText, ownSecretLine, revealButton } from './secret-words.ts';
import { commandFor, lookFor, sentenceOf, titleOf } from './words.ts';

type Content = Pick<Message, 'text' | 'blocks'>;

/**
 * What the requester is told when it is over; undefined while it is not, and for what they have
 * withdrawn themselves. Pure.
 */
export function toldContent(change: Change): Content | undefined {
  const said = saidOf(change);
  if (said === undefined) return undefined;
  const next = nextStep(change);
  return {
    text: topText(mrkdwn`Your change ${change.id} ${change.state}: ${titleOf(change)}`),
    blocks: [
      section(heading(change)),
      ...said.map((line) => section(line)),
      ...readBackBlocks(change.outcome?.now),
      ...secretBlocks(change),
      context(
        ...(next === undefined ? [] : [next]),
        mrkdwn`All of it: ${code(`/changes show ${change.id}`)}`,
      ),
    ],
  };
}

/** What the requester is told when a secret was given up; undefined when none was. Pure. */
export function lapsedContent(change: Change): Content | undefined {
  const { secret } = change;
  if (secret?.state !== 'lapsed' && secret?.state !== 'lost') return undefined;
  return {
    text: topText(mrkdwn`Your change ${change.id}: the ${secret.what} was not shown`),
    blocks: [
      section(mrkdwn`${givenUpText(change, secret)}`),
      context(mrkdwn`About: ${titleOf(change)} · ${code(`/changes show ${change.id}`)}`),
    ],
  };
}

function saidOf({ state, decision, outcome }: Change): Mrkdwn[] | undefined {
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
      return [...by, ...(outcome === undefined ? [] : [mrkdwn`${sentenceOf(outcome.sentence)}`])];
    case 'pending':
    case 'approved':
    case 'executing':
    case 'withdrawn':
      return undefined;
  }
}

/** What did not happen can be asked for again; what perhaps happened has to be looked at first. */
function nextStep(change: Change): Mrkdwn | undefined {
  const { state } = change;
  if (state === 'unknown') {
    return mrkdwn`Look first, with ${code(lookFor(change))}, before you ask for it again`;
  }
  const isUndone = state === 'expired' || state === 'drifted' || state === 'failed';
  return isUndone ? mrkdwn`Ask for it again with ${code(commandFor(change))}` : undefined;
}

function secretBlocks({ id, secret }: Change): KnownBlock[] {
  if (secret === undefined) return [];
  const line = section(ownSecretLine(secret));
  return secret.state === 'sealed' ? [line, actions(revealButton(id))] : [line];
}
