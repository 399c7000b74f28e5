import type { KnownBlock } from '@slack/types';
import type { OwnPosts, ReadResult } from '../slack/own-posts.ts';
import type { ChannelPost, SlackSender, TransientFailure } from '../slack/sender.ts';

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
export function metadataOf({ key, covers }: Pick<Message, 'key' | 'covers'>) {
  const event_payload: Record<string, string> = { key };
  if (covers !== undefined) event_payload['covers'] = covers.join(' ');
  return { event_type: EVENT_TYPE, event_payload };
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

/** The post of a message among those that were read: of the same subject. `older`: timestamps of its earlier posts. */
export function findIn(
  seen: ReadResult,
  { key, madeAt = 0 }: Pick<Message, 'key' | 'madeAt'>,
  older: readonly string[],
): FindResult {
  if (seen.kind !== 'read') return seen;
  const since = madeAt - CLOCK_MARGIN_MS;
  const post = seen.posts.find(
    (one) => one.key === key && !older.includes(one.ts) && Number(one.ts) * 1_000 >= since,
  );
  if (post !== undefined) return { kind: 'found', ts: post.ts, hidden: post.hidden };
  return seen.whole ? { kind: 'absent' } : { kind: 'unknown', error: 'too many pages' };
}

/** A search starts this much before the time of the post. Milliseconds. */
export const LOOK_MARGIN_MS = 15 * 60_000;

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

export type MessageSender = ReturnType<typeof createMessageSender>;

/** The port to Slack. Times are milliseconds by Slack's clock. */
export function createMessageSender(slack: SlackSender, own: OwnPosts) {
  /** The bot's posts in a channel, or in one of its threads, from `sinceMs` on. */
  const read = (channel: string, sinceMs: number, threadTs: string | undefined) =>
    own.read(channel, EVENT_TYPE, sinceMs, threadTs);
  return {
    /** Posts once, without retries. `threadTs`: timestamp of the parent. */
    post: (message: Message, threadTs: string | undefined) => slack.post(toPost(message), threadTs),
    /** @param broadcast also shows a reply in the channel */
    update: (message: Message, ts: string, broadcast?: boolean) =>
      slack.update(toPost(message), ts, broadcast),
    /**
     * Searches for a post of the bot by its metadata key, from `sinceMs` on, in the channel and, if it was a
     * reply, in its thread. `older`: earlier posts with this key.
     */
    find: (
      message: Message,
      sinceMs: number,
      threadTs: string | undefined,
      older: readonly string[] = [],
    ): Promise<FindResult> =>
      searchPlaces(threadTs, async (place) =>
        findIn(await read(message.channel, sinceMs, place), message, older),
      ),
    read,
    /** Undefined before Slack has answered. */
    time: () => own.time(),
  };
}

function toPost({ channel, text, blocks, broadcast = false, ...named }: Message): ChannelPost {
  return { channel, text, blocks, metadata: metadataOf(named), broadcast };
}
