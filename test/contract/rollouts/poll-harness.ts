import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { createMessageRecords } from '../../../src/notify/records.ts';
import type { DeploymentList, ScannedList } from '../../../src/platform/deployments/deployment.ts';
import { scanItems } from '../../../src/platform/deployments/client.ts';
import { readGvc, readPollStatus } from '../../../src/rollouts/gvc-store.ts';
import { createPoller, type PollServices } from '../../../src/rollouts/poll.ts';
import type { GvcState } from '../../../src/rollouts/watch/advance.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { createKeys, type RedisConnection } from '../../../src/store/redis.ts';
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
type Tick = (org: string, gvc: string) => Promise<void>;

const EMPTY: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };

/** The world of a test at its beginning: the GVC `acme/shop` with one workload, `cart`. */
const anew = () => ({
  keys: createKeys(`test-${randomUUID()}`),
  now: Date.UTC(2026, 9, 5, 12),
  /** How often the platform was asked. */
  calls: 0,
  fail: undefined as Error | undefined,
  /** Statuses of the workload by location. */
  listing: {} as Record<string, object>,
  /** The platform's answer about a single known workload. */
  knownWorkload: async () => EMPTY,
  /** Items of the list that cannot be read. */
  unreadable: 0,
  /** Runs while the platform answers. */
  meanwhile: async () => {},
  /** Calls of the outages, as "acme/shop failed 1". */
  said: [] as string[],
  /** Those of the configuration. */
  watches: [WATCH] as readonly Watch[],
});

/** Connects the tests of a file to the Redis of the run, and begins each of them anew. */
export function pollHarness() {
  const outages: PollOutages = {
    failed: async ({ org, gvc }, count) => void harness.said.push(`${org}/${gvc} failed ${count}`),
    worked: async ({ org, gvc }) => void harness.said.push(`${org}/${gvc} worked`),
  };
  const harness = {
    redis: undefined as unknown as RedisConnection,
    ...anew(),
    /** A worker with its own cache. */
    worker: (over: Partial<PollServices> = {}, heard = outages): Tick =>
      createPoller({ ...services(), ...over }, heard),
    status: () => readPollStatus(harness.redis, harness.keys, 'acme', 'shop'),
    async state(): Promise<GvcState> {
      return (await readGvc(harness.redis, harness.keys, 'acme', 'shop')).state;
    },
    /** Waiting messages of a channel, as `key: text`. */
    async waiting(channel: string): Promise<string[]> {
      const records = createMessageRecords(harness.redis, harness.keys);
      const names = await harness.redis.zrange(harness.keys.outbox(channel), '0', '-1');
      const found = await Promise.all(names.map((name) => records.read(channel, name)));
      return found.map((one) => `${one?.message.key}: ${one?.message.text}`);
    },
    /** Ticks at the fast pace for a while; gives how often the platform was asked. */
    async ticksFor(ms: number, tick: Tick): Promise<number> {
      const before = harness.calls;
      for (const end = harness.now + ms; harness.now < end; harness.now += ACTIVE_MS) {
        await tick('acme', 'shop');
      }
      return harness.calls - before;
    },
  };

  async function scanGvc(): Promise<ScannedList> {
    harness.calls += 1;
    await harness.meanwhile();
    if (harness.fail !== undefined) throw harness.fail;
    const items = Object.entries(harness.listing).map(([name, status]) => itemOf(name, status));
    const list = scanItems(JSON.parse(JSON.stringify(items)) as unknown[]);
    return { ...list, unidentified: list.unidentified + harness.unreadable };
  }

  const services = (): PollServices => ({
    redis: harness.redis,
    keys: harness.keys,
    deployments: { scanGvc, listWorkload: () => harness.knownWorkload() },
    config: {
      watches: harness.watches,
      channels: { notify: WATCH.channel, ops: OPS },
      polling: { activeMs: ACTIVE_MS, idleMs: IDLE_MS, patience: 1 },
      links: [],
    },
    outbox: createOutbox(harness.redis, harness.keys, (text) => text),
    wake: () => Promise.resolve(),
    clock: { now: () => harness.now },
    logger,
    stopping: new AbortController().signal,
  });

  beforeAll(async () => void (harness.redis = await connectTo(useRedis().url)));
  beforeEach(() => void Object.assign(harness, anew()));
  afterAll(() => harness.redis.disconnect());
  return harness;
}

/** The workload `cart` in a location, as a list has it. */
export function itemOf(location: string, status: object): object {
  const links = [{ rel: 'workload', href: '/org/acme/gvc/shop/workload/cart' }];
  return { name: location, status, links };
}
