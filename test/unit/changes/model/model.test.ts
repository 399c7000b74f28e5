import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMemoryChanges } from '../../../support/changes.ts';
import { anyStory, judge, play } from './play.ts';
import { count } from './statistics.ts';
import type { Statistics } from './statistics.ts';

const runs = Number(process.env['MODEL_RUNS'] ?? 1_500);
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_121);

const statistics: Statistics = new Map();

it('holds', { timeout: 3_000_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyStory, async (story) => {
      const world = await play(story, createMemoryChanges);

      await count(world, statistics);
      expect(await judge(world)).toEqual([]);
    }),
    { numRuns: runs, seed, endOnFailure: process.env['MODEL_RAW'] !== undefined },
  );
  process.stdout.write(JSON.stringify([...statistics].toSorted(), null, 0).replaceAll('],','],\n'));
});
