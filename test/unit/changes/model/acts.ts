import { planHash } from '../../../../src/changes/change.ts';
import type { Change } from '../../../../src/changes/change.ts';
import { createRequestService, createReviewService } from '../../../../src/changes/request.ts';
import { createExecutor } from '../../../../src/changes/execute.ts';
import { createSecretReveal } from '../../../../src/changes/reveal.ts';
import { befall } from './happenings.ts';
import type { Happening } from './happenings.ts';
import { placeIn } from './journal.ts';
import type { Deed, Look } from './journal.ts';
import { orderOf } from './orders.ts';
import type { Wish } from './orders.ts';
import type { Task } from './stage.ts';
import { PEOPLE, TEAM, userIdOf } from './state.ts';
import type { Name } from './state.ts';
import type { Trouble } from './trouble.ts';
import { officeFor } from './world.ts';
import type { World } from './world.ts';

/** Somebody by name, or by their part in the change. */
export type Who = Name | 'requester';

/** One thing that is done; `pick` says of which change. */
export type Act = { readonly trouble?: Trouble | undefined } & (
  | { readonly do: 'request'; readonly who: Name; readonly wish: Wish }
  | {
      readonly do: 'approve';
      readonly who: Who;
      readonly pick: number;
      /** What is approved: what a look shows now, what one has shown before, or anything. */
      readonly shown: 'now' | 'before' | 'never';
    }
  | { readonly do: 'review' | 'reject' | 'withdraw'; readonly who: Who; readonly pick: number }
  | {
      readonly do: 'reveal';
      readonly who: Who;
      readonly pick: number;
      /** Whether Slack shows it, and says so. */
      readonly slack: 'shows' | 'refuses' | 'is lost';
    }
  | { readonly do: 'work' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'happen'; readonly pick: number; readonly happening: Happening }
);

/** For whom an act is likely to do something. */
const FITS: { readonly [Do in Act['do']]?: (change: Change) => boolean } = {
  approve: ({ state }) => state === 'pending',
  review: ({ state }) => state === 'pending',
  reject: ({ state }) => state === 'pending',
  withdraw: ({ state }) => state === 'pending',
  reveal: ({ secret }) => secret?.state === 'sealed',
  happen: ({ state }) => state === 'pending' || state === 'approved' || state === 'executing',
};

/** Does all of it at the same time. */
export async function perform(world: World, acts: readonly Act[]): Promise<void> {
  const all = await world.kept.list(0, 99);
  const tasks = acts.map((act) => taskOf(world, act, { all, isAlone: acts.length === 1 }));
  await world.stage.run(tasks);
}

function taskOf(
  world: World,
  act: Act,
  { all, isAlone }: { all: readonly Change[]; isAlone: boolean },
): Task {
  const { journal } = world;
  const change = 'pick' in act ? picked(world, act, all) : undefined;
  const actor = world.enter(act.do, act.trouble);
  actor.change = change?.id;
  const person = 'who' in act ? personOf(act.who, change) : undefined;
  const deed: Deed = {
    act,
    actor,
    isAlone,
    ...(person && { person }),
    ...(change && { change: change.id }),
    ...(act.do === 'request' && { order: orderOf(act.wish, world.facts.state) }),
  };
  journal.deeds.push(deed);
  const work = async (): Promise<void> => {
    try {
      await WORKS[act.do](world, deed, change);
      deed.end = 'done';
    } catch (error) {
      deed.end = { error };
    }
    deed.until = placeIn(journal);
  };
  return { actor, work };
}

/** The newest that fits, most of the time. */
function picked(
  world: World,
  act: Act & { pick: number },
  all: readonly Change[],
): Change | undefined {
  const fitting = all.filter((change) => FITS[act.do]?.(change));
  const some = fitting.length === 0 || act.pick % 7 === 6 ? all : fitting;
  return some[act.pick % Math.max(1, some.length)];
}

function personOf(who: Who, change: Change | undefined): Name {
  if (who !== 'requester') return who;
  return PEOPLE.find((name) => userIdOf(name) === change?.requester.userId) ?? 'ada';
}

