import type { OwnPosts } from '../slack/own-posts.ts';
import type { ChannelPost, SlackSender } from '../slack/sender.ts';
import { EVENT_TYPE, metadataOf } from './message.ts';
import type { Message } from './message.ts';
import { searchPlaces } from './sender.ts';
import type { MessageSender } from './sender.ts';

/** Messages as posts to Slack. */
export function createMessageSender(slack: SlackSender, own: OwnPosts): MessageSender {
  const read: MessageSender['read'] = (channel, sinceMs, threadTs) =>
    own.read(channel, EVENT_TYPE, sinceMs, threadTs);
  return {
    post: (message, threadTs) => slack.post(toPost(message), threadTs),
    update: (message, ts, broadcast) => slack.update(toPost(message), ts, broadcast),
    find: ({ channel, key }, sinceMs, threadTs, older = []) =>
      searchPlaces(threadTs, async (place) => {
        const seen = await read(channel, sinceMs, place);
        if (seen.kind !== 'read') return seen;
        const post = seen.posts.find((one) => one.key === key && !older.includes(one.ts));
        if (post !== undefined) return { kind: 'found', ts: post.ts, buried: post.buried };
        return seen.whole ? { kind: 'absent' } : { kind: 'unknown', error: 'too many pages' };
      }),
    read,
    time: () => own.time(),
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
