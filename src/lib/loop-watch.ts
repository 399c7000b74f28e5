/** Watches whether the event loop of this thread turns. */
export interface LoopWatch {
  /**
   * For how long it stood still within the last minute, in milliseconds; each time of at least 3 s. A
   * single time that has been over for 15 s does not count.
   */
  stoodStillMs(): number;
}

const EVERY_MS = 1_000;
const WINDOW_MS = 60_000;
/** A busy machine is late now and then; that is no standstill. Milliseconds. */
const TOLERANCE_MS = 3_000;
/** A single standstill is forgiven after this time. Milliseconds. */
const SINGLE_MS = 15_000;

/** @param now milliseconds on a clock that only goes forward */
export function createLoopWatch(now: () => number = () => performance.now()): LoopWatch {
  let last = now();
  let stills: { at: number; ms: number }[] = [];

  const lateMs = (): number => {
    const late = now() - last - EVERY_MS;
    return late >= TOLERANCE_MS ? late : 0;
  };

  setInterval(() => {
    const ms = lateMs();
    last = now();
    stills = stills.filter(({ at }) => last - at < WINDOW_MS);
    if (ms > 0) stills.push({ at: last, ms });
  }, EVERY_MS).unref();

  return {
    stoodStillMs() {
      const since = (ms: number) => stills.filter(({ at }) => at > now() - ms);
      const lately = since(WINDOW_MS);
      const current = lateMs();
      const counted = lately.length > 1 || current > 0 ? lately : since(SINGLE_MS);
      return counted.reduce((sum, { ms }) => sum + ms, current);
    },
  };
}
