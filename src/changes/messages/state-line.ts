import { revealed, truncate } from '../../lib/text.ts';
import { SIGN } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mentionUser, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { type Change, type ChangeState, isOpen, type Sealed } from '../change.ts';
import type { Fact, Facts, Proof } from '../kinds/kind.ts';
import { COMMANDS, isDecidedLater } from '../kinds/kinds.ts';
import { approversOf, sentenceOf, titleOf } from './plan-view.ts';

/** Severity of a state; its word follows the sign. */
const SIGNS: Record<ChangeState, string> = {
  pending: SIGN.underWay,
  approved: SIGN.underWay,
  executing: SIGN.underWay,
  succeeded: SIGN.good,
  failed: SIGN.wrong,
  unknown: SIGN.unknown,
  rejected: SIGN.over,
  expired: SIGN.over,
  withdrawn: SIGN.over,
  drifted: SIGN.wrong,
  refused: SIGN.wrong,
};

/** A success that is pending or partial is not green. */
const PROOF_SIGNS: Record<Proof, string> = {
  unread: SIGN.unknown,
  otherwise: SIGN.wrong,
  partly: SIGN.wrong,
  nothing: SIGN.over,
  granted: SIGN.good,
  later: SIGN.underWay,
  unsaid: SIGN.unknown,
  left: SIGN.wrong,
};

export function signOf(
  change: Pick<Change, 'state' | 'outcome' | 'secret' | 'order' | 'sentAt'>,
): Mrkdwn {
  const { state, outcome } = change;
  if (isGivenUp(change)) return new Mrkdwn(SIGN.wrong);
  if (isGoneAlready(change)) return new Mrkdwn(SIGN.over);
  return new Mrkdwn(outcome?.proof === undefined ? SIGNS[state] : PROOF_SIGNS[outcome.proof]);
}

function isGivenUp({ secret }: Pick<Change, 'secret'>): boolean {
  return secret?.state === 'lapsed' || secret?.state === 'lost';
}

/** Approved, and refused before it was sent. */
function isUnsent({ state, sentAt }: Pick<Change, 'state' | 'sentAt'>): boolean {
  return state === 'drifted' || (state === 'refused' && sentAt === undefined);
}

/** "*Set the spend alert to $500.00* · requested by @ada, today 10:00", and the reason quoted below. */
export function headingOf({ title, reason, requester, requestedAt }: Change): Mrkdwn {
  const head = mrkdwn`*${titleOf({ title })}* · requested by ${mentionUser(requester.userId)}, ${moment(requestedAt)}`;
  return reason === '' ? head : mrkdwn`${head}\n> ${revealed(reason)}`;
}

/** ":hourglass_flowing_sand: Waiting for a review by @finance · expires today 18:00" */
export function stateLine(change: Change): Mrkdwn {
  const head = mrkdwn`${signOf(change)} ${wordOf(change)}`;
  const review = change.state === 'pending' ? mrkdwn` for a review by ${approversOf(change)}` : '';
  return joinMrkdwn([mrkdwn`${head}${review}`, ...partsOf(change)], ' · ');
}

function wordOf(change: Change): string {
  const { state, outcome, secret } = change;
  if (secret !== undefined && isGivenUp(change)) {
    return `${capitalized(secret.what)} ${mayHaveBeenSeen(secret) ? 'may not have been seen' : 'not shown'}`;
  }
  if (isUnsent(change) && state === 'refused') return 'Not sent';
  return (outcome?.proof && PROOF_WORDS[outcome.proof]) ?? STATE_WORDS[state];
}

/** The states for people. */
export const STATE_WORDS: Readonly<Record<ChangeState, string>> = {
  pending: 'Waiting',
  approved: 'Approved',
  executing: 'In progress',
  succeeded: 'Done',
  failed: 'Failed',
  unknown: 'Unknown',
  rejected: 'Rejected',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
  drifted: 'Changed meanwhile',
  refused: 'Refused',
};

const PROOF_WORDS: Readonly<Partial<Record<Proof, string>>> = {
  unread: 'Accepted',
  otherwise: 'Accepted, but not in effect',
  partly: 'Done in part',
  later: 'Sent',
  unsaid: 'Sent',
  left: 'Not finished',
};

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** In a notification, after the title: what the name of the state leaves out. */
export function caveatOf(change: Change): string {
  const { outcome, secret } = change;
  if (change.state === 'refused' && isUnsent(change)) return ' · nothing was sent';
  if (secret !== undefined && isGivenUp(change)) {
    return ` · the ${secret.what} ${mayHaveBeenSeen(secret) ? 'may not have been seen' : 'was not shown'}`;
  }
  return (outcome?.proof && CAVEATS[outcome.proof]) ?? '';
}

