import { SIGN } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mentionUser, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { isOpen } from '../change.ts';
import type { Change, ChangeState, Sealed } from '../change.ts';
import type { Proof } from '../kinds/kind.ts';
import { COMMANDS, isDecidedLater } from '../kinds/kinds.ts';
import { approversOf, sentenceOf, titleOf } from './plan-view.ts';

/** How bad it is; the word of the state stands beside it. */
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
};

/** A success that is none yet, or not all of one, is not green. */
const PROOF_SIGNS: Record<Proof, string> = {
  unread: SIGN.good,
  otherwise: SIGN.wrong,
  partly: SIGN.wrong,
  nothing: SIGN.over,
  granted: SIGN.good,
  later: SIGN.underWay,
  unsaid: SIGN.unknown,
};

export function signOf({
  state,
  refusal,
  outcome,
  secret,
}: Pick<Change, 'state' | 'refusal' | 'outcome' | 'secret'>): Mrkdwn {
  const isLost = secret?.state === 'lapsed' || secret?.state === 'lost';
  if (isLost || (state === 'executing' && refusal !== undefined)) return new Mrkdwn(SIGN.wrong);
  return new Mrkdwn(outcome?.proof === undefined ? SIGNS[state] : PROOF_SIGNS[outcome.proof]);
}

/** "*Set the spend alert to 500.00 USD* · asked by @ada, today 10:00" */
export function headingOf({ title, requester, requestedAt }: Change): Mrkdwn {
  return mrkdwn`*${titleOf({ title })}* · asked by ${mentionUser(requester.userId)}, ${moment(requestedAt)}`;
}

/** ":hourglass_flowing_sand: Pending · waits for a review by @finance · expires today 18:00" */
export function stateLine(change: Change): Mrkdwn {
  const { state } = change;
  const word = `${state.charAt(0).toUpperCase()}${state.slice(1)}`;
  return joinMrkdwn([mrkdwn`${signOf(change)} ${word}`, ...partsOf(change)], ' · ');
}

/** What the state comes to, and by whom. */
function partsOf(change: Change): Mrkdwn[] {
  const { state, expiresAt, requester, withdrawnAt, requestedAt } = change;
  const by = decided(change);
  switch (state) {
    case 'pending':
      return [
        mrkdwn`waits for a review by ${approversOf(change)}`,
        mrkdwn`expires ${moment(expiresAt)}`,
      ];
    case 'approved':
    case 'executing':
      return [...by, mrkdwn`${working(change)}`];
    case 'succeeded':
      return isVerified(change) ? [...by, mrkdwn`${verified(change)}`] : [...proven(change), ...by];
    case 'failed': {
      const isSent = change.sentAt !== undefined;
      return [mrkdwn`${isSent ? NOTHING_CHANGED : 'nothing sent'}`, ...by];
    }
    case 'drifted':
      return [mrkdwn`nothing sent`, ...by];
    case 'unknown':
      return by;
    case 'rejected':
      return [...by, mrkdwn`${NOTHING_CHANGED}`];
    case 'expired':
      return [mrkdwn`nobody decided until ${moment(expiresAt)}`, mrkdwn`${NOTHING_CHANGED}`];
    case 'withdrawn':
      return [
        mrkdwn`by ${mentionUser(requester.userId)}, ${moment(withdrawnAt ?? requestedAt)}`,
        mrkdwn`${NOTHING_CHANGED}`,
      ];
  }
}

const NOTHING_CHANGED = 'nothing changed';

/** "approved by @ben, today 10:10", without the word where the state is the same one. */
function decided({ state, decision }: Change): Mrkdwn[] {
  if (decision === undefined) return [];
  const { by, at, self } = decision;
  if (by === undefined) return [mrkdwn`no approval needed, as approvals are off, ${moment(at)}`];
  const who = mrkdwn`by ${mentionUser(by.userId)}, ${moment(at)}`;
  if (self && state !== 'rejected') return [mrkdwn`*self-approved* ${who}`];
  return [state === 'approved' || state === 'rejected' ? who : mrkdwn`approved ${who}`];
}

