import { randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobKind, Schedule } from '../../../src/jobs/jobs.ts';
import { startRedis, type SandboxRedis } from '../../../src/sandbox/redis.ts';
import { until } from '../../support/until.ts';
import { lookInto, openProcess, openProcessForTest, type Process } from './support.ts';

let server: SandboxRedis;
let prefix: string;
let bot: Process;
let queue: Queue;
beforeAll(async () => {
  // These tests read the statistics of the server, so they have one of their own.
  server = await startRedis();
});
afterAll(() => server.close());
beforeEach(async () => {
  prefix = `{test-${randomUUID()}}`;
  bot = await openProcessForTest(server.url, prefix);
  queue = lookInto('rollouts', bot, prefix);
});

const HOUR_MS = 3_600_000;

function schedule(gvc: string, everyMs = HOUR_MS, offsetMs = 600_000): Schedule {
  return { id: `poll:acme/${gvc}`, name: 'poll', data: { org: 'acme', gvc }, everyMs, offsetMs };
}

/** Schedules with their next jobs, to compare before and after a reconciliation. */
async function beats(): Promise<{ id: string; every: number | undefined; next: string[] }[]> {
  const jobs = await queue.getJobs(['delayed', 'waiting']);
  const known = await queue.getJobSchedulers(0, -1, true);
  return known
    .map(({ key, every }) => ({
      id: key,
      every,
      next: jobs.filter((job) => job.repeatJobKey === key).map((job) => job.id ?? ''),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function pollKind(run: JobKind['run']): JobKind {
  return { queue: 'rollouts', name: 'poll', run };
}

describe('schedules', () => {
  it('that are missing are added, each with one job at its own place in the beat', async () => {
    const asked = Date.now();

    await bot.jobs.reconcile('rollouts', 'poll:', [
      schedule('shop', HOUR_MS, 60_000),
      schedule('data', HOUR_MS, 120_000),
    ]);

    const [data, shop, ...others] = await queue.getJobs('delayed');
    expect(others).toEqual([]);
    for (const [job, gvc, offsetMs] of [
      [data, 'data', 120_000],
      [shop, 'shop', 60_000],
    ] as const) {
      const found = [data, shop].find((one) => one?.data['gvc'] === gvc);
      const at = (found?.timestamp ?? 0) + (found?.delay ?? 0);
      expect(job?.name).toBe('poll');
      expect(at % HOUR_MS).toBe(offsetMs);
      expect(at - asked).toBeLessThanOrEqual(HOUR_MS);
    }
  });

  it('that are right stay untouched', async () => {
    await bot.jobs.reconcile('rollouts', 'poll:', [schedule('shop'), schedule('data')]);
    const before = await beats();

    await bot.jobs.reconcile('rollouts', 'poll:', [schedule('data'), schedule('shop')]);

    expect(await beats()).toEqual(before);
  });

  it('with another pace are changed, and keep one job', async () => {
    await bot.jobs.reconcile('rollouts', 'poll:', [schedule('shop'), schedule('data')]);
    const before = await beats();

    await bot.jobs.reconcile('rollouts', 'poll:', [
      schedule('shop', 2 * HOUR_MS),
      schedule('data'),
    ]);

    const [data, shop] = await beats();
    expect(data).toEqual(before[0]);
    expect(shop).toMatchObject({ every: 2 * HOUR_MS });
    expect(shop?.next).toHaveLength(1);
  });

  it('that are no longer wanted go, with their job, once what they leave is done', async () => {
    await bot.jobs.reconcile('rollouts', 'poll:', [schedule('shop'), schedule('data')]);
    const other = { ...schedule('else'), id: 'every:else' };
    await bot.jobs.reconcile('rollouts', 'every:', [other]);

    const gone: string[] = [];
    await bot.jobs.reconcile('rollouts', 'poll:', [schedule('data')], async (id) => {
      expect((await beats()).map((beat) => beat.id)).toContain(id);
      gone.push(id);
    });

    expect(gone).toEqual(['poll:acme/shop']);
    const left = await beats();
    expect(left.map(({ id }) => id)).toEqual(['every:else', 'poll:acme/data']);
    expect(await queue.getDelayedCount()).toBe(2);
  });

  it('of which one cannot go yet stays until the next reconciliation, and holds up no other', async () => {
    await bot.jobs.reconcile(
      'rollouts',
      'poll:',
      ['shop', 'data', 'edge'].map((gvc) => schedule(gvc)),
    );
    const leave = async (id: string): Promise<void> => {
      if (id === 'poll:acme/edge') throw new Error('it is being polled');
    };

    await bot.jobs.reconcile('rollouts', 'poll:', [schedule('labs')], leave);
    expect((await beats()).map(({ id }) => id)).toEqual(['poll:acme/edge', 'poll:acme/labs']);

    await bot.jobs.reconcile('rollouts', 'poll:', [schedule('labs')]);
    expect((await beats()).map(({ id }) => id)).toEqual(['poll:acme/labs']);
  });

  it('that come back after they went beat again', async () => {
    const seen: string[] = [];
    await bot.jobs.work([pollKind(async ({ gvc = '' }) => void seen.push(gvc))]);
    const fast = schedule('shop', 300, 0);
    await bot.jobs.reconcile('rollouts', 'poll:', [fast]);
    await until('it beats', () => seen.length >= 2);

    await bot.jobs.reconcile('rollouts', 'poll:', []);
    seen.length = 0;
    await bot.jobs.reconcile('rollouts', 'poll:', [fast]);

    await until('it beats again', () => seen.length >= 3);
    expect(new Set(seen)).toEqual(new Set(['shop']));
  });

  it('are one each after 20 reconciliations at once and several restarts', async () => {
    const wanted = ['shop', 'data', 'edge', 'labs'].map((gvc) => schedule(gvc));
    for (let restart = 0; restart < 4; restart += 1) {
      const processes = [
        await openProcess(server.url, prefix),
        await openProcess(server.url, prefix),
      ] as const;
      const everyMs = restart % 2 === 0 ? HOUR_MS : 2 * HOUR_MS;
      const changed = wanted.map((one) => ({ ...one, everyMs }));

      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          processes[index % 2 === 0 ? 0 : 1].jobs.reconcile('rollouts', 'poll:', changed),
        ),
      );

      const found = await beats();
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id).toSorted());
      for (const { every, next } of found) {
        expect(every).toBe(everyMs);
        expect(next).toHaveLength(1);
      }
      expect(await queue.getDelayedCount()).toBe(wanted.length);
      await Promise.all(processes.map((one) => one.stop()));
    }
  });

  it('go on beating, with one next job, while their pace is changed under running workers', async () => {
    let seen = 0;
    const kind = pollKind(async () => void (seen += 1));
    const second = await openProcessForTest(server.url, prefix);
    await bot.jobs.work([kind]);
    await second.jobs.work([kind]);
    for (const everyMs of [100, 150, 100, 400]) {
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 ? bot : second).jobs.reconcile('rollouts', 'poll:', [
            schedule('shop', everyMs, everyMs / 2),
          ]),
        ),
      );
      const before = seen;
      await until('it beats at the new pace', () => seen >= before + 3);
    }

    expect(await beats()).toMatchObject([{ every: 400 }]);
    expect((await beats())[0]?.next).toHaveLength(1);
  });

  it('of the bot itself begin at once', async () => {
    let ran = 0;
    const sweep: JobKind = {
      queue: 'rollouts',
      name: 'sweep',
      every: HOUR_MS,
      run: async () => void (ran += 1),
    };

    await bot.jobs.work([sweep]);

    await until('it ran', () => ran === 1);
    expect((await beats()).map(({ id }) => id)).toEqual(['every:sweep']);
  });

  it('of an older version, which it puts back at its end, go when the newer looks again', async () => {
    const kind = { queue: 'rollouts', every: HOUR_MS, run: () => Promise.resolve() } as const;
    await bot.jobs.work([{ ...kind, name: 'sweep' }]);
    const older = await openProcessForTest(server.url, prefix);
    await older.jobs.reconcile('rollouts', 'every:old', [{ ...schedule('old'), id: 'every:old' }]);
    expect((await beats()).map(({ id }) => id)).toEqual(['every:old', 'every:sweep']);

    await until('it has gone', async () => (await beats()).length === 1);

    expect((await beats()).map(({ id }) => id)).toEqual(['every:sweep']);
  });
});

