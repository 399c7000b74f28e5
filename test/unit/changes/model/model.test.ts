import { inspect } from 'node:util';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../../src/changes/messages/plan-view.ts';
import { createMemoryChanges } from '../../../support/changes.ts';
import { PLAINTEXT_CIPHER } from './plaintext-cipher.ts';
import { anyScenario, judge, play } from './play.ts';
import { count } from './statistics.ts';
import type { Statistics } from './statistics.ts';

/**
 * The same stories in every run, so that nobody else's change meets a corner by chance. All of them:
 * `MODEL_RUNS=10000`; others: `MODEL_SEED=7`; how far they get: `MODEL_SHOW=1`; the first failure as it
 * is, without a search for a shorter one: `MODEL_RAW=1`.
 */
const runs = Number(process.env['MODEL_RUNS'] ?? 1_500);
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_121);

/** What has to come to pass in a thousand stories, and how often at least. */
const OFTEN: Record<string, number> = {
  ...Object.fromEntries(KINDS.map((kind) => [`claimed ${kind}`, 1])),
  succeeded: 500,
  failed: 100,
  drifted: 30,
  unknown: 5,
  expired: 100,
  rejected: 20,
  withdrawn: 20,
  'secret revealed': 40,
  'secret lapsed': 50,
  'move resend': 20,
  'move refuse': 10,
  'move clean': 50,
  'crash about a call': 100,
  'call without an answer': 150,
  'trouble crash': 500,
  'trouble late': 30,
  'trouble lost': 80,
  'trouble stall': 80,
  'deed beside another': 2_000,
};

describe('changes, whatever people do and wherever processes crash', () => {
  it(
    'are done once, as they were approved by another person with the role, or not at all',
    { timeout: 3_600_000 },
    async () => {
      const statistics: Statistics = new Map();
      await fc.assert(
        fc.asyncProperty(anyScenario, async (story) => {
          const world = await play(story, { open: createMemoryChanges });
          await count(world, statistics);

          expect(await judge(world)).toEqual([]);
        }),
        { numRuns: runs, seed, endOnFailure: process.env['MODEL_RAW'] !== undefined },
      );

      if (process.env['MODEL_SHOW'] !== undefined) show(statistics);
      const rare = Object.entries(OFTEN).filter(
        ([event, often]) => (statistics.get(event) ?? 0) < (often * fc.runsOf(runs)) / 1_000,
      );
      expect(rare).toEqual([]);
    },
  );

  it('are found out when a secret rests in clear', async () => {
    const outcome = await fc.check(
      fc.asyncProperty(anyScenario, async (story) => {
        const world = await play(story, { open: createMemoryChanges, cipher: PLAINTEXT_CIPHER });

        expect(await judge(world)).toEqual([]);
      }),
      { numRuns: 100, seed, endOnFailure: true },
    );

    expect(outcome.failed).toBe(true);
    expect(inspect(outcome.errorInstance)).toContain('can be read');
  });
});

function show(statistics: Statistics): void {
  const lines = [...statistics].map(([event, often]) => `${event}: ${often}\n`);
  process.stdout.write(lines.toSorted(inOrder).join(''));
}

function inOrder(one: string, other: string): number {
  return one < other ? -1 : 1;
}
