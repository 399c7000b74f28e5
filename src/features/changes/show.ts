import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { askable, denied, type Principal } from '../../access/policy.ts';
import type { AuditEntry } from '../../store/audit.ts';
import { changeAt, type Change } from '../../changes/change.ts';
import type { Changes } from '../../changes/changes.ts';
import {
  againButtons,
  cardBlocks,
  revealButton,
  reviewButton,
  withdrawButton,
} from '../../changes/messages/messages.ts';
import { changedFacts, Fact, isSameFacts, type Facts } from '../../changes/kinds/kind.ts';
import { isRequester, mayDecide, maySee } from '../../changes/context.ts';
import type { ChangeStore } from '../../changes/store.ts';
import { knownRoles } from '../../platform/billing/roles.ts';
import { UsageError } from '../../lib/errors.ts';
import { plural, truncate } from '../../lib/text.ts';
import { nearest } from '../../lib/words.ts';
import { thatFit } from '../../slack/kit/fit.ts';
import {
  bulletList,
  instant,
  joinRich,
  LIMITS,
  person,
  rich,
  strong,
  verbatim,
  type Rich,
} from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';

interface ShowView {
  change: Change;
  audit: readonly AuditEntry[];
  isOwn: boolean;
  /** The person may decide on it, as far as is known without asking the platform again. */
  mayDecide: boolean;
  /** Ms since the epoch. */
  now: number;
}

const EVENTS: Readonly<Record<string, string>> = {
  request: 'requested',
  approve: 'approved',
  reject: 'rejected',
  withdraw: 'withdrawn',
  expire: 'expired',
  drift: 'found changed, nothing sent',
  claim: 'sent to the platform',
  unclaim: 'not sent, Redis did not confirm it',
  suspect: 'perhaps sent, Redis was restarted or restored',
  refuse: 'not to be sent',
  disown: 'not verified, nothing more is done',
  resend: 'sent again',
  succeed: 'done',
  fail: 'failed',
  doubt: 'given up, unknown',
  open: 'secret being shown',
  reveal: 'secret shown',
  lapse: 'secret given up',
  clean: 'secret cleared away',
  discard: 'secret not stored',
  refused: 'refused',
};

const MAX_LINES = 8;
const MAX_WINDOW_LINES = 100;
/** Of these, lines about refused people. */
const MAX_REFUSALS = 5;
/** Room for the heading of the timeline and the buttons. Characters. */
const REST_LENGTH = 400;
const SENTENCE_LENGTH = 300;
const VALUE_LENGTH = 120;
const MAX_FIELDS = 4;

const Recorded = z.array(Fact).optional().catch(undefined);
const Details = z.object({
  comment: z.string().optional().catch(undefined),
  sentence: z.string().optional().catch(undefined),
  self: z.boolean().optional().catch(undefined),
  why: z.string().optional().catch(undefined),
  before: Recorded,
  after: Recorded,
});
type Details = z.infer<typeof Details>;

/** The answer to `/changes show`: the card and the timeline. Pure. */
export function showAnswer({ change, audit, ...view }: ShowView): Answer {
  const shown = changeAt(change, view.now);
  const buttons = buttonsOf(shown, view);
  const card = cardBlocks(shown, undefined, view.isOwn ? 'requester' : 'channel');
  // The card is counted as sent, which is longer than its texts, so that the timeline is cut early
  // rather than late.
  const room = LIMITS.messageCharacters - REST_LENGTH - readLength(card);
  const inShort = timeline(shown, audit, { room, most: MAX_LINES, where: '' });
  const inWindow = {
    room: LIMITS.messageCharacters,
    most: MAX_WINDOW_LINES,
    where: ' in the audit',
  };
  return {
    blocks: [...card, ...inShort.blocks],
    ...(inShort.isCut && {
      rest: {
        button: `Show all (${audit.length})`,
        title: 'What happened',
        blocks: timeline(shown, audit, inWindow).blocks,
      },
    }),
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

/** Length of all strings in it, rich text structure included. Characters. */
function readLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + readLength(one), 0);
}

/** The newest lines, in order. @param room in characters @param where the earlier ones are */
function timeline(
  change: Change,
  audit: readonly AuditEntry[],
  { room, most, where }: { room: number; most: number; where: string },
): { blocks: KnownBlock[]; isCut: boolean } {
  if (audit.length === 0) return { blocks: [], isCut: false };
  // Refusals could crowd out the rest: any member may click buttons of requests.
  const refusals = audit.filter(({ event }) => event === 'refused').slice(0, -MAX_REFUSALS);
  const entries = audit.filter((entry) => !refusals.includes(entry));
  const newest = entries
    .map((entry, at) => lineOf(entry, change, entries[at + 1]))
    .slice(-most)
    .toReversed();
  const shown = thatFit(newest, ({ length }) => length, room).toReversed();
  const earlier = audit.length - shown.length;
  const note = earlier === 0 ? rich`` : rich` (${plural(earlier, 'earlier line')}${where})`;
  const title = rich`${strong('What happened')}${note}`;
  const list = bulletList(title, shown, { max: shown.length, room: Infinity });
  return { blocks: [list], isCut: earlier > 0 };
}

