import { randomUUID } from 'node:crypto';
import type { Message } from '../../../../src/notify/message.ts';
import { createOutbox, type Outbox } from '../../../../src/notify/outbox.ts';
import { createMessageRecords } from '../../../../src/notify/records.ts';
import { PlatformError, type PlatformReason } from '../../../../src/platform/errors.ts';
import { createOutages, type Outages } from '../../../../src/rollouts/outages/outages.ts';
import { createKeys, type Keys, type RedisConnection } from '../../../../src/store/redis.ts';
import { logger } from '../poll-harness.ts';

export const OPS = 'C0OPS';
export const SHOP = { org: 'acme', gvc: 'shop' };
export const PAY = { org: 'acme', gvc: 'pay' };
export const LAB = { org: 'labs', gvc: 'lab' };
export const SHOP_DOWN = 'acme/shop/@api/down/1';

export const failure = (reason: PlatformReason, status?: number): PlatformError =>
  new PlatformError(reason, 'svc-secret-body', { status });
export const UNREACHABLE = failure('unreachable');

export interface OutageHarness {
  keys: Keys;
  /** Milliseconds since the epoch. */
  now: number;
  /** A process of its own. */
  outages(through?: Pick<Outbox, 'commit'>): Outages;
  /** Three polls of a GVC that fail. */
  fails(place: { org: string; gvc: string }, error?: unknown, from?: number): Promise<void>;
  /** Messages for the ops channel, in order. */
  reported(): Promise<Message[]>;
  /** The same as `key <- covers`. */
  reportedKeys(): Promise<string[]>;
}

/** Outages under a prefix of one's own. */
export function openOutages(redis: RedisConnection): OutageHarness {
  const keys = createKeys(`test-${randomUUID()}`);
  const outbox = createOutbox(redis, keys, (text) => text);
  const harness: OutageHarness = {
    keys,
    now: Date.UTC(2026, 9, 5, 12),
    outages: (through = outbox) =>
      createOutages({
        redis,
        keys,
        outbox: { ...outbox, ...through },
        wake: () => Promise.resolve(),
        clock: { now: () => harness.now },
        config: { channels: { ops: OPS } },
        logger,
      }),
    async fails(place, error = UNREACHABLE, from = 1) {
      for (const count of [from, from + 1, from + 2]) {
        await harness.outages().failed(place, count, error);
      }
    },
    async reported() {
      const records = createMessageRecords(redis, keys);
      const names = await redis.zrange(keys.outbox(OPS), '0', '-1');
      const found = await Promise.all(names.map((name) => records.read(OPS, name)));
      return found.flatMap((record) => (record === undefined ? [] : [record.message]));
    },
    reportedKeys: async () =>
      (await harness.reported()).map(({ key, covers = [] }) => [key, ...covers].join(' <- ')),
  };
  return harness;
}
