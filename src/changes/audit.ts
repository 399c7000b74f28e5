import { z } from 'zod';
import type { Actor, Change, Sealed } from './change.ts';
import type { Plan } from './kinds/kind.ts';
import { STATES } from './change.ts';
import type { ChangeEvent } from './states.ts';
import type { ChangeKind } from './kinds/kinds.ts';

const AuditLine = z.looseObject({
  /** Ms since the epoch. */
  at: z.number(),
  /** Absent where there is none: a person was not allowed to ask for one. */
  change: z.string().optional(),
  event: z.string(),
  /** The state after it. */
  state: z.enum(STATES).optional(),
  /** Slack id; absent when no person did it. */
  by: z.string().optional(),
});
export type AuditLine = z.infer<typeof AuditLine>;

/**
 * What happened to a change, as the audit has it: only ever added, never altered. Beside what is named
 * here it has everything else that was worth keeping; no secret.
 */
export type AuditEntry = AuditLine & {
  /** Of the stream; rises. Those of one change and those of all are counted apart. */
  readonly entry: string;
};

/** Also the first thing that happens to a change: a person asks for it. */
type AuditedEvent = ChangeEvent | { readonly kind: 'request'; readonly at: number };

/**
 * What the audit says of an event (design section 5): who, what, when, before, after, decided by,
 * result. Pure.
 * @param change as it is after the event
 * @returns undefined for what changes nothing that anybody decided: a reminder, another look
 */
export function lineOf(change: Change, event: AuditedEvent): AuditLine | undefined {
  const details = detailsOf(change, event);
  return (
    details && {
      at: event.at,
      change: change.id,
      event: event.kind,
      state: change.state,
      ...details,
    }
  );
}

/** A person was not allowed to do something with a change, or to ask for one of that kind. */
export interface Refused {
  /** Ms since the epoch. */
  readonly at: number;
  /** Slack id. */
  readonly by: string;
  /** The id of the button or the form. */
  readonly what: string;
  /** A word for it. */
  readonly why: string;
  readonly about: Change | ChangeKind;
}

/** What the audit says of a refusal. Pure. */
export function refusedLine({ at, by, what, why, about }: Refused): AuditLine {
  const place =
    typeof about === 'string' ? { kind: about } : { change: about.id, state: about.state };
  return { at, event: 'refused', by, what, why, ...place };
}

function detailsOf(change: Change, event: AuditedEvent): Record<string, unknown> | undefined {
  switch (event.kind) {
    case 'request': {
      const { order, requester, plan } = change;
      return { ...whoIs(requester), kind: order.kind, order, ...partsOf(plan) };
    }
    case 'approve':
    case 'reject': {
      const { by, comment, self } = change.decision ?? {};
      return { ...(by && whoIs(by)), comment, self, ...partsOf(change.plan) };
    }
    // Only the requester can do these.
    case 'withdraw':
    case 'open':
    case 'reveal':
      return { by: change.requester.userId };
    case 'claim':
    case 'resend':
      return { sending: change.sendings };
    case 'drift':
    case 'fail':
      return { sentence: event.sentence, ...(event.now && { now: event.now }) };
    case 'succeed': {
      const { sentence, now, secret } = event;
      return { sentence, ...(now && { now }), ...(secret && { secret: publicPartOf(secret) }) };
    }
    case 'refuse':
    case 'doubt':
    case 'clean':
      return { sentence: event.sentence };
    case 'expire':
    case 'lapse':
      return {};
    case 'remind':
    case 'wait':
      return undefined;
  }
}

function whoIs({ userId, email }: Actor): Record<string, string> {
  return { by: userId, ...(email !== undefined && { email }) };
}

function partsOf({ before, after, consequences }: Plan): Plan {
  return { before, after, consequences };
}

/** Field by field, so that nothing else that comes along can get into the audit. */
function publicPartOf({
  what,
  state,
  tokenId,
}: Pick<Sealed, 'what' | 'state' | 'tokenId'>): Record<string, string> {
  return { what, state, ...(tokenId !== undefined && { tokenId }) };
}

/** @throws when it is no line of the audit */
export function readLine(entry: string, data: string): AuditEntry {
  return { ...AuditLine.parse(JSON.parse(data)), entry };
}