describe('stored schedules', () => {
  const GVCS = Array.from({ length: 1_000 }, (_, index) => `gvc-${index}`);
  const wanted = GVCS.map((gvc) => schedule(gvc));
  const bots = async () => [bot, await openProcessForTest(server.url, prefix)] as const;
  /** The scheduled jobs of a real worker that matter here. */
  const kinds: JobKind[] = ['sweep', 'reconcile'].map((name) => ({
    queue: 'rollouts',
    name,
    every: HOUR_MS,
    run: () => Promise.resolve(),
  }));

  /** Hashes that Redis gave away whole, and single fields, in this time. */
  async function reads(work: () => Promise<unknown>): Promise<{ whole: number; fields: number }> {
    await bot.redis.config('RESETSTAT');
    await work();
    const stats = await bot.redis.info('commandstats');
    const callsOf = (name: string): number =>
      Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
    return { whole: callsOf('hgetall'), fields: callsOf('hget') };
  }

  it('are not read again: for 1,000 GVCs two workers read only their own schedules', async () => {
    const [first, second] = await bots();
    await first.jobs.reconcile('rollouts', 'poll:', wanted);
    for (const one of [first, second]) await one.jobs.work(kinds);
    await until('their first jobs to be done', async () => {
      const { waiting, active } = await queue.getJobCounts('waiting', 'active');
      return waiting === 0 && active === 0;
    });

    // The regular check of a worker, and the next of the watches.
    const seen = await reads(async () => {
      for (const one of [first, second]) await one.jobs.work(kinds);
      await first.jobs.reconcile('rollouts', 'poll:', wanted);
    });

    expect(seen).toEqual({ whole: 2 * kinds.length, fields: 0 });
  });

  it('are read when others are wanted, and written where they differ', async () => {
    const [first, second] = await bots();
    const few = wanted.slice(0, 5);
    await first.jobs.reconcile('rollouts', 'poll:', few);
    await second.jobs.reconcile('rollouts', 'poll:', few);
    const faster = few.map((one) => ({ ...one, everyMs: HOUR_MS / 2 }));
    await second.jobs.reconcile('rollouts', 'poll:', faster);

    await first.jobs.reconcile('rollouts', 'poll:', few);

    expect((await beats()).map(({ every }) => every)).toEqual(few.map(() => HOUR_MS));
  });

  it('are put back when they are missing or stuck', async () => {
    const few = wanted.slice(0, 3);
    await bot.jobs.reconcile('rollouts', 'poll:', few);
    const [gone, still] = few.map(({ id }) => id);
    await queue.removeJobScheduler(gone!);
    await bot.redis.zadd(queue.toKey('repeat'), 1, still!);

    await bot.jobs.reconcile('rollouts', 'poll:', few);

    const known = await queue.getJobSchedulers(0, -1, true);
    expect(known.map(({ key }) => key).sort()).toEqual(few.map(({ id }) => id).sort());
    expect(known.filter(({ next }) => (next ?? 0) < Date.now())).toEqual([]);
  });
});
