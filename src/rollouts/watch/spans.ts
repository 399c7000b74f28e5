/** When a poll was made, and how it follows the one before. Times in milliseconds since the epoch. */
export interface PollTime {
  now: number;
  /** The last complete poll of the GVC; 0 = none. */
  previousAt: number;
  /** The poll before is so recent that time since then was seen (design section 4, "in a row"). */
  inRow: boolean;
  /** `WATCH_PATIENCE`: the factor on every span. */
  patience: number;
}

const MINUTE_MS = 60_000;

/** Spans of design section 4 in minutes, before `WATCH_PATIENCE`. */
export const SPAN = {
  inRow: 3,
  /** A level of 2 or 3 is confirmed, in total of `window`. */
  confirm: 3,
  window: 10,
  /** A location starts up, or goes on rolling out. */
  young: 10,
  /** Level 1, or a level that only young locations cause. */
  slow: 10,
  /** A level counts as lower, a report as back, a workload as gone. */
  calm: 3,
  /** The same while it flaps. */
  flapCalm: 20,
  /** Flapping is counted within it, and calls again once in it. */
  flap: 60,
  stuck: 10,
  fatal: 3,
  stale: 3,
  unknown: 10,
  diverged: 10,
  /** A location that left unready holds a rollout back. */
  left: 10,
  crashLoop: 60,
  /** Joiners and falls of a group are collected. */
  collect: 5,
} as const;

/** Milliseconds of a span. */
export function span({ patience }: Pick<PollTime, 'patience'>, name: keyof typeof SPAN): number {
  return SPAN[name] * MINUTE_MS * patience;
}

/** Whether something that began at `since` has lasted for the span. */
export function lasted(
  time: PollTime,
  since: number | undefined,
  name: keyof typeof SPAN,
): boolean {
  return since !== undefined && time.now - since >= span(time, name);
}

/** The beginning of a span that runs on, or begins now; it begins anew after a gap. */
export function begunAt({ now, inRow }: PollTime, at: number | undefined): number {
  return at === undefined || !inRow ? now : at;
}

/** The third time within an hour is flapping. */
export const FLAPS_FROM = 3;

/** The times within the last hour. */
export function lastHour(time: PollTime, all: readonly number[] = []): number[] {
  return all.filter((at) => !lasted(time, at, 'flap'));
}

/** @param idleMs the slow pace of polls */
export function pollTime(
  now: number,
  previousAt: number,
  { patience, idleMs }: { patience: number; idleMs: number },
): PollTime {
  const limit = Math.max(span({ patience }, 'inRow'), 3 * idleMs);
  return { now, previousAt, inRow: previousAt > 0 && now - previousAt < limit, patience };
}
