import { expect, it, vi } from 'vitest';
import type { Logger } from '../../../src/lib/logger.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { readPulse } from '../../../src/rollouts/gvc-store.ts';
import { ACTIVE_MS, IDLE_MS, pollHouse } from './poll-house.ts';
import { logger } from './support.ts';

const house = pollHouse();

it('a platform that fails is asked again soon, and at the idle pace when it goes on', async () => {
  house.fail = new PlatformError('unavailable', 'bad gateway', { status: 502 });
  const tick = house.worker();

  expect(await house.ticksFor(5 * ACTIVE_MS, tick)).toBe(5);
  expect(await house.ticksFor(5 * IDLE_MS, tick)).toBeLessThanOrEqual(5);
  expect(await readPulse(house.redis, house.keys, 'acme', 'shop')).toMatchObject({
    error: 'bad gateway',
  });
});

it('a pause that the platform asks for is kept', async () => {
  house.fail = new PlatformError('rate-limited', 'slow down', {
    status: 429,
    retryAfterMs: 300_000,
  });
  const tick = house.worker();
  await tick('acme', 'shop');

  expect(await house.ticksFor(290_000, tick)).toBe(0);
  expect(await house.ticksFor(30_000, tick)).toBe(1);
});

it('what was a failure is forgotten with the first answer', async () => {
  house.fail = new PlatformError('unreachable', 'refused');
  const tick = house.worker();
  await house.ticksFor(3 * ACTIVE_MS, tick);
  house.fail = undefined;
  await house.ticksFor(IDLE_MS, tick);

  expect(await readPulse(house.redis, house.keys, 'acme', 'shop')).toMatchObject({
    failures: 0,
    error: '',
  });
});

it('of failed polls the outages hear with their count, and of the first that works', async () => {
  house.fail = new PlatformError('unreachable', 'refused');
  const tick = house.worker();
  await house.ticksFor(3 * ACTIVE_MS, tick);
  house.fail = undefined;
  await house.ticksFor(2 * IDLE_MS, tick);

  expect(house.said).toEqual([
    'acme/shop failed 1',
    'acme/shop failed 2',
    'acme/shop failed 3',
    'acme/shop worked',
  ]);
});

it('a longer pause than ten minutes is not granted', async () => {
  house.fail = new PlatformError('rate-limited', 'slow down', {
    status: 429,
    retryAfterMs: 86_400_000,
  });
  const tick = house.worker();
  await tick('acme', 'shop');

  expect(await house.ticksFor(590_000, tick)).toBe(0);
  expect(await house.ticksFor(30_000, tick)).toBe(1);
});

it('the outages hear of a defect on our side, too', async () => {
  house.fail = new Error('a defect');
  await house.worker()('acme', 'shop');

  expect(house.said).toEqual(['acme/shop failed 1']);
  expect(await readPulse(house.redis, house.keys, 'acme', 'shop')).toMatchObject({ failures: 1 });
});

it('the end of an outage that could not be told is told by the next poll, and no poll failed for it', async () => {
  house.fail = new PlatformError('unreachable', 'refused');
  const results: unknown[] = [];
  const worked = vi
    .fn<() => Promise<void>>(async () => {})
    .mockRejectedValueOnce(new Error('Redis is away'));
  const tick = house.worker({
    outages: { failed: () => Promise.resolve(), worked },
    polls: { inc: (labels) => void results.push(labels?.['result']) },
  });
  await tick('acme', 'shop');
  house.fail = undefined;

  await house.ticksFor(2 * ACTIVE_MS, tick);
  await house.ticksFor(2 * IDLE_MS, tick);

  expect(worked).toHaveBeenCalledTimes(2);
  expect(results.filter((result) => result === 'failed')).toHaveLength(1);
  expect(await readPulse(house.redis, house.keys, 'acme', 'shop')).toMatchObject({ failures: 0 });
});

it('a poll that ends because Purser stops is no failure', async () => {
  const stop = new AbortController();
  house.meanwhile = async () => stop.abort();
  house.fail = new PlatformError('unreachable', 'given up');

  await house.worker({ stopping: stop.signal })('acme', 'shop');

  expect(house.said).toEqual([]);
  expect(await house.redis.exists(house.keys.pulse('acme', 'shop'))).toBe(0);
});

it('deployments that cannot be read are logged when their number changes', async () => {
  const warn = vi.fn<Logger['warn']>();
  const tick = house.worker({ logger: { ...logger, warn } as Logger });
  for (const number of [2, 2, 2, 3, 0, 0, 2]) {
    house.unreadable = number;
    await tick('acme', 'shop');
    house.now += IDLE_MS;
  }

  expect(warn.mock.calls.map(([fields]) => (fields as { skipped: number }).skipped)).toEqual([
    2, 3, 2,
  ]);
});
