import { formatDuration } from '../../lib/text.ts';
import type { Message } from '../../notify/message.ts';
import { mentionUser, moment, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Change } from '../change.ts';
import { REMIND_MS } from '../times.ts';
import { cardContent } from './card-view.ts';
import { lapsedContent, toldContent } from './told-view.ts';
import { approversOf, titleOf } from './words.ts';

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
