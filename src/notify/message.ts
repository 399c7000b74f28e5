import type { KnownBlock } from '@slack/types';
import type { OwnPosts, ReadResult } from '../slack/own-posts.ts';
import type { ChannelPost, SendResult, SlackSender, TransientFailure } from '../slack/sender.ts';

/**
 * One message to one channel. `key` names it for good: it goes out once, later contents edit it.
 * It is also what a reader of the channel's metadata sees (design section 4).
 */
export interface Message {
  channel: string;
  key: string;
  /** Keys that this message stands for as well; those of what it `absorbs` come by themselves. */
  covers?: string[];
  text: string;
  blocks: KnownBlock[];
  /**
   * Key of a message of this channel that is never posted when this one comes first: this one stands for
   * it, and has what would be in its thread in its own.
   */
  servesAs?: string;
  /** Key of the message in whose thread this one goes. */
  threadKey?: string;
  /** A reply that is shown in the channel, too. */
  broadcast?: boolean;
  /** Key of a message of this channel without which this one is dropped: what is only an edit, or a follow-up. */
  requires?: string | undefined;
  /**
   * The channel is muted: a new message is kept back under this mark, which only its maker reads, until
   * a message that `absorbs` it stands for it.
   */
  held?: string | undefined;
  /**
   * Keys of messages of this channel, held back or waiting, that this one stands for: they are never
   * posted. One that is posted or under way by now refuses the whole commit.
   */
  absorbs?: string[];
  /** With several like it waiting for one channel, they are told as one (see `queue.ts`). */
  groupable?: boolean | undefined;
}

/** What a reader of a message sees. */
export type MessageContent = Pick<Message, 'text' | 'blocks'>;

/** What `covers` of one message may take, in characters. Slack states no limit (ADR 11). */
export const MAX_COVERS = 8_000;

/** Of the metadata of every post (design section 4). */
const EVENT_TYPE = 'purser_event';

/** The metadata of a post; readable by everyone in the workspace. */
export function metadataOf(message: Pick<Message, 'key' | 'covers'>): {
  event_type: string;
  event_payload: { key: string; covers?: string };
} {
  return {
    event_type: EVENT_TYPE,
    event_payload: {
      key: message.key,
      ...(message.covers === undefined ? {} : { covers: message.covers.join(' ') }),
    },
  };
}

/**
 * The result of a search for a post; `unknown` when it cannot be told. `hidden`: the post stands in the
 * thread of a deleted message only, where people do not see it.
 */
export type FindResult =
  | { kind: 'found'; ts: string; hidden?: boolean }
  | { kind: 'absent' }
  | { kind: 'unknown'; error: string }
  | TransientFailure;

/** How much further back a search goes than the time of the post, in milliseconds. */
export const LOOK_MARGIN_MS = 15 * 60_000;

/** What `notify/` needs of Slack; `slack/` provides it. Times are milliseconds by Slack's clock. */
export interface MessageSender {
  /** Posts without any repetition of its own. `threadTs`: timestamp of the parent. */
  post(message: Message, threadTs: string | undefined): Promise<SendResult>;
  /** @param broadcast shows a reply in the channel, too */
  update(message: Message, ts: string, broadcast?: boolean): Promise<SendResult>;
  /**
   * Looks for a post of the bot by its metadata key, from `sinceMs` on, in the channel and, if it was
   * for one, in a thread. `older`: posts that had this key before.
   */
  find(
    message: Message,
    sinceMs: number,
    threadTs: string | undefined,
    older?: readonly string[],
  ): Promise<FindResult>;
  /** The bot's posts of a channel, or of a thread of it, from `sinceMs` on. */
  read(channel: string, sinceMs: number, threadTs: string | undefined): Promise<ReadResult>;
  /** What time it is; undefined as long as Slack does not say. */
  time(): Promise<number | undefined>;
}

/**
 * Looks through the thread a message was for, if there is one, and then the channel: what was meant for
 * a thread may have come to stand there. One that is hidden counts only if there is no other.
 */
export async function searchPlaces<T extends FindResult | { kind: 'told' }>(
  threadTs: string | undefined,
  look: (threadTs: string | undefined) => Promise<T>,
): Promise<T> {
  if (threadTs === undefined) return look(undefined);
  const inThread = await look(threadTs);
  const isHidden = inThread.kind === 'found' && inThread.hidden === true;
  if (inThread.kind !== 'absent' && !isHidden) return inThread;
  const inChannel = await look(undefined);
  const isNowhere = inChannel.kind === 'absent' || inChannel.kind === 'unknown';
  return isHidden && isNowhere ? inThread : inChannel;
}

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
        if (post !== undefined) return { kind: 'found', ts: post.ts, hidden: post.hidden };
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
