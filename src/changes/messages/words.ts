import { lookalike, revealed } from '../../lib/lookalikes.ts';
import { plural, stripControl, truncate } from '../../lib/text.ts';
import { code, joinMrkdwn, mentionGroup, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Change, ChangeState } from '../change.ts';
import { COMMANDS } from '../kinds/kinds.ts';
import type { ChangeKind } from '../kinds/kinds.ts';

/** Actions of the buttons on cards and in direct messages; their value is the id of the change. */
export const REVIEW_ACTION = 'changes.review';
export const WITHDRAW_ACTION = 'changes.withdraw';
export const REVEAL_ACTION = 'changes.reveal';

/** A sign beside the word; it never stands alone, and no two differ by colour only. */
const SIGNS: Record<ChangeState, string> = {
  pending: ':hourglass_flowing_sand:',
  approved: ':thumbsup:',
  executing: ':arrows_counterclockwise:',
  succeeded: ':white_check_mark:',
  failed: ':x:',
  unknown: ':grey_question:',
  rejected: ':no_entry:',
  expired: ':calendar:',
  withdrawn: ':heavy_minus_sign:',
  drifted: ':twisted_rightwards_arrows:',
};

export const KINDS = Object.keys(COMMANDS) as readonly ChangeKind[];

const TITLE_LENGTH = 250;
/** Of a sentence that somebody else wrote: the platform, or a person. */
const SENTENCE_LENGTH = 500;

/** The command that asks for such a change again. */
export function commandFor({ order }: Pick<Change, 'order'>): string {
  if (order.kind === 'alert.replace' && !order.enabled) return '/alert off';
  const { ask } = COMMANDS[order.kind];
  return ask === '/alert set' && 'amount' in order ? `${ask} ${order.amount}` : ask;
}

/** The command that shows what there is of what a change is about. */
export function lookFor({ order }: Pick<Change, 'order'>): string {
  return COMMANDS[order.kind].look;
}

export function signOf(state: ChangeState): Mrkdwn {
  return new Mrkdwn(SIGNS[state]);
}

/** The title, with a warning where a name in it is not what it looks like. */
export function titleOf({ title }: Pick<Change, 'title'>): string {
  const said = truncate(revealed(title), TITLE_LENGTH);
  const hides = lookalike(title);
  return hides === undefined ? said : `${said} ⚠ has ${hides}`;
}

/** A sentence of somebody else's, as long as there is room for. */
export function sentenceOf(text: string): string {
  return truncate(text, SENTENCE_LENGTH);
}

const QUOTED_LINES = 6;

/** What somebody wrote, quoted line by line; empty lines are left out, and those after the sixth counted. */
export function quotedLines(text: string): Mrkdwn[] {
  const written = stripControl(sentenceOf(text.trim()))
    .split('\n')
    .filter((line) => line.trim() !== '');
  const quoted = written.slice(0, QUOTED_LINES).map((line) => mrkdwn`> ${line.trim()}`);
  const more = written.length - quoted.length;
  return more === 0 ? quoted : [...quoted, mrkdwn`> … and ${plural(more, 'more line')}`];
}

/** How it ended, beside its state, which stands above it; none where that says it all. */
export function endingOf({ state, outcome }: Pick<Change, 'state' | 'outcome'>): Mrkdwn[] {
  const { sentence = '' } = outcome ?? {};
  const said = state === 'succeeded' ? sentence.replace(/^Done\.\s*/, '') : sentence;
  return said === '' ? [] : [mrkdwn`${sentenceOf(said)}`];
}

/** Those who may approve: a mention of their user group where there is one, and their roles. */
export function approversOf(change: Pick<Change, 'approvers' | 'group'>): Mrkdwn {
  const { approvers, group } = change;
  if (approvers.length === 0) return mrkdwn`people who may read the orgs`;
  const roles = joinMrkdwn(
    approvers.map((role) => code(role)),
    ' or ',
  );
  return group === undefined ? roles : mrkdwn`${mentionGroup(group)} (${roles})`;
}
