import type { Parcel } from './parcel.ts';

/** Delays before the three repetitions of an event that was not taken, in milliseconds. */
const DELAYS = [0, 60_000, 300_000] as const;

export interface Retries {
  /** Sends the event again later, unless it was the third repetition. */
  plan(parcel: Parcel, failure: 'operation_timeout' | 'dispatch_failed'): void;
  /** Sends everything that waits at once; answers how many. */
  runAll(): Promise<number>;
  close(): void;
}

interface Waiting {
  readonly timer: NodeJS.Timeout;
  readonly run: () => Promise<unknown>;
}

/** Repeats events as Slack does: at once, after a minute and after five. */
export function createRetries(deliver: (parcel: Parcel) => Promise<unknown>): Retries {
  const waiting = new Set<Waiting>();
  return {
    plan(parcel, failure) {
      const number = (parcel.retry?.number ?? 0) + 1;
      const delay = DELAYS[number - 1];
      if (delay === undefined) return;
      const reason = failure === 'operation_timeout' ? 'http_timeout' : 'http_error';
      const run = () => {
        clearTimeout(entry.timer);
        waiting.delete(entry);
        return deliver({ ...parcel, retry: { number, reason } });
      };
      const entry: Waiting = { run, timer: setTimeout(() => void run(), delay) };
      entry.timer.unref();
      waiting.add(entry);
    },
    async runAll() {
      const due = [...waiting];
      await Promise.all(due.map(({ run }) => run()));
      return due.length;
    },
    close() {
      for (const { timer } of waiting) clearTimeout(timer);
      waiting.clear();
    },
  };
}
