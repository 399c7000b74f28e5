import { context, LIMITS, mrkdwn, Mrkdwn, topText } from '../slack/kit/index.ts';
import type { Message } from './message.ts';

/** A message whose older post cannot be edited any more: it says that it goes on from there. */
export function continued<T extends Pick<Message, 'text' | 'blocks'>>(message: T): T {
  const note = mrkdwn`Goes on from an older message, which Slack does not let Purser edit any more.`;
  const { blocks } = message;
  const room = blocks.length > 0 && blocks.length < LIMITS.messageBlocks;
  return {
    ...message,
    text: topText(mrkdwn`${new Mrkdwn(message.text)} (${lower(note)})`),
    blocks: room ? [...blocks, context(note)] : blocks,
  };
}

function lower({ text }: Mrkdwn): Mrkdwn {
  return new Mrkdwn(`${text.charAt(0).toLowerCase()}${text.slice(1, -1)}`);
}
