import { defineConfig } from 'vitest/config';

/** The tests that mutants are tried against: those of the pure parts, without the long searches. */
export default defineConfig({
  test: {
    include: [
      'test/unit/access/**/*.test.ts',
      'test/unit/changes/*.test.ts',
      'test/unit/rollouts/watch/{causes,facts,impact,location,spans}.test.ts',
    ],
    exclude: ['test/unit/**/*model*'],
    env: { PROPERTY_RUNS: 'all' },
    testTimeout: 20_000,
  },
});
