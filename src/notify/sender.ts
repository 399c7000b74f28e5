import type { ReadResult } from '../slack/own-posts.ts';
import type { NotNow, SendResult } from '../slack/sender.ts';
import type { Message } from './message.ts';

/**
 * How a look for a post ended; `unknown` when nobody can tell. `buried`: it stands below a deleted
 * message only, where nobody looks.
 */
export type FindResult =
  | { kind: 'found'; ts: string; buried?: boolean }
  | { kind: 'absent' }
  | { kind: 'unknown'; error: string }
  | NotNow;

/** What a look goes back beyond the time from which on something is looked for, in milliseconds. */
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
 * a thread may have come to stand there. One that is buried counts only if there is no other.
 */
export async function searchPlaces<T extends FindResult | { kind: 'told' }>(
  threadTs: string | undefined,
  look: (threadTs: string | undefined) => Promise<T>,
): Promise<T> {
  if (threadTs === undefined) return look(undefined);
  const inThread = await look(threadTs);
  const isBuried = inThread.kind === 'found' && inThread.buried === true;
  if (inThread.kind !== 'absent' && !isBuried) return inThread;
  const inChannel = await look(undefined);
  const isNowhere = inChannel.kind === 'absent' || inChannel.kind === 'unknown';
  return isBuried && isNowhere ? inThread : inChannel;
}
