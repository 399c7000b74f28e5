import type { Change } from '../../../../src/changes/change.ts';
import type { ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { endProblems, sendingProblems } from './judge-ends.ts';
import { recordProblems, secretProblems } from './judge-secrets.ts';
import { isBarred } from './orders.ts';
import { alwaysMay, couldDo, isAsIn, isEverBarred, isOff, partsOf, scenesIn } from './rights.ts';
import type { Commit, Deed, World } from './world.ts';

/** A request that no one decides on is over after this time (design section 5). */
const EXPIRES_MS = 8 * 3_600_000;
const FIRST_REMINDER_MS = 15 * 60_000;
/** A person has no more open requests than this. */
const MOST_OPEN = 10;

/** All that is wrong with how a story went. */
export async function judge(world: World): Promise<string[]> {
  const { kept, deeds, commits, sendings } = world;
  const changes = await kept.list(0, 99);
  const records = changes.map(async (change) => {
    const wrong = await recordProblems(world, change);
    return named(`${change.id} ${change.state}`, [...endProblems(world, change), ...wrong]);
  });
  return [
    ...deeds.flatMap((deed) =>
      named(`${deed.person} ${deed.act.do} ${deed.change}`, answerProblems(world, deed)),
    ),
    ...commits.flatMap((commit) =>
      named(`${commit.change.id} ${commit.kind}`, commitProblems(world, commit)),
    ),
    ...sendings.flatMap((sending) =>
      named(
        `${sending.change} sent ${JSON.stringify(sending.call)}`,
        sendingProblems(world, sending),
      ),
    ),
    ...(await Promise.all(records)).flat(),
    ...secretProblems(world, changes),
    ...(await kept.due(Infinity)).map((id) => `${id} still waits for something`),
  ];
}

const named = (what: string, wrong: Iterable<string>): string[] =>
  [...wrong].map((sentence) => `${what}: ${sentence}`);

/** Everybody is answered, with nothing but a refusal, and that has a reason. */
function* answerProblems(world: World, deed: Deed): Generator<string> {
  const { isDone, isDead, isHit, isAlone, errors } = deed;
  if (isDone === undefined && !isDead) yield 'no answer';
  for (const error of errors) {
    const isOfTrouble = isHit && error instanceof Error && error.message.startsWith('the ');
    const isKnown = error instanceof Refusal || error instanceof PlatformError;
    if (!isKnown && !isOfTrouble) yield `it failed with ${String(error)}`;
  }
  if (isDone === false && isAlone && !isHit && hasToBeDone(world, deed)) {
    yield `refused for nothing: ${String(errors[0])}`;
  }
}

/** Whether nothing was in the way, all the time. */
function hasToBeDone(world: World, deed: Deed): boolean {
  const { act, person, order, seen, since, until } = deed;
  const span = world.span(since, until);
  if (order) {
    const isAllowed = partsOf(world).every((part) =>
      alwaysMay(world, span, person, part, { order }),
    );
    return isAllowed && !isOff(world, order) && !isEverBarred(span, order);
  }
  const change = pendingFor(world, deed);
  if (change === undefined) return false;
  if (act.do === 'withdraw') return person === change.requester.userId;
  if (!alwaysMay(world, span, person, 'approve', change)) return false;
  if (act.do !== 'approve' || seen === undefined) return act.do === 'reject';
  const shown = world.span(seen.from, until);
  return scenesIn(shown, change.order).size === 1 && !isEverBarred(shown, change.order);
}

/** The change that a deed is about, if it waited for a decision when that began. */
function pendingFor({ commits }: World, { change: id, since, startedAt }: Deed) {
  const before = commits.filter(({ change, index }) => change.id === id && index <= since);
  const change = before.at(-1)?.change;
  const isInTime = change && startedAt < change.requestedAt + EXPIRES_MS;
  return isInTime && change.state === 'pending' ? change : undefined;
}

/** The acts of people that move a change on; the rest is the work of the bot. */
const DONE_BY: { readonly [Kind in Commit['kind']]?: Deed['act']['do'] } = {
  request: 'request',
  approve: 'approve',
  reject: 'reject',
  withdraw: 'withdraw',
  open: 'reveal',
  reveal: 'reveal',
};
const OWN = ['request', 'open', 'reveal'];
/** A change has one of each of these. */
const ONCE = [
  ['approve', 'reject', 'expire'],
  ['reject', 'withdraw', 'expire', 'drift', 'refuse', 'succeed', 'fail', 'doubt'],
  ['claim'],
];

/** Requests and decisions (design sections 5 and 6). */
function* commitProblems(world: World, commit: Commit): Generator<string> {
  const { kind, change, by, at } = commit;
  const { id, requester, requestedAt, reminders } = change;
  // A request that a crash cut off after the modal confirmed it can be reviewed like any other.
  const isConfirmed =
    kind === 'approve' && !world.setup.approvals.required && by.act.do === 'request';
  const doneBy = DONE_BY[kind];
  if (doneBy && by.act.do !== doneBy && !isConfirmed) yield 'no act did that';
  if ((OWN.includes(kind) || isConfirmed) && by.person !== requester.userId) {
    yield 'it is of another person';
  }
  const isDecision = kind === 'approve' || kind === 'reject';
  if (kind === 'withdraw') yield* withdrawalProblems(world, commit);
  if (isDecision && by.startedAt >= requestedAt + EXPIRES_MS) {
    yield 'too late';
  }
  if (kind === 'expire' && at < requestedAt + EXPIRES_MS) yield 'too early';
  if (kind === 'remind' && at < requestedAt + FIRST_REMINDER_MS * 2 ** (reminders - 1)) {
    yield 'too early';
  }
  const before = world.commits.slice(0, world.commits.indexOf(commit));
  for (const kinds of ONCE.filter((kinds) => kinds.includes(kind))) {
    const isAgain = before.some((one) => one.change.id === id && kinds.includes(one.kind));
    if (isAgain) yield `more than one of ${kinds.join()}`;
  }
  if (kind === 'request') yield* requestProblems(world, commit, before);
  if (isConfirmed && change.decision?.by) yield 'another person is named as its approver';
  if (isDecision && !isConfirmed) yield* decisionProblems(world, commit);
}

/** By the requester, or of an approved one by an approver; and only while nothing was sent. */
function* withdrawalProblems(
  world: World,
  { change, by: { person, since, startedAt }, index }: Commit,
): Generator<string> {
  const isApproved = change.decision !== undefined;
  if (!isApproved && startedAt >= change.requestedAt + EXPIRES_MS) yield 'too late';
  if (change.withdrawnBy !== person) yield 'another person is named';
  if (person === change.requester.userId) return;
  const mayStop = couldDo(world, world.span(since, index), person, 'approve', change);
  if (!isApproved || !mayStop) yield 'it is of another person';
}

function* requestProblems(
  world: World,
  { change: { order, requester }, by, index }: Commit,
  before: readonly Commit[],
): Generator<string> {
  // An address is stored as the platform spells it.
  if (by.order === undefined || textOf(order) !== textOf(by.order)) yield 'another order';
  if (isOff(world, order)) yield 'nothing could seal its secret';
  const span = world.span(by.since, index);
  const isAllowed = partsOf(world).every((part) =>
    couldDo(world, span, by.person, part, { order }),
  );
  if (!isAllowed) yield 'they may not';
  if (span.every(({ state }) => isBarred(order, state))) yield 'it could not be done';
  const latest = new Map(before.map(({ change }) => [change.id, change]));
  const open = [...latest.values()].filter(({ state }) => OPEN.includes(state));
  // A person may have several accounts.
  const whoIs = ({ email, userId }: Change['requester']): string => email ?? userId;
  const own = open.filter((one) => whoIs(one.requester) === whoIs(requester));
  if (own.length >= MOST_OPEN) yield 'they had ten open';
  if (open.some((one) => textOf(one.order) === textOf(order))) yield 'the same was open';
}
const OPEN = ['pending', 'approved', 'executing'];

/** Two orders of which one text comes are the same. */
function textOf(order: ChangeInput): string {
  const fields = Object.entries(order).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(String).toSorted() : value,
  ]);
  return JSON.stringify(fields.map((field) => JSON.stringify(field)).toSorted()).toLowerCase();
}

/** By another person with the role; and the approved plan is the shown one. */
function* decisionProblems(
  world: World,
  { kind, change, by: { person, since, seen }, index }: Commit,
): Generator<string> {
  const { order, requester, decision } = change;
  const { by, self } = decision ?? {};
  if (by?.userId !== person) yield 'another person is named';
  const isOwn =
    person === requester.userId || (by?.email !== undefined && by.email === requester.email);
  if (self !== isOwn) yield 'it is not marked as it should be';
  const span = world.span(since, index);
  if (!couldDo(world, span, person, 'approve', change)) yield 'they may not';
  if (kind === 'reject') return;
  if (seen === undefined) yield 'they were shown nothing';
  else if (!isAsIn(span, world.span(seen.from, seen.until), order)) {
    yield 'it is not what they were shown';
  }
}
