import type { Commit, Journal, Sending } from './journal.ts';
import { callOf, isBarred, isRepeatable, sceneOf } from './orders.ts';
import { couldDo } from './rights.ts';
import { PEOPLE, userIdOf } from './state.ts';
import type { Name } from './state.ts';
import type { World } from './world.ts';

/** Whoever claimed a call sends it within this time (ADR 13). */
const SEND_WITHIN_MS = 10_000;
const MAX_SENDINGS = 3;

/** What is wrong with what was sent to the platform: only what was approved, as it was, and once. */
export function judgeSendings(world: World): string[] {
  const { journal } = world;
  return journal.sendings.flatMap((sending) => {
    const wrong = isOfOrder(journal, sending)
      ? wrongWith(world, sending)
      : wrongWithClearing(world, sending);
    return wrong === undefined
      ? []
      : [`${sending.change} sent ${JSON.stringify(sending.call)}: ${wrong}`];
  });
}

/** The calls that carry a change out. */
export function sendingsOf(journal: Journal, change: string): Sending[] {
  return journal.sendings.filter(
    (sending) => sending.change === change && isOfOrder(journal, sending),
  );
}

/** Deleting a token whose secret nobody saw is not what was ordered. */
function isOfOrder(journal: Journal, { change, call }: Sending): boolean {
  const order = commitOf(journal, change, 'request')?.change.order;
  return call[0] !== 'removeToken' || order?.kind === 'token.delete';
}

export function commitOf(
  { commits }: Journal,
  change: string,
  kind: Commit['kind'],
): Commit | undefined {
  return commits.find((commit) => commit.change.id === change && commit.kind === kind);
}

function wrongWith(world: World, sending: Sending): string | undefined {
  const { journal, setup } = world;
  const { actor, change, call, index } = sending;
  const approval = commitOf(journal, change, 'approve');
  if (approval === undefined || approval.index > index) return 'nobody approved it';
  const { order, requester, decision } = approval.change;
  if (!isSame(call, callOf(order))) return 'that is not what was ordered';
  const claims = journal.commits.filter(
    ({ kind, change: { id } }) => id === change && (kind === 'claim' || kind === 'resend'),
  );
  const own = claims.filter((claim) => claim.actor === actor && claim.index <= index).at(-1);
  if (own === undefined) return 'somebody else has claimed it';
  const { resentAt, sentAt = 0 } = own.change;
  if (sending.at - (resentAt ?? sentAt) > SEND_WITHIN_MS) return 'it was claimed too long ago';
  const all = sendingsOf(journal, change);
  if (all.length > (isRepeatable(order) ? MAX_SENDINGS : 1)) return 'it was sent again';
  if (all.length > claims.length) return 'it was sent more often than claimed';
  const span = world.span(actor.since, index);
  const viewer = nameOf(requester.userId);
  if (!couldDo(span, setup, viewer, { order, part: 'request' })) return 'the requester may not';
  const by = nameOf(decision?.by?.userId ?? requester.userId);
  if (!couldDo(span, setup, by, { order, part: 'approve' })) return 'the approver may not';
  const approved = world
    .span(approval.actor.since, approval.index)
    .map(({ state }) => sceneOf(order, state));
  const isAsApproved = span.some(
    ({ state }) => approved.includes(sceneOf(order, state)) && !isBarred(order, state),
  );
  return isAsApproved ? undefined : 'things are not as they were approved';
}

/** Only a token of that change may go, and only when nobody has seen its secret. */
function wrongWithClearing(
  { journal, setup }: World,
  { change, call, index }: Sending,
): string | undefined {
  const tokens = journal.history.flatMap(({ state }) => state.tokens);
  const isOwn = tokens.some(({ id, madeFor }) => id === call[1] && madeFor === change);
  // Where the platform does not say which token it made, one that is just the same is taken for it.
  if (!isOwn && !setup.isIdless) return 'that is the token of somebody else';
  const revealed = commitOf(journal, change, 'reveal');
  return revealed && revealed.index <= index ? 'its secret was seen' : undefined;
}

function nameOf(userId: string): Name {
  return PEOPLE.find((name) => userIdOf(name) === userId) ?? 'gus';
}

function isSame(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
