import { inspect } from 'node:util';
import type { Change } from '../../../../src/changes/change.ts';
import { commitOf } from './judge-sendings.ts';
import { couldDo } from './rights.ts';
import { userIdOf } from './state.ts';
import type { World } from './world.ts';

/** What is wrong with secrets: the requester sees them, once, or nobody does, and then the token goes. */
export async function judgeSecrets(world: World): Promise<string[]> {
  const all = await world.kept.list(0, 99);
  const revealed = world.journal.commits.filter(({ kind }) => kind === 'reveal');
  return [
    ...leaks(world),
    ...handedOut(world),
    ...all.flatMap((change) => left(world, change)),
    ...forgotten(world, all),
    ...revealed
      .filter(({ change }) => !isShown(world, change.id))
      .map(({ change }) => `${change.id} is said to be revealed, and nobody saw it`),
  ];
}

/** Any place but the hands of the requester. */
function leaks({ journal }: World): string[] {
  if (journal.said.length === 0) return [];
  const errors = journal.deeds.map(({ end }) =>
    typeof end === 'object' ? inspect(end.error, { depth: 9, showHidden: true }) : '',
  );
  const changes = journal.commits.map(({ change }) => JSON.stringify(change));
  const everything = [...journal.texts, ...errors, ...changes].join('\n');
  return journal.said
    .flatMap(({ text }) => [text, Buffer.from(text).toString('base64')])
    .filter((text) => everything.includes(text))
    .map((text) => `${text} can be read`);
}

function handedOut(world: World): string[] {
  const { journal, setup } = world;
  return journal.handed.flatMap(({ change, person, actor, index, text }, nth) => {
    const request = commitOf(journal, change, 'request')?.change;
    const span = world.span(actor.since, index);
    const wrong = [
      request?.requester.userId === userIdOf(person) ? [] : ['to somebody else'],
      journal.handed.findIndex((other) => other.change === change) === nth ? [] : ['twice'],
      journal.said.some((one) => one.text === text && one.change === change) ? [] : ['another one'],
      request && !couldDo(span, setup, person, { order: request.order, part: 'request' })
        ? ['to somebody who may not']
        : [],
    ].flat();
    return wrong.map((how) => `the secret of ${change} was handed out ${how}`);
  });
}

/** What was shown, and Slack has said so, is revealed. */
function forgotten({ journal }: World, all: readonly Change[]): string[] {
  return journal.deeds.flatMap(({ act, actor, change, end, isAlone }) => {
    const isSeen = act.do === 'reveal' && act.slack === 'shows' && end === 'done';
    if (!isSeen || !isAlone || actor.isHit) return [];
    const { secret } = all.find(({ id }) => id === change) ?? {};
    return secret?.state === 'revealed' ? [] : [`${change} was seen, and is ${secret?.state}`];
  });
}

/** Every token that is still there was seen by the requester, or was given up in so many words. */
function left(world: World, change: Change): string[] {
  const { facts, journal } = world;
  const { id, state, secret } = change;
  const isThere = facts.state.tokens.some(({ madeFor }) => madeFor === id);
  const isRevealed = secret?.state === 'revealed';
  const isSaid = state === 'unknown' || secret?.cleaned?.includes('could not be deleted') === true;
  const isAtRest = secret === undefined || isRevealed || secret.cleaned !== undefined;
  return [
    ...(isThere && !(isRevealed && isShown(world, id)) && !isSaid
      ? [`the token of ${id} is there, and nobody has its secret`]
      : []),
    ...(isAtRest ? [] : [`the secret of ${id} is ${secret.state} for ever`]),
    ...(isRevealed && journal.handed.every((one) => one.change !== id)
      ? [`the secret of ${id} is revealed, and nobody has it`]
      : []),
    ...(state === 'succeeded' && change.order.kind === 'token.create' && secret === undefined
      ? [`${id} has no secret`]
      : []),
  ];
}

function isShown({ journal }: World, id: string): boolean {
  return journal.handed.some((one) => one.change === id && one.isShown);
}
