import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Most of the time a test waits for Redis, a process or a page, so three at once pay on two cores.
    maxWorkers: 3,
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 20_000 } },
      { test: { name: 'contract', include: ['test/contract/**/*.test.ts'], testTimeout: 20_000 } },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'chaos',
          include: ['test/chaos/*.test.ts'],
          testTimeout: 240_000,
          fileParallelism: false,
        },
      },
      {
        test: { name: 'chaos-long', include: ['test/chaos/long/*.test.ts'], testTimeout: 600_000 },
      },
      {
        test: {
          name: 'load',
          include: ['test/chaos/load/*.test.ts'],
          testTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
