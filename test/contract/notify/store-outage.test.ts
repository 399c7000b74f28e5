import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/lib/time.ts';
import { createStoreOutage } from '../../../src/notify/store-outage.ts';
import type { MessageSender } from '../../../src/notify/message.ts';
import type { StoreOutage } from '../../../src/jobs/workers.ts';
import { startRedis, type SandboxRedis } from '../../../src/sandbox/redis.ts';
import { until } from '../../support/until.ts';
import {
  heldUp,
  openHarness,
  OPS_CHANNEL,
  realSender,
  silentLogger,
  type Harness,
} from './support.ts';

// Its settings are changed here, so it is one of its own.
let server: SandboxRedis;
let harness: Harness;
beforeEach(async () => {
  server = await startRedis();
  harness = await openHarness(server.url);
  await harness.redis.set(harness.keys.heartbeat, 'first');
});
afterEach(() => server.close());

const full = () => harness.redis.config('SET', 'maxmemory', '1');
const roomy = () => harness.redis.config('SET', 'maxmemory', '0');
const reported = () => harness.reported(OPS_CHANNEL);

/** A process whose workers are refused. */
function processNamed(
  self: string,
  times = {},
  sender = (real: MessageSender): MessageSender => real,
): StoreOutage {
  return createStoreOutage({
    redis: harness.redis,
    keys: harness.keys,
    sender: sender(realSender(harness.slackUrl, undefined, 5_000)),
    opsChannel: OPS_CHANNEL,
    self,
    clock: systemClock,
    logger: silentLogger,
    times: { patienceMs: 50, tryMs: 3_600_000, othersMs: 500, againMs: 100, ...times },
  });
}

const isPosted = (count = 1) =>
  until('it is reported', async () => (await reported()).length === count);
const isOver = (index = 0) =>
  until('it is over', async () => (await reported())[index]?.includes('takes writes again'));

/** Redis takes no writes, or takes them again, and these processes notice. */
async function fails(...processes: StoreOutage[]): Promise<void> {
  await full();
  for (const one of processes) one.refused('OOM');
}
async function works(...processes: StoreOutage[]): Promise<void> {
  await roomy();
  for (const one of processes) one.over();
}

/** Waits until every process has looked for its messages in the channel. */
const looks = (count: number) =>
  until(
    `${count} looks`,
    async () => (await harness.calls('conversations.history')).length >= count,
  );

it('that Redis is full is reported once by several processes, and its end in the same message', async () => {
  const [first, second] = [processNamed('first'), processNamed('second')];

  await fails(second, first, second);
  await looks(2);
  expect(await reported()).toEqual([
    expect.stringMatching(
      /^@redis\/refuses\/1: 🟠 Purser’s store takes no writes: no rollout is watched, nothing is posted or carried out\nRedis is full\nNext: Give it more memory \(`maxmemory`\)\nNothing that was accepted is lost: Purser goes on once this is fixed\.\nRedis says `OOM` · since /,
    ),
  ]);
  await works(second, first);
  await isOver();

  expect(await reported()).toHaveLength(1);
  expect(await harness.redis.hget(harness.keys.numbers, '@redis/refuses')).toBe('1');
});

it('the next time is reported in a message of its own', async () => {
  const first = processNamed('first');
  for (const number of [1, 2]) {
    await fails(first);
    await isPosted(number);
    await works(first);
    await isOver(number - 1);
  }

  expect((await reported()).map((one) => one.split(': ')[0])).toEqual([
    '@redis/refuses/1',
    '@redis/refuses/2',
  ]);
});

it('another process shows it when the one with the beat does not', async () => {
  await full();
  processNamed('second').refused('READONLY');

  await isPosted();
  expect((await reported())[0]).toContain(
    'Redis is a replica\nNext: Name the primary in `REDIS_URL`, and restart Purser; with Cluster or Sentinel, let a replica take over\n',
  );
});

it('a process that comes in the middle does not know it again, and can know its end', async () => {
  await fails(processNamed('first'));
  await isPosted();

  const second = processNamed('second');
  second.refused('OOM');
  await looks(2);
  await works(second);
  await isOver();

  expect(await reported()).toHaveLength(1);
});

it('a message that Slack took without confirming is not posted twice', async () => {
  await full();
  await harness.faults({ kind: 'reset-after', times: 1, channel: OPS_CHANNEL });
  processNamed('first').refused('OOM');

  await looks(2);

  expect(await reported()).toHaveLength(1);
});

it('a refusal that does not last is not reported', async () => {
  const first = processNamed('first', { tryMs: -1 });
  first.refused('OOM');
  const second = processNamed('first');
  second.refused('OOM');
  await isPosted();
  first.over();
  second.over();
  await isOver();

  expect(await harness.calls('chat.postMessage')).toHaveLength(1);
});

it('its end is reported in the same message, also when it comes while the post is under way', async () => {
  const { sender, reached, letGo } = heldUp('post');
  const first = processNamed('first', {}, sender);
  await fails(first);
  await reached;
  await works(first);
  // Anyone who did not wait for the post would have looked for it in this time, in vain.
  for (const _bystander of [1, 2, 3, 4]) expect(await reported()).toEqual([]);
  letGo();
  await isOver();

  expect(await reported()).toEqual([expect.stringContaining('takes writes again')]);
});

it('its end is reported also when the first try to show the outage fails after it', async () => {
  const { sender, reached, letGo } = heldUp('post');
  const first = processNamed('first', {}, sender);
  await fails(first);
  await reached;
  await works(first);
  await harness.faults({ kind: 'http', status: 503, times: 1, channel: OPS_CHANNEL });
  letGo();
  await isOver();

  expect(await reported()).toHaveLength(1);
});

it('an outage that comes back before its end is reported goes on in its message, to its end', async () => {
  const first = processNamed('first');
  await fails(first);
  await isPosted();
  await harness.faults({ method: 'chat.update', kind: 'http', status: 503, channel: OPS_CHANNEL });
  await works(first);
  await until('its end was tried', async () => (await harness.calls('chat.update')).length > 0);
  await fails(first);
  await harness.faults();
  await until('it is reported anew', async () => (await harness.calls('chat.update')).length > 1);
  await until('it says so', async () => (await reported())[0]?.includes('takes no writes'));
  await works(first);
  await isOver();

  expect(await reported()).toHaveLength(1);
});

it('one that comes when another process has reported the end of the last is one of its own', async () => {
  const [first, second] = [processNamed('first'), processNamed('second')];
  await fails(first, second);
  await looks(2);
  await roomy();
  // Another person is at it, so this process waits to look again.
  const lock = harness.keys.lock('store-outage');
  await harness.redis.set(lock, 'another');
  const tries = vi.spyOn(harness.redis, 'set');
  second.over();
  await until('it has tried', () => tries.mock.calls.some(([key]) => key === lock));
  await harness.redis.del(lock);
  first.over();
  await isOver();
  await until('it is numbered', () =>
    harness.redis.hexists(harness.keys.numbers, '@redis/refuses'),
  );
  await fails(second);
  await isPosted(2);

  expect(await reported()).toEqual([
    expect.stringMatching(/^@redis\/refuses\/1: .*takes writes again/),
    expect.stringMatching(/^@redis\/refuses\/2: .*takes no writes/),
  ]);
});
