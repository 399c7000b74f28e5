import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../../../src/changes/change.ts';
import { callOf, isReached, isRepeatable, sceneOf } from './orders.ts';
import { alwaysMay, couldDo, isAsIn, isEverBarred, scenesIn, type Span } from './rights.ts';
import type { Commit, Sending, Snapshot, World } from './world.ts';

/** The worker that claimed a call sends it within this time (ADR 13). */
const SEND_WITHIN_MS = 10_000;
const MAX_SENDINGS = 3;
/** A change that was approved this long ago is not sent (ADR 29). */
const APPROVED_MS = 15 * 60_000;

export const commitOf = ({ commits }: World, id: string, kind: Commit['kind']) =>
  commits.find((commit) => commit.change.id === id && commit.kind === kind);

/** Deleting a token whose secret no one saw is not part of the order. */
export function isOfOrder(world: World, { change, call }: Sending): boolean {
  const order = commitOf(world, change, 'request')?.change.order;
  return call[0] !== 'removeToken' || order?.kind === 'token.delete';
}

/** The calls that carry a change out. */
function sendingsOf(world: World, id: string): Sending[] {
  return world.sendings.filter((one) => one.change === id && isOfOrder(world, one));
}

/** Only the approved order is sent, unchanged, and once. */
export function* sendingProblems(world: World, sending: Sending): Generator<string> {
  if (!isOfOrder(world, sending)) return yield* clearingProblems(world, sending);
  const { by, change: id, call, index, at } = sending;
  const approval = commitOf(world, id, 'approve');
  if (approval === undefined || approval.index > index) return yield 'it has no approval';
  const { order, requester } = approval.change;
  if (!isDeepStrictEqual(call, callOf(order))) yield 'the call differs from the order';
  const claims = world.commits.filter(
    ({ kind, change }) => change.id === id && (kind === 'claim' || kind === 'resend'),
  );
  const own = claims.filter((claim) => claim.by === by && claim.index <= index).at(-1);
  if (own === undefined) return yield 'another worker has claimed it';
  const { resentAt, sentAt = 0 } = own.change;
  if (at - (resentAt ?? sentAt) > SEND_WITHIN_MS) yield 'it was claimed too long ago';
  const { length } = sendingsOf(world, id);
  if (length > (isRepeatable(order) ? MAX_SENDINGS : 1)) yield 'it was sent again';
  if (length > claims.length) yield 'it was sent more often than claimed';
  const span = world.span(by.since, index);
  const isAllowed = couldDo(world, span, requester.userId, 'request', { order });
  if (!isAllowed) yield 'the requester may not';
  if (!couldDo(world, span, ...deciderOf(approval.change))) yield 'the approver may not';
  const approved = world.span(approval.by.since, approval.index);
  if (!isAsIn(span, approved, order)) yield 'things are not as they were approved';
}

/** Who decided, with what they are asked; without approvals (APPROVALS=off) the requester has to have the role. */
const deciderOf = ({ order, requester, decision }: Change) =>
  [
    decision?.by?.userId ?? requester.userId,
    'approve',
    { order, ...(decision?.by && { requester }) },
  ] as const;

/** Only a token of that change may go, and only while its secret is unseen. */
function* clearingProblems(world: World, { change, call, index }: Sending): Generator<string> {
  const tokens = world.history.flatMap(({ state }) => state.token);
  const isOwn = tokens.some(({ id, madeFor }) => id === call[1] && madeFor === change);
  // Where the platform omits which token it made, one that is just the same is taken for it.
  if (!isOwn && !world.setup.isIdless) yield 'that is the token of another person';
  if ((commitOf(world, change, 'reveal')?.index ?? Infinity) <= index) yield 'its secret was seen';
}

