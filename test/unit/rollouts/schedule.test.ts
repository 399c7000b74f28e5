import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { offsetOf, watchedGvcs } from '../../../src/rollouts/schedule.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';

const watch: Watch = { org: 'acme', gvc: 'shop', channel: 'C1', quiet: false, configured: false };

describe('which GVCs are polled', () => {
  it('each one once, however many watches it has', () => {
    const watches = [
      watch,
      { ...watch, channel: 'C2' },
      { ...watch, workload: 'cart' },
      { ...watch, org: 'globex' },
    ];

    expect(watchedGvcs(watches)).toEqual([
      { org: 'acme', gvc: 'shop' },
      { org: 'globex', gvc: 'shop' },
    ]);
  });

  it('none without a watch', () => {
    expect(watchedGvcs([])).toEqual([]);
  });
});

describe('when a GVC is polled', () => {
  it('is the same after each start, and within the beat', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.integer({ min: 1, max: 60_000 }),
        (org, gvc, beat) => {
          const offset = offsetOf({ org, gvc }, beat);

          expect(offset).toBe(offsetOf({ org, gvc }, beat));
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThan(beat);
        },
      ),
    );
  });

  it('is spread over the beat', () => {
    const tenths = Array.from({ length: 200 }, (_, index) =>
      Math.floor(offsetOf({ org: 'acme', gvc: `gvc-${index}` }, 10_000) / 1_000),
    );

    expect(new Set(tenths).size).toBe(10);
  });
});
