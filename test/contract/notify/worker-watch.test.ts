import { expect, it } from 'vitest';
import { createChangeStore } from '../../../src/changes/store.ts';
import { createWaitingCards } from '../../../src/changes/changes.ts';
import { createWorkerWatch } from '../../../src/notify/worker-watch.ts';
import { cardKey } from '../../../src/changes/messages/messages.ts';
import { systemClock } from '../../../src/lib/time.ts';
import { EVENTS } from '../../unit/changes/stages.ts';
import { load } from '../../unit/config/environment.ts';
import { changeOf } from '../../support/changes.ts';
import { useRedis } from '../../support/redis.ts';
import {
  CHANNEL,
  openHarness,
  OPS_CHANNEL,
  realSender,
  silentLogger,
  type Harness,
} from './support.ts';

const server = useRedis();
const MINUTE = 60_000;

/** A process without workers, whose time passes as the test says. */
function processIn(
  { redis, keys, slackUrl }: Harness,
  whileNone: () => Promise<void> = async () => undefined,
) {
  const clock = { at: Date.UTC(2026, 10, 20, 9), now: () => clock.at };
  const sender = realSender(slackUrl, undefined, 5_000);
  const deps = { redis, keys, sender, opsChannel: OPS_CHANNEL, clock, logger: silentLogger };
  const watch = createWorkerWatch({ ...deps, whileNone });
  return {
    ...watch,
    async after(ms: number): Promise<void> {
      clock.at += ms;
      await watch.check();
    },
  };
}

it('no worker for two minutes is reported once by all processes, and its end in the same message', async () => {
  const harness = await openHarness(server.url);
  const { redis, keys } = harness;
  const [first, second] = [processIn(harness), processIn(harness)];
  const posted = async () => (await harness.accepted(OPS_CHANNEL)).map(({ text }) => text);

  await first.after(2 * MINUTE - 1);
  expect([first.absence(), await posted()]).toEqual([undefined, []]);

  for (const one of [first, second, first]) await one.after(2 * MINUTE);
  expect(first.absence()).toMatch(/^none for 6 min/);
  expect(await posted()).toEqual([
    expect.stringMatching(/^🟠 No worker of Purser is running since /),
  ]);

  await redis.set(keys.heartbeat, 'worker');
  await first.after(10_000);
  await second.after(10_000);
  expect(first.absence()).toBeUndefined();
  expect(await posted()).toEqual([
    expect.stringContaining('A worker of Purser is running again after '),
  ]);
});

it('the second absence is a message of its own', async () => {
  const harness = await openHarness(server.url);
  const { redis, keys } = harness;
  const watch = processIn(harness);
  for (let times = 0; times < 2; times += 1) {
    await redis.del(keys.heartbeat);
    await watch.after(2 * MINUTE);
    await redis.set(keys.heartbeat, 'worker');
    await watch.after(10_000);
  }

  const all = await harness.accepted(OPS_CHANNEL);
  expect(all.map(({ metadata }) => metadata?.event_payload.key)).toEqual([
    '@worker/none/1',
    '@worker/none/2',
  ]);
});

it('the card of an approved change says that it waits', async () => {
  const harness = await openHarness(server.url);
  const { redis, keys, outbox } = harness;
  const store = createChangeStore({
    redis,
    keys,
    outbox,
    logger: silentLogger,
    clock: systemClock,
    wake: async () => undefined,
    config: load(),
  });
  const change = changeOf({ channel: CHANNEL });
  await store.create(change);
  await harness.post();
  const pending = (await store.get(change.id))!;
  await store.move(pending, EVENTS.approve);
  const sender = realSender(harness.slackUrl, undefined, 5_000);
  const whileNone = createWaitingCards({ redis, keys, sender }, store);
  const card = async () =>
    (await harness.accepted(CHANNEL)).find(
      ({ metadata }) => metadata?.event_payload.key === cardKey(change.id),
    );
  expect(JSON.stringify(await card())).not.toContain('no worker');

  await processIn(harness, whileNone).after(2 * MINUTE);

  expect(JSON.stringify((await card())?.blocks)).toContain(
    'nothing sent yet: no worker of Purser is running',
  );
});
