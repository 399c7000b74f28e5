import { BigNumber } from 'bignumber.js';
import { revealed } from '../../lib/lookalikes.ts';
import { truncate } from '../../lib/text.ts';
import { SIGN } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mentionUser, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { type Change, type ChangeState, isNothingLost, isOpen, type Sealed } from '../change.ts';
import { type EndCode, WHY_LOST } from '../ends.ts';
import { textIn, type Fact, type Facts } from '../kinds/kind.ts';
import { COMMANDS, isDecidedLater, isDeletion } from '../kinds/kinds.ts';
import { APPROVED_MS } from '../states.ts';
import { approversOf, sentenceOf, titleOf } from './plan-view.ts';

/** "*Set the spend alert to $500.00* · requested by @ada, today 10:00", and the reason quoted below. */
export function headingOf({ title, reason, requester, requestedAt }: Change): Mrkdwn {
  return mrkdwn`*${titleOf({ title })}* · requested by ${mentionUser(requester.userId)}, ${moment(requestedAt)}\n> ${revealed(reason)}`;
}

export type Shown = Change & {
  /** No worker is running to send it. */
  readonly hasNoWorker?: true;
};

/** ":hourglass_flowing_sand: Waiting for a review · reviewers: @finance · expires today 18:00" */
export function stateLine(change: Shown): Mrkdwn {
  return joinMrkdwn([mrkdwn`${signOf(change)} ${wordOf(change)}`, ...partsOf(change)], ' · ');
}

/** "Done: Set the spend alert to $500.00 · approved by @ben, today 10:10" */
export function headlineOf(change: Shown): Mrkdwn {
  return joinMrkdwn([mrkdwn`${wordOf(change)}: ${titleOf(change)}`, ...partsOf(change)], ' · ');
}

export function signOf(change: Change): Mrkdwn {
  if (givenUp(change)) return new Mrkdwn(SIGN.wrong);
  return new Mrkdwn(ruleOf(change).sign);
}

function ruleOf(change: Change) {
  const { state, outcome } = change;
  const code = outcome?.code;
  if (wasGone(change)) {
    return { ...STATE_RULES[state], ...END_RULES.nothing, word: 'Nothing to do' };
  }
  return { ...STATE_RULES[state], ...(code && END_RULES[code]) };
}

/** A secret that was discarded, or never got here. */
function givenUp({ secret }: Pick<Change, 'secret'>): Sealed | undefined {
  return secret?.state === 'lapsed' || secret?.state === 'lost' ? secret : undefined;
}

/** The thing to be deleted was gone before the call: the goal is reached. */
function wasGone({ state, order, outcome }: Change): boolean {
  return state === 'failed' && isDeletion(order) && outcome?.code === 'gone';
}

export function wordOf(change: Change): string {
  const secret = givenUp(change);
  if (change.state === 'pending') return 'Waiting for a review';
  if (secret === undefined) return mayHaveBeenSent(change) ? 'Refused' : ruleOf(change).word;
  const name = `${secret.what.charAt(0).toUpperCase()}${secret.what.slice(1)}`;
  return `${name} ${mayHaveBeenSeen(secret) ? 'may not have been seen' : 'not shown'}`;
}

/** Refused, and perhaps sent before that: an edited record proves nothing. */
function mayHaveBeenSent(change: Change): boolean {
  const { state, sentAt, outcome } = change;
  if (state !== 'refused') return false;
  return sentAt !== undefined || outcome?.code === 'unverified' || !isNothingLost(change);
}

function partsOf(change: Shown): Mrkdwn[] {
  const { state, expiresAt, requester, withdrawnAt, withdrawnBy, requestedAt } = change;
  const by = decided(change);
  switch (state) {
    case 'pending':
      return [mrkdwn`reviewers: ${approversOf(change)}`, mrkdwn`expires ${moment(expiresAt)}`];
    case 'approved':
    case 'executing':
      return [...by, working(change)];
    case 'refused':
      return by;
    case 'succeeded':
      return isVerified(change) ? [...by, verified(change)] : [...inLine(change), ...by];
    case 'failed':
      return [...failure(change), ...by];
    case 'drifted':
      return [
        mrkdwn`after ${change.decision?.by ? 'the approval' : 'the request'}, so nothing was sent${isNothingLost(change) ? '' : ' since'}`,
        ...by,
      ];
    case 'unknown':
      return [...inLine(change), ...by];
    case 'rejected':
      return [...by, NOTHING_CHANGED];
    case 'expired':
      return [mrkdwn`no decision by ${moment(expiresAt)}`, NOTHING_CHANGED];
    case 'withdrawn':
      return [
        mrkdwn`by ${mentionUser(withdrawnBy ?? requester.userId)}, ${moment(withdrawnAt ?? requestedAt)}`,
        NOTHING_CHANGED,
      ];
  }
}

const NOTHING_CHANGED = mrkdwn`nothing changed`;

