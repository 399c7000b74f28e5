import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Change } from '../../../src/changes/change.ts';
import {
  createChangeStore,
  createSignature,
  type ChangeStore,
} from '../../../src/changes/store.ts';
import { derivedKeys } from '../../../src/lib/derived-key.ts';
import type { Logger } from '../../../src/lib/logger.ts';
import { createScrubber } from '../../../src/lib/secret.ts';
import { systemClock } from '../../../src/lib/time.ts';
import { createOutbox, type Outbox } from '../../../src/notify/outbox.ts';
import { createAuditLog, type AuditEntry, type AuditLine } from '../../../src/store/audit.ts';
import { createKeys, type Keys, type RedisConnection } from '../../../src/store/redis.ts';
import { connectTo } from '../../support/redis.ts';
import { load } from '../../unit/config/environment.ts';
import { silentLogger } from '../notify/support.ts';

/** The changes of a deployment of its own. */
interface Harness {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  /** Changes that a test makes by hand count as written by Purser. */
  readonly changes: ChangeStore;
  /** As it is. */
  readonly store: ChangeStore;
  /** Channels that were to be delivered to, one list for each time. */
  readonly woken: (readonly string[])[];
  /** Everything that Redis holds for it, as text. */
  everything: () => Promise<Map<string, string>>;
}

interface Parts {
  readonly outbox?: (real: Outbox) => Outbox;
  readonly wake?: (channels: readonly string[]) => Promise<void>;
  readonly logger?: Logger;
}

export async function openHarness(redisUrl: string, parts: Parts = {}): Promise<Harness> {
  const redis = await connectTo(redisUrl);
  onTestFinished(() => redis.disconnect());
  const prefix = `test-${randomUUID()}`;
  const keys = createKeys(prefix);
  const woken: (readonly string[])[] = [];
  const config = load();
  const { sign } = createSignature(derivedKeys(config, 'changes'));
  const logger = parts.logger ?? silentLogger;
  const logAudit = createAuditLog(logger, () => [Buffer.from('key')]);
  const real = createOutbox(redis, keys, createScrubber([]), logAudit);
  const store = createChangeStore({
    redis,
    keys,
    outbox: parts.outbox?.(real) ?? real,
    wake: parts.wake ?? (async (channels) => void woken.push(channels)),
    logger,
    clock: systemClock,
    config,
  });
  return {
    redis,
    keys,
    changes: unsigned(store, sign),
    store,
    woken,
    async everything() {
      const names = await redis.keys(`{${prefix}}:*`);
      const texts = names.map(async (name) => [name, await textOf(redis, name)] as const);
      return new Map(await Promise.all(texts));
    },
  };
}

/** Signs stored records, and returns them without signatures. */
function unsigned(store: ChangeStore, sign: (change: Change) => Change): ChangeStore {
  const bare = (change: Change): Change => {
    const { signature: _, ...rest } = change;
    return rest;
  };
  return {
    ...store,
    async create(change) {
      const created = await store.create(change);
      return 'same' in created ? { same: bare(created.same) } : created;
    },
    async get(id) {
      const change = await store.get(id);
      return change && bare(change);
    },
    async move(change, ...rest) {
      const moved = await store.move(sign(change), ...rest);
      return moved && bare(moved);
    },
    list: async (...page) => (await store.list(...page)).map(bare),
    open: async () => (await store.open()).map(bare),
    lastSent: async (kinds) => (await store.lastSent(kinds)).map(bare),
  };
}

async function textOf(redis: RedisConnection, key: string): Promise<string> {
  const type = await redis.type(key);
  if (type === 'hash') return JSON.stringify(await redis.hgetall(key));
  if (type === 'zset') return JSON.stringify(await redis.zrange(key, '0', '-1', 'WITHSCORES'));
  if (type === 'stream') return JSON.stringify(await redis.xrange(key, '-', '+'));
  if (type === 'set') return JSON.stringify(await redis.smembers(key));
  return String(await redis.get(key));
}

/** As it was written: its stored text is hashed. */
export function lineIn(entry: AuditEntry): AuditLine {
  const { entry: _, hash: __, ...line } = entry;
  return line;
}

export async function entriesOf(audit: AsyncIterable<AuditEntry>): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of audit) entries.push(entry);
  return entries;
}
