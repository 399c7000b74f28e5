import { randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import type { DeploymentList, ScannedList } from '../../../src/platform/deployments/deployment.ts';
import { createListScanner } from '../../../src/platform/deployments/client.ts';
import { createPoller } from '../../../src/rollouts/poll.ts';
import type { PollServices } from '../../../src/rollouts/poll.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { createKeys } from '../../../src/store/redis.ts';
import type { RedisConnection } from '../../../src/store/redis.ts';
import { useConnection } from '../../support/redis.ts';
import { itemsOf } from '../../unit/rollouts/engine/gvc-scenario.ts';
import type { Json } from '../../unit/rollouts/platform-json.ts';
import { logger } from './support.ts';

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

type PollOutages = Parameters<typeof createPoller>[1];
type Tick = (org: string, gvc: string) => Promise<void>;

/** The GVC `acme/shop` with one workload, `cart`, before its first poll. */
function freshGvc() {
  const none: DeploymentList = { deployments: [], unreadable: [], unidentified: 0 };
  return {
    keys: createKeys(`test-${randomUUID()}`),
    now: Date.UTC(2026, 9, 5, 12),
    /** How often the platform was asked. */
    calls: 0,
    fail: undefined as Error | undefined,
    /** Statuses of the workload by location. */
    listing: {} as Record<string, Json>,
    /** What the platform answers of a workload that was known, by itself. */
    knownWorkload: () => Promise.resolve(none),
    /** Items of the list that cannot be read. */
    unreadable: 0,
    /** What happens while the platform answers. */
    meanwhile: () => Promise.resolve(),
    /** What the outages have heard. */
    said: [] as string[],
    /** Those of the configuration. */
    watches: [WATCH] as readonly Watch[],
  };
}

type PolledGvc = ReturnType<typeof freshGvc> & { readonly redis: RedisConnection };

/** The GVC and workers that poll it, anew for each test of a file, with a Redis. */
export function pollHarness() {
  const connection = useConnection();
  const harness = {
    ...freshGvc(),
    get redis() {
      return connection.redis;
    },
    /** A worker of its own: what it remembers in the process is gone with it. */
    worker: (over?: Partial<PollServices>, outages: PollOutages = heardOutages(harness)): Tick =>
      createPoller({ ...servicesOf(harness), ...over }, outages),
    /** Ticks at the fast pace for a while; gives how often the platform was asked. */
    async ticksFor(ms: number, tick: Tick): Promise<number> {
      const before = harness.calls;
      for (const end = harness.now + ms; harness.now < end; harness.now += ACTIVE_MS) {
        await tick('acme', 'shop');
      }
      return harness.calls - before;
    },
  };
  beforeEach(() => void Object.assign(harness, freshGvc()));
  return harness;
}

function servicesOf(harness: PolledGvc): PollServices {
  const { redis, keys } = harness;
  return {
    redis,
    keys,
    deployments: { scanGvc: () => scanGvc(harness), listWorkload: () => harness.knownWorkload() },
    config: {
      watches: harness.watches,
      channels: { notify: WATCH.channel },
      polling: { activeMs: ACTIVE_MS, idleMs: IDLE_MS },
    },
    outbox: createOutbox(redis, keys, (text) => text),
    wake: () => Promise.resolve(),
    clock: { now: () => harness.now },
    logger,
    metrics: { counter: () => ({ inc: () => undefined }) },
    stopping: new AbortController().signal,
  };
}

/** What is heard of polls that failed, and of the first good one after them. */
function heardOutages({ said }: PolledGvc): PollOutages {
  return {
    failed: async ({ org, gvc }, failures) => void said.push(`${org}/${gvc} failed ${failures}`),
    worked: async ({ org, gvc }) => void said.push(`${org}/${gvc} worked`),
  };
}

async function scanGvc(harness: PolledGvc): Promise<ScannedList> {
  harness.calls += 1;
  await harness.meanwhile();
  if (harness.fail !== undefined) throw harness.fail;
  const scanner = createListScanner();
  const items = itemsOf(harness.listing, harness.unreadable);
  scanner.scan(Buffer.from(JSON.stringify({ items })));
  return scanner.list;
}