const CAVEATS: Readonly<Partial<Record<Proof, string>>> = {
  unread: ' · not verified',
  otherwise: ' · not in effect',
  partly: ' · not all of it was done',
  nothing: ' · nothing had to be done',
  later: ' · the platform decides later',
  unsaid: ' · the platform’s decision is not known',
  left: ' · a token is left that nobody has',
};

function partsOf(change: Change): Mrkdwn[] {
  const { state, expiresAt, requester, withdrawnAt, withdrawnBy, requestedAt } = change;
  const by = decided(change);
  switch (state) {
    case 'pending':
      return [mrkdwn`expires ${moment(expiresAt)}`];
    case 'approved':
    case 'executing':
      return [...by, mrkdwn`${working(change)}`];
    case 'refused':
      return by;
    case 'succeeded':
      return isVerified(change) ? [...by, mrkdwn`${verified(change)}`] : [...proven(change), ...by];
    case 'failed':
      return [mrkdwn`${leftBy(change)}`, ...by];
    case 'drifted':
      return [
        mrkdwn`after ${change.decision?.by ? 'the approval' : 'the request'}, so nothing was sent`,
        ...by,
      ];
    case 'unknown':
      return [...proven(change), ...by];
    case 'rejected':
      return [...by, mrkdwn`${NOTHING_CHANGED}`];
    case 'expired':
      return [mrkdwn`not decided until ${moment(expiresAt)}`, mrkdwn`${NOTHING_CHANGED}`];
    case 'withdrawn':
      return [
        mrkdwn`by ${mentionUser(withdrawnBy ?? requester.userId)}, ${moment(withdrawnAt ?? requestedAt)}`,
        mrkdwn`${NOTHING_CHANGED}`,
      ];
  }
}

const NOTHING_CHANGED = 'nothing changed';

function leftBy(change: Change): string {
  const { sentAt, outcome } = change;
  if (isGoneAlready(change)) return 'it was gone already';
  if (sentAt === undefined) return 'nothing sent';
  return outcome?.sentence.endsWith('so it was deleted.') ? 'nothing left behind' : NOTHING_CHANGED;
}

/** The thing to be deleted was gone before the call: the goal is reached. */
function isGoneAlready({
  state,
  order,
  sentAt,
  outcome,
}: Pick<Change, 'state' | 'order' | 'sentAt' | 'outcome'>): boolean {
  const isToGo = /\.(?:delete|remove)$/.test(order.kind);
  return state === 'failed' && isToGo && sentAt !== undefined && GONE.test(outcome?.sentence ?? '');
}

const GONE = / is gone already: | is no recipient any more: | is not a billing user: /;

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
function working({ state, sendings, retryAt, silentSince }: Change): string {
  if (state === 'approved') {
    if (silentSince !== undefined) {
      return 'nothing sent yet: the platform or Slack does not answer, tried again every few seconds for 15 min';
    }
    return retryAt === undefined
      ? 'about to be carried out'
      : 'nothing sent yet: another change of this kind is carried out first';
  }
  return sendings > 1 || retryAt !== undefined
    ? 'the platform’s answer was lost: what came of it is looked up'
    : 'sent to the platform';
}

function isVerified(change: Change): boolean {
  const { order, outcome } = change;
  if (isGivenUp(change) || outcome?.now === undefined || outcome.proof !== undefined) return false;
  return outcome.sentence.startsWith('Done.') && !isDecidedLater(order);
}

/** It had no effect, only part of it, or this is unknown. */
export function isOnlyAsked(change: Change): boolean {
  const { state, outcome } = change;
  const isProven = outcome?.proof === undefined || outcome.proof === 'granted';
  return state === 'unknown' || isGivenUp(change) || !isProven;
}

function verified({ plan }: Change): string {
  return plan.after.length === 0 ? 'Verified: it is gone' : 'Verified: matches the request';
}

