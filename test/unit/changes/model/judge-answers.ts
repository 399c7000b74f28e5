import { PlatformError } from '../../../../src/platform/errors.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { EXPIRES_MS } from './judge-decisions.ts';
import type { Deed } from './journal.ts';
import { isBarred, sceneOf } from './orders.ts';
import { addressesIn, alwaysMay } from './rights.ts';
import { userIdOf } from './state.ts';
import type { World } from './world.ts';

const OVER = ['reject', 'withdraw', 'expire', 'drift', 'succeed', 'fail', 'doubt'];

/** What is wrong with what people were answered: everybody is, and nobody is refused without a reason. */
export function judgeAnswers(world: World): string[] {
  return world.journal.deeds.flatMap((deed) => {
    const { act, actor, person, change = '' } = deed;
    const wrong = [unexpected(deed), refusedForNothing(world, deed)];
    return wrong
      .filter((sentence) => sentence !== undefined)
      .map((sentence) => `${person} ${act.do} ${change} (${actor.steps} steps): ${sentence}`);
  });
}

function unexpected({ actor, end }: Deed): string | undefined {
  if (end === undefined) return actor.diedAt === undefined ? 'no answer' : undefined;
  if (end === 'done') return undefined;
  const { error } = end;
  const isKnown = error instanceof Refusal || error instanceof PlatformError;
  const isOfTrouble = actor.isHit && error instanceof Error && error.message.startsWith('the ');
  return isKnown || isOfTrouble ? undefined : `it failed with ${String(error)}`;
}

/** Where nothing was in the way, and nobody else about, it has to be done. */
function refusedForNothing(world: World, deed: Deed): string | undefined {
  const { end, isAlone, actor } = deed;
  if (typeof end !== 'object' || !isAlone || actor.isHit) return undefined;
  const hasReason = REASONS[deed.act.do]?.(world, deed) ?? true;
  return hasReason ? undefined : `refused for nothing: ${String(end.error)}`;
}

type Reason = (world: World, deed: Deed) => boolean;

const REASONS: { readonly [Do in Deed['act']['do']]?: Reason } = {
  request(world, { actor, until, person = 'gus', order }) {
    const span = world.span(actor.since, until);
    if (order === undefined) return true;
    const isSecret = order.kind === 'token.create' || ('superuser' in order && order.superuser);
    const isAllowed =
      alwaysMay(span, world.setup, person, { order, part: 'request' }) &&
      (world.setup.approvals.required ||
        alwaysMay(span, world.setup, person, { order, part: 'approve' }));
    const isOff = isSecret && !world.setup.hasKey;
    return !isAllowed || isOff || span.some(({ state }) => isBarred(order, state));
  },
  approve(world, deed) {
    const { seen } = deed;
    const order = pendingOrder(world, deed);
    if (seen === undefined || order === undefined) return true;
    const all = world.span(seen.from, deed.until);
    const scenes = new Set(all.map(({ state }) => sceneOf(order, state)));
    const isSame = scenes.size === 1 && all.every(({ state }) => !isBarred(order, state));
    return !isSame || !mayDecide(world, deed);
  },
  reject: (world, deed) => pendingOrder(world, deed) === undefined || !mayDecide(world, deed),
  withdraw: (world, deed) =>
    pendingOrder(world, deed) === undefined ||
    userIdOf(deed.person ?? 'gus') !== askerOf(world, deed),
};

/** Undefined when it was not pending. */
function pendingOrder({ journal }: World, { actor, change }: Deed) {
  const before = journal.commits.filter(
    ({ index, change: { id } }) => id === change && index <= actor.since,
  );
  const request = before.find(({ kind }) => kind === 'request')?.change;
  const isOver = before.some(({ kind }) => kind === 'approve' || OVER.includes(kind));
  const isLate = request === undefined || actor.startedAt >= request.requestedAt + EXPIRES_MS;
  return isOver || isLate ? undefined : request.order;
}

function askerOf({ journal }: World, { change }: Deed): string | undefined {
  const request = journal.commits.find(({ change: { id } }) => id === change)?.change;
  return request?.requester.userId;
}

function mayDecide(world: World, deed: Deed): boolean {
  const { actor, until, person = 'gus', change } = deed;
  const order = pendingOrder(world, deed);
  const span = world.span(actor.since, until);
  const request = world.journal.commits.find(({ change: { id } }) => id === change)?.change;
  if (order === undefined || request === undefined) return false;
  const isOther =
    world.setup.approvals.allowSelf ||
    (userIdOf(person) !== request.requester.userId &&
      addressesIn(span, person).every((email) => email !== request.requester.email));
  return isOther && alwaysMay(span, world.setup, person, { order, part: 'approve' });
}
