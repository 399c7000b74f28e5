import { lookalike, revealed } from '../../lib/lookalikes.ts';
import { plural, stripControl, truncate } from '../../lib/text.ts';
import { code, joinMrkdwn, mentionGroup, mrkdwn, Mrkdwn } from '../../slack/kit/index.ts';
import type { Change, ChangeKind, ChangeState } from '../change.ts';

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

/** What is typed to ask for a change of this kind, and to see what there is. */
const COMMANDS: Record<ChangeKind, { ask: string; look: string }> = {
  'alert.create': { ask: '/alert set', look: '/alert' },
  'alert.replace': { ask: '/alert set', look: '/alert' },
  'alert.delete': { ask: '/alert delete', look: '/alert' },
  'user.add': { ask: '/billing users add', look: '/billing users' },
  'user.roles': { ask: '/billing users roles', look: '/billing users' },
  'user.remove': { ask: '/billing users remove', look: '/billing users' },
  'token.create': { ask: '/billing tokens create', look: '/billing tokens' },
  'token.delete': { ask: '/billing tokens delete', look: '/billing tokens' },
  'org.create': { ask: '/billing orgs create', look: '/billing orgs' },
  'recipient.add': { ask: '/billing recipients add', look: '/billing recipients' },
  'recipient.enable': { ask: '/billing recipients enable', look: '/billing recipients' },
  'recipient.disable': { ask: '/billing recipients disable', look: '/billing recipients' },
  'recipient.delete': { ask: '/billing recipients delete', look: '/billing recipients' },
  'quota.request': { ask: '/billing quotas request', look: '/billing quotas' },
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
