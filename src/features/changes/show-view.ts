import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { AuditEntry } from '../../changes/audit.ts';
import type { Change } from '../../changes/change.ts';
import { cardBlocks, reviewButton, withdrawButton } from '../../changes/messages/card-view.ts';
import { revealButton } from '../../changes/messages/secret-words.ts';
import { titleOf } from '../../changes/messages/words.ts';
import { truncate } from '../../lib/text.ts';
import { lines, mentionUser, moment, mrkdwn, section, topText } from '../../slack/kit/index.ts';
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

const LINES_PER_BLOCK = 6;
const MAX_LINES = 30;
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
  return {
    text: topText(mrkdwn`Change ${change.id} ${change.state}: ${titleOf(change)}`),
    blocks: [...cardBlocks(change), ...timeline(audit)],
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

function timeline(audit: readonly AuditEntry[]): KnownBlock[] {
  if (audit.length === 0) return [];
  const blocks: KnownBlock[] = [section(mrkdwn`*What happened*`)];
  const shown = audit.slice(0, MAX_LINES).map(lineOf);
  for (let from = 0; from < shown.length; from += LINES_PER_BLOCK) {
    blocks.push(lines(shown.slice(from, from + LINES_PER_BLOCK)));
  }
  const more = audit.length - shown.length;
  return more === 0 ? blocks : [...blocks, section(mrkdwn`… and ${more} more in the audit`)];
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
