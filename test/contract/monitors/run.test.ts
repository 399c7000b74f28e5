import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Found, Monitor } from '../../../src/monitors/monitor.ts';
import { monitorJob, runMonitor } from '../../../src/monitors/run.ts';
import { createScrubber } from '../../../src/lib/secret.ts';
import { systemClock } from '../../../src/lib/time.ts';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { servicesOf } from '../../support/reports.ts';
import { connectTo, useRedis } from '../../support/redis.ts';
import { gate } from '../../support/until.ts';
import { CHANNEL, emptyOutbox, message, openHarness } from '../notify/support.ts';

const server = useRedis();

/** The count of the last run. */
const Count = z.object({ count: z.number() });
type Count = z.infer<typeof Count>;

/** A new count is reported, unless it is the first run or the count is known. */
function counted(count: number, before: Count | undefined): Found<Count> {
  const isNew = before !== undefined && before.count !== count;
  return { memory: { count }, messages: isNew ? [message(`count/${count}`, `${count} now`)] : [] };
}

/** A monitor with this reader. */
function monitorOf(read: Monitor<Found<Count>, Count>['read']): Monitor<Found<Count>, Count> {
  return { memory: Count, read, compare: (_, found) => found };
}

const SUBJECT = { place: 'alert', what: 'the spend alert' };

/** Workers on one Redis, their messages and their memory. */
async function open() {
  const harness = await openHarness(server.url);
  const { redis, keys } = harness;
  const woken: string[] = [];
  /** One more, with a connection of its own. */
  const worker = async () => {
    const own = await connectTo(server.url);
    onTestFinished(() => own.disconnect());
    const outbox = createOutbox(own, keys, createScrubber([]));
    const wake = async (channels: readonly string[]) => void woken.push(...channels);
    return servicesOf({
      redis: own,
      keys,
      outbox,
      wake,
      clock: systemClock,
      config: { channels: { ops: 'C0OPS' }, billingPollMs: 1, digest: {} },
    });
  };
  const one = await worker();
  const place = { hash: keys.reported, field: 'alert' };
  return {
    ...harness,
    one,
    worker,
    place,
    woken,
    /** One run of the monitor, or of its job, that reads this count. */
    look: (count: number) =>
      runMonitor(
        one,
        SUBJECT,
        place,
        monitorOf(async (before) => counted(count, before)),
      ),
    job: (read: Monitor<Found<Count>, Count>['read']) =>
      monitorJob(one, 'alert', 1, monitorOf(read)).run({}),
    stop: (topic: string) => redis.hset(keys.stops, topic, JSON.stringify({ by: 'U0CLEO', at: 1 })),
    remembered: () => redis.hget(keys.reported, 'alert'),
    posted: async () => {
      await emptyOutbox(harness);
      return harness.reported();
    },
  };
}

