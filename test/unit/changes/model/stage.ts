import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Dice } from './dice.ts';
import { errorOf, STALLS_MS } from './trouble.ts';
import type { CallKind, Trouble } from './trouble.ts';

/** A process at its work: one click, or one worker. What it has not written down is gone when it crashes. */
export interface Actor {
  readonly name: string;
  readonly trouble: Trouble | undefined;
  /** When it began, as a place in the history and in ms since the epoch. */
  readonly since: number;
  readonly startedAt: number;
  /** The change that it works on, once it does. */
  change: string | undefined;
  /** Steps that it has taken. */
  steps: number;
  /** When it crashed. */
  diedAt: number | undefined;
  /** Its trouble has come. */
  isHit: boolean;
}

export interface Task {
  readonly actor: Actor;
  readonly work: () => Promise<void>;
}

interface StageDeps {
  readonly clock: { at: number };
  /** The dice of the moment. */
  readonly dice: () => Dice;
  /** A process stood still for so long. */
  readonly stalled: (actor: Actor, ms: number) => void;
}

/** The client of the platform gives up after this time, and its server is done with a call soon after. */
const CLIENT_MS = 45_000;
const SERVER_MS = 60_000;

/**
 * Where processes take turns: each call waits twice, before its effect and before its answer comes, and
 * the dice say who is next. So anything can happen between any two awaits.
 */
export function createStage({ clock, dice, stalled }: StageDeps) {
  let waiting: { actor: Actor; go: () => void }[] = [];
  const underWay = new Set<object>();
  /** Calls on their way whose caller does not wait any more. */
  let ghosts: { until: number; appear: () => unknown }[] = [];

  const turn = (actor: Actor): Promise<void> =>
    new Promise((go) => {
      waiting.push({ actor, go });
    });

  function die(actor: Actor): Promise<never> {
    actor.diedAt = clock.at;
    waiting = waiting.filter((other) => other.actor !== actor);
    return new Promise(() => undefined);
  }

  /** Whether the trouble of a process comes now. */
  function strikes(actor: Actor, kind: CallKind, what: Trouble['what'], isAfter = false): boolean {
    const { trouble } = actor;
    if (trouble === undefined || actor.isHit || trouble.what !== what) return false;
    const isNow =
      trouble.at === 'write'
        ? kind === 'write' && (what !== 'crash' || isAfter === (trouble.how % 2 === 1))
        : what === 'crash'
          ? actor.steps === trouble.at
          : actor.steps >= trouble.at;
    if (isNow) actor.isHit = true;
    return isNow;
  }

  async function perform<T>(effect: () => T | Promise<T>): Promise<T> {
    const mark = {};
    underWay.add(mark);
    try {
      return await effect();
    } finally {
      underWay.delete(mark);
    }
  }

  /** Before the effect. @throws what the caller hears when there is none, or none yet */
  async function depart(
    actor: Actor,
    kind: CallKind,
    sentAt: number,
    appear: () => unknown,
  ): Promise<void> {
    const haunt = (): void => {
      ghosts.push({ until: sentAt + SERVER_MS, appear });
      // What is late by now is there already.
      if (clock.at > sentAt + SERVER_MS) pass(0);
    };
    await turn(actor);
    actor.steps += 1;
    if (strikes(actor, kind, 'crash')) {
      if (kind === 'write' && dice().chance(0.5)) haunt();
      return die(actor);
    }
    if (strikes(actor, kind, 'stall')) {
      const ms = STALLS_MS[(actor.trouble?.how ?? 0) % STALLS_MS.length] ?? 0;
      pass(ms);
      stalled(actor, ms);
    }
    if (kind === 'write' && strikes(actor, kind, 'late')) {
      haunt();
      throw errorOf(kind, { what: 'late', how: actor.trouble?.how ?? 0 });
    }
    const isOver = clock.at - sentAt > CLIENT_MS;
    if (isOver && kind === 'write' && dice().chance(0.5)) haunt();
    if (isOver && (kind === 'write' || kind === 'read')) {
      throw new PlatformError('timeout', 'it took too long');
    }
    if (strikes(actor, kind, 'fails')) {
      throw errorOf(kind, { what: 'fails', how: actor.trouble?.how ?? 0 });
    }
  }

  async function call<T>(actor: Actor, kind: CallKind, effect: () => T | Promise<T>): Promise<T> {
    if (actor.diedAt !== undefined) return new Promise(() => undefined);
    const answer = depart(actor, kind, clock.at, effect).then(async () => {
      const isLost = strikes(actor, kind, 'lost');
      const result = await perform(effect);
      if (isLost) throw errorOf(kind, { what: 'lost', how: actor.trouble?.how ?? 0 });
      return result;
    });
    const arrive = async (): Promise<void> => {
      await turn(actor);
      actor.steps += 1;
      if (strikes(actor, kind, 'crash', true)) await die(actor);
    };
    try {
      const result = await answer;
      await arrive();
      return result;
    } catch (error) {
      await arrive();
      throw error;
    }
  }

  /** Time goes by, and what is under way has its effect by then. */
  function pass(ms: number): void {
    const due = ghosts.filter(({ until }) => until <= clock.at + ms || dice().chance(0.3));
    ghosts = ghosts.filter((ghost) => !due.includes(ghost));
    for (const { appear } of due) {
      try {
        appear();
      } catch {
        // Nobody hears what the platform says to it.
      }
    }
    clock.at += ms;
  }

  /** Until all that can go on has gone as far as it can. */
  async function quiet(): Promise<void> {
    do {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    } while (underWay.size > 0);
  }

  /** Lets them work at once, until each is done or dead. @throws when one hangs */
  async function run(tasks: readonly Task[]): Promise<void> {
    const working = new Set<Actor>();
    for (const { actor, work } of tasks) {
      working.add(actor);
      // What it throws is its own affair.
      void work().finally(() => working.delete(actor));
    }
    for (;;) {
      await quiet();
      const [next] = waiting.splice(dice().below(waiting.length), 1);
      if (next === undefined) break;
      next.go();
    }
    const hung = [...working].filter(({ diedAt }) => diedAt === undefined);
    if (hung.length > 0) throw new Error(`${hung.map(({ name }) => name).join()} does not end`);
  }

  return { call, pass, run };
}

export type Stage = ReturnType<typeof createStage>;