/** @param next the entry after it */
function lineOf(entry: AuditEntry, change: Change, next: AuditEntry | undefined): Rich {
  const when = instant(entry.at, '{date_short_pretty} {time_secs}');
  const by = entry.by === undefined ? rich`` : rich` by ${person(entry.by)}`;
  const parts = detailsOf(newIn(Details.parse(entry), change));
  const details = parts.length === 0 ? rich`` : rich`: ${joinRich(parts, '; ')}`;
  return rich`${when} ${strong(eventOf(entry, next))}${by}${details}`;
}

/** An unknown event is shown by its stored name. */
function eventOf({ event }: AuditEntry, next: AuditEntry | undefined): string {
  // A claim comes before the call.
  if (event === 'claim' && next?.event === 'unclaim') return 'about to be sent';
  return (Object.hasOwn(EVENTS, event) && EVENTS[event]) || event;
}

function newIn(details: Details, { plan, decision, outcome }: Change): Details {
  const { comment, sentence, before, after, ...others } = details;
  const isPlanned = isSameFacts(before ?? [], plan.before) && isSameFacts(after ?? [], plan.after);
  return {
    ...others,
    comment: comment === decision?.comment ? undefined : comment,
    sentence: sentence === outcome?.sentence ? undefined : sentence,
    before: isPlanned ? undefined : before,
    after: isPlanned ? undefined : after,
  };
}

function detailsOf({ comment = '', sentence = '', self, why, before, after }: Details): Rich[] {
  return [
    ...(why === undefined ? [] : [rich`${truncate(why, VALUE_LENGTH)}`]),
    ...(self === true ? [rich`by the requester`] : []),
    ...(before === undefined || after === undefined ? [] : differences(before, after)),
    ...(comment.trim() === '' ? [] : [rich`“${truncate(comment.trim(), SENTENCE_LENGTH)}”`]),
    ...(sentence === '' ? [] : [rich`${truncate(sentence, SENTENCE_LENGTH)}`]),
  ];
}

/** "Amount $400.00 → $500.00": only the differences. */
function differences(before: Facts, after: Facts): Rich[] {
  const valueOf = (text?: string): Rich =>
    text === undefined ? rich`–` : verbatim(text, VALUE_LENGTH);
  const changed = changedFacts(before, after)
    .slice(0, MAX_FIELDS)
    .map(({ name, from, to }) => rich`${name} ${valueOf(from)} → ${valueOf(to)}`);
  return changed.length === 0 ? [] : [joinRich(changed, ', ')];
}

function buttonsOf(change: Change, view: Omit<ShowView, 'change' | 'audit'>): Button[] {
  const { id, state, secret } = change;
  const isPending = state === 'pending';
  const isWaiting = secret?.state === 'sealed' && view.now < secret.until;
  return [
    ...(isPending && view.mayDecide ? [reviewButton(id)] : []),
    ...((isPending || state === 'approved') && view.isOwn ? [withdrawButton(id)] : []),
    ...(isWaiting && view.isOwn ? [revealButton(id)] : []),
    ...(view.isOwn ? againButtons(change) : []),
  ];
}

const NEAR = 200;

/** @throws Refusal for a member without access, UsageError for an unknown id */
export async function show(
  context: Pick<Changes, 'approvals' | 'changes' | 'clock' | 'kindOf'>,
  who: Principal,
  id: string,
): Promise<Answer> {
  const { changes, clock } = context;
  const change = await changes.get(id);
  if (change === undefined) throw await unknownId(changes, who, id);
  if (!maySee(change, who)) {
    const seers = [...new Set(['billing_admin', ...change.approvers])];
    throw denied(
      'role',
      `The request ${id} is shown only to its requester and to people with the role ${seers.join(' or ')}: ask one of these people.`,
      askable({ roles: knownRoles(seers) }, who),
    );
  }
  const audit: AuditEntry[] = [];
  for await (const entry of changes.audit(id)) audit.push(entry);
  return showAnswer({
    change,
    audit,
    isOwn: isRequester(change, who),
    mayDecide: mayDecide(context, change, who),
    now: clock.now(),
  });
}

async function unknownId(changes: ChangeStore, who: Principal, id: string): Promise<UsageError> {
  const latest = (await changes.list(0, NEAR)).filter((change) => maySee(change, who));
  const meant = nearest(
    id,
    latest.map((change) => change.id),
  );
  return new UsageError(
    `There is no request "${truncate(id, 60)}": its ID is on the card, and in the list of /changes.`,
    meant === undefined ? undefined : `/changes show ${meant}`,
  );
}
