import * as fc from 'fast-check';
import { perform } from './acts.ts';
import type { Act } from './acts.ts';
import { anyCourse, anySetup } from './any-act.ts';
import { judgeAnswers } from './judge-answers.ts';
import { judgeDecisions } from './judge-decisions.ts';
import { judgeEnds } from './judge-ends.ts';
import { judgeSecrets } from './judge-secrets.ts';
import { judgeSendings } from './judge-sendings.ts';
import type { Setup } from './rights.ts';
import { createWorld } from './world.ts';
import type { Backing, World } from './world.ts';

/** What goes on, at once and one after another, and how the dice fall in it. */
interface Episode {
  readonly seed: number;
  readonly course: readonly (readonly Act[])[];
}

type Command = fc.AsyncCommand<object, World>;

const SECOND = 1_000;

function commandOf({ seed, course }: Episode): Command {
  return {
    check: () => true,
    async run(_, world) {
      world.roll(seed);
      for (const acts of course) await perform(world, acts);
      await world.peek();
    },
    toString: () => JSON.stringify({ seed, course }),
  };
}

/** A set-up of the bot, and what people do with it. */
export const anyScenario: fc.Arbitrary<{ setup: Setup; commands: Iterable<Command> }> = fc.record({
  setup: anySetup,
  commands: fc.commands([fc.record({ seed: fc.nat(), course: anyCourse }).map(commandOf)], {
    maxCommands: 16,
    size: 'max',
  }),
});

/** Plays a story to its end, and lets the bot work in peace after that. */
export async function play(
  { setup, commands }: { setup: Setup; commands: Iterable<Command> },
  backing: Backing,
): Promise<World> {
  const world = createWorld(setup, backing);
  await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
  await settleDown(world);
  await world.peek();
  return world;
}

/** Nothing goes wrong any more, and time goes by until nothing is left to do. */
async function settleDown(world: World): Promise<void> {
  world.roll(1);
  const { weather } = world.facts;
  world.alter(() => {
    Object.assign(weather, { platformSilent: false, slackSilent: false, unreadableRow: false });
  });
  for (let turn = 0; turn < 80; turn += 1) {
    await perform(world, [{ do: 'work' }]);
    if ((await world.kept.due(Infinity)).length === 0) return;
    const ms = [10, 20, 70][turn] ?? (turn < 10 ? 300 : 2_000);
    await perform(world, [{ do: 'wait', ms: ms * SECOND }]);
  }
}

/** All that is wrong with how a story went. */
export async function judge(world: World): Promise<string[]> {
  return [
    ...judgeDecisions(world),
    ...judgeSendings(world),
    ...judgeAnswers(world),
    ...(await judgeEnds(world)),
    ...(await judgeSecrets(world)),
  ];
}
