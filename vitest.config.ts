import { defineConfig } from 'vitest/config';

/** Long tests: `npm test` leaves it out, `npm run test:all` plays it. */
const large = ['test/{unit,contract,stories}/**/*.large.test.ts'];

/** One Redis for all tests, and one bundle of the bot for those that start it. */
const globalSetup = ['test/support/shared-redis.ts', 'test/support/bundle-bot.ts'];

/** All runs of a property take ten times as long as the part of them that is played otherwise. */
const longer = process.env['PROPERTY_RUNS'] === 'all' ? 10 : 1;

/**
 * How long a test may take, in milliseconds: several times what the longest does on two busy cores, so that
 * what takes longer hangs. A test that needs more says so itself.
 */
const PATIENCE = { unit: 30_000 * longer, bots: 120_000 * longer };

export default defineConfig({
  test: {
    // Most of the time a test waits for Redis, a process or a page, so more than two pay on two cores.
    maxWorkers: 4,
    // Nothing happens on import, so files share what they import: that is most of the time of small ones.
    isolate: false,
    testTimeout: PATIENCE.bots,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 40_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: large,
          // Nothing of them needs a process of its own, and threads load files faster.
          pool: 'threads',
          testTimeout: PATIENCE.unit,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          // In one project they share what workers have loaded.
          include: ['test/contract/**/*.test.ts', 'test/stories/*.test.ts'],
          exclude: large,
          globalSetup,
        },
      },
      {
        extends: true,
        test: {
          name: 'scenarios',
          include: ['test/scenarios/*.test.ts', ...large],
          globalSetup,
        },
      },
      {
        extends: true,
        test: {
          name: 'security',
          include: ['test/security/*.test.ts'],
          globalSetup,
          // A mock of theirs has to come before the module.
          isolate: true,
          testTimeout: 1_800_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'chaos',
          include: ['test/chaos/*.test.ts'],
          testTimeout: 300_000,
          isolate: true,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: { name: 'chaos-long', include: ['test/chaos/long/*.test.ts'], testTimeout: 600_000 },
      },
      {
        extends: true,
        test: {
          name: 'alerts',
          include: ['test/chaos/alerts/*.test.ts'],
          globalSetup,
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'load',
          include: ['test/chaos/load/*.test.ts'],
          testTimeout: 900_000,
          isolate: true,
          fileParallelism: false,
        },
      },
    ],
  },
});
