import { messagesOf } from '../../../../src/changes/messages/messages.ts';
import type { Change } from '../../../../src/changes/change.ts';
import { isRepeatable } from './orders.ts';
import { isOfOrder } from './judge-ends.ts';
import type { Commit, Sending, World } from './world.ts';

/**
 * The rules that hold for a change although Redis forgets: nothing is sent without an approval, or twice for one;
 * nothing that a person has is deleted; no sentence denies a call that was sent; and everything ends.
 */
export async function judgeForgetful(world: World): Promise<string[]> {
  const changes = await world.kept.list(0, 99);
  const ids = new Set(world.commits.map(({ change }) => change.id));
  return [
    ...[...ids].flatMap((id) => sendingProblems(world, id).map((wrong) => `${id}: ${wrong}`)),
    ...changes.flatMap((change) => sentenceProblems(world, change)),
    ...world.sendings.flatMap((sending) => deletionProblems(world, sending)),
    ...(await world.kept.due(Infinity)).map((id) => `${id} still waits for something`),
  ];
}

function sendingProblems(world: World, id: string): string[] {
  const approvals = world.commits.filter(
    ({ kind, change }) => kind === 'approve' && change.id === id,
  );
  const sent = world.sendings.filter((one) => one.change === id && isOfOrder(world, one));
  const wrong = sent.some(({ index }) => !approvals.some((one) => one.index <= index))
    ? ['it was sent and not approved']
    : [];
  const order = approvals[0]?.change.order;
  const isTwice = order !== undefined && !isRepeatable(order) && sent.length > 1;
  return [
    ...wrong,
    ...(isTwice ? ['it was sent twice'] : []),
    ...approvals.flatMap((approval, at) =>
      perApproval(world, ofApproval(sent, approval, approvals[at + 1])),
    ),
  ];
}

/** The calls that go back to one approval: those before the next one. */
function ofApproval(sent: readonly Sending[], from: Commit, until: Commit | undefined): Sending[] {
  return sent.filter(({ index }) => from.index <= index && index < (until?.index ?? Infinity));
}

function perApproval({ wentBack }: World, sent: readonly Sending[]): string[] {
  const first = sent[0]?.index ?? Infinity;
  const isAfter = wentBack.some((at) => first < at && sent.some(({ index }) => index > at));
  return isAfter ? ['it was sent again after Redis had forgotten'] : [];
}

function sentenceProblems({ sendings }: World, change: Change): string[] {
  const { id } = change;
  const isSaid = /not sent|nothing was sent(?! since)/i.test(JSON.stringify(messagesOf(change)));
  return isSaid && sendings.some(({ change }) => change === id)
    ? [`${id}: it says that nothing was sent`]
    : [];
}

/** A token that was revealed goes only by an order. */
function deletionProblems(world: World, sending: Sending): string[] {
  if (sending.call[0] !== 'removeToken' || isOfOrder(world, sending)) return [];
  const { change, index } = sending;
  const isSeen = world.commits.some(
    ({ kind, change: { id }, index: at }) => kind === 'reveal' && id === change && at < index,
  );
  return isSeen ? [`${change}: its token was deleted, and it was revealed`] : [];
}
