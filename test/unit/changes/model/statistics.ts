import type { World } from './world.ts';

/** How often something came to pass in all stories: a model whose stories lead nowhere proves nothing. */
export type Statistics = Map<string, number>;

const MOVES = [
  'resend',
  'refuse',
  'drift',
  'doubt',
  'expire',
  'reveal',
  'lapse',
  'clean',
  'remind',
];

export async function count({ journal, kept }: World, statistics: Statistics): Promise<void> {
  const { commits, deeds, sendings } = journal;
  const ends = await kept.list(0, 99);
  const claimed = commits.filter(({ kind }) => kind === 'claim');
  const moved = commits.filter(({ kind }) => MOVES.includes(kind));
  const hit = deeds.filter(({ actor }) => actor.isHit);
  const events = [
    'stories',
    ...ends.map(({ state }) => state),
    ...ends.flatMap(({ secret }) => (secret === undefined ? [] : [`secret ${secret.state}`])),
    ...moved.map(({ kind }) => `move ${kind}`),
    ...claimed.map(({ change }) => `claimed ${change.order.kind}`),
    ...sendings.map(({ effect }) =>
      effect?.what === 'done' ? 'call with effect' : 'call without',
    ),
    ...sendings.flatMap(({ isAnswered }) => (isAnswered ? [] : ['call without an answer'])),
    ...sendings.flatMap(({ actor }) => (actor.diedAt === undefined ? [] : ['crash about a call'])),
    ...hit.map(({ actor }) => `trouble ${actor.trouble?.what}`),
    ...deeds.map(({ act, end }) => `${act.do} ${end === 'done' ? 'done' : 'not done'}`),
    ...deeds.flatMap(({ isAlone }) => (isAlone ? [] : ['deed beside another'])),
  ];
  for (const event of events) statistics.set(event, (statistics.get(event) ?? 0) + 1);
}
