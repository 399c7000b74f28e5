import { tableOf } from '../../../support/answer.ts';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it, test } from 'vitest';
import {
  planAnswer,
  planRollout,
  type Amount,
  type RolloutOptions,
} from '../../../../src/features/workload/plan.ts';

const count = (value: number): Amount => ({ value, percent: false });
const percent = (value: number): Amount => ({ value, percent: true });
const added = (options: RolloutOptions) => planRollout(options).batches.map((one) => one.added);

describe('the batches of a rollout', () => {
  it('maxSurgeReplicas of 50% adds 2 of 4, then removes 2 and adds 2', () => {
    const plan = planRollout({ replicas: 4, maxSurge: percent(50) });

    expect(plan.batches).toEqual([
      { removed: 0, added: 2, old: 4, fresh: 0, starting: 2 },
      { removed: 2, added: 2, old: 2, fresh: 2, starting: 2 },
    ]);
    expect(plan).toMatchObject({ surge: 2, unavailable: 0, leftover: 2, lowest: 4 });
  });

  it('maxSurgeReplicas of 100% is a short cutover', () => {
    const plan = planRollout({ replicas: 4, maxSurge: percent(100) });

    expect(plan.batches).toEqual([{ removed: 0, added: 4, old: 4, fresh: 0, starting: 4 }]);
    expect(plan.leftover).toBe(4);
    expect(planRollout({ replicas: 4, maxSurge: count(9) })).toEqual(plan);
  });

  it('maxUnavailableReplicas takes away before it adds', () => {
    const plan = planRollout({ replicas: 4, maxUnavailable: count(1) });

    expect(plan.batches[0]).toEqual({ removed: 1, added: 1, old: 3, fresh: 0, starting: 1 });
    expect(plan).toMatchObject({ lowest: 3, leftover: 0 });
    expect(added({ replicas: 4, maxUnavailable: count(4) })).toEqual([4]);
    expect(planRollout({ replicas: 4, maxUnavailable: count(9) })).toEqual(
      planRollout({ replicas: 4, maxUnavailable: count(4) }),
    );
  });

  it('with both, a batch replaces what it removes and adds the surge', () => {
    const options = { replicas: 6, maxSurge: count(1), maxUnavailable: count(1) };

    expect(planRollout(options).batches).toEqual([
      { removed: 1, added: 2, old: 5, fresh: 0, starting: 2 },
      { removed: 2, added: 2, old: 3, fresh: 2, starting: 2 },
      { removed: 2, added: 2, old: 1, fresh: 4, starting: 2 },
    ]);
  });

  it('percentages of the surge are rounded up, those of the unavailable ones down', () => {
    expect(planRollout({ replicas: 3, maxSurge: percent(34) }).surge).toBe(2);
    expect(planRollout({ replicas: 3, maxUnavailable: percent(66) }).unavailable).toBe(1);
    expect(planRollout({ replicas: 8, maxSurge: percent(12.5) }).surge).toBe(1);
  });

  it('a percentage with decimals loses and wins nothing before it is rounded', () => {
    expect(planRollout({ replicas: 1_000, maxSurge: percent(32.3) }).surge).toBe(323);
    expect(planRollout({ replicas: 1_000, maxUnavailable: percent(32.3) }).unavailable).toBe(323);
  });

  it('minReadySeconds counts once for each batch; without it no duration is reported', () => {
    const options = { replicas: 4, maxSurge: percent(50) };

    expect(planRollout({ ...options, minReadySeconds: 30 }).minSeconds).toBe(60);
    expect(planRollout(options).minSeconds).toBeUndefined();
  });

  it('scalingPolicy Parallel does not change them', () => {
    const options = { replicas: 5, maxSurge: count(2), minReadySeconds: 10 };

    expect(planRollout({ ...options, policy: 'Parallel' })).toEqual(planRollout(options));
  });

  it('neither option is given: one replica more at a time is assumed', () => {
    expect(planRollout({ replicas: 3 })).toMatchObject({ assumed: true, surge: 1, unavailable: 0 });
    expect(planRollout({ replicas: 3, maxSurge: count(2) }).assumed).toBe(false);
  });

  it.each<[string, Partial<RolloutOptions>, string]>([
    ['a surge of 0', { maxSurge: count(0) }, 'let maxSurge or maxUnavailable be at least 1.'],
    [
      'a percentage that is rounded down to none',
      { maxUnavailable: percent(20) },
      '(20% of 4 is less than one replica)',
    ],
  ])('nothing could move with %s, which is refused', (_, options, sentence) => {
    expect(() => planRollout({ replicas: 4, ...options })).toThrow(sentence);
  });
});

const amount = fc.record({ value: fc.integer({ min: 0, max: 120 }), percent: fc.boolean() });
const anyOptions = fc
  .record({
    replicas: fc.integer({ min: 1, max: 200 }),
    maxSurge: fc.option(amount, { nil: undefined }),
    maxUnavailable: fc.option(amount, { nil: undefined }),
    minReadySeconds: fc.constant(1),
  })
  .filter((options) => moves(options));

function moves(options: RolloutOptions): boolean {
  try {
    return planRollout(options).batches.length > 0;
  } catch {
    return false;
  }
}

describe('of any options', () => {
  test('a rollout keeps its bounds and ends with new replicas alone', () => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        const { replicas, surge, unavailable, batches, leftover } = planRollout(options);
        let [old, fresh] = [replicas, 0];
        for (const batch of batches) {
          expect(batch).toMatchObject({ old: old - batch.removed, fresh, starting: batch.added });
          expect(batch.old + batch.fresh).toBeGreaterThanOrEqual(replicas - unavailable);
          expect(batch.old + batch.fresh + batch.starting).toBeLessThanOrEqual(replicas + surge);
          expect(batch.added).toBeGreaterThan(0);
          expect(Math.min(batch.removed, batch.old)).toBeGreaterThanOrEqual(0);
          [old, fresh] = [batch.old, fresh + batch.added];
        }
        expect({ old: old - leftover, fresh }).toEqual({ old: 0, fresh: replicas });
      }),
    );
  });

  test('more surge never takes longer', () => {
    fc.assert(
      fc.property(anyOptions, fc.integer({ min: 0, max: 50 }), (options, more) => {
        const surge = count(planRollout(options).surge);
        const slow = planRollout({ ...options, maxSurge: surge });
        const quick = planRollout({ ...options, maxSurge: count(surge.value + more) });

        expect(quick.minSeconds).toBeLessThanOrEqual(slow.minSeconds ?? 0);
      }),
    );
  });
});

it("a plan lists all batches, and has pages beyond Slack's limits", () => {
  const options = { replicas: 1_000, maxSurge: { value: 1, percent: false } };
  const show = (page: number) => planAnswer(options, page);
  const pages = Array.from({ length: show(1).pages ?? 0 }, (_, index) => show(index + 1));
  const rows = pages.flatMap((one) => tableOf(one).slice(1));

  expect(rows).toHaveLength(1_001);
  expect(rows.at(-2)?.slice(0, 2)).toEqual(['1,000', '1,000 (100%)']);
  expect(pages.at(-1)?.asked).toEqual({ route: 'workload.plan', question: options, page: 6 });
});
