import type { Change } from '../../../../src/changes/change.ts';
import { commitOf, sendingsOf } from './judge-sendings.ts';
import { isBarred, isReached, sceneOf } from './orders.ts';
import { alwaysMay } from './rights.ts';
import type { Span } from './rights.ts';
import { PEOPLE, userIdOf } from './state.ts';
import type { Snapshot } from './state.ts';
import type { World } from './world.ts';

/** What is wrong with how the changes ended: each does, says what is true, and tells the requester. */
export async function judgeEnds(world: World): Promise<string[]> {
  const { kept } = world;
  const waiting = await kept.due(Infinity);
  const all = await kept.list(0, 99);
  const wrong = await Promise.all(
    all.map(async (change) => {
      const lines: string[] = [];
      for await (const { event } of kept.audit(change.id)) {
        // Whoever looks at what is not theirs to decide changes nothing.
        if (event !== 'refused') lines.push(event);
      }
      const sentences = [
        ENDS[change.state]?.(world, change),
        ...told(world, change),
        audited(world, change, lines),
      ];
      return sentences
        .filter((sentence) => sentence !== undefined)
        .map((sentence) => `${change.id} ${change.state}: ${sentence}`);
    }),
  );
  return [...waiting.map((id) => `${id} still waits for something`), ...wrong.flat()];
}

type Rule = (world: World, change: Change) => string | undefined;

const ENDLESS: Rule = () => 'it has not ended';
const UNSENT: Rule = ({ journal }, { id }) =>
  sendingsOf(journal, id).length > 0 ? 'it was sent' : undefined;

const ENDS: { readonly [State in Change['state']]: Rule } = {
  pending: ENDLESS,
  approved: ENDLESS,
  executing: ENDLESS,
  rejected: UNSENT,
  expired: UNSENT,
  withdrawn: UNSENT,
  drifted(world, change) {
    const { id, order } = change;
    const approval = commitOf(world.journal, id, 'approve');
    const end = commitOf(world.journal, id, 'drift');
    const span = world.span(approval?.actor.since ?? 0, end?.index);
    const scenes = new Set(span.map(({ state }) => sceneOf(order, state)));
    const isTouched = scenes.size > 1 || span.some(({ state }) => isBarred(order, state));
    return UNSENT(world, change) ?? (isTouched ? undefined : 'nothing has changed');
  },
  succeeded({ journal, span }, { id, order }) {
    const done = sendingsOf(journal, id).filter(({ effect }) => effect?.what === 'done');
    const claimed = commitOf(journal, id, 'claim')?.index ?? 0;
    const end = commitOf(journal, id, 'succeed')?.index;
    if (done.length > 0) return undefined;
    // Or somebody else has done the same meanwhile, or before.
    const isSo = span(claimed, end).some(({ state }) => isReached(order, state));
    return isSo ? undefined : 'it was not done';
  },
  failed: (world, change) => untrue(world, change) ?? groundless(world, change),
  unknown(world, change) {
    const { id, order } = change;
    const all = sendingsOf(world.journal, id);
    // Who was hit may have heard the answer, and not have written it down.
    if (all.some(({ isAnswered, actor }) => isAnswered && !actor.isHit))
      return 'there was an answer';
    const from = commitOf(world.journal, id, 'claim')?.actor.since ?? 0;
    const doubt = commitOf(world.journal, id, 'doubt');
    const span = world.span(from, doubt?.index);
    const isClear = span.every(({ weather }) => !weather.platformSilent && !weather.unreadableRow);
    // After a long break one look that fails is enough to give up.
    const isHit = doubt?.actor.isHit === true;
    const isObvious =
      isClear && !isHit && isUntouched(change, span) && order.kind !== 'quota.request';
    return isObvious ? 'anybody can see what came of it' : undefined;
  },
};

/** Whether nobody but the bot can have had a hand in it. */
function isUntouched({ id, order }: Change, span: Span): boolean {
  // An alert also tells when it was saved.
  const asIs = ({ state }: Snapshot): string =>
    `${sceneOf(order, state)} ${order.kind === 'alert.replace' ? state.alert?.modified : ''}`;
  const before = span[0] && asIs(span[0]);
  if (order.kind !== 'token.create') {
    const scenes = span.map((one) => [asIs(one) === before, isReached(order, one.state)]);
    const done = scenes.findIndex(([, isSo]) => isSo);
    // As it was, and from one moment on as it was ordered.
    return scenes.every(([isAsBefore, isSo], at) => (done >= 0 && at >= done ? isSo : isAsBefore));
  }
  const namesakes = ({ state }: Snapshot): string =>
    state.tokens
      .flatMap((one) => (one.name === order.name && one.madeFor !== id ? one.id : []))
      .join();
  return new Set(span.map(namesakes)).size === 1;
}

/** Whether it was done after all. */
function untrue({ journal, span }: World, { id, order }: Change): string | undefined {
  const end = commitOf(journal, id, 'fail')?.index ?? 0;
  for (const { effect } of sendingsOf(journal, id)) {
    if (effect?.what !== 'done') continue;
    if (effect.index > end) return 'it was done after that';
    // A token without its secret is deleted; and what others have undone cannot be seen.
    const isThere = span(effect.index, end).every(({ state }) => isReached(order, state));
    if (isThere) return 'it was done';
  }
  return undefined;
}

/** Whether there was no reason not to send it. */
function groundless(world: World, { id, order, requester, decision }: Change): string | undefined {
  const { journal, setup } = world;
  const refusal = commitOf(journal, id, 'refuse');
  if (refusal === undefined) {
    const isTaken = sendingsOf(journal, id).some(
      ({ effect, isAnswered, actor }) => isAnswered && effect?.what === 'done' && !actor.isHit,
    );
    return isTaken ? 'the platform took it' : undefined;
  }
  if (journal.deeds.some(({ actor }) => actor.isHit)) return undefined;
  const span = world.span(commitOf(journal, id, 'approve')?.index ?? 0, refusal.index);
  const may = (userId: string, part: 'request' | 'approve'): boolean =>
    alwaysMay(span, setup, PEOPLE.find((name) => userIdOf(name) === userId) ?? 'gus', {
      order,
      part,
    });
  const by = decision?.by?.userId ?? requester.userId;
  const isFine = may(requester.userId, 'request') && may(by, 'approve');
  return isFine ? 'nothing stood against it' : undefined;
}

function told({ messages }: World, { id, channel, dm, state, secret }: Change): string[] {
  const card = messages.get(`${channel} @changes/${id}/card`);
  const hasButtons = card?.blocks.some(({ type }) => type === 'actions');
  const isGivenUp = secret?.state === 'lapsed' || secret?.state === 'lost';
  const isTold = messages.has(`${dm} @changes/${id}/told`);
  return [
    ...(card === undefined ? ['there is no card'] : []),
    ...(hasButtons ? ['its card has buttons'] : []),
    ...(dm === undefined || state === 'withdrawn' || isTold ? [] : ['the requester was not told']),
    ...(dm !== undefined && isGivenUp && !messages.has(`${dm} @changes/${id}/lapsed`)
      ? ['the requester was not told of the secret']
      : []),
  ];
}

/** The audit has what happened, in its order. */
function audited({ journal }: World, { id }: Change, lines: string[]): string | undefined {
  const happened = journal.commits
    .filter(({ change, kind }) => change.id === id && kind !== 'wait' && kind !== 'remind')
    .map(({ kind }) => kind);
  return happened.join() === lines.join() ? undefined : `the audit has ${lines.join()}`;
}
