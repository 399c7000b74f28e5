import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { createLooker } from '../../../src/platform/deployments/looker.ts';
import type { DeploymentList, SeenList } from '../../../src/platform/deployments/list.ts';
import { createMutes } from '../../../src/rollouts/mutes.ts';
import { createPoller } from '../../../src/rollouts/poll.ts';
import type { PollDeps } from '../../../src/rollouts/poll.ts';
import { createWatches } from '../../../src/rollouts/watches.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { Keys } from '../../../src/store/keys.ts';
import type { RedisConnection } from '../../../src/store/redis.ts';
import { logger, openRedis } from './support.ts';
import type { TestRedis } from './support.ts';

export const ACTIVE_MS = 10_000;
export const IDLE_MS = 60_000;
export const SECOND = 1_000;
export const WATCH: Watch = {
  org: 'acme',
  gvc: 'shop',
  channel: 'C0OPS',
  quiet: false,
  configured: true,
};

export type Tick = (org: string, gvc: string) => Promise<void>;

/** The GVC `acme/shop` with one workload, `cart`, and workers that poll it. */
export interface PollHouse {
  redis: RedisConnection;
  keys: Keys;
  now: number;
  /** How often the platform was asked. */
  calls: number;
  fail: Error | undefined;
  /** Statuses of the workload by location. */
  listing: Record<string, object>;
  /** What the platform answers of a workload that was known, by itself. */
  knownWorkload: () => Promise<DeploymentList>;
  /** Items of the list that cannot be read. */
  unreadable: number;
  /** What happens while the platform answers. */
  meanwhile: () => Promise<void>;
  /** What the outages have heard. */
  said: string[];
  /** A worker of its own: what it remembers in the process is gone with it. */
  worker(over?: Partial<PollDeps>): Tick;
  /** Ticks at the fast pace for a while; gives how often the platform was asked. */
  ticksFor(ms: number, tick: Tick): Promise<number>;
}

/** Opens a Redis for the tests of a file, and begins each of them anew. */
export function pollHouse(): PollHouse {
  let opened: TestRedis;
  const house = {
    worker: (over) => createPoller({ ...depsOf(house), ...over }),
    async ticksFor(ms, tick) {
      const before = house.calls;
      for (const end = house.now + ms; house.now < end; house.now += ACTIVE_MS) {
        await tick('acme', 'shop');
      }
      return house.calls - before;
    },
  } as PollHouse;
  beforeAll(async () => {
    opened = await openRedis();
    house.redis = opened.redis;
  });
  beforeEach(() => {
    house.keys = createKeys(`test-${randomUUID()}`);
    house.now = Date.UTC(2026, 9, 5, 12);
    house.calls = 0;
    house.fail = undefined;
    house.listing = {};
    house.knownWorkload = () =>
      Promise.resolve({ deployments: [], unreadable: [], unidentified: 0 });
    house.unreadable = 0;
    house.meanwhile = () => Promise.resolve();
    house.said = [];
  });
  afterAll(() => opened.close());
  return house;
}

function depsOf(house: PollHouse): PollDeps {
  const { redis, keys } = house;
  return {
    redis,
    keys,
    client: { seeGvc: () => seeGvc(house), listWorkload: () => house.knownWorkload() },
    watches: createWatches({ redis, keys, configured: [WATCH] }),
    mutes: createMutes({ redis, keys }),
    outbox: createOutbox(redis, keys, (text) => text),
    outages: {
      failed: async ({ org, gvc }, failures) =>
        void house.said.push(`${org}/${gvc} failed ${failures}`),
      worked: async ({ org, gvc }) => void house.said.push(`${org}/${gvc} worked`),
    },
    wake: () => Promise.resolve(),
    polling: { activeMs: ACTIVE_MS, idleMs: IDLE_MS },
    clock: { now: () => house.now },
    logger,
    polls: { inc: () => undefined },
    stopping: new AbortController().signal,
  };
}

async function seeGvc(house: PollHouse): Promise<SeenList> {
  house.calls += 1;
  await house.meanwhile();
  if (house.fail !== undefined) throw house.fail;
  const items = Object.entries(house.listing).map(([location, status]) => itemOf(location, status));
  const looker = createLooker();
  looker.see(Buffer.from(JSON.stringify({ items })));
  const { list } = looker;
  return { ...list, unidentified: list.unidentified + house.unreadable };
}

function itemOf(location: string, status: object): object {
  const links = [{ rel: 'workload', href: '/org/acme/gvc/shop/workload/cart' }];
  return { name: location, status, links };
}
