import { describe, expect, it } from 'vitest';
import type { Notice, OutcomeRef, RolloutNotice } from '../../../../src/rollouts/engine/notices.ts';
import { THREAD_ONLY, type OutcomeKind } from '../../../../src/rollouts/engine/states.ts';
import {
  gvcKey,
  jobKey,
  keyOfOutcome,
  locationKey,
} from '../../../../src/rollouts/messages/audience.ts';
import * as fc from '../../../support/fast-check.ts';
import { anyCrowd, anyScenario } from './any-gvc.ts';
import { PLACE, run, type Step } from './gvc-scenario.ts';

const anyLife = fc.oneof({ weight: 1, arbitrary: anyScenario }, { weight: 3, arbitrary: anyCrowd });
const RUNS = { numRuns: 150 };

/** What stands in a message of its own, or in the `covers` of another: by outcome key the messages. */
function carriers(steps: readonly Step[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const carry = (key: string, carrier: string): void => {
    found.set(key, (found.get(key) ?? new Set()).add(carrier));
  };
  const cover = (refs: readonly OutcomeRef[], carrier: string): void => {
    for (const ref of refs) carry(keyOfOutcome(PLACE, ref), carrier);
  };
  for (const { rolloutNotices, notices } of steps) {
    for (const notice of rolloutNotices) {
      if (notice.outcome === undefined) continue;
      const key = keyOfOutcome(PLACE, { ...notice, ...notice.outcome });
      const { by, byGvc } = notice.outcome;
      if (by === undefined && byGvc === undefined) carry(key, key);
      cover(notice.outcome.covers ?? [], key);
    }
    for (const one of notices) {
      if (one.kind === 'gvc') cover(one.covers ?? [], gvcKey(PLACE, one.version, 'ready'));
      if (one.kind === 'gvc-gone') cover(one.covers, gvcKey(PLACE, one.version, 'gone'));
      if (one.kind !== 'location') continue;
      if (one.opens) cover(one.covers, locationKey(PLACE, one.ref));
      for (const { ref, covers } of one.replies) cover(covers, locationKey(PLACE, ref));
    }
  }
  return found;
}

/** Every number that was given to an outcome of a workload. */
function numbered(steps: readonly Step[]): OutcomeRef[] {
  const highest = new Map<string, { workload: string; word: string; n: number }>();
  for (const { after } of steps) {
    for (const [workload, { told }] of Object.entries(after.rollouts)) {
      for (const [word, n] of Object.entries(told)) {
        highest.set(`${workload} ${word}`, { workload, word, n });
      }
    }
  }
  return [...highest.values()].flatMap(({ workload, word, n }) => {
    const [version, kind = ''] = word.split('/');
    if (kind === 'card') return [];
    return Array.from({ length: n }, (_, index) => ({
      workload,
      version: Number(version),
      kind: kind as OutcomeKind,
      n: index + 1,
    }));
  });
}

function newKeys(notices: Notice): string[] {
  switch (notices.kind) {
    case 'location':
      return [
        ...(notices.opens ? [notices.ref] : []),
        ...notices.replies.map(({ ref }) => ref),
      ].map((ref) => locationKey(PLACE, ref));
    case 'gvc':
      return [
        ...(notices.opens ? [gvcKey(PLACE, notices.version, 'card')] : []),
        ...(notices.tellsReady ? [gvcKey(PLACE, notices.version, 'ready')] : []),
      ];
    case 'gvc-gone':
      return [gvcKey(PLACE, notices.version, 'gone')];
    case 'job':
      return [jobKey(PLACE, notices)];
  }
}

describe('whoever hears of the whole GVC', { timeout: 120_000 }, () => {
  it('is told every outcome once: by itself, or in the message that stands for it', () => {
    fc.assert(
      fc.property(anyLife, (story) => {
        const steps = run(story);
        const told = carriers(steps);

        const doubled = [...told].filter(([, messages]) => messages.size > 1);
        expect(doubled).toEqual([]);
        // What goes in threads alone is not told where there is none.
        const lost = numbered(steps)
          .filter(({ kind }) => !THREAD_ONLY.has(kind))
          .map((ref) => keyOfOutcome(PLACE, ref))
          .filter((key) => !told.has(key));
        expect(lost).toEqual([]);
      }),
      RUNS,
    );
  });

  it('finds the message about the location in the poll in which something refers to it', () => {
    fc.assert(
      fc.property(anyLife, (story) => {
        for (const { rolloutNotices, notices } of run(story)) {
          const there = new Set(
            notices
              .flatMap((one) =>
                one.kind === 'location' ? [one.ref, ...one.replies.map(({ ref }) => ref)] : [],
              )
              .map((ref) => locationKey(PLACE, ref)),
          );
          const referred = rolloutNotices.flatMap(refsOf).map((ref) => locationKey(PLACE, ref));

          expect(referred.filter((key) => !there.has(key))).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it('is told nothing beyond workloads under a key that was used', () => {
    fc.assert(
      fc.property(anyLife, (story) => {
        const keys = run(story).flatMap(({ notices }) => notices.flatMap(newKeys));

        expect(keys).toEqual([...new Set(keys)]);
      }),
      RUNS,
    );
  });

  it('is told of the end of an incident once, and of nothing that replies to one that never was', () => {
    fc.assert(
      fc.property(anyLife, (story) => {
        const open = new Set<string>();
        const closed = new Set<string>();
        for (const one of run(story).flatMap(({ notices }) => notices)) {
          if (one.kind !== 'location') continue;
          const key = locationKey(PLACE, one.ref);
          if (one.opens) open.add(key);

          expect(open).toContain(key);
          expect(one.openedBy.length).toBeGreaterThanOrEqual(5);
          const again = closed.has(key) ? one.replies.filter((reply) => reply.closes) : [];
          expect(again).toEqual([]);
          if (one.closedAt !== null) closed.add(key);
        }
      }),
      RUNS,
    );
  });
});

function refsOf({ outcome, opensFor }: RolloutNotice): NonNullable<RolloutNotice['opensFor']>[] {
  return [outcome?.by, opensFor].filter((ref) => ref !== undefined);
}
