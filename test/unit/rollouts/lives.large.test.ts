import { describe, expect, it } from 'vitest';
import { play, type Shown } from '../../../src/rollouts/play.ts';
import { add, loudPerDay, rowOf } from '../../lives/figures.ts';
import { lifeOf, type Life } from '../../lives/life.ts';
import { measure, noCounts, type Breach, type Counts } from '../../lives/measure.ts';
import { timeAt } from '../../lives/status.ts';
import { runsOf } from '../../support/fast-check.ts';

/** Five series of lives: 200 lives in `npm run test:all`, all 5,000 with `npm run test:properties`. */
const SERIES = [1, 2, 3, 4, 5];
const LIVES = runsOf(1_000, 5);
/** A series takes some ten seconds, on a busy machine a minute. */
const PATIENCE_MS = 600_000;
const seedOf = (series: number, index: number): number => series * 100_000 + index;

/** Loud messages per workload and day of the engine of 2026-11-27 over the first 200 lives. */
const LOUD_BEFORE = 26.9;

/** Breaches that are allowed in so many lives: none in those of `npm run test:all`, where each was looked at. */
const ALLOWED: readonly (readonly [kind: keyof Counts, count: number])[] = [
  ['never', 0],
  ['late', Math.floor(LIVES / 500)],
  ['falseRecoveries', Math.floor(LIVES / 500)],
  ['recoveriesNotPosted', Math.floor(LIVES / 500)],
];

interface Series {
  readonly counts: Counts;
  readonly breaches: readonly Breach[];
}

function playSeries(series: number): Series {
  const counts = noCounts();
  const breaches: Breach[] = [];
  for (let index = 0; index < LIVES; index += 1) {
    const life = lifeOf(seedOf(series, index));
    const measured = measure(life, play(life.lines));
    add(counts, measured.counts);
    breaches.push(...measured.breaches);
  }
  return { counts, breaches };
}

describe('Simulated lives', () => {
  const played = new Map<number, Series>();
  const seriesOf = (series: number): Series => {
    const known = played.get(series) ?? playSeries(series);
    played.set(series, known);
    return known;
  };

  it.each(SERIES)(
    'series %i: every outage is called in time, every recovery posted, none invented',
    (series) => {
      const { breaches } = seriesOf(series);
      const tooMany = ALLOWED.flatMap(([kind, count]) =>
        breaches.filter((breach) => breach.kind === kind).slice(count),
      );
      // `play(lifeOf(seed).lines)` shows the whole life.
      expect(tooMany).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'takes no more loud messages than the engine before it',
    () => {
      const sum = noCounts();
      for (const series of SERIES) add(sum, seriesOf(series).counts);
      expect(loudPerDay(sum) > LOUD_BEFORE ? rowOf('this engine', sum) : '').toBe('');
    },
    PATIENCE_MS,
  );
});

describe('The measure', () => {
  const lives: Life[] = Array.from({ length: 20 }, (_, index) => lifeOf(index));
  const sumOf = (engine: (life: Life) => Shown[]): Counts => {
    const sum = noCounts();
    for (const life of lives) add(sum, measure(life, engine(life)).counts);
    return sum;
  };

  it('finds every outage, recovery and rollout that a silent engine misses', () => {
    const { outages, never, readies, readiesNotPosted, troubles, troublesNotPosted, loud } = sumOf(
      () => [],
    );
    expect(outages).toBeGreaterThan(10);
    expect([never, readiesNotPosted, troublesNotPosted]).toEqual([outages, readies, troubles]);
    expect(loud).toBe(0);
  });

  it('finds false calls and false recoveries of an engine that posts all the time', () => {
    const { outages, within5, calls, falseCalls, falseRecoveries } = sumOf(({ tracks }) =>
      tracks.flatMap(({ org, gvc, workload }) =>
        Array.from({ length: 120 }, (_, index): Shown[] =>
          ['stuck', 'recovered'].map((word) => ({
            at: timeAt(index * 3),
            how: 'post',
            key: `${org}/${gvc}/${workload}/1/${word}/${index + 1}`,
            text: word,
            blocks: [],
          })),
        ).flat(),
      ),
    );
    expect(within5).toBe(outages);
    expect(falseCalls).toBeGreaterThan(calls / 2);
    expect(falseRecoveries).toBeGreaterThan(0);
  });

  it('is the same for the same seed', () => {
    expect(lifeOf(7).lines).toEqual(lifeOf(7).lines);
  });
});
