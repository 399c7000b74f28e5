import type { FindResult, SendResult } from '../slack/sender.ts';
import type { Message } from './message.ts';

/** What `notify/` needs of Slack; `slack/` provides it. */
export interface MessageSender {
  /** Posts without any repetition of its own. `threadTs`: timestamp of the parent. */
  post(message: Message, threadTs: string | undefined): Promise<SendResult>;
  update(message: Message, ts: string): Promise<SendResult>;
  /**
   * Looks for a post of the bot by its metadata key, from `sinceMs` (milliseconds) on, in the
   * channel or in a thread.
   */
  find(message: Message, sinceMs: number, threadTs: string | undefined): Promise<FindResult>;
}
