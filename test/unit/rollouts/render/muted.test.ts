import { describe, expect, it } from 'vitest';
import { mutedContent, type Served } from '../../../../src/rollouts/render/muted.ts';
import type { Level } from '../../../../src/rollouts/watch/impact.ts';

const HELD = [{ key: 'acme/shop/cart/12/card', at: 0, text: 'deploying · shop/cart v12' }];

function served(name: string, level: Level, over: Partial<Served> = {}, silent = ['']): Served {
  const counts = { settled: level, have: 1, wanted: 2, worst: ['lima'], sick: [] };
  const impact = { level, ...counts, silent: silent.filter(Boolean) };
  const usual = { isUnread: false, call: undefined, notify: [] };
  return { org: 'acme', gvc: 'shop', workload: name, impact, ...usual, ...over };
}

const [CALL, ONCALL] = ['acme/shop/cart/12/failed', '<!subteam^S0ONCALL>'];

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

  it.each<[string, Served, string]>([
    ['all is well', served('cart', 0), '✅ While muted: 1 message · Nothing is hurt now'],
    [
      'a location does not report',
      served('cart', 0, {}, ['oslo']),
      '⚪ While muted: 1 message · No report: shop/cart (oslo)',
    ],
    [
      'the GVC cannot be read',
      served('cart', 0, { isUnread: true }),
      '⚪ While muted: 1 message · Last known, cannot be read: shop',
    ],
  ])('claims that nothing is hurt only where that is known: %s', (_, one, head) => {
    expect(mutedContent('While muted', HELD, [one]).text.split('\n')[0]).toBe(head);
  });

  it.each<[string, Level, string[], boolean]>([
    ['whose call was held back, and which are hurt now', 3, [CALL], true],
    ['whose call was held back in a message for many', 2, ['acme/@location/lima/failed/1'], true],
    ['which serve more by now', 1, [CALL], false],
    ['whose call was posted before', 3, [], false],
  ])('mentions the people of workloads %s', (_, level, [key = ''], isMentioned) => {
    const held = key === '' ? HELD : [{ key, covers: [CALL], at: 0, text: 'x' }];
    const cart = served('cart', level, { call: CALL, notify: [ONCALL] });
    const { text, blocks } = mutedContent('While muted', held, [cart]);
    expect(text.endsWith(`\n${ONCALL}`)).toBe(isMentioned);
    expect(JSON.stringify(blocks).includes(ONCALL)).toBe(isMentioned);
  });
});