type Work = (world: World, deed: Deed, change: Change | undefined) => Promise<void>;

const clicker = (name: Name) => ({ userId: userIdOf(name), teamId: TEAM });

const WORKS: { readonly [Do in Act['do']]: Work } = {
  async request(world, deed) {
    const { order, person = 'ada' } = deed;
    if (order === undefined) return;
    await createRequestService(officeFor(world, deed.actor)).request(clicker(person), order);
  },
  async review(world, deed, change) {
    await look(world, deed, change);
  },
  async approve(world, deed, change) {
    const { act, actor, person = 'ben' } = deed;
    const how = 'shown' in act ? act.shown : 'now';
    const known = world.looks.get(`${person} ${change?.id}`);
    const seen = how === 'now' ? await look(world, deed, change) : known;
    const shown = how === 'never' || seen === undefined ? 'nothing' : seen.shown;
    if (seen && how !== 'never') Object.assign(deed, { seen });
    const bench = createReviewService(officeFor(world, actor));
    await bench.approve(clicker(person), change?.id ?? 'none', { comment: 'fine', shown });
  },
  async reject(world, { actor, person = 'ben' }, change) {
    const bench = createReviewService(officeFor(world, actor));
    await bench.reject(clicker(person), change?.id ?? 'none', { comment: 'no' });
  },
  async withdraw(world, { actor, person = 'ada' }, change) {
    await createReviewService(officeFor(world, actor)).withdraw(
      clicker(person),
      change?.id ?? 'none',
    );
  },
  reveal,
  work,
  wait: (world, { act, actor }) =>
    world.stage.call(actor, 'outside', () => {
      world.alter(() => world.stage.pass('ms' in act ? act.ms : 0));
    }),
  happen: (world, { act, actor }, change) =>
    world.stage.call(actor, 'outside', () => {
      world.alter(() => {
        if ('happening' in act) befall(world.facts, act.happening, { change, now: world.clock.at });
      });
    }),
};

/** Opens Review, and remembers what it showed. */
async function look(world: World, deed: Deed, change: Change | undefined): Promise<Look> {
  const { actor, person = 'ben' } = deed;
  const from = placeIn(world.journal);
  const bench = createReviewService(officeFor(world, actor));
  const { plan } = await bench.review(clicker(person), change?.id ?? 'none');
  const seen = { shown: planHash(plan), from, until: placeIn(world.journal) };
  world.looks.set(`${person} ${change?.id}`, seen);
  return seen;
}

async function reveal(world: World, deed: Deed, change: Change | undefined): Promise<void> {
  const { act, actor, person = 'ada' } = deed;
  const { journal, stage } = world;
  const counter = createSecretReveal(officeFor(world, actor));
  const taken = await counter.take(clicker(person), change?.id ?? 'none');
  const handed = {
    change: change?.id ?? '',
    person,
    actor,
    index: placeIn(journal),
    text: taken.secret.reveal(),
    isShown: false,
  };
  journal.handed.push(handed);
  const slack = 'slack' in act ? act.slack : 'shows';
  const isConfirmed = await stage
    .call(actor, 'slack', () => {
      handed.isShown = slack !== 'refuses';
      return slack === 'shows';
    })
    .catch(() => false);
  await (isConfirmed ? taken.shown() : taken.lost());
}

/** One worker: it looks for what is due, and goes on with that and with what it was asked for. */
async function work(world: World, { actor }: Deed): Promise<void> {
  const { journal, jobs, clock } = world;
  const office = officeFor(world, actor);
  const clerk = createExecutor(office);
  const tell = (error: unknown): void => void journal.deeds.push(failed(actor, error));
  await clerk.sweep().catch(tell);
  // As if a job were taken twice: by whoever has found it, and by whoever was asked.
  const due = await office.changes.due(clock.at).catch(() => []);
  const ids = new Set([...jobs, ...due]);
  jobs.clear();
  for (const id of ids) {
    actor.change = id;
    await clerk.advance(id).catch(tell);
  }
}

function failed(actor: Deed['actor'], error: unknown): Deed {
  return { act: { do: 'work' }, actor, isAlone: false, end: { error } };
}
