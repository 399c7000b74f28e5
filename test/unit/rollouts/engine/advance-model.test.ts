import { describe, expect, it } from 'vitest';
import type { Notice, RolloutNotice } from '../../../../src/rollouts/engine/notices.ts';
import * as fc from '../../../support/fast-check.ts';
import { anyLife } from './any-gvc.ts';
import { run } from './gvc-scenario.ts';
import type { Step } from './gvc-scenario.ts';
import { keyOf, lineOf, model } from './model/model.ts';

/**
 * The same lives in every run, because the model is a second opinion and not an oracle: where the two
 * differ in a corner somebody has to decide, and not the one whose change met it by chance. Other
 * lives: `MODEL_SEED=7 npx vitest run test/unit/rollouts/engine/advance-model.test.ts`.
 */
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_120);

/** What the engine tells, in the lines of the model: without the edits of cards. */
function engine(steps: readonly Step[]): string[][] {
  const opened = new Set<string>();
  return steps.map(({ rolloutNotices, notices }) => {
    const lines = [...rolloutNotices.filter(isTold).map(line), ...notices.flatMap(newsLines)];
    const news = lines.filter((one) => !opened.has(one));
    for (const one of news) if (one.includes('/card/')) opened.add(one);
    return news.toSorted();
  });
}

function isTold({ outcome, opens }: RolloutNotice): boolean {
  return outcome !== undefined || opens;
}

function line({ workload, version: E, card, outcome }: RolloutNotice): string {
  const {
    kind,
    n,
    locations,
    covers = [],
    settled,
  } = outcome ?? { kind: 'card', n: card, locations: [] };
  const named = covers.map((ref) => `${ref.kind}/${ref.n}`);
  return lineOf({ workload, E, kind, n, locations, covers: named, settled: settled !== undefined });
}

function newsLines(news: Notice): string[] {
  switch (news.kind) {
    case 'gvc-gone': {
      const covers = news.covers.map((ref) => keyOf({ ...ref, E: ref.version }));
      return [[`@gvc/${news.version}/gone`, ...covers.toSorted()].join(' ')];
    }
    case 'job':
      return [`${news.workload}/@job/${news.location}/${news.execution}/${news.status}`];
    case 'gvc':
      return [
        ...(news.opens ? [`open @gvc/${news.version}/card`] : []),
        ...(news.tellsReady ? [`@gvc/${news.version}/ready`] : []),
      ];
    case 'location':
      // Which message tells an outcome is another matter; the outcomes stay what they are.
      return [];
  }
}

describe('the watch engine against a slow and obvious model', { timeout: 300_000 }, () => {
  it.each([
    { workloads: 1, polls: 16, runs: 13_000 },
    { workloads: 2, polls: 16, runs: 6_000 },
    { workloads: 4, polls: 20, runs: 700 },
    { workloads: 7, polls: 20, runs: 400 },
  ])('tells the same of all lives of $workloads workloads', ({ workloads, polls, runs }) => {
    fc.assert(
      fc.property(anyLife(workloads, polls, false), (life) => {
        const steps = run(life);

        expect(engine(steps)).toEqual(model(steps));
      }),
      { numRuns: runs, seed },
    );
  });
});
