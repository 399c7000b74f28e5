import type { Expectation } from './fleet.ts';
import type { Told } from './slack.ts';

/** What went wrong, each as `channel key`; the definitions of lost, doubled, ghost and disorder. */
export type Count = ReturnType<typeof count>;

/** @param allowed keys that may be told besides: those of the messages that stand for others */
export function count(
  told: readonly Told[],
  expected: readonly Expectation[],
  allowed: (told: Told) => boolean,
) {
  const nameOf = ({ channel, key }: { channel: string; key: string }) => `${channel} ${key}`;
  const wanted = new Map(expected.map((one) => [nameOf(one), one.since]));
  const times = new Map<string, Told[]>();
  for (const one of told) times.set(nameOf(one), [...(times.get(nameOf(one)) ?? []), one]);
  const first = [...times].flatMap(([name, [one]]) => (one ? [{ ...one, name }] : []));
  const late = first.map(({ name, at }) => at - (wanted.get(name) ?? at));
  return {
    expected: wanted.size,
    told: times.size,
    /** Seen in a complete list and never told. */
    lost: [...wanted.keys()].filter((name) => !times.has(name)),
    /** Told more than once to one channel, by posts and `covers` together. */
    doubled: [...times]
      .filter(([, { length }]) => length > 1)
      .map(([name, all]) => `${name} (told by ${all.map(({ by }) => by).join(' and ')})`),
    /** Told and never so. */
    ghost: first
      .filter((one) => !wanted.has(one.name) && !allowed(one))
      .map(({ name, by }) => `${name} (told by ${by})`),
    disorder: disorderOf(told),
    /** The most milliseconds from the first list that showed something until it was told. */
    late: Math.max(0, ...late),
  };
}

const READY_KEY = /^(.*)\/(\d+)\/ready(?:\/\d+)?$/;

/** `ready` of a version after `ready` of a later one. */
function disorderOf(told: readonly Told[]): string[] {
  const highest = new Map<string, number>();
  return told.flatMap(({ channel, key, by }) => {
    const [, workload = '', version = ''] = READY_KEY.exec(key) ?? [];
    if (workload === '') return [];
    const name = `${channel} ${workload}`;
    const before = highest.get(name) ?? 0;
    highest.set(name, Math.max(before, Number(version)));
    return Number(version) < before
      ? [`${channel} ${key} after version ${before} (told by ${by})`]
      : [];
  });
}
