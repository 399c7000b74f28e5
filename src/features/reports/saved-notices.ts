import { formatDuration } from '../../lib/text.ts';
import type { MessageContent } from '../../notify/message.ts';
import { READ_BY_OTHERS } from '../../slack/audience.ts';
import { actions, lines, section, SIGN } from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { code, mentionChannel, mentionUser, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { changeButton, commandOf } from './saved-view.ts';
import type { SavedQuestion } from './saved.ts';

/** Posted to the owner when people from another company came to read the channel. */
export function heldPost({
  number,
  saved,
}: Pick<SavedQuestion, 'number' | 'saved'>): MessageContent {
  const line = mrkdwn`${new Mrkdwn(SIGN.off)} *Paused*: ${code(commandOf(saved), 200)} in ${mentionChannel(saved.channel)}, number ${number}\nThere, ${READ_BY_OTHERS}, and billing figures stay in your company.`;
  const next = mrkdwn`→ It goes on by itself when the channel is your company’s own again. *Change* moves it to another channel.`;
  return contentOf([lines([line, next]), actions(changeButton(number, saved))]);
}

/** The same message when it goes on. @param since ms since the epoch, as is `now` */
export function releasedPost(
  { number, saved }: Pick<SavedQuestion, 'number' | 'saved'>,
  since: number,
  now: number,
): MessageContent {
  const line = mrkdwn`${new Mrkdwn(SIGN.good)} *Goes on*: ${code(commandOf(saved), 200)} in ${mentionChannel(saved.channel)}, number ${number}\nIt was paused for ${formatDuration(now - since)}.`;
  return contentOf([section(line)]);
}

/** Posted to the owner of a question that another member stopped in its channel. */
export function stoppedForOwner(
  { number, saved }: Pick<SavedQuestion, 'number' | 'saved'>,
  userId: string,
): MessageContent {
  const line = mrkdwn`${new Mrkdwn(SIGN.over)} ${mentionUser(userId)} stopped your question ${code(commandOf(saved), 200)} in ${mentionChannel(saved.channel)}, number ${number}`;
  return contentOf([section(line)]);
}

/** Posted to the channel of a question that a member stopped or resumed. */
export function byPost(
  done: 'stopped' | 'resumed',
  { number, saved }: Pick<SavedQuestion, 'number' | 'saved'>,
  userId: string,
): MessageContent {
  const sign = done === 'stopped' ? SIGN.over : SIGN.good;
  const line = mrkdwn`${new Mrkdwn(sign)} ${mentionUser(userId)} ${done} ${code(commandOf(saved), 200)}, number ${number}`;
  return contentOf([section(line)]);
}
