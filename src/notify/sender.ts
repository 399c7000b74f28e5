import type { Message } from './message.ts';

/**
 * How a call to Slack ended. `unsent`: it certainly did not arrive. `unclear`: it may have; Slack
 * has no idempotency key, so only a look into the channel tells.
 */
export type SendResult =
  | { kind: 'sent'; ts: string }
  | { kind: 'limited'; retryAfterMs: number; error: string }
  | { kind: 'unsent' | 'unclear' | 'refused'; error: string };

/** How a look into a channel ended; `unknown` when it cannot be read. */
type FindResult =
  | { kind: 'found'; ts: string }
  | { kind: 'absent' | 'unknown' }
  | { kind: 'limited'; retryAfterMs: number; error: string };

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
