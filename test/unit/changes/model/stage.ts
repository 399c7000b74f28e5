import { PlatformError, type PlatformReason } from '../../../../src/platform/errors.ts';

/** The kinds of calls. `write` changes something on the platform. */
export type CallKind = 'store' | 'lock' | 'jobs' | 'slack' | 'read' | 'write' | 'outside';

/** The one thing that goes wrong in a process, if anything does. */
export interface Trouble {
  /** The how-manieth step; a call has two: before its effect and after it. */
  readonly at: number | 'write';
  readonly what:
    /** The process ends there. */
    | 'crash'
    /** The call has no effect, and an error comes back. */
    | 'fails'
    /** The call has its effect, and its answer is lost. */
    | 'lost'
    /** An error comes back, and the call has its effect afterwards. */
    | 'late'
    /** The process stands still for a while. */
    | 'stall';
  /** Which of several ways. */
  readonly how: number;
}

/** One click, or one worker. Anything that it has not written down is gone when it crashes. */
export interface Process {
  readonly trouble?: Trouble | undefined;
  steps: number;
  /** It has crashed. */
  isDead: boolean;
  /** Its trouble has come. */
  isHit: boolean;
}

const STALLS_MS = [3_000, 11_000, 20_000, 50_000, 100_000] as const;
/** The client of the platform gives up after this time, and its server is done with a call soon after. */
const CLIENT_MS = 45_000;
const SERVER_MS = 60_000;
/** A lock that is not renewed falls free after this time. */
const LOCK_MS = 15_000;

/** Reason, status, and what of the bot's own the platform does not know. */
type Heard = readonly [PlatformReason, status?: number, credential?: 'account'];
const SILENCE: readonly Heard[] = [['timeout'], ['unreachable'], ['unavailable', 502]];
const BROKEN: readonly Heard[] = [
  ['rate-limited', 429],
  ['server-error', 500],
  ['unavailable', 503],
  ['timeout'],
];
/** The answers of the platform to the caller. */
const HEARD: Record<string, readonly Heard[]> = {
  'read fails': [...BROKEN, ['forbidden', 403], ['malformed', 200]],
  'write fails': [
    ...BROKEN,
    ['forbidden', 403],
    ['bad-request', 400],
    ['not-found', 404, 'account'],
    ['unreachable'],
  ],
  'read lost': SILENCE,
  'write lost': [...SILENCE, ['malformed', 201], ['server-error', 500]],
  'write late': SILENCE,
};

const NONE: Trouble = { at: 0, what: 'fails', how: 0 };

function errorOf(kind: CallKind, { what, how }: Trouble = NONE): Error {
  const all = HEARD[`${kind} ${what}`];
  if (all === undefined) return new Error(`the ${kind} does not answer`);
  const [reason, status, credential] = all[how % all.length] as Heard;
  return new PlatformError(reason, 'trouble', { status, credential });
}

type Effect<T> = () => T | Promise<T>;

/** Chance that can be had again: the same seed gives the same throws (mulberry32). */
export function createDice(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (count: number): number => Math.floor(next() * count),
    chance: (share: number): boolean => next() < share,
  };
}

/**
 * Where processes take turns: each call waits twice, before its effect and before its answer comes, and
 * the dice say who is next. So anything can happen between any two awaits.
 */
