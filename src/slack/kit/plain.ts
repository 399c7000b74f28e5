import type { ConfirmationDialog, PlainTextElement } from '@slack/types';
import { tidy } from './escape.ts';
import { LIMITS } from './limits.ts';

/** What a place is given that must not be empty. */
export const EMPTY = '–';

/** Text in which Slack finds no mentions, links or pictures; foreign text needs no escaping here. */
export function plain(text: string, max: number): PlainTextElement {
  return { type: 'plain_text', text: clip(tidy(text).trim() || EMPTY, max), emoji: false };
}

/** At most `max` UTF-16 units, the last of them an ellipsis if something was cut off. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${withoutHalfPair(text.slice(0, max - 1))}…`;
}

export function withoutHalfPair(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** What is asked before a click counts. */
export interface Confirm {
  title: string;
  question: string;
  yes: string;
  no: string;
}

export function confirmDialog({ title, question, yes, no }: Confirm): ConfirmationDialog {
  return {
    title: plain(title, LIMITS.confirmTitle),
    text: plain(question, LIMITS.confirmText),
    confirm: plain(yes, LIMITS.confirmButton),
    deny: plain(no, LIMITS.confirmButton),
  };
}
