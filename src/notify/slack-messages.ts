import type { ChannelPost, SlackSender } from '../slack/sender.ts';
import { metadataOf } from './message.ts';
import type { Message } from './message.ts';
import type { MessageSender } from './sender.ts';

/** Messages as posts to Slack. */
export function createMessageSender(slack: SlackSender): MessageSender {
  return {
    post: (message, threadTs) => slack.post(toPost(message), threadTs),
    update: (message, ts) => slack.update(toPost(message), ts),
    find: (message, sinceMs, threadTs) =>
      slack.find(message.channel, toPost(message).metadata, sinceMs, threadTs),
  };
}

function toPost(message: Message): ChannelPost {
  const { event_type, event_payload } = metadataOf(message);
  return {
    channel: message.channel,
    text: message.text,
    blocks: message.blocks,
    metadata: { event_type, event_payload: { ...event_payload } },
    broadcast: message.broadcast === true,
  };
}
