import { inspect } from 'node:util';
import type { Change } from '../../../../src/changes/change.ts';
import { commitOf } from './judge-ends.ts';
import { couldDo } from './rights.ts';
import type { World } from './world.ts';

/** The requester sees a secret, once, or no one does, and then the token goes. */
export function secretProblems(world: World, all: readonly Change[]): string[] {
  return [
    ...leaks(world),
    ...handProblems(world),
    ...all.flatMap((change) => [...leftProblems(world, change)]),
    ...forgotten(world, all),
  ];
}

/** Any place but the hands of the requester. */
function leaks({ said, deeds, commits, texts }: World): string[] {
  if (said.length === 0) return [];
  const errors = deeds.flatMap((deed) => deed.errors);
  const everything = [
    ...texts,
    ...errors.map((error) => inspect(error, { depth: 9, showHidden: true })),
    ...commits.map(({ change }) => JSON.stringify(change)),
  ].join('\n');
  return said
    .flatMap(({ text }) => [text, Buffer.from(text).toString('base64')])
    .filter((text) => everything.includes(text))
    .map((text) => `${text} can be read`);
}

function handProblems(world: World): string[] {
  const { handed, said } = world;
  return handed.flatMap(({ by: { change, person, since }, index, text }, nth) => {
    const request = commitOf(world, change, 'request')?.change;
    const span = world.span(since, index);
    const isAllowed = request && couldDo(world, span, person, 'request', { order: request.order });
    const wrong = [
      ...(request?.requester.userId === person ? [] : ['to another person']),
      ...(handed.findIndex((other) => other.by.change === change) === nth ? [] : ['twice']),
      ...(said.some((one) => one.text === text && one.change === change) ? [] : ['another one']),
      ...(isAllowed ? [] : ['to a person without the right']),
    ];
    return wrong.map((how) => `the secret of ${change} was handed out ${how}`);
  });
}

/** A secret that Slack has confirmed to show is revealed. */
function forgotten({ deeds }: World, all: readonly Change[]): string[] {
  const seen = deeds.filter(
    ({ act, isDone, isAlone, isHit }) => act.slack === 'shows' && isDone && isAlone && !isHit,
  );
  const secrets = seen.map(({ change: id }) => [
    id,
    all.find((one) => one.id === id)?.secret?.state,
  ]);
  return secrets.flatMap(([id, state]) =>
    state === 'revealed' ? [] : [`${id} was seen, and is ${state}`],
  );
}

/** Every token that is still there was seen by the requester, or was given up in so many words. */
function* leftProblems(world: World, { id, state, secret, order }: Change): Generator<string> {
  const { token } = world.facts.state;
  const handed = world.handed.filter(({ by }) => by.change === id);
  const isRevealed = secret?.state === 'revealed';
  const isSeen = isRevealed && handed.some(({ isShown }) => isShown);
  const isSaid = state === 'unknown' || secret?.cleaned?.code === 'not-cleaned';
  const isThere = token.some(({ madeFor }) => madeFor === id);
  if (isThere && !isSeen && !isSaid) yield `the token of ${id} is there, and its secret is lost`;
  if (isRevealed && !isSeen) yield `the secret of ${id} is revealed, and was not seen`;
  if (secret && !isRevealed && secret.cleaned === undefined) {
    yield `the secret of ${id} is ${secret.state} for ever`;
  }
  if (state === 'succeeded' && order.kind === 'token.create' && !secret)
    yield `${id} has no secret`;
}

/** The requester is notified how it ended, and the audit has all events, in their order. */
export async function recordProblems(world: World, change: Change): Promise<string[]> {
  const { id, channel, dm, state, secret } = change;
  const { messages, commits } = world;
  const card = messages.get(`${channel} @changes/${id}/card`);
  // A secret that was lost before it could wait is reported with the end.
  const isGivenUp = secret?.state === 'lapsed';
  const isReported = messages.has(`${dm} @changes/${id}/told`) || state === 'withdrawn';
  const isNotifiedOfSecret = messages.has(`${dm} @changes/${id}/lapsed`) || !isGivenUp;
  const lines: string[] = [];
  // An attempt to decide without the right changes nothing.
  for await (const { event } of world.kept.audit(id)) if (event !== 'refused') lines.push(event);
  const happened = commits
    .filter((one) => one.change.id === id && one.kind !== 'wait' && one.kind !== 'remind')
    .map(({ kind }) => kind);
  return [
    ...(card === undefined ? ['there is no card'] : []),
    ...(/"action_id":"changes\.(?:review|withdraw)"/.test(JSON.stringify(card?.blocks))
      ? ['its card has buttons that decide']
      : []),
    ...(dm === undefined || isReported ? [] : ['the requester was not notified']),
    ...(dm === undefined || isNotifiedOfSecret
      ? []
      : ['the requester was not notified of the secret']),
    ...(happened.join() === lines.join() ? [] : [`the audit has ${lines.join()}`]),
  ];
}