/** The qualification of a success; the important part comes first. */
function proven(change: Change): Mrkdwn[] {
  const { outcome, secret } = change;
  if (secret !== undefined && isGivenUp(change)) return whyGone(secret);
  const text = outcome?.proof && PROVEN[outcome.proof](change);
  return text === undefined ? [] : [mrkdwn`${text}`];
}

const PROVEN: Record<Proof, (change: Change) => string | undefined> = {
  unread: () => 'not verified: what is there now could not be read',
  otherwise: notInEffect,
  partly: () => undefined,
  nothing: () => 'nothing had to be done',
  granted: () => 'granted by the platform',
  later: () => 'the platform decides later',
  unsaid: () => 'the platform’s decision is not known',
  left: () => 'the token exists, and its secret is lost',
};

/** "Amount is still $400.00": the first field that differs from the request. */
function notInEffect({ plan: { before, after }, outcome }: Change): string | undefined {
  const now = outcome?.now ?? [];
  if (now.length === 0) return 'it is not there';
  if (after.length === 0) return 'it is still there';
  const isOther = ({ name, text }: Fact): boolean =>
    now.some((is) => is.name === name && is.text.toLowerCase() !== text.toLowerCase());
  const name = after.find(isOther)?.name;
  const textIn = (facts: Facts): string | undefined => facts.find((one) => one.name === name)?.text;
  const is = textIn(now);
  if (name === undefined || is === undefined) return undefined;
  return `${name} is ${textIn(before) === is ? 'still ' : ''}${truncate(is, SHORT_LENGTH)}`;
}

const SHORT_LENGTH = 60;

export function withoutState(sentence: string): string {
  return sentence.replace(SAID_BY_STATE, '');
}

const SAID_BY_STATE =
  /^(?:Done\.\s*)?(?:Nothing was sent\.\s*)?(?:What is there now is not what was approved\.\s*)?/;

/** It was discarded while it was being shown, or Redis may have lost that it was shown. */
export function mayHaveBeenSeen({
  state,
  at,
  until,
  kept,
}: Pick<Sealed, 'state' | 'at' | 'until' | 'kept'>): boolean {
  return state === 'lapsed' && (at < until || kept === true);
}

function whyGone(secret: Sealed): Mrkdwn[] {
  if (secret.state === 'lost') return [mrkdwn`the platform’s answer with it was lost`];
  return mayHaveBeenSeen(secret) ? [] : [mrkdwn`not revealed in time`];
}

type Reader = 'requester' | 'channel';

/** Left out of a sentence when the next step repeats it. */
const IN_A_MINUTE = /[,:] please try again in a minute/;

/** The reason for the end, and the next step. @param secret the lines about the secret */
export function reasonsOf(
  change: Change,
  secret: readonly Mrkdwn[],
  reader: Reader,
): readonly Mrkdwn[] {
  return [...endingOf(change, reader), ...secret, ...nextStep(change, reader)];
}

function endingOf(change: Change, reader: Reader): Mrkdwn[] {
  const { outcome, secret } = change;
  const isInState = outcome?.proof !== undefined && !PARTLY_SAID.has(outcome.proof);
  if (outcome === undefined || isInState || secret?.state === 'lost') return [];
  const rest = withoutState(outcome.sentence).replace(IN_A_MINUTE, '');
  if (rest === '') return [];
  return [sentence(reader === 'requester' ? rest.replace(THE_REQUESTER, 'You') : rest)];
}

const THE_REQUESTER = /\bThe requester(?:, [^,]+,)?(?= may not)/;

/** Proofs that the sentence explains better than the state line. */
const PARTLY_SAID: ReadonlySet<Proof> = new Set(['partly', 'nothing', 'unsaid']);

/** Its times are in each reader's zone. */
function sentence(text: string): Mrkdwn {
  const parts = sentenceOf(withoutState(text)).split(/(\d{4}-\d\d-\d\d \d\d:\d\d UTC)/);
  return joinMrkdwn(
    parts.map((part, index) => {
      const ms = index % 2 === 0 ? Number.NaN : Date.parse(part);
      return Number.isNaN(ms) ? mrkdwn`${part}` : moment(ms);
    }),
    '',
  );
}

/**
 * The next step: a change without effect can be requested again; after a possible effect, check first. Empty when the
 * sentence already has it, or names another person to act.
 */