/** Each change ends, and its sentence is true. */
export function* endProblems(world: World, change: Change): Generator<string> {
  const { id, order, state } = change;
  const sent = sendingsOf(world, id);
  const indexOf = (kind: Commit['kind']): number | undefined => commitOf(world, id, kind)?.index;
  switch (state) {
    case 'pending':
    case 'approved':
    case 'executing':
      yield 'it has not ended';
      return;
    case 'drifted': {
      const span = world.span(commitOf(world, id, 'approve')?.by.since, indexOf('drift'));
      const isTouched = scenesIn(span, order).size > 1 || isEverBarred(span, order);
      if (!isTouched) yield 'nothing has changed';
      if (sent.length > 0) yield 'it was sent';
      return;
    }
    case 'refused':
      yield* refusalProblems(world, change);
      if (sent.length > 0) yield 'it was sent';
      return;
    case 'rejected':
    case 'expired':
    case 'withdrawn':
      if (sent.length > 0) yield 'it was sent';
      return;
    case 'succeeded': {
      // Or another person has done the same meanwhile, or before.
      const span = world.span(indexOf('claim'), indexOf('succeed'));
      const isSo = span.some((one) => isReached(order, one.state));
      if (!isSo && sent.every(({ doneAt }) => doneAt === undefined)) yield 'it was not done';
      return;
    }
    case 'failed':
      yield* failureProblems(world, change, sent);
      return;
    case 'unknown':
      yield* doubtProblems(world, change, sent);
  }
}

/** It was not done after all, and there was a reason not to send it. */
function* failureProblems(world: World, change: Change, sent: Sending[]): Generator<string> {
  const { id, order } = change;
  const end = commitOf(world, id, 'fail')?.index ?? 0;
  for (const { doneAt, isAnswered, by } of sent) {
    if (doneAt === undefined) continue;
    if (doneAt > end) yield 'it was done after that';
    // A token without its secret is deleted; a state that others have undone cannot be seen.
    else if (world.span(doneAt, end).every(({ state }) => isReached(order, state))) {
      yield 'it was done';
    }
    if (isAnswered === true && !by.isHit) yield 'the platform took it';
  }
}

/** There was a reason not to send it: the people, or the time since its approval. */
function* refusalProblems(world: World, change: Change): Generator<string> {
  const { id, order, requester, decision } = change;
  const refusal = commitOf(world, id, 'refuse');
  if (refusal === undefined) return yield 'nothing refused it';
  if (refusal.at - (decision?.at ?? 0) >= APPROVED_MS) return;
  if (world.deeds.some(({ isHit }) => isHit)) return;
  const span = world.span(commitOf(world, id, 'approve')?.index, refusal.index);
  const isFine =
    alwaysMay(world, span, requester.userId, 'request', { order }) &&
    alwaysMay(world, span, ...deciderOf(change));
  if (isFine) yield 'nothing stood against it';
}

/** Neither an answer nor reading can show the outcome. */
function* doubtProblems(world: World, change: Change, sent: Sending[]): Generator<string> {
  const { id, order } = change;
  // A process that was hit may have heard the answer, and not have written it down.
  if (sent.some(({ isAnswered, by }) => isAnswered === true && !by.isHit)) {
    yield 'there was an answer';
  }
  const doubt = commitOf(world, id, 'doubt');
  const span = world.span(commitOf(world, id, 'claim')?.by.since, doubt?.index);
  const isClear = span.every(({ weather }) => ['clear', 'Slack silent'].includes(weather));
  // After a long break one failed reading is enough to give up.
  if (!isClear || doubt?.by.isHit === true || order.kind === 'quota.request') return;
  if (isUntouched(change, span)) yield 'the platform shows the outcome';
}

/** Whether only the bot can have had a hand in it. */
function isUntouched({ id, order }: Change, span: Span): boolean {
  if (order.kind === 'token.create') {
    const isOther = ({ name, madeFor }: Snapshot['state']['token'][0]): boolean =>
      name === order.name && madeFor !== id;
    const others = span.map(({ state }) => JSON.stringify(state.token.filter(isOther)));
    return new Set(others).size === 1;
  }
  // An alert also shows when it was saved.
  const lookOf = ({ state }: Snapshot): string =>
    `${sceneOf(order, state)} ${order.kind === 'alert.replace' ? state.alert[0]?.modified : ''}`;
  // As it was, and from one moment on as it was ordered.
  const done = span.findIndex(({ state }) => isReached(order, state));
  // Of an alert that has fired the values of before were saved: a new month, too, writes the record and clears that.
  const hadFired = span.some(({ state }) => state.alert[0]?.fired !== undefined);
  if (order.kind === 'alert.replace' && done === 0 && hadFired) return false;
  const [before = [], after = []] = done < 0 ? [span] : [span.slice(0, done), span.slice(done)];
  return (
    new Set(before.map(lookOf)).size <= 1 && after.every(({ state }) => isReached(order, state))
  );
}
