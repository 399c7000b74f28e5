import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { createMessageRecords } from '../../../src/notify/records.ts';
import type { DeploymentList, ScannedList } from '../../../src/platform/deployments/deployment.ts';
import { scanItems } from '../../../src/platform/deployments/client.ts';
import { createPoller, type PollServices } from '../../../src/rollouts/poll.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { createKeys, type Keys, type RedisConnection } from '../../../src/store/redis.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { connectTo, useRedis } from '../../support/redis.ts';

export const logger = createLogger({ level: 'silent', secrets: [] });
export const ACTIVE_MS = 10_000;
export const IDLE_MS = 60_000;
export const SECOND = 1_000;
/** The channel of operators. */
export const OPS = 'C0ADMIN';
export const WATCH: Watch = {
  org: 'acme',
  gvc: 'shop',
  channel: 'C0OPS',
  quiet: false,
  configured: true,
};

type PollOutages = Parameters<typeof createPoller>[1];
export type Tick = (org: string, gvc: string) => Promise<void>;

/** The GVC `acme/shop` with one workload, `cart`, and workers that poll it. */
export interface PollHarness {
  redis: RedisConnection;
  keys: Keys;
  now: number;
  /** How often the platform was asked. */
  calls: number;
  fail: Error | undefined;
  /** Statuses of the workload by location. */
  listing: Record<string, object>;
  /** The platform's answer about a single known workload. */
  knownWorkload: () => Promise<DeploymentList>;
  /** Items of the list that cannot be read. */
  unreadable: number;
  /** Runs while the platform answers. */
  meanwhile: () => Promise<void>;
  /** Waiting messages of a channel, as `key: text`. */
  waiting(channel: string): Promise<string[]>;
  /** Calls of the outages, as "acme/shop failed 1". */
  said: string[];
  /** A worker of its own, with its own cache. */
  worker(over?: Partial<PollServices>, outages?: PollOutages): Tick;
  /** Those of the configuration. */
  watches: readonly Watch[];
  /** Ticks at the fast pace for a while; gives how often the platform was asked. */
  ticksFor(ms: number, tick: Tick): Promise<number>;
}

/** Connects the tests of a file to the Redis of the run, and begins each of them anew. */
export function pollHarness(): PollHarness {
  const harness = {
    worker: (over, outages = heardOutages(harness)) =>
      createPoller({ ...servicesOf(harness), ...over }, outages),
    async waiting(channel) {
      const records = createMessageRecords(harness.redis, harness.keys);
      const names = await harness.redis.zrange(harness.keys.outbox(channel), '0', '-1');
      const found = await Promise.all(names.map((name) => records.read(channel, name)));
      return found.map((one) => `${one?.message.key}: ${one?.message.text}`);
    },
    async ticksFor(ms, tick) {
      const before = harness.calls;
      for (const end = harness.now + ms; harness.now < end; harness.now += ACTIVE_MS) {
        await tick('acme', 'shop');
      }
      return harness.calls - before;
    },
  } as PollHarness;
  beforeAll(async () => {
    harness.redis = await connectTo(useRedis().url);
  });
  beforeEach(() => {
    harness.keys = createKeys(`test-${randomUUID()}`);
    harness.now = Date.UTC(2026, 9, 5, 12);
    harness.calls = 0;
    harness.fail = undefined;
    harness.listing = {};
    harness.knownWorkload = () =>
      Promise.resolve({ deployments: [], unreadable: [], unidentified: 0 });
    harness.unreadable = 0;
    harness.meanwhile = () => Promise.resolve();
    harness.said = [];
    harness.watches = [WATCH];
  });
  afterAll(() => harness.redis.disconnect());
  return harness;
}

function servicesOf(harness: PollHarness): PollServices {
  const { redis, keys } = harness;
  return {
    redis,
    keys,
    deployments: { scanGvc: () => scanGvc(harness), listWorkload: () => harness.knownWorkload() },
    config: {
      watches: harness.watches,
      channels: { notify: WATCH.channel, ops: OPS },
      polling: { activeMs: ACTIVE_MS, idleMs: IDLE_MS, patience: 1 },
      links: [],
    },
    outbox: createOutbox(redis, keys, (text) => text),
    wake: () => Promise.resolve(),
    clock: { now: () => harness.now },
    logger,
    stopping: new AbortController().signal,
  };
}

/** Records failed polls, and the first good one after them. */
function heardOutages({ said }: PollHarness): PollOutages {
  return {
    failed: async ({ org, gvc }, failures) => void said.push(`${org}/${gvc} failed ${failures}`),
    worked: async ({ org, gvc }) => void said.push(`${org}/${gvc} worked`),
  };
}

async function scanGvc(harness: PollHarness): Promise<ScannedList> {
  harness.calls += 1;
  await harness.meanwhile();
  if (harness.fail !== undefined) throw harness.fail;
  const items = Object.entries(harness.listing).map(([location, status]) =>
    itemOf(location, status),
  );
  const list = scanItems(JSON.parse(JSON.stringify(items)) as unknown[]);
  return { ...list, unidentified: list.unidentified + harness.unreadable };
}

/** The workload `cart` in a location, as a list has it. */
export function itemOf(location: string, status: object): object {
  const links = [{ rel: 'workload', href: '/org/acme/gvc/shop/workload/cart' }];
  return { name: location, status, links };
}