/** What is being done about it. A card does not know how late it is, so it promises no time. */
function working({ state, refusal, sendings, retryAt, silentSince }: Change): string {
  if (refusal !== undefined) return 'not carried out';
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

/** Whether it is there as it was asked for. Where a Purser of old read back something else, its sentence says so. */
function isVerified({ order, outcome, secret }: Change): boolean {
  const isLost = secret?.state === 'lapsed' || secret?.state === 'lost';
  if (isLost || outcome?.now === undefined || outcome.proof !== undefined) return false;
  return outcome.sentence.startsWith('Done.') && !isDecidedLater(order);
}

function verified({ plan }: Change): string {
  return plan.after.length === 0 ? 'Verified: it is gone' : 'Verified: matches the request';
}

/** What is known of a success that is not simply one: what matters comes first. */
function proven({ outcome, secret }: Change): Mrkdwn[] {
  if (secret?.state === 'lapsed' || secret?.state === 'lost') return [mrkdwn`${whyGone(secret)}`];
  return outcome?.proof === undefined ? [] : [mrkdwn`${PROVEN[outcome.proof]}`];
}

const PROVEN: Record<Proof, string> = {
  unread: 'not verified: what is there now could not be read',
  otherwise: 'but something else is there now',
  partly: 'but not all of it was done',
  nothing: 'nothing had to be done',
  granted: 'granted by the platform',
  later: 'sent, the platform decides later',
  unsaid: 'sent, the decision is not known',
};

/** Why it ended so, and what to do. @param secret what became of it @param isNextSaid who reads it may have to do something */
export function reasonsOf(
  change: Change,
  secret: readonly Mrkdwn[],
  isNextSaid: boolean,
): readonly Mrkdwn[] {
  return [...endingOf(change), ...secret, ...(isNextSaid ? nextStep(change) : [])];
}

/** How it ended, where the state does not say it all. */
function endingOf({ state, refusal, outcome, secret }: Change): Mrkdwn[] {
  if (state === 'executing' && refusal !== undefined) return [sentence(refusal)];
  const isSaid = outcome?.proof !== undefined && !PARTLY_SAID.has(outcome.proof);
  if (outcome === undefined || isSaid || secret?.state === 'lost') return [];
  return withoutState(outcome.sentence) === '' ? [] : [sentence(outcome.sentence)];
}

/** What the state line does not say of them is in their sentence. */
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
 * What helps: what did not happen can be asked for again; what perhaps happened has to be looked at first.
 * Nothing where the sentence that it ended with says it already, or who else has to act.
 */
function nextStep(change: Change): Mrkdwn[] {
  const { state, outcome } = change;
  const { sentence = '', proof } = outcome ?? {};
  if (state === 'succeeded') {
    const what = proof && LOOK[proof];
    return what === undefined ? [] : [mrkdwn`→ ${what}: ${code(lookFor(change))}`];
  }
  if (isOpen(change) || state === 'withdrawn') return [];
  if (sentence.includes(NO_RIGHT)) {
    return [mrkdwn`→ Have somebody ask who may: ${code('/purser whoami')} says what one may`];
  }
  if (NEXT_SAID.test(sentence)) return [];
  return state === 'unknown'
    ? [mrkdwn`→ Look first whether it was done: ${code(lookFor(change))}`]
    : [mrkdwn`→ Ask again: ${code(commandFor(change))}`];
}

/** What is not certain yet can be looked at. */
const LOOK: Readonly<Partial<Record<Proof, string>>> = {
  unread: 'Look what is there',
  otherwise: 'Look again in a minute',
  later: 'Look later whether it was granted',
  unsaid: 'Look later whether it was granted',
};

/** A command, how to ask again, or who else has to act. */
const NEXT_SAID = /(?:^|\s)\/[a-z]|ask again|ask for less|have another|whoever runs Purser/;

/** Of a requester, who cannot ask again. */
const NO_RIGHT = 'may not ask for it any more';

/** The command that asks for such a change again. */
function commandFor({ order }: Pick<Change, 'order'>): string {
  if (order.kind === 'alert.replace' && !order.enabled) return '/alert off';
  const { ask } = COMMANDS[order.kind];
  return ask === '/alert set' && 'amount' in order ? `${ask} ${order.amount}` : ask;
}

/** The command that shows what there is of what a change is about. */
function lookFor({ order }: Pick<Change, 'order'>): string {
  return COMMANDS[order.kind].look;
}

/** How it ended, without the words that the state says as well. */
export function withoutState(sentence: string): string {
  return sentence.replace(/^(?:Done|Nothing was sent)\.\s*/, '');
}

/** Why a secret was given up, as a part of a sentence. */
export function whyGone({ state, what, at, until }: Sealed, name = `the ${what}`): string {
  if (state === 'lost') return `the platform’s answer with ${name} was lost`;
  return at < until
    ? `${name} was not seen, as far as Purser can tell`
    : `nobody revealed ${name} in time`;
}
