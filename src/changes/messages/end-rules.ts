import { truncate } from '../../lib/text.ts';
import { SIGN } from '../../slack/kit/blocks.ts';
import { code, mentionUser, moment, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Change, ChangeState } from '../change.ts';
import type { EndCode } from '../ends.ts';
import { textIn, type Fact, type Facts } from '../kinds/kind.ts';
import { COMMANDS, isDecidedLater } from '../kinds/kinds.ts';

/** Who reads a message: the requester, or everyone in the channel. */
export type Reader = 'requester' | 'channel';

type NextStep = (change: Change, reader: Reader) => Mrkdwn[];

/** How a state, or an end in it, reads. */
interface StateRule {
  readonly sign: string;
  readonly word: string;
  /** The next step, when the sentence of the end has none. */
  readonly next: NextStep;
}

export const STATE_RULES: Readonly<Record<ChangeState, StateRule>> = {
  pending: { sign: SIGN.underWay, word: 'Waiting', next: none },
  approved: { sign: SIGN.underWay, word: 'Approved', next: none },
  executing: { sign: SIGN.underWay, word: 'In progress', next: none },
  succeeded: { sign: SIGN.good, word: 'Done', next: none },
  failed: { sign: SIGN.wrong, word: 'Failed', next: askAgain },
  unknown: { sign: SIGN.unknown, word: 'Unknown', next: check },
  // The next step is a talk, and the comment may say everything.
  rejected: { sign: SIGN.over, word: 'Rejected', next: askWhy },
  expired: { sign: SIGN.over, word: 'Expired', next: askAgain },
  withdrawn: { sign: SIGN.over, word: 'Withdrawn', next: none },
  drifted: { sign: SIGN.wrong, word: 'Changed meanwhile', next: compare },
  refused: { sign: SIGN.wrong, word: 'Not sent', next: askAgain },
};

interface EndRule extends Partial<StateRule> {
  /** A part of the state line. */
  readonly inLine?: (change: Change) => string | undefined;
  /** The state line says it all, without the sentence. */
  readonly isBrief?: true;
}

/** The differences of each end from its state. */
export const END_RULES: Readonly<Record<EndCode, EndRule>> = {
  done: {},
  unread: {
    sign: SIGN.unknown,
    word: 'Accepted',
    inLine: () => 'not verified: what is there now could not be read',
    isBrief: true,
    next: (change) => look(change, 'Check it yourself'),
  },
  otherwise: {
    sign: SIGN.wrong,
    word: 'Accepted, but not in effect',
    inLine: notInEffect,
    isBrief: true,
    next: (change) => look(change, 'Look again in a minute'),
  },
  partly: { sign: SIGN.wrong, word: 'Done in part' },
  nothing: {
    sign: SIGN.over,
    inLine: ({ order }) => (isDeletion(order) ? 'it was gone already' : 'it was there already'),
    next: none,
  },
  granted: { inLine: () => 'granted by the platform', isBrief: true },
  later: {
    sign: SIGN.underWay,
    word: 'Sent',
    inLine: () => 'the platform decides later',
    isBrief: true,
    next: lookLater,
  },
  unsaid: {
    sign: SIGN.unknown,
    word: 'Sent',
    inLine: () => 'the platform’s decision is not known',
    next: lookLater,
  },
  declined: { next: none },
  'not-accepted': {},
  gone: { next: none },
  busy: { next: (change) => again(change, ' in a minute') },
  denied: { next: none },
  'not-done': {},
  deleted: { inLine: () => 'nothing left behind' },
  unclear: {},
  forgotten: {},
  'in-use': {
    sign: SIGN.wrong,
    word: 'Done',
    inLine: ({ order }) =>
      `the ${order.kind === 'org.create' ? 'superuser key' : 'token'} may not have been seen`,
    next: anotherToken,
  },
  left: {
    sign: SIGN.wrong,
    word: 'Not finished',
    inLine: () => 'the token exists, and its secret is lost',
    isBrief: true,
    next: deleteToken,
  },
  late: { next: none },
  silent: {},
  unconfirmed: { next: none },
  'requester-lost': { next: letOthersAsk },
  'approver-lost': {},
  off: { next: none },
  unverified: { next: none },
  changed: {},
  conflict: { next: none },
  cleaned: {},
  'not-cleaned': { next: deleteToken },
  'key-stays': { next: none },
  kept: { next: none },
};

function none(): Mrkdwn[] {
  return [];
}

function askAgain(change: Change): Mrkdwn[] {
  return again(change, '');
}

function again(change: Change, when: string): Mrkdwn[] {
  return [mrkdwn`→ Ask again${when}: ${code(commandFor(change))}`];
}

/** @param what to do with the command that shows the current state */
function look(change: Change, what: string): Mrkdwn[] {
  return [mrkdwn`→ ${what}: ${code(showCommandFor(change))}`];
}

function lookLater(change: Change): Mrkdwn[] {
  return look(change, 'Look later whether it was granted');
}

function compare(change: Change): Mrkdwn[] {
  const [show, ask] = [code(showCommandFor(change)), code(commandFor(change))];
  return [mrkdwn`→ Look first: ${show}. Still wanted? Ask again: ${ask}`];
}

