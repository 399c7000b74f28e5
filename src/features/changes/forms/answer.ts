import type { Change } from '../../../changes/change.ts';
import { titleOf } from '../../../changes/messages/words.ts';
import type { Requested } from '../../../changes/request.ts';
import {
  code,
  context,
  linkButton,
  mentionChannel,
  mentionUser,
  mrkdwn,
  section,
  topText,
} from '../../../slack/kit/index.ts';
import type { Mrkdwn } from '../../../slack/kit/index.ts';
import type { Answer } from '../../../slack/routes.ts';

/**
 * What the person is told who asked for a change. Pure.
 * @param userId who asked
 * @param card the address of the change's card, when it is known
 */
export function requestedAnswer(
  requested: Requested,
  userId: string,
  card: string | undefined,
): Answer {
  const { change } = requested;
  const text = mrkdwn`${beginning(requested, userId)} ${standing(change)}`;
  const link = card === undefined ? undefined : linkButton('Open the card', card);
  return {
    text: topText(text),
    blocks: [
      section(text),
      context(mrkdwn`${code(`/changes show ${change.id}`)} tells all about it`),
    ],
    ...(link && { buttons: [link] }),
  };
}

function beginning({ kind, change }: Requested, userId: string): Mrkdwn {
  if (kind === 'requested') return mrkdwn`:inbox_tray: Requested: ${titleOf(change)}.`;
  const { requester } = change;
  const by = requester.userId === userId ? mrkdwn`you` : mentionUser(requester.userId);
  return mrkdwn`:information_source: This was requested already by ${by}: ${titleOf(change)}.`;
}

function standing({ id, state, channel }: Change): Mrkdwn {
  const where = mrkdwn`in ${mentionChannel(channel)} as ${code(id)}`;
  return state === 'pending'
    ? mrkdwn`It waits for approval ${where}.`
    : mrkdwn`It is being carried out, ${where}.`;
}
