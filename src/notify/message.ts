import type { KnownBlock } from '@slack/types';
import type { OwnPost, OwnPosts, ReadResult } from '../slack/own-posts.ts';
import type { ChannelPost, SendResult, SlackSender, TransientFailure } from '../slack/sender.ts';

/**
 * One message to one channel. `key` is its permanent name: it is posted once, later contents edit it. Readers
 * of the channel's metadata see the key, too (design section 4).
 */
export interface Message {
  channel: string;
  key: string;
  /** Keys of other messages that this one covers. They only grow, up to `MAX_COVERS`; the newest stay. */
  covers?: string[];
  text: string;
  blocks: KnownBlock[];
  threadKey?: string;
  /** A reply that is also shown in the channel. */
  broadcast?: boolean;
  /**
   * For a reply whose root the channel does not have. Absent: it is posted in the channel. `drop`: it is not
   * posted. `root`: it is posted in the channel instead of that message, whose later replies go to its thread,
   * and whose later contents are ignored.
   */
  orphan?: 'drop' | 'root';
  /** Changes the message of this key if the channel has it, and is never posted itself. */
  editOnly?: boolean;
  /**
   * The channel is muted: a new message is held back under this mark, which only its creator reads, until the
   * outbox gathers it into another one.
   */
  held?: string | undefined;
  /** How long it can be edited after the last commit, in milliseconds; absent: `MESSAGE_TTL_MS`. */
  keepMs?: number | undefined;
  /**
   * When the subject of its key was created, in milliseconds since the epoch: Redis may have lost its numbers, and
   * an older post with the same key is about another subject. Absent for keys that are never used again.
   */
  madeAt?: number | undefined;
}

export type MessageContent = Pick<Message, 'text' | 'blocks'>;

/** Limit for `covers` of one message, in characters (design section 4.12). */
export const MAX_COVERS = 4_000;

/** Keys of watch messages begin with their subject; all others begin with an @. */
export const isOfWatch = ({ key }: Pick<Message, 'key'>): boolean => /^(?!@)|^@mute\//.test(key);

/** In the metadata of every post (design section 4). */
const EVENT_TYPE = 'purser_event';

/** Readable by everyone in the workspace. */
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
 * `unknown`: the history cannot be read. `hidden`: the post is only in the thread of a deleted message, where
 * it is not shown.
 */
export type FindResult =
  | { kind: 'found'; ts: string; hidden?: boolean }
  | { kind: 'absent' }
  | { kind: 'unknown'; error: string }
  | TransientFailure;

/** By how much Slack's clock and that of Purser may differ. Milliseconds. */
const CLOCK_MARGIN_MS = 60_000;

/** Of the messages with this key: the one of the same subject. `older`: timestamps of its earlier posts. */
export function findPost(
  posts: readonly OwnPost[],
  { key, madeAt = 0 }: Pick<Message, 'key' | 'madeAt'>,
  older: readonly string[],
): OwnPost | undefined {
  const since = madeAt - CLOCK_MARGIN_MS;
  return posts.find(
    (post) => post.key === key && !older.includes(post.ts) && Number(post.ts) * 1_000 >= since,
  );
}

/** A search starts this much before the time of the post. Milliseconds. */
export const LOOK_MARGIN_MS = 15 * 60_000;

/** The port to Slack; `slack/` provides it. Times are milliseconds by Slack's clock. */
export interface MessageSender {
  /** Posts once, without retries. `threadTs`: timestamp of the parent. */
  post(message: Message, threadTs: string | undefined): Promise<SendResult>;
  /** @param broadcast also shows a reply in the channel */
  update(message: Message, ts: string, broadcast?: boolean): Promise<SendResult>;
  /**
   * Searches for a post of the bot by its metadata key, from `sinceMs` on, in the channel and, if it was a
   * reply, in its thread. `older`: earlier posts with this key.
   */
  find(
    message: Message,
    sinceMs: number,
    threadTs: string | undefined,
    older?: readonly string[],
  ): Promise<FindResult>;
  /** The bot's posts in a channel, or in one of its threads, from `sinceMs` on. */
  read(channel: string, sinceMs: number, threadTs: string | undefined): Promise<ReadResult>;
  /** Undefined before Slack has answered. */
  time(): Promise<number | undefined>;
}

/**
 * Searches the message's thread, if it has one, and then the channel: a reply may have ended up there. A
 * hidden post counts only if there is no other.
 */
export async function searchPlaces<T extends FindResult | { kind: 'covered' }>(
  threadTs: string | undefined,
  search: (threadTs: string | undefined) => Promise<T>,
): Promise<T> {
  if (threadTs === undefined) return search(undefined);
  const inThread = await search(threadTs);
  const isHidden = inThread.kind === 'found' && inThread.hidden === true;
  if (inThread.kind !== 'absent' && !isHidden) return inThread;
  const inChannel = await search(undefined);
  const isNowhere = inChannel.kind === 'absent' || inChannel.kind === 'unknown';
  return isHidden && isNowhere ? inThread : inChannel;
}

export function createMessageSender(slack: SlackSender, own: OwnPosts): MessageSender {
  const read: MessageSender['read'] = (channel, sinceMs, threadTs) =>
    own.read(channel, EVENT_TYPE, sinceMs, threadTs);
  return {
    post: (message, threadTs) => slack.post(toPost(message), threadTs),
    update: (message, ts, broadcast) => slack.update(toPost(message), ts, broadcast),
    find: (message, sinceMs, threadTs, older = []) =>
      searchPlaces(threadTs, async (place) => {
        const seen = await read(message.channel, sinceMs, place);
        if (seen.kind !== 'read') return seen;
        const post = findPost(seen.posts, message, older);
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
