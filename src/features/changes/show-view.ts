import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { AuditEntry } from '../../changes/audit.ts';
import type { Change } from '../../changes/change.ts';
import { cardBlocks, reviewButton, withdrawButton } from '../../changes/messages/card-view.ts';
import { revealButton } from '../../changes/messages/secret-words.ts';
import { titleOf } from '../../changes/messages/words.ts';
import { plural, truncate } from '../../lib/text.ts';
import {
  LIMITS,
  lines,
  mentionUser,
  moment,
  mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';

interface ShowView {
  change: Change;
  /** The oldest first. */
  audit: readonly AuditEntry[];
  isOwn: boolean;
  mayApprove: boolean;
  /** Ms since the epoch. */
  now: number;
}

/** What the events of the audit are called. */
const EVENTS: Readonly<Record<string, string>> = {
  request: 'asked for',
  approve: 'approved',
  reject: 'rejected',
  withdraw: 'withdrawn',
  expire: 'expired',
  drift: 'found changed, nothing sent',
  claim: 'sent to the platform',
  refuse: 'not to be sent',
  resend: 'sent again',
  succeed: 'succeeded',
  fail: 'failed',
  doubt: 'given up, unknown',
  open: 'secret on its way',
  reveal: 'secret shown',
  lapse: 'secret given up',
  clean: 'secret cleared away',
};

const MAX_LINES = 30;
/** Of the lines of one section, below Slack's 3,000. */
const SECTION_LENGTH = 2_900;
/** For the heading of what happened, and the buttons. Characters. */
const REST_LENGTH = 400;
const DETAIL_LENGTH = 300;
const MAX_FIELDS = 4;

const Facts = z.array(z.object({ name: z.string(), text: z.string() }));
type Facts = z.infer<typeof Facts>;
/** What of a line is worth showing; the rest is in the file. */
const Details = z.object({
  comment: z.string().optional().catch(undefined),
  sentence: z.string().optional().catch(undefined),
  self: z.boolean().optional().catch(undefined),
  before: Facts.optional().catch(undefined),
  after: Facts.optional().catch(undefined),
});
type Details = z.infer<typeof Details>;

/** What `/changes show` answers: the card, and all that happened. Pure. */
export function showAnswer({ change, audit, ...view }: ShowView): Answer {
  const buttons = buttonsOf(change, view);
  const card = cardBlocks(change);
  // As it is sent, which is more than its texts: what happened is cut rather too early than too late.
  const room = LIMITS.messageCharacters - REST_LENGTH - JSON.stringify(card).length;
  return {
    text: topText(mrkdwn`Change ${change.id} ${change.state}: ${titleOf(change)}`),
    blocks: [...card, ...timeline(audit, room)],
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

/** The newest lines, in their order. @param room for their characters */
function timeline(audit: readonly AuditEntry[], room: number): KnownBlock[] {
  if (audit.length === 0) return [];
  const newest = audit.slice(-MAX_LINES).map(lineOf).toReversed();
  const shown = within(newest, room).toReversed();
  const earlier = audit.length - shown.length;
  const note = earlier === 0 ? [] : [mrkdwn`… ${plural(earlier, 'earlier line')} in the audit`];
  return [section(mrkdwn`*What happened*`), ...inSections([...note, ...shown])];
}

/** The first lines, as many as have at most so many characters together. */
function within(items: readonly Mrkdwn[], length: number): readonly Mrkdwn[] {
  let used = 0;
  const over = items.findIndex(({ text }) => {
    used += text.length + 1;
    return used > length;
  });
  return over === -1 ? items : items.slice(0, over);
}

function inSections(items: readonly Mrkdwn[]): KnownBlock[] {
  const blocks: KnownBlock[] = [];
  for (let rest = items; rest.length > 0;) {
    const count = Math.max(1, within(rest, SECTION_LENGTH).length);
    blocks.push(lines(rest.slice(0, count), count));
    rest = rest.slice(count);
  }
  return blocks;
}

function lineOf(entry: AuditEntry): Mrkdwn {
  const when = moment(entry.at, '{date_short_pretty} {time_secs}');
  const by = entry.by === undefined ? mrkdwn`` : mrkdwn` by ${mentionUser(entry.by)}`;
  const said = saidOf(Details.parse(entry));
  const details = said === '' ? '' : `: ${truncate(said, DETAIL_LENGTH)}`;
  return mrkdwn`• ${when} *${EVENTS[entry.event] ?? entry.event}*${by}${details}`;
}

function saidOf({ comment = '', sentence, self, before, after }: Details): string {
  const parts = [
    ...(self === true ? ['by the requester'] : []),
    ...(before === undefined || after === undefined ? [] : [differences(before, after)]),
    ...(comment.trim() === '' ? [] : [`“${comment.trim()}”`]),
    ...(sentence === undefined ? [] : [sentence]),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** "Amount 400.00 USD → 500.00 USD": only what differs. */
function differences(before: Facts, after: Facts): string {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  const textOf = (facts: Facts, wanted: string): string =>
    facts.find(({ name }) => name === wanted)?.text ?? '–';
  const changed = names.filter((name) => textOf(before, name) !== textOf(after, name));
  return changed
    .slice(0, MAX_FIELDS)
    .map((name) => `${name} ${textOf(before, name)} → ${textOf(after, name)}`)
    .join(', ');
}

/** What the card and the messages offer, for whom it is now. */
function buttonsOf(change: Change, view: Omit<ShowView, 'change' | 'audit'>): Button[] {
  const { id, state, secret } = change;
  const isPending = state === 'pending';
  const isWaiting = secret?.state === 'sealed' && view.now < secret.until;
  return [
    ...(isPending && view.mayApprove ? [reviewButton(id)] : []),
    ...(isPending && view.isOwn ? [withdrawButton(id)] : []),
    ...(isWaiting && view.isOwn ? [revealButton(id)] : []),
  ];
}
