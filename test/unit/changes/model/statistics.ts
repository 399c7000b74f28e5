import type { World } from './world.ts';

/** How often something came to pass in all stories: a model whose stories lead nowhere proves nothing. */
export type Statistics = Map<string, number>;

export async function count(world: World, statistics: Statistics): Promise<void> {
  const { journal, kept } = world;
  const all = await kept.list(0, 99);
  const crashed = journal.deeds.filter(({ actor }) => actor.diedAt !== undefined);
  const inFlight = journal.sendings.filter(({ actor }) => actor.diedAt !== undefined);
  const events = [
    ['stories'],
    all.map(({ state }) => state),
    journal.sendings.flatMap(({ effect }) => (effect?.what === 'done' ? ['effects'] : [])),
    journal.commits
      .filter(({ kind }) => kind === 'claim')
      .map(({ change }) => `claimed ${change.order.kind}`),
    journal.commits
      .map(({ kind }) => kind)
      .filter((kind) => ['resend', 'refuse', 'reveal', 'lapse', 'remind'].includes(kind))
      .map((kind) => `${kind}d`.replace('ed', 'd').replace('dd', 'd')),
    all.flatMap(({ secret }) => (secret === undefined ? [] : [`secrets ${secret.state}`])),
    crashed.map(() => 'crashes'),
    inFlight.map(() => 'crashes about a call'),
    journal.sendings.filter(({ isAnswered }) => !isAnswered).map(() => 'calls without an answer'),
    journal.deeds.flatMap(({ actor }) =>
      actor.isHit && actor.trouble?.what !== 'crash' ? [`troubles: ${actor.trouble?.what}`] : [],
    ),
    journal.deeds.flatMap(({ act, end }) =>
      typeof end === 'object' ? [`refused ${act.do}`] : [],
    ),
    journal.deeds.filter(({ isAlone }) => !isAlone).map(() => 'deeds at the same time'),
  ];
  for (const event of events.flat()) statistics.set(event, (statistics.get(event) ?? 0) + 1);
}