export function createStage(world: {
  readonly clock: { at: number };
  readonly dice: ReturnType<typeof createDice>;
}) {
  const { clock } = world;
  const locks = createLocks(clock);
  let waiting: { process: Process; go: () => void }[] = [];
  const underWay = new Set<object>();
  /** Calls on their way whose caller has given up waiting. */
  let ghosts: { until: number; effect: Effect<unknown> }[] = [];

  async function turn(process: Process): Promise<void> {
    await new Promise<void>((go) => {
      waiting.push({ process, go });
    });
    process.steps += 1;
  }

  function die(process: Process): Promise<never> {
    process.isDead = true;
    locks.leave(process, clock.at);
    waiting = waiting.filter((other) => other.process !== process);
    return new Promise(() => undefined);
  }

  /** Runs the effect now, later, or not at all. @throws the error that the caller gets */
  async function happen<T>(
    process: Process,
    kind: CallKind,
    sentAt: number,
    effect: Effect<T>,
  ): Promise<T> {
    const isHitBy = (what: Trouble['what']): boolean => strikes(process, kind, what);
    const haunt = (): void => {
      if (kind === 'write') ghosts.push({ until: sentAt + SERVER_MS, effect });
      // A call that is late by now has had its effect.
      if (clock.at > sentAt + SERVER_MS) pass(0);
    };
    if (isHitBy('crash')) {
      if (world.dice.chance(0.5)) haunt();
      return die(process);
    }
    if (isHitBy('stall')) {
      const { how } = process.trouble ?? NONE;
      const ms = STALLS_MS[how % STALLS_MS.length] ?? 0;
      pass(ms);
      if (ms >= LOCK_MS) locks.leave(process, -Infinity);
    }
    if (kind === 'write' && isHitBy('late')) {
      haunt();
      throw errorOf(kind, process.trouble);
    }
    if ((kind === 'read' || kind === 'write') && clock.at - sentAt > CLIENT_MS) {
      if (world.dice.chance(0.5)) haunt();
      throw new PlatformError('timeout', 'it took too long');
    }
    if (isHitBy('fails')) throw errorOf(kind, process.trouble);
    const isLost = isHitBy('lost');
    underWay.add(effect);
    try {
      const result = await effect();
      if (isLost) throw errorOf(kind, process.trouble);
      return result;
    } finally {
      underWay.delete(effect);
    }
  }

  async function call<T>(process: Process, kind: CallKind, effect: Effect<T>): Promise<T> {
    if (process.isDead) return new Promise(() => undefined);
    const sentAt = clock.at;
    await turn(process);
    try {
      return await happen(process, kind, sentAt, effect);
    } finally {
      await turn(process);
      if (strikes(process, kind, 'crash', true)) await die(process);
    }
  }

  /** Time passes, and calls under way have their effect by then. */
  function pass(ms: number): void {
    const due = ghosts.filter(({ until }) => until <= clock.at + ms || world.dice.chance(0.3));
    ghosts = ghosts.filter((ghost) => !due.includes(ghost));
    for (const { effect } of due) {
      try {
        void effect();
      } catch {
        // The caller has given up, so no process gets this error.
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

  return {
    call,
    pass,
    async withLock<T>(
      process: Process,
      name: string,
      work: (held: () => boolean) => Promise<T>,
    ): Promise<T | undefined> {
      try {
        const lock = await call(process, 'lock', () => locks.take(process, name));
        if (lock === undefined) return undefined;
        try {
          return await work(() => lock.leftAt > -Infinity);
        } finally {
          await call(process, 'lock', () => locks.release(name, lock));
        }
      } finally {
        // Where the answer was lost it is still held.
        locks.leave(process, clock.at, name);
      }
    },
    /** Lets them work at once, until each is done or dead. @throws when one hangs */
    async run(works: readonly (readonly [Process, () => Promise<void>])[]): Promise<void> {
      const working = new Set<Process>();
      for (const [process, work] of works) {
        working.add(process);
        void work().finally(() => working.delete(process));
      }
      for (;;) {
        await quiet();
        const [next] = waiting.splice(world.dice.below(waiting.length), 1);
        if (next === undefined) break;
        next.go();
      }
      if ([...working].some(({ isDead }) => !isDead)) throw new Error('a process does not end');
    },
  };
}

/** Whether the trouble of a process comes now. */
function strikes(process: Process, kind: CallKind, what: Trouble['what'], isAfter = false) {
  const { trouble, steps, isHit } = process;
  if (trouble === undefined || isHit || trouble.what !== what) return false;
  const isNow =
    trouble.at === 'write'
      ? kind === 'write' && (what !== 'crash' || isAfter === (trouble.how % 2 === 1))
      : steps >= trouble.at;
  if (isNow) process.isHit = true;
  return isNow;
}

interface Lock {
  readonly process: Process;
  /** Since when it is not renewed; -Infinity: it is lost. */
  leftAt: number;
}

/** Renewed while their process lives, and lost when that stands still for long. */
function createLocks(clock: { at: number }) {
  const locks = new Map<string, Lock>();
  const leave = (process: Process, at: number, name?: string): void => {
    for (const [key, lock] of locks) {
      if (lock.process === process && key === (name ?? key)) lock.leftAt = at;
    }
  };
  return {
    leave,
    take(process: Process, name: string): Lock | undefined {
      const { leftAt } = locks.get(name) ?? { leftAt: -Infinity };
      if (clock.at < leftAt + LOCK_MS) return undefined;
      const lock = { process, leftAt: Infinity };
      locks.set(name, lock);
      return lock;
    },
    release: (name: string, lock: Lock): boolean => locks.get(name) === lock && locks.delete(name),
  };
}
