import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { JobKind } from '../../../src/jobs/jobs.ts';
import { exitOf } from '../../../src/sandbox/redis.ts';
import { useRedis } from '../../support/redis.ts';
import { gate, until } from '../../support/until.ts';
import { recorded } from '../../support/metrics.ts';
import { lookInto, openProcess, openProcessForTest, SECRET, type Process } from './support.ts';

const server = useRedis();
let prefix: string;
let bot: Process;
beforeEach(async () => {
  prefix = `{test-${randomUUID()}}`;
  bot = await openProcessForTest(server.url, prefix);
});

const WORKER = fileURLToPath(new URL('worker-process.ts', import.meta.url));

const kindOf = (run: JobKind['run']): JobKind => ({ queue: 'changes', name: 'execute', run });

const FAILED = { queue: 'changes', result: 'failed' };

describe('a job', () => {
  it('of a killed worker is taken up again by another within 30 s', async () => {
    const taken = `${prefix}:taken`;
    const child = spawn(process.execPath, ['--import', 'tsx', WORKER, server.url, prefix, taken], {
      stdio: 'inherit',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await bot.jobs.add('changes', 'execute', { id: '7' });
    await until('the worker took it', async () => (await bot.redis.exists(taken)) === 1);

    child.kill('SIGKILL');
    await exitOf(child);
    const again: string[] = [];
    await bot.jobs.work([kindOf(async ({ id = '' }) => void again.push(id))]);

    await until('the job is taken up again', () => again.length > 0, 25_000);
    expect(again).toEqual(['7']);
  }, 60_000);

  it('that fails is logged once, and no secret comes into the log or into Redis', async () => {
    await bot.jobs.work([
      kindOf(async () => {
        throw new Error(`refused for ${SECRET}`, { cause: new Error(`Bearer ${SECRET}`) });
      }),
    ]);
    const queue = lookInto('changes', bot, prefix);

    const before = await recorded('purser_jobs_total', FAILED);

    await bot.jobs.add('changes', 'execute', { id: '7' });
    await until('it failed', async () => (await queue.getFailedCount()) === 1);
    await until('it is logged', () => bot.log().length > 0);

    expect(bot.log()).toMatchObject([
      { level: 'error', msg: 'A job failed', queue: 'changes', job: 'execute', data: { id: '7' } },
      { level: 'info', msg: 'Work', queue: 'changes', job: 'execute', end: 'failed' },
    ]);
    const [failed] = await queue.getFailed();
    const everything = JSON.stringify([bot.log(), failed?.toJSON(), failed?.stacktrace]);
    expect(everything).toContain('refused for');
    expect(everything).not.toContain(SECRET);
    expect(await recorded('purser_jobs_total', FAILED)).toBe((before ?? 0) + 1);
  });

  it('of a kind that no one knows is logged as well', async () => {
    await bot.jobs.work([kindOf(async () => undefined)]);

    await bot.jobs.add('changes', 'of-a-later-version', {});

    await until('it is logged', () => bot.log().length > 0);
    expect(bot.log()).toMatchObject([{ job: 'of-a-later-version', msg: 'A job failed' }]);
  });

  it('that Redis refuses for a fault of its own is its own failure, and no one rests for it', async () => {
    const heard: string[] = [];
    const worker = await openProcessForTest(server.url, prefix, {
      refused: (word) => void heard.push(word),
      over: () => void heard.push('over'),
    });
    let ticks = 0;
    const kind = kindOf(async () => {
      await worker.redis.set(`${prefix}:text`, 'no list');
      await worker.redis.lpush(`${prefix}:text`, 'one');
    });
    const tick = async (): Promise<void> => void (ticks += 1);
    await worker.jobs.work([kind, { queue: 'rollouts', name: 'tick', every: 100, run: tick }]);
    await until('it ticks', () => ticks >= 2 && worker.jobs.health().unwell === undefined);

    const before = ticks;
    for (const id of ['7', '8', '9']) await bot.jobs.add('changes', 'execute', { id });
    const errors = () => worker.log().filter(({ level }) => level === 'error');
    const unwell = new Set<string | undefined>();
    await until('all have failed, and the others to go on', () => {
      unwell.add(worker.jobs.health().unwell);
      return errors().length >= 3 && ticks >= before + 5;
    });

    const failure = { msg: 'A job failed', queue: 'changes', job: 'execute' };
    // Four run at a time, so that the last one may fail first.
    const failed = ['7', '8', '9'].map((id) =>
      expect.objectContaining({ ...failure, data: { id } }),
    );
    expect(errors()).toHaveLength(failed.length);
    expect(errors()).toEqual(expect.arrayContaining(failed));
    expect(JSON.stringify(errors())).toContain('WRONGTYPE');
    expect(heard).toEqual([]);
    expect([...unwell]).toEqual([undefined]);
  });

  it('that runs is finished when the worker is asked to stop, and one that comes then is not lost', async () => {
    const done: string[] = [];
    const { passed, open } = gate();
    let begun = 0;
    const worker = await openProcess(server.url, prefix);
    await worker.jobs.work([
      kindOf(async ({ id = '' }) => {
        begun += 1;
        await passed;
        done.push(id);
      }),
    ]);
    await bot.jobs.add('changes', 'execute', { id: 'running' });
    await until('it runs', () => begun === 1);

    const stopped = worker.stop();
    await bot.jobs.add('changes', 'execute', { id: 'late' });
    open();
    await stopped;

    // A read that was under way may still bring the late one: then it is finished, too.
    const queue = lookInto('changes', bot, prefix);
    expect(done).toContain('running');
    expect(await queue.getCompletedCount()).toBe(done.length);
    expect(done.length + (await queue.getWaitingCount())).toBe(2);
  });
});

describe('the heartbeat of a worker', () => {
  it('has a timer of its own, however slow its jobs are', async () => {
    let begun = 0;
    const { passed, open } = gate();
    const slow = async (): Promise<void> => {
      begun += 1;
      await passed;
    };
    await bot.jobs.work([{ queue: 'notifications', name: 'deliver', run: slow }]);
    for (let job = 0; job < 20; job += 1) await bot.jobs.add('notifications', 'deliver', {});
    await until('its hands are full', () => begun === 16);

    for (let beat = 0; beat < 2; beat += 1) {
      await bot.redis.del(`${prefix}:beat`);
      await until('a beat', async () => (await bot.redis.exists(`${prefix}:beat`)) === 1);
    }

    expect(begun).toBe(16);
    expect(bot.jobs.health()).toEqual({});
    open();
  });

  it('is known of each process by itself', async () => {
    const idle = await openProcessForTest(server.url, prefix);

    await bot.jobs.work([kindOf(async () => undefined)]);

    await until('it beats', async () => (await bot.redis.exists(`${prefix}:beat`)) === 1);
    await until('it knows', () => bot.jobs.health().unwell === undefined);
    expect(idle.jobs.health()).toEqual({ unwell: 'the workers have not started yet' });
  });
});

it('the kept records of finished jobs and of events are bounded', async () => {
  let ran = 0;
  await bot.jobs.work([kindOf(async () => void (ran += 1))]);

  await Promise.all(
    Array.from({ length: 400 }, () => bot.jobs.add('changes', 'execute', { id: '7' })),
  );
  await until('all have run', () => ran === 400);

  const queue = lookInto('changes', bot, prefix);
  await until('they are put away', async () => (await queue.getActiveCount()) === 0);
  expect(await queue.getCompletedCount()).toBeLessThanOrEqual(100);
  expect(await bot.redis.xlen(`${prefix}:changes:events`)).toBeLessThan(1_200);
});
