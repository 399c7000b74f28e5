import type { Expectation } from './fleet.ts';
import type { ChaosSlack, Told } from './slack.ts';

/** What went wrong, each as `channel key`; the definitions of lost, doubled, ghost and disorder. */
export interface Count {
  expected: number;
  told: number;
  /** Seen in a complete list and never told. */
  lost: string[];
  /** Told more than once to one channel, by posts and `covers` together. */
  doubled: string[];
  /** Told and never so. */
  ghost: string[];
  /** `ready` of a version after `ready` of a later one. */
  disorder: string[];
  /** Milliseconds from the first list that showed it until it was told: the middle, and the longest. */
  late: { median: number; most: number };
}

/** @param allowed keys that may be told besides: those of the messages that stand for others */
export function count(
  slack: Pick<ChaosSlack, 'told'>,
  expected: readonly Expectation[],
  allowed: (told: Told) => boolean,
): Count {
  const wanted = new Map(expected.map((one) => [`${one.channel} ${one.key}`, one.since]));
  const told = new Map<string, Told[]>();
  for (const one of slack.told) {
    const name = `${one.channel} ${one.key}`;
    const times = told.get(name) ?? [];
    times.push(one);
    told.set(name, times);
  }
  const late = [...wanted]
    .flatMap(
      ([name, since]) =>
        told
          .get(name)
          ?.slice(0, 1)
          .map(({ at }) => at - since) ?? [],
    )
    .toSorted((left, right) => left - right);
  return {
    expected: wanted.size,
    told: told.size,
    lost: [...wanted.keys()].filter((name) => !told.has(name)),
    doubled: [...told]
      .filter(([, times]) => times.length > 1)
      .map(([name, times]) => `${name} (told by ${times.map(({ by }) => by).join(' and ')})`),
    ghost: [...told]
      .filter(([name, [first]]) => !wanted.has(name) && !(first && allowed(first)))
      .map(([name, [first]]) => `${name} (told by ${first?.by})`),
    disorder: disorderOf(slack.told),
    late: { median: late[late.length >> 1] ?? 0, most: late.at(-1) ?? 0 },
  };
}

const READY_KEY = /^(.*)\/(\d+)\/ready(?:\/\d+)?$/;

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
