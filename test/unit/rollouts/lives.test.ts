import { describe, expect, it } from 'vitest';
import { add } from '../../lives/figures.ts';
import { lifeOf, type Life } from '../../lives/life.ts';
import { measure, noCounts, type Counts } from '../../lives/measure.ts';
import { type Shown } from '../../lives/posts.ts';
import { timeAt } from '../../lives/status.ts';

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
