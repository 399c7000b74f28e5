import type { Message } from '../../notify/message.ts';
import type { Change } from '../change.ts';

/** Actions of the buttons on cards and in direct messages; their value is the id of the change. */
export const REVIEW_ACTION = 'changes.review';
export const WITHDRAW_ACTION = 'changes.withdraw';
export const REVEAL_ACTION = 'changes.reveal';

/**
 * Everything that is to be told of a change as it is: the card, its reminders, and what the requester
 * is told directly. The same change gives the same messages. Pure.
 */
export function messagesOf(change: Change): Message[] {
  void change;
  return [];
}