export function deleteToken(): Mrkdwn[] {
  return [mrkdwn`→ Delete it: ${code(COMMANDS['token.delete'].ask)}`];
}

export function anotherToken({ order }: Pick<Change, 'order'>): Mrkdwn[] {
  if (order.kind !== 'token.create') return [];
  return [mrkdwn`→ If you still need one, ask again: ${code(COMMANDS['token.create'].ask)}`];
}

export function isDeletion({ kind }: Change['order']): boolean {
  return /\.(?:delete|remove)$/.test(kind);
}

function letOthersAsk(change: Change, reader: Reader): Mrkdwn[] {
  return reader === 'requester'
    ? [
        mrkdwn`→ Ask a member with the role to request it. ${code('/purser whoami')} shows your roles`,
      ]
    : [mrkdwn`→ A member with the role has to request it: ${code(commandFor(change))}`];
}

function askWhy({ decision }: Change, reader: Reader): Mrkdwn[] {
  if (reader !== 'requester' || decision?.by === undefined || decision.comment !== '') return [];
  return [mrkdwn`→ Ask ${mentionUser(decision.by.userId)} why, before you ask again`];
}

const SHORT_LENGTH = 60;

/** "→ Check `/alert`: Amount $500.00 means done. $400.00 means not done: ask again with `/alert set 500`" */
function check(change: Change): Mrkdwn[] {
  const { before, after } = change.plan;
  const [show, ask] = [code(showCommandFor(change)), code(commandFor(change))];
  const textOf = (facts: Facts, name: string): string =>
    truncate(textIn(facts, name) ?? 'none', SHORT_LENGTH);
  // The current state proves nothing about a request that still waits.
  if (isDecidedLater(change.order)) return look(change, 'Look first whether it was done');
  const changed = after.find(({ name, text }) => textOf(before, name) !== text);
  const [done, undone] =
    before.length === 0 || after.length === 0 || changed === undefined
      ? [
          mrkdwn`If ${thingIn(change)} is ${after.length === 0 ? 'gone' : 'there'}, it was done${secretLost(change)}`,
          mrkdwn`if not`,
        ]
      : [
          mrkdwn`${changed.name} ${textOf(after, changed.name)} means done`,
          mrkdwn`${textOf(before, changed.name)} means not done`,
        ];
  return [mrkdwn`→ Check ${show}. ${done}; ${undone}, ask again: ${ask}`];
}

/** If Redis lost what came after the approval, its secret may have been revealed. */
function secretLost({ order, suspect }: Change): string {
  if (order.kind === 'token.create') {
    return suspect
      ? ': delete it unless its requester has the secret'
      : ', and its secret is lost: delete it';
  }
  if (order.kind !== 'org.create' || !order.superuser) return '';
  const where = 'in the org, under its service accounts';
  return suspect
    ? `: delete its superuser key ${where}, unless its requester has it`
    : `, and its superuser key is lost: delete that ${where}`;
}

/** A name alone can be that of an older thing. */
function thingIn({ order, suspect, sentAt, requestedAt }: Change): Mrkdwn {
  if ('recipientId' in order) return mrkdwn`${order.email} (Id ${code(order.recipientId)})`;
  if ('email' in order) return mrkdwn`${order.email}`;
  const name = 'name' in order && order.name !== '' ? truncate(order.name, SHORT_LENGTH) : 'it';
  if ('tokenId' in order) return mrkdwn`${name} (Id ${code(order.tokenId)})`;
  if (order.kind !== 'token.create' && order.kind !== 'org.create') return mrkdwn`${name}`;
  const what = order.kind === 'org.create' ? 'an org' : 'a token';
  const since = suspect ? requestedAt : (sentAt ?? requestedAt);
  return mrkdwn`${what} ${name} created after ${moment(since)}`;
}

/** "Amount is still $400.00": the first field that differs from the request. */
function notInEffect({ plan: { before, after }, outcome }: Change): string | undefined {
  const now = outcome?.now ?? [];
  if (now.length === 0) return 'it is not there';
  if (after.length === 0) return 'it is still there';
  const isOther = ({ name, text }: Fact): boolean =>
    now.some((is) => is.name === name && is.text.toLowerCase() !== text.toLowerCase());
  const name = after.find(isOther)?.name;
  const is = name === undefined ? undefined : textIn(now, name);
  if (name === undefined || is === undefined) return undefined;
  return `${name} is ${textIn(before, name) === is ? 'still ' : ''}${truncate(is, SHORT_LENGTH)}`;
}

function commandFor({ order }: Pick<Change, 'order'>): string {
  // It has the button Ask for access, which alone asks for one's own roles.
  if ('own' in order && order.own === true) return '/purser whoami';
  if (order.kind === 'alert.replace' && !order.enabled) return '/alert off';
  const { ask } = COMMANDS[order.kind];
  return ask === '/alert set' && 'amount' in order ? `${ask} ${order.amount}` : ofOrg(order, ask);
}

function showCommandFor({ order }: Pick<Change, 'order'>): string {
  if ('own' in order && order.own === true) return '/purser whoami';
  return ofOrg(order, COMMANDS[order.kind].look);
}

/** Without it, the quotas would be those of the default org. */
function ofOrg(order: Change['order'], command: string): string {
  return order.kind === 'quota.request' ? `${command} org ${order.org}` : command;
}
