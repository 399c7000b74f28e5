import type { Json } from '../json.ts';

/** Something that goes wrong on purpose. */
export interface Fault {
  /** A method name, or `*`. */
  readonly method: string;
  readonly channel?: string;
  readonly kind:
    | 'error'
    | 'http'
    | 'ratelimit'
    | 'reset-before'
    | 'reset-after'
    | 'delay-before'
    | 'delay-after';
  /** For `error`. */
  readonly error?: string;
  /** For `http`. */
  readonly status?: number;
  /** Seconds, for `ratelimit`. */
  readonly retryAfter?: number;
  readonly delayMs?: number;
  /** How often it happens; without it until the list is replaced. */
  readonly times?: number;
}

export interface Faults {
  replace(faults: readonly Fault[]): void;
  /** The first fault that fits the call; counts one use of it. */
  take(method: string, args: Json): Fault | undefined;
}

export function createFaults(): Faults {
  let active: { fault: Fault; left: number }[] = [];
  return {
    replace(faults) {
      active = faults.map((fault) => ({ fault, left: fault.times ?? Infinity }));
    },
    take(method, args) {
      const entry = active.find(
        ({ fault, left }) =>
          left > 0 &&
          (fault.method === '*' || fault.method === method) &&
          (fault.channel === undefined || fault.channel === args['channel']),
      );
      if (entry) entry.left -= 1;
      return entry?.fault;
    },
  };
}
