import { describe, expect, it } from 'vitest';
import {
  muteOf,
  offsetOf,
  outspokenBy,
  watchedGvcs,
  type Mute,
  type Watch,
} from '../../../src/rollouts/watches.ts';
import * as fc from '../../support/fast-check.ts';

const shop: Watch = { org: 'acme', gvc: 'shop', channel: 'C1', quiet: false, configured: false };
const cart: Watch = { ...shop, workload: 'cart' };

describe('a narrowed watch', () => {
  it.each<[string, Watch, Watch]>([
    ['only', { ...shop, only: ['failed'] }, { ...shop, configured: true }],
    ['only, by one of the whole GVC', { ...cart, only: ['failed'] }, shop],
    ['only, by a quiet one', { ...cart, only: ['failed'] }, { ...shop, quiet: true }],
    ['quiet', { ...cart, quiet: true }, shop],
  ])('is outspoken by one that shows everything: %s', (_, watch, other) => {
    expect(outspokenBy(watch, [watch, other])).toBe(other);
  });

  it.each<[string, Watch, Watch]>([
    ['is not narrowed', cart, shop],
    ['is of the whole GVC, the other of a workload', { ...shop, only: ['failed'] }, cart],
    ['is in another channel', { ...shop, only: ['failed'] }, { ...shop, channel: 'C2' }],
    ['is of another GVC', { ...shop, only: ['failed'] }, { ...shop, gvc: 'data' }],
    ['is of another org', { ...shop, only: ['failed'] }, { ...shop, org: 'beta' }],
    ['is beside a narrowed one', { ...cart, only: ['failed'] }, { ...shop, only: ['ready'] }],
    ['is as quiet as the other', { ...cart, quiet: true }, { ...shop, quiet: true }],
  ])('has its effect when it %s', (_, watch, other) => {
    expect(outspokenBy(watch, [watch, other])).toBeUndefined();
  });
});

describe('which GVCs are polled', () => {
  it('each one once, however many watches it has', () => {
    const watches = [shop, { ...shop, channel: 'C2' }, cart, { ...shop, org: 'globex' }];

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

describe('of several mutes of a place', () => {
  const place = { org: 'acme', gvc: 'shop', workload: 'cart' };
  const all: Mute = { channel: 'C1', since: 0, until: 20, by: 'U0ADA' };
  const ofShop: Mute = { ...all, org: 'acme', gvc: 'shop', until: 10 };

  it.each([[[ofShop, all]], [[all, ofShop]]])('the longest counts (%#)', (several) => {
    expect(muteOf(several, 'C1', place, 0)).toBe(all);
  });

  it('none counts that has run out, or is narrower', () => {
    expect(muteOf([ofShop], 'C1', place, 10)).toBeUndefined();
    expect(muteOf([{ ...ofShop, workload: 'cart' }], 'C1', { ...ofShop }, 0)).toBeUndefined();
  });
});