function nextStep(change: Change, reader: Reader): Mrkdwn[] {
  const { state, outcome } = change;
  const { sentence = '', proof } = outcome ?? {};
  if (isOpen(change) || state === 'withdrawn') return [];
  if (state === 'succeeded') {
    const what = proof && WHERE_TO_CHECK[proof];
    return what === undefined ? [] : [mrkdwn`→ ${what}: ${code(showCommandFor(change))}`];
  }
  // After a rejection the next step is a talk, and the comment may be all of it.
  if (state === 'rejected') return askWhy(change, reader);
  const again = code(commandFor(change));
  if (state === 'drifted') {
    if (NEXT_SAID.test(sentence)) return [];
    return [
      mrkdwn`→ Look first: ${code(showCommandFor(change))}. Still wanted? Ask again: ${again}`,
    ];
  }
  if (sentence.includes(NO_RIGHT)) {
    return reader === 'requester'
      ? [
          mrkdwn`→ Let somebody with the role ask for it: ${code('/purser whoami')} shows what you may`,
        ]
      : [mrkdwn`→ Somebody with the role has to ask for it: ${again}`];
  }
  if (proof === 'left') return [mrkdwn`→ Delete it: ${code(COMMANDS['token.delete'].ask)}`];
  if (NEXT_SAID.test(sentence)) return [];
  if (state === 'unknown') return [howToCheck(change)];
  return [mrkdwn`→ Ask again${IN_A_MINUTE.test(sentence) ? ' in a minute' : ''}: ${again}`];
}

function askWhy({ decision }: Change, reader: Reader): Mrkdwn[] {
  if (reader !== 'requester' || decision?.by === undefined || decision.comment !== '') return [];
  return [mrkdwn`→ Ask ${mentionUser(decision.by.userId)} why, before you ask again`];
}

/** "→ Check `/alert`: Amount $500.00 means done. $400.00 means not done: ask again with `/alert set 500`" */
function howToCheck(change: Change): Mrkdwn {
  const { before, after } = change.plan;
  const [show, again] = [code(showCommandFor(change)), code(commandFor(change))];
  const textIn = (facts: Facts, name: string): string =>
    truncate(facts.find((one) => one.name === name)?.text ?? 'none', SHORT_LENGTH);
  // The current state proves nothing about a request that still waits.
  if (isDecidedLater(change.order)) return mrkdwn`→ Look first whether it was done: ${show}`;
  const changed = after.find(({ name, text }) => textIn(before, name) !== text);
  const [done, undone] =
    before.length === 0 || after.length === 0 || changed === undefined
      ? [
          mrkdwn`If ${whatIn(change)} is ${after.length === 0 ? 'gone' : 'there'}, it was done`,
          mrkdwn`if not`,
        ]
      : [
          mrkdwn`${changed.name} ${textIn(after, changed.name)} means done`,
          mrkdwn`${textIn(before, changed.name)} means not done`,
        ];
  return mrkdwn`→ Check ${show}. ${done}${secretLost(change)}; ${undone}, ask again: ${again}`;
}

function secretLost({ order }: Change): string {
  if (order.kind === 'token.create') return ', and its secret is lost: delete it';
  const hasKey = order.kind === 'org.create' && order.superuser;
  return hasKey
    ? ', and its superuser key is lost: delete that in the org, under its service accounts'
    : '';
}

function whatIn({ order }: Change): string {
  if ('email' in order) return order.email;
  return 'name' in order && order.name !== '' ? truncate(order.name, SHORT_LENGTH) : 'it';
}

const WHERE_TO_CHECK: Readonly<Partial<Record<Proof, string>>> = {
  unread: 'Check it yourself',
  otherwise: 'Look again in a minute',
  later: 'Look later whether it was granted',
  unsaid: 'Look later whether it was granted',
};

/** A command, a way to ask again, or a person who has to act. */
const NEXT_SAID = /(?:^|\s)\/[a-z]|ask again|ask for less|have another|your Purser administrator/;

const NO_RIGHT = 'may not ask for it any more';

function commandFor({ order }: Pick<Change, 'order'>): string {
  // It has the button Ask for access, which alone asks for one's own roles.
  if ('own' in order && order.own === true) return '/purser whoami';
  if (order.kind === 'alert.replace' && !order.enabled) return '/alert off';
  const { ask } = COMMANDS[order.kind];
  return ask === '/alert set' && 'amount' in order ? `${ask} ${order.amount}` : ask;
}

function showCommandFor({ order }: Pick<Change, 'order'>): string {
  return COMMANDS[order.kind].look;
}
