import { randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import type { Message } from '../../../../src/notify/message.ts';
import { createOutbox } from '../../../../src/notify/outbox.ts';
import type { Outbox } from '../../../../src/notify/outbox.ts';
import { createMessageRecords } from '../../../../src/notify/records.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { PlatformReason } from '../../../../src/platform/errors.ts';
import { createOutages } from '../../../../src/rollouts/outages/outages.ts';
import type { Outages } from '../../../../src/rollouts/outages/outages.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { useConnection } from '../../../support/redis.ts';
import { logger } from '../support.ts';

export const OPS = 'C0OPS';
export const SHOP = { org: 'acme', gvc: 'shop' };
export const PAY = { org: 'acme', gvc: 'pay' };
export const LAB = { org: 'labs', gvc: 'lab' };
export const SHOP_DOWN = 'acme/shop/@api/down/1';

export const failure = (reason: PlatformReason, status?: number): PlatformError =>
  new PlatformError(reason, 'svc-secret-body', { status });
export const UNREACHABLE = failure('unreachable');

/** Outages, each test of a file under a prefix of its own. */
export function outageHarness() {
  const connection = useConnection();
  const fresh = () => ({
    keys: createKeys(`test-${randomUUID()}`),
    /** Milliseconds since the epoch. */
    now: Date.UTC(2026, 9, 5, 12),
  });
  const harness = {
    ...fresh(),
    get redis() {
      return connection.redis;
    },
    /** A process of its own. */
    outages(through?: Outbox): Outages {
      const { redis, keys } = harness;
      return createOutages({
        redis,
        keys,
        outbox: through ?? createOutbox(redis, keys, (text) => text),
        wake: () => Promise.resolve(),
        clock: { now: () => harness.now },
        config: { channels: { ops: OPS } },
        logger,
      });
    },
    /** Three polls of a GVC that fail. */
    async fails(place: typeof SHOP, error: unknown = UNREACHABLE, from = 1): Promise<void> {
      for (const count of [from, from + 1, from + 2]) {
        await harness.outages().failed(place, count, error);
      }
    },
    /** What the ops channel is to see, in order. */
    async told(): Promise<Message[]> {
      const { redis, keys } = harness;
      const records = createMessageRecords(redis, keys);
      const names = await redis.zrange(keys.outbox(OPS), '0', '-1');
      const found = await Promise.all(names.map((name) => records.read(OPS, name)));
      return found.flatMap((record) => (record === undefined ? [] : [record.message]));
    },
    /** The same as `key <- covers`. */
    async toldKeys(): Promise<string[]> {
      const told = await harness.told();
      return told.map(({ key, covers = [] }) => [key, ...covers].join(' <- '));
    },
  };
  beforeEach(() => void Object.assign(harness, fresh()));
  return harness;
}
