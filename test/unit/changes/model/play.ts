import { planHash, type Change } from '../../../../src/changes/change.ts';
import { createExecutor } from '../../../../src/changes/execute.ts';
import { createRequestService, createReviewService } from '../../../../src/changes/request.ts';
import { createSecretReveal } from '../../../../src/changes/reveal.ts';
import type { Act, Episode, Setup } from './any-act.ts';
import { befall } from './happenings.ts';
import { orderOf } from './orders.ts';
import { asPerson, createWorld, officeFor, type Backing, type Deed, type World } from './world.ts';
import { requestedBy } from '../../../support/changes.ts';

/** Plays a story to its end, and lets the bot work in peace after that. */
export async function play(
  { setup, episodes }: { setup: Setup; episodes: readonly Episode[] },
  backing: Backing,
): Promise<World> {
  const world = createWorld(setup, backing);
  for (const { seed, course } of episodes) {
    world.roll(seed);
    for (const acts of course) await perform(world, acts);
    await world.peek();
  }
  await settleDown(world);
  await world.peek();
  return world;
}

/** From here nothing goes wrong, and time passes until nothing is left to do. */
async function settleDown(world: World): Promise<void> {
  world.roll(1);
  world.facts.weather = 'clear';
  world.remember();
  for (let turn = 0; turn < 80; turn += 1) {
    await perform(world, [{ do: 'work' }]);
    if ((await world.kept.due(Infinity)).length === 0) return;
    world.stage.pass(([10, 20, 70][turn] ?? (turn < 10 ? 300 : 2_000)) * 1_000);
    world.remember();
  }
}

/** Performs the acts at the same time. */
async function perform(world: World, acts: readonly Act[]): Promise<void> {
  const all = await world.kept.list(0, 99);
  const tasks = acts.map((act) => {
    const change = picked(act, all);
    const deed: Deed = {
      act,
      person: (act.who === 'requester' ? change?.requester.userId : act.who) ?? 'ada',
      change: change?.id ?? '',
      order: act.wish && orderOf(act.wish, world.facts.state),
      isAlone: acts.length === 1,
      since: world.place(),
      startedAt: world.clock.at,
      trouble: act.trouble,
      steps: 0,
      isDead: false,
      isHit: false,
      errors: [],
    };
    world.deeds.push(deed);
    return [deed, () => done(world, deed, change)] as const;
  });
  await world.stage.run(tasks);
}

async function done(world: World, deed: Deed, change: Change | undefined): Promise<void> {
  try {
    await WORKS[deed.act.do](world, deed, change);
    deed.isDone = true;
  } catch (error) {
    deed.isDone = false;
    deed.errors.push(error);
  }
  deed.until = world.place();
}

const isPending = ({ state }: Change): boolean => state === 'pending';
/** For what an act is likely to do something. */
const FITS: { readonly [Do in Act['do']]?: (change: Change) => boolean } = {
  approve: isPending,
  review: isPending,
  reject: isPending,
  withdraw: isPending,
  reveal: ({ secret }) => secret?.state === 'sealed',
  happen: ({ state }) => ['pending', 'approved', 'executing'].includes(state),
};

/** The newest that fits, most of the time. */
function picked({ do: what, pick }: Act, all: readonly Change[]): Change | undefined {
  if (pick === undefined) return undefined;
  const fitting = all.filter((change) => FITS[what]?.(change));
  const some = fitting.length === 0 || pick % 7 === 6 ? all : fitting;
  return some[pick % Math.max(1, some.length)];
}

type Work = (world: World, deed: Deed, change: Change | undefined) => Promise<unknown>;

const reviewFor = (world: World, deed: Deed) => createReviewService(officeFor(world, deed));

const WORKS: { readonly [Do in Act['do']]: Work } = {
  async request(world, deed) {
    const { order, person } = deed;
    const requests = createRequestService(officeFor(world, deed));
    if (order) await requestedBy(requests, asPerson(person), order);
  },
  review: look,
  async approve(world, deed) {
    const { act, person, change } = deed;
    if (act.shown === 'now') await look(world, deed);
    if (act.shown === 'before') deed.seen = latestLook(world, deed);
    const shown = deed.seen?.shown ?? 'nothing';
    await reviewFor(world, deed).approve(asPerson(person), change, shown);
  },
  reject: (world, deed) =>
    reviewFor(world, deed).reject(asPerson(deed.person), deed.change, { comment: 'no' }),
  withdraw: (world, deed) => reviewFor(world, deed).withdraw(asPerson(deed.person), deed.change),
  reveal,
  work,
  happen: (world, deed, change) =>
    world.stage.call(deed, 'outside', () => {
      if (deed.act.happening) befall(world, deed.act.happening, change?.order);
      world.remember();
    }),
};

/** Opens Review, and remembers the plan that it showed. */
async function look(world: World, deed: Deed): Promise<void> {
  const { person, change } = deed;
  const from = world.place();
  const { plan } = await reviewFor(world, deed).review(asPerson(person), change);
  deed.seen = { shown: planHash(plan), from, until: world.place() };
}

/** The latest plan that the same person was shown of the same change. */
function latestLook({ deeds }: World, { person, change }: Deed): Deed['seen'] {
  return deeds.findLast((one) => one.seen && one.person === person && one.change === change)?.seen;
}

async function reveal(world: World, deed: Deed): Promise<void> {
  const { act, person, change } = deed;
  const counter = createSecretReveal(officeFor(world, deed));
  const taken = await counter.take(asPerson(person), change);
  const text = taken.secret.reveal();
  const handed = { by: deed, index: world.place(), text, isShown: false };
  world.handed.push(handed);
  const isConfirmed = await world.stage
    .call(deed, 'slack', () => {
      handed.isShown = act.slack !== 'refuses';
      return act.slack === 'shows';
    })
    .catch(() => false);
  await (isConfirmed ? taken.shown() : taken.lost());
}

/** One worker: it takes up the changes that are due and those in its queue. */
async function work(world: World, deed: Deed): Promise<void> {
  const { jobs, clock } = world;
  const office = officeFor(world, deed);
  const executor = createExecutor(office);
  const notify = (error: unknown): unknown => deed.errors.push(error);
  await executor.sweep().catch(notify);
  // As if a job were taken twice: by the worker that has found it, and by the one that was asked.
  const due = await office.changes.due(clock.at).catch(() => []);
  const ids = new Set([...jobs, ...due]);
  jobs.clear();
  for (const id of ids) {
    deed.change = id;
    await executor.advance(id).catch(notify);
  }
}
