import { defineConfig } from 'vitest/config';

/** What takes long: `npm test` leaves it out, `npm run test:all` plays it. */
const large = ['test/{unit,contract,stories}/**/*.large.test.ts'];

/** One Redis for all tests, and one bundle of the bot for those that start it. */
const globalSetup = ['test/support/shared-redis.ts', 'test/support/bundle-bot.ts'];

export default defineConfig({
  test: {
    // Most of the time a test waits for Redis, a process or a page, so more than two pay on two cores.
    maxWorkers: 4,
    // Nothing happens on import, so files share what they import: that is most of the time of small ones.
    isolate: false,
    // A busy machine is no defect: what takes so long hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], exclude: large },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          exclude: large,
          globalSetup,
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'stories',
          include: ['test/stories/*.test.ts'],
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
          testTimeout: 300_000,
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
