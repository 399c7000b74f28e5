import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/rollouts/render/messages.ts';
import { advance, EMPTY_GVC } from '../../../../src/rollouts/watch/advance.ts';
import { EMPTY_ORG } from '../../../../src/rollouts/watch/group.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { broken, deployment, MINUTE, NOON, ready } from '../platform-json.ts';

const FIVE = ['a', 'b', 'c', 'd', 'e'];
const WATCHES: readonly Watch[] = [
  { org: 'acme', gvc: 'shop', channel: 'ALL', quiet: false, configured: false },
  { org: 'acme', gvc: 'data', channel: 'ALL', quiet: false, configured: false },
  { org: 'acme', gvc: 'shop', workload: 'cart', channel: 'ONE', quiet: false, configured: false },
  { org: 'acme', gvc: 'data', workload: 'cart', channel: 'ONE', quiet: false, configured: false },
];

/** Five workloads are ill from the first minute on, the cart from the third. @returns keys by channel */
function play(gvcs: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const states = new Map(Object.keys(gvcs).map((gvc) => [gvc, EMPTY_GVC]));
  const caches = new Map(Object.keys(gvcs).map((gvc) => [gvc, new Map()]));
  let org = EMPTY_ORG;
  const posted: Record<string, string[]> = { ALL: [], ONE: [] };
  for (let minute = 0; minute < 7; minute += 1) {
    const now = NOON + minute * MINUTE;
    for (const [gvc, workloads] of Object.entries(gvcs)) {
      const seen = workloads.flatMap((workload) =>
        ['oslo', 'kyiv'].map((location) => {
          const isIll = location === 'oslo' && minute >= (workload === 'cart' ? 3 : 1);
          const status = isIll ? broken(1, 'Readiness probe failed') : ready(1);
          const read = () => deployment(status, { workload, location });
          return { key: `${workload}/${location}`, workload, location, print: '', read };
        }),
      );
      const step = advance(
        states.get(gvc) ?? EMPTY_GVC,
        org,
        { seen, unreadable: [], unidentified: 0 },
        {
          gvc,
          now,
          previousAt: minute === 0 ? 0 : now - MINUTE,
          patience: 1,
          idleMs: MINUTE,
          cache: caches.get(gvc) ?? new Map(),
        },
      );
      states.set(gvc, step.state);
      org = step.org;
      const place = { org: 'acme', gvc };
      for (const one of messagesOf(place, step.notices, {
        watches: WATCHES,
        mutes: [],
        now,
        ops: '',
      })) {
        if (one.editOnly !== true) posted[one.channel]?.push(one.key, ...(one.covers ?? []));
      }
    }
  }
  return posted;
}

describe('a workload that a group names before its own call is due', () => {
  it.each([
    { place: 'the same GVC', cart: 'shop', gvcs: { shop: [...FIVE, 'cart'] } },
    { place: 'another GVC', cart: 'data', gvcs: { shop: FIVE, data: ['cart'] } },
  ])(
    "in $place is a call of its own in a channel that does not get the group's message",
    (given) => {
      const { ALL = [], ONE } = play(given.gvcs);
      const key = `acme/${given.cart}/cart/1/unhealthy`;

      expect(ALL[0]).toBe('acme/@location/oslo/unhealthy/1');
      expect(ALL.filter((one) => one === key)).toHaveLength(1);
      expect(ONE).toEqual([key]);
    },
  );
});