function failure(change: Change): Mrkdwn[] {
  const parts = inLine(change);
  return parts.length === 0 ? [NOTHING_CHANGED] : parts;
}

/** The important part of an end comes first. */
function inLine(change: Change): Mrkdwn[] {
  const secret = givenUp(change);
  if (secret?.state === 'lost') return [mrkdwn`the platform’s answer with it was lost`];
  if (secret !== undefined) return mayHaveBeenSeen(secret) ? [] : [mrkdwn`not revealed in time`];
  const text = ruleOf(change).inLine?.(change);
  return text === undefined ? [] : [mrkdwn`${text}`];
}

/** "approved by @ben, today 10:10", without the word when it repeats the state. */
function decided({ state, decision }: Change): Mrkdwn[] {
  if (decision === undefined) return [];
  const { by, at, self } = decision;
  if (by === undefined) return [mrkdwn`no approval needed, as approvals are off, ${moment(at)}`];
  const who = mrkdwn`by ${mentionUser(by.userId)}, ${moment(at)}`;
  if (self && state !== 'rejected') return [mrkdwn`*self-approved* ${who}`];
  return [state === 'approved' || state === 'rejected' ? who : mrkdwn`approved ${who}`];
}

/** The work under way. A card is not refreshed over time, so it promises no time. */
function working(change: Shown): Mrkdwn {
  const { state, sendings, retryAt, suspect, hasNoWorker, decision } = change;
  if (state === 'approved') {
    if (hasNoWorker) {
      const until = moment((decision?.at ?? change.requestedAt) + APPROVED_MS);
      return mrkdwn`nothing sent yet: no worker of Purser is running; if none starts by ${until}, it will not be sent`;
    }
    return retryAt === undefined
      ? mrkdwn`about to be carried out`
      : mrkdwn`nothing sent yet: ${holdUp(change)}`;
  }
  if (suspect) {
    return mrkdwn`Redis lost what came after the approval: what came of it is looked up`;
  }
  return sendings > 1 || retryAt !== undefined
    ? mrkdwn`the platform did not confirm it: what came of it is looked up`
    : mrkdwn`sent to the platform`;
}

function holdUp({ silentSince, waits }: Change): string {
  if (waits === 'off') return 'changes are switched off (CHANGES=off)';
  if (waits === 'replica') {
    return 'no replica of Redis has confirmed it, tried again every few seconds for 15 min';
  }
  if (silentSince !== undefined) {
    return 'the platform or Slack does not answer, tried again every few seconds for 15 min';
  }
  return 'another change of this kind is carried out first';
}

function isVerified(change: Change): boolean {
  const { order, outcome } = change;
  if (givenUp(change) || outcome?.now === undefined) return false;
  return outcome.code === 'done' && !isDecidedLater(order);
}

function verified({ plan }: Change): Mrkdwn {
  return plan.after.length === 0
    ? mrkdwn`Verified: it is gone`
    : mrkdwn`Verified: matches the request`;
}

/** It had no effect, only a part, or this is unknown. */
export function isOnlyAsked(change: Change): boolean {
  const { state, outcome } = change;
  if (state === 'unknown' || givenUp(change)) return true;
  return state === 'succeeded' && outcome !== undefined && !IN_EFFECT.has(outcome.code);
}

const IN_EFFECT: ReadonlySet<string> = new Set(['done', 'granted']);

/** It was discarded while it was being shown, or Redis may have lost that it was shown. */
export function mayHaveBeenSeen({
  state,
  at,
  until,
  kept,
}: Pick<Sealed, 'state' | 'at' | 'until' | 'kept'>): boolean {
  return state === 'lapsed' && (at < until || kept === true);
}

/** The reason for the end, and the next step. @param secret the lines about the secret */
export function reasonsOf(
  change: Change,
  secret: readonly Mrkdwn[],
  reader: Reader,
): readonly Mrkdwn[] {
  const { line } = nextOf(change, reader);
  return [...sentencesOf(change, reader), ...secret, ...(line ? [line] : [])];
}

function nextOf(change: Change, reader: Reader): NextStep {
  return isOpen(change) ? {} : ruleOf(change).next(change, reader);
}

/** Whether the sentence of the end, its next step or that of an unseen token advises to ask again. */
export function isAgainAdvised(change: Change): boolean {
  const isUnseen = givenUp(change) !== undefined && anotherToken(change).again === true;
  return isUnseen || change.outcome?.again === true || nextOf(change, 'requester').again === true;
}

function sentencesOf(change: Change, reader: Reader): Mrkdwn[] {
  const { outcome, secret } = change;
  if (outcome === undefined || ruleOf(change).isBrief || secret?.state === 'lost') return [];
  const { code, sentence } = outcome;
  if (reader === 'requester' && code === 'requester-lost') {
    return [mrkdwn`You can no longer ask for it: ${WHY_LOST}`];
  }
  return sentence === '' ? [] : [withTimes(sentence)];
}

