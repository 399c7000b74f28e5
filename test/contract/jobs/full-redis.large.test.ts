import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobKind } from '../../../src/jobs/jobs.ts';
import { startRedis, type SandboxRedis } from '../../../src/sandbox/redis.ts';
import { until } from '../../support/until.ts';
import { openProcessForTest, startSwitch, type Process } from './support.ts';

const PREFIX = '{test}';
const TICK_MS = 300;

// Its settings are changed here, so it is one of its own.
let server: SandboxRedis;
let admin: Redis;
beforeEach(async () => {
  server = await startRedis();
  admin = new Redis(server.url);
});
afterEach(async () => {
  admin.disconnect();
  await server.close();
});

/** As in a running bot: scheduled jobs in every queue. */
interface Counted {
  kinds: JobKind[];
  ticks: () => number;
  /** How often each of the jobs that were added has run. */
  ran: Map<string, number>;
}

function counted(): Counted {
  let ticks = 0;
  const ran = new Map<string, number>();
  const queues = ['rollouts', 'notifications', 'changes', 'billing'] as const;
  const kinds: JobKind[] = queues.map((queue) => ({
    queue,
    name: `tick-${queue}`,
    every: TICK_MS,
    run: async () => void (ticks += 1),
  }));
  const run: JobKind['run'] = async ({ id = '' }) => void ran.set(id, (ran.get(id) ?? 0) + 1);
  return { kinds: [...kinds, { queue: 'changes', name: 'execute', run }], ticks: () => ticks, ran };
}

/** Calls that Redis counted, those of this test left out. */
async function calls(): Promise<{ calls: number; atMs: number }> {
  const stats = await admin.info('commandstats');
  const own = ['info', 'config|set', 'config', 'replicaof', 'acl|setuser', 'config|resetstat'];
  let sum = 0;
  for (const [, name = '', taken, rejected] of stats.matchAll(
    /^cmdstat_([^:]+):calls=(\d+),.*rejected_calls=(\d+)/gm,
  )) {
    if (!own.includes(name)) sum += Number(taken) + Number(rejected);
  }
  return { calls: sum, atMs: performance.now() };
}

/** Calls a second while this passes, and how long that was. */
async function pace(work: () => Promise<unknown>): Promise<number> {
  const before = await calls();
  await work();
  const after = await calls();
  return ((after.calls - before.calls) * 1_000) / (after.atMs - before.atMs);
}

/** So often the workers have been refused by now; with one try a second, this takes its time. */
const refusals = (heard: string[], count: number) =>
  until(`${count} refusals`, () => heard.length >= count);

interface Trouble {
  begin: () => Promise<unknown>;
  end: () => Promise<unknown>;
}

const troubles: Record<string, () => Trouble> = {
  OOM: () => ({
    begin: () => admin.config('SET', 'maxmemory', '1'),
    end: () => admin.config('SET', 'maxmemory', '0'),
  }),
  READONLY: () => ({
    begin: () => admin.call('REPLICAOF', '127.0.0.1', '1'),
    end: () => admin.call('REPLICAOF', 'NO', 'ONE'),
  }),
  NOPERM: () => ({
    begin: () => admin.call('ACL', 'SETUSER', 'default', '-@write', '-@scripting'),
    end: () => admin.call('ACL', 'SETUSER', 'default', '+@all'),
  }),
};

/** More than the tries of all workers and looks; the loop of BullMQ came to tens of thousands. */
const MOST_A_SECOND = 12;

describe('workers', () => {
  it.each(Object.keys(troubles))(
    'rest while Redis says %s, with one line in the log, and go on by themselves',
    async (word) => {
      const trouble = troubles[word]!();
      const heard: string[] = [];
      let over = 0;
      const bot: Process = await openProcessForTest(server.url, PREFIX, {
        refused: (one) => void heard.push(one),
        over: () => void (over += 1),
      });
      const { kinds, ticks, ran } = counted();
      await bot.jobs.work(kinds);
      await until('it ticks', () => ticks() >= 8);
      expect(bot.jobs.health()).toEqual({});

      await trouble.begin();
      await refusals(heard, 1);
      const asked = bot.jobs.add('changes', 'execute', { id: 'refused' });
      expect(await asked.catch(() => 'refused')).toBe('refused');
      // The jobs that were under way at the beginning are over.
      await refusals(heard, 3);
      const perSecond = await pace(() => refusals(heard, heard.length + 5));
      const lines = bot.log().filter(({ level }) => level === 'error');
      const unwell = bot.jobs.health();

      await trouble.end();
      const before = ticks();
      await until('it ticks again', () => ticks() >= before + 8);
      await bot.jobs.add('changes', 'execute', { id: 'later' });
      await until('the added job is done', () => ran.get('later') === 1);
      await until('it is over', () => over === 1);

      expect(perSecond).toBeLessThan(MOST_A_SECOND);
      expect(lines).toMatchObject([{ says: word }]);
      expect(unwell).toEqual({ unwell: `Redis refuses what the workers write (${word})` });
      expect(new Set(heard)).toEqual(new Set([word]));
      expect([...ran]).toEqual([['later', 1]]);
      // One of the workers may still be on its way to a new connection.
      await expect.poll(() => bot.jobs.health()).toEqual({});
    },
  );

  it('that were given jobs before Redis was full do each of them once', async () => {
    const heard: string[] = [];
    const bot = await openProcessForTest(server.url, PREFIX, {
      refused: (one) => void heard.push(one),
      over: () => undefined,
    });
    const { kinds, ran } = counted();
    const ids = Array.from({ length: 50 }, (_, index) => `job-${index}`);
    for (const id of ids) await bot.jobs.add('changes', 'execute', { id });

    await admin.config('SET', 'maxmemory', '1');
    await bot.jobs.work(kinds).catch(() => undefined);
    await refusals(heard, 3);
    await admin.config('SET', 'maxmemory', '0');
    await bot.jobs.work(kinds);

    await until('all have run', () => ran.size === ids.length);
    expect([...ran.values()].filter((times) => times !== 1)).toEqual([]);
  });

  it('go on at another server when theirs has become a replica and its name leads there', async () => {
    const other = await startRedis();
    const place = await startSwitch(server.url);
    const bot = await openProcessForTest(place.url, PREFIX);
    const { kinds, ticks, ran } = counted();
    await bot.jobs.work(kinds);
    await until('it ticks', () => ticks() >= 8);

    place.leadTo(other.url);
    await admin.call('REPLICAOF', '127.0.0.1', '1');

    const before = ticks();
    await until('it ticks there', () => ticks() >= before + 8);
    await until('it takes jobs there', async () =>
      bot.jobs.add('changes', 'execute', { id: 'later' }).then(
        () => true,
        () => false,
      ),
    );
    await until('they are done', () => ran.get('later') === 1);
    expect([...ran]).toEqual([['later', 1]]);
    await bot.stop();
    await other.close();
  });
});
