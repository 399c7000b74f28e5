import type { AuditLine } from '../store/audit.ts';
import type { Actor, Change, Sealed } from './change.ts';
import type { End } from './ends.ts';
import type { Plan } from './kinds/kind.ts';
import type { ChangeKind } from './kinds/kinds.ts';
import type { ChangeEvent } from './states.ts';

type AuditedEvent = ChangeEvent | { readonly kind: 'request'; readonly at: number } | NotedEvent;

/** It moves no change: the token of a call was deleted, as its secret could not be stored. */
export interface NotedEvent {
  readonly kind: 'discard';
  readonly at: number;
  readonly end: End;
}

/**
 * The audit line of an event (design section 5): who, what, when, before, after, decided by, result. Pure.
 * @param change as it is after the event @returns undefined for events that decide nothing: a reminder, a wait
 */
export function lineOf(change: Change, event: AuditedEvent): AuditLine | undefined {
  const details = detailsOf(change, event);
  const { id, state } = change;
  return details && { at: event.at, change: id, event: event.kind, state, ...details };
}

/** A person was refused an action on a change, a request of a kind, or anything else. */
export interface Refused {
  /** Ms since the epoch. */
  readonly at: number;
  readonly by: string;
  /** The command, or the id of the button or the form. */
  readonly what: string;
  readonly why: string;
  readonly about?: Change | ChangeKind | undefined;
}

export function refusedLine({ at, by, what, why, about }: Refused): AuditLine {
  const line = { at, event: 'refused', by, what, why };
  if (about === undefined) return line;
  return typeof about === 'string'
    ? { ...line, kind: about }
    : { ...line, change: about.id, state: about.state };
}

function detailsOf(change: Change, event: AuditedEvent): Record<string, unknown> | undefined {
  switch (event.kind) {
    case 'request': {
      const { order, reason, requester, plan } = change;
      return { ...whoIs(requester), kind: order.kind, order, reason, ...partsOf(plan) };
    }
    case 'approve':
    case 'reject': {
      const { by, comment, self } = change.decision ?? {};
      return { ...(by && whoIs(by)), comment, self, ...partsOf(change.plan) };
    }
    case 'withdraw':
      return { by: event.by };
    // Only the requester can do these.
    case 'open':
    case 'reveal':
      return { by: change.requester.userId };
    case 'claim':
    case 'unclaim':
    case 'resend':
      return { sending: change.sendings };
    case 'drift':
    case 'fail':
      return { ...resultOf(event.end), now: event.now };
    case 'succeed': {
      const { end, now, secret } = event;
      return { ...resultOf(end), now, secret: secret && publicPartOf(secret) };
    }
    case 'refuse':
    case 'disown':
    case 'discard':
    case 'doubt':
    case 'clean':
      return resultOf(event.end);
    case 'lapse':
      return event.kept === undefined ? {} : resultOf(event.kept);
    case 'expire':
    case 'suspect':
      return {};
    case 'remind':
    case 'wait':
      return undefined;
  }
}

function resultOf({ code, sentence }: End) {
  return { result: code, sentence: sentence || undefined };
}

function whoIs({ userId, email }: Actor) {
  return { by: userId, email };
}

function partsOf({ before, after, consequences }: Plan): Plan {
  return { before, after, consequences };
}

/** Field by field, so that no other field can get into the audit. */
function publicPartOf({ what, state, tokenId }: Pick<Sealed, 'what' | 'state' | 'tokenId'>) {
  return { what, state, tokenId };
}