/** Its times are in each reader's zone. */
function withTimes(sentence: string): Mrkdwn {
  const parts = sentenceOf(sentence).split(/(\d{4}-\d\d-\d\d \d\d:\d\d UTC)/);
  return joinMrkdwn(
    parts.map((part, index) => {
      const ms = index % 2 === 0 ? Number.NaN : Date.parse(part);
      return Number.isNaN(ms) ? mrkdwn`${part}` : moment(ms);
    }),
    '',
  );
}

/** Who reads a message: the requester, or everyone in the channel. */
export type Reader = 'requester' | 'channel';

/** The next step, when the sentence of the end has none. `again`: the requester is advised to ask again. */
interface NextStep {
  readonly line?: Mrkdwn;
  readonly again?: true;
}

/** How a state, or an end in it, reads. */
interface StateRule {
  readonly sign: string;
  readonly word: string;
  readonly next: (change: Change, reader: Reader) => NextStep;
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
  readonly inLine?: (change: Change) => string | undefined;
  /** The state line says it all, without the sentence. */
  readonly isBrief?: true;
}

/** The differences of each end from its state. */
const END_RULES: Readonly<Record<EndCode, EndRule>> = {
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
    next: ({ order }) => (order.kind === 'org.create' ? { again: true } : {}),
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

function none(): NextStep {
  return {};
}

function askAgain(change: Change): NextStep {
  return again(change, '');
}

function again(change: Change, when: string): NextStep {
  return { line: mrkdwn`→ Ask again${when}: ${code(commandFor(change))}`, again: true };
}

/** @param what to do with the command that shows the current state */
function look(change: Change, what: string): NextStep {
  return { line: mrkdwn`→ ${what}: ${code(showCommandFor(change))}` };
}

function lookLater(change: Change): NextStep {
  return look(change, 'Look later whether it was granted');
}

function compare(change: Change): NextStep {
  const [show, ask] = [code(showCommandFor(change)), code(commandFor(change))];
  return { line: mrkdwn`→ Look first: ${show}. Still wanted? Ask again: ${ask}`, again: true };
}

export function deleteToken() {
  return { line: mrkdwn`→ Delete it: ${code(COMMANDS['token.delete'].ask)}` };
}

export function anotherToken({ order }: Pick<Change, 'order'>): NextStep {
  if (order.kind !== 'token.create') return {};
  const ask = code(COMMANDS['token.create'].ask);
  return { line: mrkdwn`→ If you still need one, ask again: ${ask}`, again: true };
}

function letOthersAsk(change: Change, reader: Reader): NextStep {
  const line =
    reader === 'requester'
      ? mrkdwn`→ Ask a member with the role to request it. ${code('/purser whoami')} shows your roles`
      : mrkdwn`→ A member with the role has to request it: ${code(commandFor(change))}`;
  return { line };
}

/** A talk: until then there is no button to ask again. */
function askWhy({ decision }: Change, reader: Reader): NextStep {
  if (reader !== 'requester' || !decision?.by || decision.self || decision.comment !== '')
    return {};
  return { line: mrkdwn`→ Ask ${mentionUser(decision.by.userId)} why, before you ask again` };
}

const SHORT_LENGTH = 60;

/** "→ Check `/alert`: Amount $500.00 means done. $400.00 means not done: ask again with `/alert set 500`" */
function check(change: Change): NextStep {
  const { before, after } = change.plan;
  const [show, ask] = [code(showCommandFor(change)), code(commandFor(change))];
  const textOf = (facts: Facts, name: string): string =>
    truncate(textIn(facts, name) ?? 'none', SHORT_LENGTH);
  const changed = after.find(({ name, text }) => textOf(before, name) !== text);
  const isOfFields = before.length > 0 && after.length > 0;
  // The current state proves nothing about a request that still waits, or about the same values saved again.
  if (isDecidedLater(change.order) || (isOfFields && changed === undefined)) {
    return look(change, 'Look first whether it was done');
  }
  const [done, undone] =
    !isOfFields || changed === undefined
      ? [
          mrkdwn`If ${thingIn(change)} is ${after.length === 0 ? 'gone' : 'there'}, it was done${secretLost(change)}`,
          mrkdwn`if not`,
        ]
      : [
          mrkdwn`${changed.name} ${textOf(after, changed.name)} means done`,
          mrkdwn`${textOf(before, changed.name)} means not done`,
        ];
  return { line: mrkdwn`→ Check ${show}. ${done}; ${undone}, ask again: ${ask}`, again: true };
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
  return 'amount' in order ? `${ask} ${new BigNumber(order.amount).toFixed()}` : ofOrg(order, ask);
}

function showCommandFor({ order }: Pick<Change, 'order'>): string {
  if ('own' in order && order.own === true) return '/purser whoami';
  return ofOrg(order, COMMANDS[order.kind].look);
}

/** Without it, the quotas would be those of the default org. */
function ofOrg(order: Change['order'], command: string): string {
  return order.kind === 'quota.request' ? `${command} org ${order.org}` : command;
}