describe('a run of a monitor', () => {
  it('posts the difference from the last run, and wakes the delivery', async () => {
    const { look, posted, woken } = await open();

    for (const count of [1, 1, 2, 2]) await look(count);

    expect(woken).toEqual([CHANNEL]);
    expect(await posted()).toEqual(['count/2: 2 now']);
  });

  it('of two workers at the same time counts once: that of the first to write', async () => {
    const { look, place, worker, remembered, posted } = await open();
    await look(1);
    const [door, ...arrived] = [gate(), gate(), gate()];
    const both = [2, 3].map(async (count, index) =>
      runMonitor(
        await worker(),
        SUBJECT,
        place,
        monitorOf(async (before) => {
          arrived[index]?.open();
          await door.passed;
          return counted(count, before);
        }),
      ),
    );
    await Promise.all(arrived.map(({ passed }) => passed));

    door.open();
    await Promise.all(both);

    const { count } = Count.parse(JSON.parse((await remembered()) ?? ''));
    expect(await posted()).toEqual([`count/${count}: ${count} now`]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('the platform is away')), 'the platform is away'],
    ['sees nothing', () => Promise.resolve(undefined), true],
  ])('that %s leaves the memory, and posts nothing', async (_, read, end) => {
    const { look, one, place, remembered, posted } = await open();
    await look(1);

    const ended = await runMonitor(one, SUBJECT, place, monitorOf(read)).catch(
      (error: Error) => error.message,
    );

    expect(ended).toBe(end);
    expect(await remembered()).toBe('{"count":1}');
    expect(await posted()).toEqual([]);
    await look(2);
    expect(await posted()).toEqual(['count/2: 2 now']);
  });

  it.each(['{"seen":"by an older version"}', 'no JSON'])(
    'that cannot read the memory is like the first one: %s',
    async (memory) => {
      const { look, redis, place, posted } = await open();
      await redis.hset(place.hash, place.field, memory);

      await look(7);
      expect(await posted()).toEqual([]);

      await look(8);
      expect(await posted()).toEqual(['count/8: 8 now']);
    },
  );

  it.each([
    ['was changed', 'each day', 'each week'],
    ['was deleted', 'each day', null],
    ['came to be', null, 'each day'],
  ])('is discarded when its subject %s meanwhile', async (_, before, after) => {
    const { one, keys, redis, posted } = await open();
    const hash = keys.savedQuestions;
    const write = (text: string | null) =>
      text === null ? redis.hdel(hash, '3') : redis.hset(hash, '3', text);
    await write(before);
    await redis.hset(hash, '3:reported', '{"count":1}');
    const place = { hash, field: '3:reported', unchanged: { '3': before } };

    const read = async (seen: Count | undefined) => {
      await write(after);
      return counted(2, seen);
    };
    await runMonitor(one, SUBJECT, place, monitorOf(read));

    expect(await posted()).toEqual([]);
    expect(await redis.hget(hash, '3:reported')).toBe('{"count":1}');
  });

  it.each([
    [2, ['count/2: 2 now']],
    [1, []],
  ])(
    'may be the last: its subject is removed in the same step as its message is stored (%i)',
    async (count, reported) => {
      const { one, keys, redis, posted } = await open();
      const hash = keys.savedQuestions;
      await redis.hset(hash, { '3': 'each day', '3:reported': '{"count":1}', '4': 'each week' });
      const place = { hash, field: '3:reported', unchanged: { '3': 'each day' } };

      const read = async (before: Count | undefined) => ({
        ...counted(count, before),
        remove: ['3', '3:reported'],
      });
      await runMonitor(one, SUBJECT, place, monitorOf(read));

      expect(await posted()).toEqual(reported);
      expect(await redis.hgetall(hash)).toEqual({ '4': 'each week' });
    },
  );
});

describe('a run for a topic that a person stopped', () => {
  it('goes on in silence: changes meanwhile are not reported later', async () => {
    const { job, keys, redis, posted, stop } = await open();
    const look = (count: number, meanwhile = async (): Promise<unknown> => undefined) =>
      job(async (before) => {
        await meanwhile();
        return counted(count, before);
      });
    await look(1);

    // A person stops it while a run is under way.
    await look(2, () => stop('alert'));
    await look(3);
    expect(await posted()).toEqual([]);

    await redis.hdel(keys.stops, 'alert');
    await look(3);
    expect(await posted()).toEqual([]);
    await look(4);
    expect(await posted()).toEqual(['count/4: 4 now']);
  });

  it('still edits its earlier messages', async () => {
    const { job, posted, stop } = await open();
    const say = (text: string) =>
      job(async () => ({
        memory: { count: 1 },
        messages: [message('card', text), message(`reply/${text}`, text)],
      }));
    await say('due');
    expect(await posted()).toEqual(['card: due', 'reply/due: due']);

    await stop('alert');
    await say('paid');
    expect(await posted()).toEqual(['card: paid', 'reply/due: due']);
  });

  it('does not silence another topic', async () => {
    const { job, posted, stop } = await open();
    await stop('digest');

    for (const count of [1, 2]) await job(async (before) => counted(count, before));

    expect(await posted()).toEqual(['count/2: 2 now']);
  });
});
