import type { Change } from '../../../../src/changes/change.ts';
import type { Commit, Deed } from './journal.ts';
import { isBarred, sceneOf, textOf } from './orders.ts';
import { addressesIn, couldDo } from './rights.ts';
import { userIdOf } from './state.ts';
import type { World } from './world.ts';

/** A request that nobody decides on is over after this time (design section 5). */
export const EXPIRES_MS = 8 * 3_600_000;
/** Nobody has more requests open. */
const MOST_OPEN = 10;
/** A person may have several accounts. */
const whoIs = ({ email, userId }: Change['requester']): string => email ?? userId;
const FIRST_REMINDER_MS = 15 * 60_000;

const VERDICTS = ['approve', 'reject', 'withdraw', 'expire'];
const ENDS = ['reject', 'withdraw', 'expire', 'drift', 'succeed', 'fail', 'doubt'];

/** What is wrong with what was asked for and decided on (design sections 5 and 6). */
export function judgeDecisions(world: World): string[] {
  const { commits } = world.journal;
  return [
    ...commits.flatMap((commit) => {
      const wrong = RULES[commit.kind]?.(world, commit, deedOf(world, commit));
      return wrong === undefined ? [] : [`${commit.change.id} ${commit.kind}: ${wrong}`];
    }),
    ...twice(commits),
  ];
}

/** By whom it was done. */
function deedOf({ journal }: World, { actor }: Commit): Deed | undefined {
  return journal.deeds.find((deed) => deed.actor === actor);
}

type Rule = (world: World, commit: Commit, deed: Deed | undefined) => string | undefined;

const RULES: { readonly [Kind in Commit['kind']]?: Rule } = {
  request(world, commit, deed) {
    const { change, index, actor } = commit;
    const { order } = change;
    const person = deed?.person;
    if (deed?.act.do !== 'request' || person === undefined) return 'nobody asked for it';
    if (textOf(order) !== textOf(deed.order ?? order)) return 'another order';
    if (change.requester.userId !== userIdOf(person)) return 'it is said to be of somebody else';
    const isSecret = order.kind === 'token.create' || ('superuser' in order && order.superuser);
    if (isSecret && !world.setup.hasKey) return 'nothing could seal its secret';
    const span = world.span(actor.since, index);
    const parts = world.setup.approvals.required
      ? (['request'] as const)
      : (['request', 'approve'] as const);
    const isAllowed = parts.every((part) => couldDo(span, world.setup, person, { order, part }));
    if (!isAllowed) return 'they may not';
    if (span.every(({ state }) => isBarred(order, state))) return 'it could not be done';
    const others = openBefore(world, commit).map((one) => one.change);
    const own = others.filter(({ requester }) => whoIs(requester) === whoIs(change.requester));
    if (own.length >= MOST_OPEN) return 'they had ten open';
    return others.some((one) => textOf(one.order) === textOf(order))
      ? 'the same was open'
      : undefined;
  },
  approve(world, commit, deed) {
    const { change, actor, index } = commit;
    const { by, self } = change.decision ?? {};
    // What the modal confirmed and a crash cut off can be reviewed like any other request.
    if (!world.setup.approvals.required && deed?.act.do === 'request') {
      const isOwn = isRequester(deed, change) && by === undefined;
      return isOwn ? undefined : 'nobody but the requester confirms';
    }
    if (deed?.act.do !== 'approve') return 'nobody approved';
    if (by?.userId !== userIdOf(deed.person ?? 'gus')) return 'it is said to be of somebody else';
    const { userId, email } = change.requester;
    const isOwn = by.userId === userId || (email !== undefined && by.email === email);
    if (self !== isOwn) return 'it is not marked as it should be';
    const { seen } = deed;
    if (seen === undefined) return 'they were shown nothing';
    const scenes = world
      .span(seen.from, seen.until)
      .map(({ state }) => sceneOf(change.order, state));
    const isAsSeen = world
      .span(actor.since, index)
      .some(
        ({ state }) =>
          scenes.includes(sceneOf(change.order, state)) && !isBarred(change.order, state),
      );
    return isAsSeen ? decided(world, commit, deed) : 'it is not what they were shown';
  },
  reject: (world, commit, deed) =>
    deed?.act.do === 'reject' ? decided(world, commit, deed) : 'nobody rejected',
  withdraw(_world, commit, deed) {
    const isOwn = deed?.act.do === 'withdraw' && isRequester(deed, commit.change);
    return isOwn ? inTime(commit) : 'only the requester withdraws';
  },
  expire: (_world, { change, at }) =>
    at < change.requestedAt + EXPIRES_MS ? 'too early' : undefined,
  remind: (_world, { change, at }) =>
    at < change.requestedAt + FIRST_REMINDER_MS * 2 ** (change.reminders - 1)
      ? 'too early'
      : undefined,
};

/** What approving and rejecting have in common. */
function decided(world: World, commit: Commit, deed: Deed): string | undefined {
  const { change, actor, index } = commit;
  const { person = 'gus' } = deed;
  const span = world.span(actor.since, index);
  const { order, requester } = change;
  if (!couldDo(span, world.setup, person, { order, part: 'approve' })) return 'they may not';
  const isSame =
    userIdOf(person) === requester.userId ||
    addressesIn(span, person).every((email) => email !== undefined && email === requester.email);
  if (isSame && !world.setup.approvals.allowSelf) return 'it is their own request';
  return inTime(commit);
}

function inTime({ change, actor }: Commit): string | undefined {
  return actor.startedAt < change.requestedAt + EXPIRES_MS ? undefined : 'too late';
}

function isRequester({ person }: Deed, { requester }: Commit['change']): boolean {
  return person !== undefined && userIdOf(person) === requester.userId;
}

/** The requests that were open when this one was filed. */
function openBefore({ journal }: World, commit: Commit): Commit[] {
  const before = journal.commits.slice(0, journal.commits.indexOf(commit));
  const over = before.filter(({ kind }) => ENDS.includes(kind)).map(({ change }) => change.id);
  return before.filter(({ kind, change }) => kind === 'request' && !over.includes(change.id));
}

/** A change has one verdict, and one end. */
function twice(commits: readonly Commit[]): string[] {
  return [VERDICTS, ENDS, ['claim']].flatMap((kinds) => {
    const ids = commits.filter(({ kind }) => kinds.includes(kind)).map(({ change }) => change.id);
    const again = ids.filter((id, index) => ids.indexOf(id) !== index);
    return again.map((id) => `${id}: more than one of ${kinds.join(', ')}`);
  });
}
