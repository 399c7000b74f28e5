import { createRandom } from '../../random.ts';
import type { Json } from '../json.ts';

/** Something that goes wrong on purpose. */
export interface Fault {
  /** A method name, or `*`. */
  readonly method: string;
  readonly channel?: string;
  readonly kind:
    | 'error'
    | 'http'
    | 'http-after'
    | 'ratelimit'
    | 'reset-before'
    | 'reset-after'
    | 'delay-before'
    | 'delay-after'
    /** A reply is posted without its thread. */
    | 'unthread'
    /** A reply below a deleted message is taken. */
    | 'tomb';
  /** For `error`. */
  readonly error?: string;
  /** For `http`, and `http-after`, which carries out the call first. */
  readonly status?: number;
  /** Seconds, for `ratelimit`. */
  readonly retryAfter?: number;
  readonly delayMs?: number;
  /** How often it happens; without it until the list is replaced. */
  readonly times?: number;
  /** The share of fitting calls that it hits, above 0 to 1; without it all. */
  readonly chance?: number;
}

export interface Faults {
  /** @param seed decides which calls a fault with a chance hits (1) */
  replace(faults: readonly Fault[], seed?: number): void;
  /** The first fault that fits the call; counts one use. */
  take(method: string, args: Json): Fault | undefined;
  /** The list, each with how often it still happens. */
  list(): readonly (Fault & { readonly left: number })[];
}

export function createFaults(): Faults {
  let active: { fault: Fault; left: number }[] = [];
  let random = createRandom(1);
  return {
    replace(faults, seed = 1) {
      random = createRandom(seed);
      active = faults.map((fault) => ({ fault, left: fault.times ?? Infinity }));
    },
    take(method, args) {
      const entry = active.find(
        ({ fault, left }) =>
          left > 0 &&
          (fault.method === '*' || fault.method === method) &&
          (fault.channel === undefined || fault.channel === args['channel']) &&
          (fault.chance === undefined || random.next() < fault.chance),
      );
      if (entry) entry.left -= 1;
      return entry?.fault;
    },
    list: () => active.map(({ fault, left }) => ({ ...fault, left })),
  };
}
