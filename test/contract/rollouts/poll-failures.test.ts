import { expect, it, vi } from 'vitest';
import type { Logger } from '../../../src/lib/logger.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { recorded } from '../../support/metrics.ts';
import { ready } from '../../unit/rollouts/platform-json.ts';
import { ACTIVE_MS, IDLE_MS, logger, OPS, pollHarness, SECOND } from './poll-harness.ts';

const harness = pollHarness();

it('a platform that fails is asked again soon, and at the idle pace when it goes on', async () => {
  harness.fail = new PlatformError('unavailable', 'bad gateway', { status: 502 });
  const tick = harness.worker();

  expect(await harness.ticksFor(5 * ACTIVE_MS, tick)).toBe(5);
  expect(await harness.ticksFor(5 * IDLE_MS, tick)).toBeLessThanOrEqual(5);
  expect(await harness.status()).toMatchObject({
    error: 'bad gateway',
  });
});

it.each([
  ['is kept', 300_000, 290_000],
  ['of more than ten minutes is not granted', 86_400_000, 590_000],
])('a pause that the platform asks for %s', async (_, retryAfterMs, quietMs) => {
  harness.fail = new PlatformError('rate-limited', 'slow down', { status: 429, retryAfterMs });
  const tick = harness.worker();
  await tick('acme', 'shop');

  expect(await harness.ticksFor(quietMs, tick)).toBe(0);
  expect(await harness.ticksFor(30_000, tick)).toBe(1);
});

it('the outages hear of failed polls with their count, and of the first that works', async () => {
  harness.fail = new PlatformError('unreachable', 'refused');
  const tick = harness.worker();
  await harness.ticksFor(3 * ACTIVE_MS, tick);
  harness.fail = undefined;
  await harness.ticksFor(2 * IDLE_MS, tick);

  expect(harness.said).toEqual([
    'acme/shop failed 1',
    'acme/shop failed 2',
    'acme/shop failed 3',
    'acme/shop worked',
  ]);
  expect(await harness.status()).toMatchObject({
    failures: 0,
    error: '',
  });
});

it('the outages hear of a defect on our side, too', async () => {
  harness.fail = new Error('a defect');
  await harness.worker()('acme', 'shop');

  expect(harness.said).toEqual(['acme/shop failed 1']);
  expect(await harness.status()).toMatchObject({
    failures: 1,
  });
});

it('the end of an outage that could not be reported is reported by the next poll, and no poll failed for it', async () => {
  harness.fail = new PlatformError('unreachable', 'refused');
  const before = (await recorded('purser_polls_total', { result: 'failed' })) ?? 0;
  const worked = vi
    .fn<() => Promise<void>>(async () => {})
    .mockRejectedValueOnce(new Error('Redis is away'));
  const tick = harness.worker({}, { failed: () => Promise.resolve(), worked });
  await tick('acme', 'shop');
  harness.fail = undefined;

  await harness.ticksFor(2 * ACTIVE_MS, tick);
  await harness.ticksFor(2 * IDLE_MS, tick);

  expect(worked).toHaveBeenCalledTimes(2);
  expect(await recorded('purser_polls_total', { result: 'failed' })).toBe(before + 1);
  expect(await harness.status()).toMatchObject({
    failures: 0,
  });
});

it('a poll that ends because Purser stops is no failure', async () => {
  const stop = new AbortController();
  harness.meanwhile = async () => stop.abort();
  harness.fail = new PlatformError('unreachable', 'given up');

  await harness.worker({ stopping: stop.signal })('acme', 'shop');

  expect(harness.said).toEqual([]);
  expect(await harness.redis.exists(harness.keys.pulse('acme', 'shop'))).toBe(0);
});

it('deployments that cannot be read are logged when their number changes', async () => {
  const warn = vi.fn<Logger['warn']>();
  const tick = harness.worker({ logger: { ...logger, warn } as Logger });
  for (const number of [2, 2, 2, 3, 0, 0, 2]) {
    harness.unreadable = number;
    await tick('acme', 'shop');
    harness.now += IDLE_MS;
  }

  expect(warn.mock.calls.map(([fields]) => (fields as { skipped: number }).skipped)).toEqual([
    2, 3, 2,
  ]);
});

/** One poll every so often. */
async function polls(count: number, everyMs: number): Promise<void> {
  const tick = harness.worker();
  for (let poll = 0; poll < count; poll += 1) {
    await tick('acme', 'shop');
    harness.now += everyMs;
  }
}

it('operators learn of records that cannot be read after three polls, and when that is over', async () => {
  harness.listing = { here: ready(11) };
  await polls(1, IDLE_MS);
  harness.unreadable = 2;
  await polls(2, IDLE_MS);
  expect(await harness.waiting(OPS)).toEqual([]);
  await polls(4, IDLE_MS);
  expect(await harness.waiting(OPS)).toEqual([
    expect.stringMatching(/^acme\/shop\/@api\/unreadable\/1: .*2 records/),
  ]);

  harness.unreadable = 0;
  await polls(2, IDLE_MS);
  expect(await harness.waiting(OPS)).toEqual([
    expect.stringMatching(/^acme\/shop\/@api\/unreadable\/1: .*in full again/),
  ]);
  harness.unreadable = 1;
  await polls(3, IDLE_MS);
  expect((await harness.waiting(OPS)).at(-1)).toMatch(/^acme\/shop\/@api\/unreadable\/2: /);
});

it('and of a list that is suddenly empty', async () => {
  harness.listing = { here: ready(11) };
  await polls(1, IDLE_MS);
  harness.listing = {};
  await polls(4, IDLE_MS);

  expect(await harness.waiting(OPS)).toEqual([
    expect.stringMatching(/^acme\/shop\/@api\/unreadable\/1: /),
  ]);
});

it('and of polls that have been too far apart for a quarter of an hour', async () => {
  harness.listing = { here: ready(11) };
  await polls(4, 5 * 60 * SECOND);
  expect(await harness.waiting(OPS)).toEqual([]);
  await polls(2, 5 * 60 * SECOND);
  expect(await harness.waiting(OPS)).toEqual([
    expect.stringMatching(/^acme\/shop\/@api\/slow\/1: .*too seldom/),
  ]);

  harness.now -= 4 * 60 * SECOND;
  await polls(2, IDLE_MS);
  expect(await harness.waiting(OPS)).toEqual([
    expect.stringMatching(/^acme\/shop\/@api\/slow\/1: .*in time again/),
  ]);
});
