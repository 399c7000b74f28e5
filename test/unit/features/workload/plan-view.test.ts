import { describe, expect, it } from 'vitest';
import { planAnswer } from '../../../../src/features/workload/plan-view.ts';
import {
  planRollout,
  type Amount,
  type RolloutOptions,
} from '../../../../src/platform/workload/plan.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { spoken, tableOf } from '../../../support/answer.ts';

const count = (value: number): Amount => ({ value, percent: false });
const percent = (value: number): Amount => ({ value, percent: true });

function show(options: RolloutOptions): Answer {
  return planAnswer({ options, plan: planRollout(options) });
}

const rows = (answer: Answer): string[][] => tableOf(answer).slice(1);

const notes = ({ blocks }: Answer): string => JSON.stringify(blocks.at(-1));

describe('a rollout plan', () => {
  it('answers in a sentence and a table', () => {
    const answer = show({ replicas: 4, maxSurge: percent(50), minReadySeconds: 30 });

    expect(spoken({ blocks: answer.blocks.slice(0, 1) })).toBe(
      '4 replicas roll out in 2 batches of 2 · never fewer than 4 serve (100%)\nit takes at least 60 s (1 min)',
    );
    expect(rows(answer)).toEqual([
      ['1', '4 (100%)', '2', '0', '4'],
      ['2', '4 (100%)', '2', '2', '2'],
      ['end', '4 (100%)', '0', '4', '0'],
    ]);
    expect(notes(answer)).toContain('The time that a replica takes to start comes on top');
    expect(answer).toMatchObject({ shareable: true, needs: 'orgs' });
  });

  it.each<[RolloutOptions, string]>([
    [{ replicas: 4, maxSurge: percent(100) }, '1 batch of 4, a short cutover · never fewer than 4'],
    [{ replicas: 5, maxSurge: count(2) }, '3 batches of 2, the last of 1 ·'],
    [{ replicas: 1 }, '1 replica rolls out in 1 batch of 1 · never fewer than 1 serves (100%)'],
    [{ replicas: 4, maxUnavailable: count(4) }, '1 batch of 4 · for a while none serves'],
    [{ replicas: 3, maxUnavailable: count(1) }, 'never fewer than 2 serve (67%)'],
    [{ replicas: 1 }, 'it takes as long as the new one takes to start'],
    [{ replicas: 4, maxSurge: count(4) }, 'it takes as long as they take to start'],
    [{ replicas: 3, minReadySeconds: 2_000 }, 'it takes at least 6,000 s (1 h 40 min)'],
    [{ replicas: 3 }, 'it takes 3 starts of a replica, one after the other'],
  ])('of %j says: %s', (options, words) => {
    expect(spoken(show(options))).toContain(words);
  });

  it('says how a percentage was rounded, where that matters', () => {
    const options = { replicas: 3, maxSurge: percent(50), maxUnavailable: percent(50) };

    expect(notes(show(options))).toContain('50% of 3 replicas is 1.5, rounded up to 2');
    expect(notes(show(options))).toContain('50% of 3 replicas is 1.5, rounded down to 1');
    expect(notes(show({ ...options, replicas: 4 }))).not.toContain('rounded');
    expect(notes(show({ replicas: 4, maxSurge: count(9) }))).toContain(
      '9 is more than all replicas',
    );
    expect(notes(show({ replicas: 4, maxSurge: percent(12.5) }))).toContain('is 0.5, rounded up');
  });

  it.each<[RolloutOptions, string]>([
    [{ replicas: 4, maxSurge: count(1) }, 'At most 5 replicas exist at a time, at least 4 serve'],
    [{ replicas: 2, maxUnavailable: count(1) }, 'exist at a time, at least 1 serves'],
    [
      { replicas: 1, maxUnavailable: count(1) },
      'At most 1 replica exists at a time, and none has to serve',
    ],
    [{ replicas: 1, minReadySeconds: 0 }, 'A `minReady` of 0 adds nothing'],
  ])('of %j notes: %s', (options, words) => {
    expect(notes(show(options))).toContain(words);
  });

  it('says why a batch may be larger than the surge, and that this is an assumption', () => {
    const options = { replicas: 9, maxSurge: count(1), maxUnavailable: count(2) };
    expect(notes(show(options))).toContain(
      'work together is not published: this assumes that a batch adds 1 and replaces the 2 that may be unavailable',
    );
    expect(notes(show({ replicas: 9, maxSurge: count(1) }))).not.toContain('a batch adds');
  });

  it('says that Parallel does not change the batches of an update', () => {
    const options = { replicas: 4, maxSurge: count(1) };

    expect(notes(show({ ...options, policy: 'Parallel' }))).toContain(
      '`Parallel` changes nothing here: it is about scaling, not about updates',
    );
    expect(rows(show({ ...options, policy: 'Parallel' }))).toEqual(rows(show(options)));
    expect(notes(show({ ...options, policy: 'OrderedReady' }))).not.toContain('Parallel');
  });

  it("lists all batches, and has pages beyond Slack's limits", () => {
    const options = { replicas: 1_000, maxSurge: count(1) };
    const first = show(options);
    const pages = Array.from({ length: first.pages ?? 0 }, (_, index) =>
      planAnswer({ options, plan: planRollout(options), page: index + 1 }),
    );

    expect(rows(first)).toHaveLength(200);
    expect(pages.flatMap(rows)).toHaveLength(1_001);
    expect(pages.flatMap(rows).at(-2)?.slice(0, 2)).toEqual(['1,000', '1,000 (100%)']);
    expect(pages.at(-1)?.asked).toEqual({ route: 'workload.plan', question: options, page: 6 });
  });
});
