import { describe, expect, it } from 'vitest';
import { mutedContent, type Served } from '../../../../src/rollouts/render/muted.ts';
import type { Level } from '../../../../src/rollouts/watch/impact.ts';

const HELD = [{ key: 'acme/shop/cart/12/card', at: 0, text: 'deploying · shop/cart v12' }];

function served(name: string, level: Level): Served {
  const counts = { settled: level, have: 1, wanted: 2, worst: ['lima'], sick: [], silent: [] };
  return { org: 'acme', gvc: 'shop', workload: name, impact: { level, ...counts } };
}

const detailsIn = (blocks: readonly unknown[]): string[] =>
  [...JSON.stringify(blocks).matchAll(/"value":"([^"]+)"/g)].map(([, value = '']) => value);

describe('the message at the end of a mute', () => {
  it('leads to the three workloads that are hurt most', () => {
    const all = [served('a', 1), served('b', 0), served('c', 3), served('d', 2), served('e', 1)];
    const { text, blocks } = mutedContent('While muted', HELD, all);
    expect(text.split('\n')).toEqual([
      '🔴 While muted: 1 message · Hurt now: shop/c Outage, shop/d Partial outage (lima), ' +
        'shop/a Reduced capacity (1 of 2), shop/e Reduced capacity (1 of 2)',
      expect.stringMatching(/ deploying · shop\/cart v12$/),
      'Next: Look at what is hurt now',
    ]);
    expect(detailsIn(blocks)).toEqual(['acme/shop/c', 'acme/shop/d', 'acme/shop/a']);
  });
});
