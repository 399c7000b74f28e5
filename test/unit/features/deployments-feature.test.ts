import { describe, expect, it } from 'vitest';
import { createDeploymentsFeature } from '../../../src/features/deployments/feature.ts';
import type { DeploymentsFeatureDeps } from '../../../src/features/deployments/feature.ts';
import { EMPTY_STATE } from '../../../src/rollouts/advance.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';

const LIST = { deployments: [], unreadable: [], unidentified: 0 };
const LOUD: Watch = { org: 'acme', gvc: 'shop', channel: 'C1', quiet: false, configured: true };

/** `/deployments` between pretended rooms: what it asks of them, in order. */
function deployments(configured: readonly Watch[] = []) {
  const asked: string[] = [];
  const signals: unknown[] = [];
  const stored: Watch[] = [];
  const note = (what: string) => () => {
    asked.push(what);
    return Promise.resolve();
  };
  const stopping = new AbortController().signal;
  const read = (...words: unknown[]) => {
    signals.push((words.at(-1) as { signal?: unknown }).signal);
    return Promise.resolve(LIST);
  };
  const deps: Partial<DeploymentsFeatureDeps> = {
    client: { listGvc: read, listWorkload: read, get: read } as never,
    orgs: { known: ['acme'], fallback: 'acme' },
    requireOrgAccess: () => Promise.resolve(),
    readGvc: () => Promise.resolve(EMPTY_STATE),
    isMember: () => Promise.resolve(true),
    watches: {
      all: () => Promise.resolve([...configured, ...stored]),
      add: async (watch) => {
        stored.push(watch);
        await note('add')();
        return false;
      },
      remove: () => Promise.resolve(),
    },
    watchesChanged: note('changed'),
    pollSoon: (org, gvc) => note(`poll ${org}/${gvc}`)(),
    clock: { now: () => 0 },
    stopping,
  };
  const [command] = createDeploymentsFeature(deps as DeploymentsFeatureDeps).commands ?? [];
  return {
    asked,
    signals,
    stopping,
    type(text: string) {
      const words = text.split(' ').map((word) => ({ text: word, quoted: false }));
      return command?.run({ person: { userId: 'U1', teamId: 'T1' }, channelId: 'C1', words });
    },
  };
}

describe('/deployments', () => {
  it('polls what is watched from now on at once, so that what is there now is known', async () => {
    const house = deployments();

    await house.type('watch shop/cart');

    expect(house.asked).toEqual(['add', 'changed', 'poll acme/shop']);
  });

  it('says of a narrow watch that a wider one makes it idle', async () => {
    const beside = async (...watches: Watch[]): Promise<string> =>
      JSON.stringify((await deployments(watches).type('watch shop only failed'))?.blocks);

    expect(await beside(LOUD)).toContain('holds nothing back: acme/shop (from WATCHES)');
    expect(await beside({ ...LOUD, channel: 'C2' })).not.toContain('holds nothing back');
  });

  it.each(['shop', 'shop/cart', 'watch shop'])(
    'ends its calls to the platform when Purser stops: %s',
    async (text) => {
      const house = deployments();

      await house.type(text);

      expect(house.signals).toEqual([house.stopping]);
    },
  );

  it('also that for a single location', async () => {
    const house = deployments();

    // What the pretended platform gives is no deployment; that it was asked is enough.
    await house.type('shop/cart/lima')?.catch(() => undefined);

    expect(house.signals).toEqual([house.stopping]);
  });
});
