import type { Expectation } from './fleet.ts';
import type { Reported } from './slack.ts';

/** The faults, each as `channel key`; the definitions of lost, doubled, ghost and disorder. */
export type Count = ReturnType<typeof count>;

/** @param allowed keys that may be reported besides: those of the messages that stand for others */
export function count(
  reported: readonly Reported[],
  expected: readonly Expectation[],
  allowed: (reported: Reported) => boolean,
) {
  const nameOf = ({ channel, key }: { channel: string; key: string }) => `${channel} ${key}`;
  const wanted = new Map(expected.map((one) => [nameOf(one), one.since]));
  const times = new Map<string, Reported[]>();
  for (const one of reported) times.set(nameOf(one), [...(times.get(nameOf(one)) ?? []), one]);
  const first = [...times].flatMap(([name, [one]]) => (one ? [{ ...one, name }] : []));
  const late = first.map(({ name, at }) => at - (wanted.get(name) ?? at));
  return {
    expected: wanted.size,
    reported: times.size,
    /** Seen in a complete list and never reported. */
    lost: [...wanted.keys()].filter((name) => !times.has(name)),
    /** Reported more than once to one channel, by posts and `covers` together. */
    doubled: [...times]
      .filter(([, { length }]) => length > 1)
      .map(([name, all]) => `${name} (reported by ${all.map(({ by }) => by).join(' and ')})`),
    /** Reported and never so. */
    ghost: first
      .filter((one) => !wanted.has(one.name) && !allowed(one))
      .map(({ name, by }) => `${name} (reported by ${by})`),
    disorder: disorderOf(reported),
    /** The most milliseconds from the first list that showed something until it was reported. */
    late: Math.max(0, ...late),
  };
}

const READY_KEY = /^(.*)\/(\d+)\/ready(?:\/\d+)?$/;

/** `ready` of a version after `ready` of a later one. */
function disorderOf(reported: readonly Reported[]): string[] {
  const highest = new Map<string, number>();
  return reported.flatMap(({ channel, key, by }) => {
    const [, workload = '', version = ''] = READY_KEY.exec(key) ?? [];
    if (workload === '') return [];
    const name = `${channel} ${workload}`;
    const before = highest.get(name) ?? 0;
    highest.set(name, Math.max(before, Number(version)));
    return Number(version) < before
      ? [`${channel} ${key} after version ${before} (reported by ${by})`]
      : [];
  });
}
