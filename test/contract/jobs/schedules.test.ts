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
      id: key.replace(`@${every}`, ''),
      every,
      next: jobs.filter((job) => job.repeatJobKey === key).map((job) => job.id ?? ''),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

const ids = async (): Promise<string[]> => (await beats()).map(({ id }) => id);

const align = (schedules: readonly Schedule[], leave?: (id: string) => Promise<void>) =>
  bot.jobs.reconcile('rollouts', 'poll:', schedules, leave);

const pollKind = (run: JobKind['run']): JobKind => ({ queue: 'rollouts', name: 'poll', run });

describe('schedules', () => {
  it('that are missing are added, each with one job at its own place in the beat', async () => {
    const asked = Date.now();

    await align([schedule('shop', HOUR_MS, 60_000), schedule('data', HOUR_MS, 120_000)]);

    const jobs = await queue.getJobs('delayed');
    const places = jobs.map((job) => [job.name, job.data, (job.timestamp + job.delay) % HOUR_MS]);
    expect(places).toHaveLength(2);
    expect(places).toContainEqual(['poll', { org: 'acme', gvc: 'data' }, 120_000]);
    expect(places).toContainEqual(['poll', { org: 'acme', gvc: 'shop' }, 60_000]);
    for (const { timestamp, delay } of jobs) {
      expect(timestamp + delay - asked).toBeLessThanOrEqual(HOUR_MS);
    }
  });

  it('that are right stay untouched', async () => {
    await align([schedule('shop'), schedule('data')]);
    const before = await beats();

    await align([schedule('data'), schedule('shop')]);

    expect(await beats()).toEqual(before);
  });

  it('with another pace are changed, keep one job, and are not left', async () => {
    await align([schedule('shop'), schedule('data')]);
    const [data] = await beats();

    const left: string[] = [];
    await align(
      [schedule('shop', 2 * HOUR_MS), schedule('data')],
      async (id) => void left.push(id),
    );

    expect(await beats()).toEqual([
      data,
      { id: 'poll:acme/shop', every: 2 * HOUR_MS, next: [expect.any(String)] },
    ]);
    expect(left).toEqual([]);
  });

  it('that are no longer wanted go, with their job, once what they leave is done', async () => {
    await align([schedule('shop'), schedule('data')]);
    const other = { ...schedule('else'), id: 'every:else' };
    await bot.jobs.reconcile('rollouts', 'every:', [other]);

    const gone: string[] = [];
    await align([schedule('data')], async (id) => {
      expect(await ids()).toContain(id);
      gone.push(id);
    });

    expect(gone).toEqual(['poll:acme/shop']);
    expect(await ids()).toEqual(['every:else', 'poll:acme/data']);
    expect(await queue.getDelayedCount()).toBe(2);
  });

  it('of which one cannot go yet stays until the next reconciliation, and holds up no other', async () => {
    await align(['shop', 'data', 'edge'].map((gvc) => schedule(gvc)));

    await align([schedule('labs')], async (id) => {
      if (id === 'poll:acme/edge') throw new Error('it is being polled');
    });
    expect(await ids()).toEqual(['poll:acme/edge', 'poll:acme/labs']);

    await align([schedule('labs')]);
    expect(await ids()).toEqual(['poll:acme/labs']);
  });

  it('that come back after they went beat again', async () => {
    const seen: string[] = [];
    await bot.jobs.work([pollKind(async ({ gvc = '' }) => void seen.push(gvc))]);
    const fast = schedule('shop', 300, 0);
    await align([fast]);
    await until('it beats', () => seen.length >= 2);

    await align([]);
    seen.length = 0;
    await align([fast]);

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
    const run = async () => void (ran += 1);

    await bot.jobs.work([{ queue: 'rollouts', name: 'sweep', every: HOUR_MS, run }]);

    await until('it ran', () => ran === 1);
    expect(await ids()).toEqual(['every:sweep']);
  });

  it('of an older version, which it puts back at its end, go when the newer looks again', async () => {
    const kind = { queue: 'rollouts', every: HOUR_MS, run: () => Promise.resolve() } as const;
    await bot.jobs.work([{ ...kind, name: 'sweep' }]);
    const older = await openProcessForTest(server.url, prefix);
    await older.jobs.reconcile('rollouts', 'every:old', [{ ...schedule('old'), id: 'every:old' }]);
    expect(await ids()).toEqual(['every:old', 'every:sweep']);

    await until('it has gone', async () => (await beats()).length === 1);

    expect(await ids()).toEqual(['every:sweep']);
  });

  it('are put back when they are missing or stuck', async () => {
    const few = ['shop', 'data', 'edge'].map((gvc) => schedule(gvc));
    await align(few);
    const before = await beats();
    await queue.removeJobScheduler(`poll:acme/shop@${HOUR_MS}`);
    await bot.redis.zadd(queue.toKey('repeat'), 1, `poll:acme/data@${HOUR_MS}`);

    await align(few);

    expect(await ids()).toEqual(before.map(({ id }) => id));
    const known = await queue.getJobSchedulers(0, -1, true);
    expect(known.filter(({ next }) => (next ?? 0) < Date.now())).toEqual([]);
  });

  it('are not read one by one: 1,000 that are right take one command', async () => {
    const wanted = Array.from({ length: 1_000 }, (_, index) => schedule(`gvc-${index}`));
    await align(wanted);
    await bot.redis.config('RESETSTAT');

    await align(wanted);

    const stats = await bot.redis.info('commandstats');
    expect(stats).toMatch(/^cmdstat_zrange:calls=1,/m);
    expect(stats).not.toMatch(/^cmdstat_(?:hget|hgetall|evalsha):/m);
  });
});
