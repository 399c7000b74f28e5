import type { Email } from './model.ts';

/** The mails that would have been sent (spec section 6), oldest first. */
export interface Mailbox {
  send(mail: Email): void;
  all(): readonly Email[];
}

export function createMailbox(): Mailbox {
  const mails: Email[] = [];

  return {
    send: (mail) => void mails.push(mail),
    // Mails that fell due between two reads are sent late, kind by kind, under the time it was due.
    all: () => mails.toSorted((one, other) => one.at - other.at),
  };
}
