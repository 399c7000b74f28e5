import { describe, expect, it } from 'vitest';
import { outspokenBy } from '../../../src/rollouts/watches.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';

const shop: Watch = { org: 'acme', gvc: 'shop', channel: 'C1', quiet: false, configured: false };
const cart: Watch = { ...shop, workload: 'cart' };

describe('a narrowed watch', () => {
  it.each<[string, Watch, Watch]>([
    ['only', { ...shop, only: ['failed'] }, { ...shop, configured: true }],
    ['only, by one of the whole GVC', { ...cart, only: ['failed'] }, shop],
    ['only, by a quiet one', { ...cart, only: ['failed'] }, { ...shop, quiet: true }],
    ['quiet', { ...cart, quiet: true }, shop],
  ])('is outspoken by one that tells everything: %s', (_, watch, other) => {
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
