import { revealed } from '../../lib/lookalikes.ts';
import { SIGN } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, mentionUser, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { type Change, isNothingLost, isOpen, type Sealed } from '../change.ts';
import { WHY_LOST } from '../ends.ts';
import { isDecidedLater } from '../kinds/kinds.ts';
import { APPROVED_MS } from '../states.ts';
import { END_RULES, isDeletion, type Reader, STATE_RULES } from './end-rules.ts';
import { approversOf, sentenceOf, titleOf } from './plan-view.ts';

/** "*Set the spend alert to $500.00* · requested by @ada, today 10:00", and the reason quoted below. */
export function headingOf({ title, reason, requester, requestedAt }: Change): Mrkdwn {
  const head = mrkdwn`*${titleOf({ title })}* · requested by ${mentionUser(requester.userId)}, ${moment(requestedAt)}`;
  return reason === '' ? head : mrkdwn`${head}\n> ${revealed(reason)}`;
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
    ? mrkdwn`the platform’s answer was lost: what came of it is looked up`
    : mrkdwn`sent to the platform`;
}

/** Why an approved change waits. */
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
  const next = isOpen(change) ? [] : ruleOf(change).next(change, reader);
  return [...sentencesOf(change, reader), ...secret, ...next];
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
