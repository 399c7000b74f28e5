import { inspect } from 'node:util';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { anyStory } from '../../../unit/changes/model/any-act.ts';
import { judge } from '../../../unit/changes/model/judge.ts';
import { play } from '../../../unit/changes/model/play.ts';
import { PLAINTEXT_CIPHER, type Backing, type World } from '../../../unit/changes/model/world.ts';
import { useRedis } from '../../../support/redis.ts';
import { openHarness } from '../harness.ts';

/** Others: `MODEL_SEED=7`. */
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_121);
const runs = Number(process.env['MODEL_REDIS_RUNS'] ?? 400);

const server = useRedis();

/** The real store; what Redis holds is looked at again and again. */
async function backing() {
  const { redis, store: changes, everything } = await openHarness(server.url);
  return {
    open: () => changes,
    peek: async () => [...(await everything())].map((pair) => pair.join(' ')),
    /** The next story begins with nothing. */
    async clear(): Promise<void> {
      const names = [...(await everything()).keys()];
      if (names.length > 0) await redis.del(...names);
    },
  };
}

/** Problems in the remaining keys: messages that no one would send, a sealed secret. */
async function leftovers({ messages }: World, { peek }: Required<Pick<Backing, 'peek'>>) {
  const kept = (await peek()).join('\n');
  const left = kept.includes(':secret:') ? ['a secret that is over is still there'] : [];
  const lost = [...messages.values()]
    .filter(
      ({ key, text }) =>
        !kept.includes(key) || !text.split('\n').every((line) => kept.includes(line)),
    )
    .map(({ key, text }) => `${key} is not there: ${text}`);
  return [...left, ...lost];
}

describe(
  'changes in Redis, whatever people do and wherever processes crash',
  { timeout: 3_600_000 },
  () => {
    it('keep what the model demands, show it, and hold no secret in clear', async () => {
      const harness = await backing();
      let secrets = 0;
      await fc.assert(
        fc
          .asyncProperty(anyStory, async (story) => {
            const world = await play(story, harness);
            secrets += world.said.length;

            expect(await judge(world)).toEqual([]);
            expect(await leftovers(world, harness)).toEqual([]);
          })
          .afterEach(() => harness.clear()),
        { numRuns: runs, seed, thin: 2 },
      );
      expect(secrets).toBeGreaterThan(fc.runsOf(runs, 2) / 4);
    });

    it('are found out when a secret rests in Redis in clear', async () => {
      const harness = await backing();
      const outcome = await fc.check(
        fc
          .asyncProperty(anyStory, async (story) => {
            const world = await play(story, { ...harness, cipher: PLAINTEXT_CIPHER });
            // Only what Redis held: what a process handed to the store is another matter.
            const held = world.texts.filter((text) => text.includes(':secret:'));

            expect(held.filter((text) => text.includes('canary-'))).toEqual([]);
          })
          .afterEach(() => harness.clear()),
        { numRuns: 100, seed, endOnFailure: true },
      );

      expect(outcome.failed).toBe(true);
      expect(inspect(outcome.errorInstance)).toContain('canary-');
    });
  },
);
