import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../support/until.ts';
import { openChaos, type ChaosWorld } from '../world.ts';

const CHANNELS = ['C0ONE', 'C0TWO', 'C0THREE', 'C0FOUR'];
const WORKERS = 2;
const TIMES = 3;
const TRANSITIONS = 20;
const FULL_MS = 10_000;
const DEADLINE_MS = 180_000;
/** Of all workers, while Redis is full: one probe a second each, with its commands. */
const MOST_A_SECOND = 15 * WORKERS;

/** Commands that Redis was given, those that it refused included. */
async function commands(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  return [...stats.matchAll(/^cmdstat_[^:]+:calls=(\d+),.*rejected_calls=(\d+)/gm)].reduce(
    (sum, [, taken, refused]) => sum + Number(taken) + Number(refused),
    0,
  );
}

async function perSecond(redis: Redis): Promise<number> {
  const [from, began] = [await commands(redis), performance.now()];
  await pause(FULL_MS);
  const to = await commands(redis);
  return Math.round(((to - from) * 1_000) / (performance.now() - began));
}

const errorLines = (world: ChaosWorld): string[] =>
  world.bots
    .flatMap((bot) => bot.troubles())
    .filter((line) => /"level":"(?:error|fatal)"/.test(line));

it(`Redis is full ${TIMES} times: the workers rest, ops is notified once each, and nothing is lost or doubled`, async () => {
  const world = await openChaos({
    workers: WORKERS,
    gvcs: CHANNELS.map((channel, index) => ({
      name: `gvc${index}`,
      workloads: 3,
      channels: [channel],
    })),
    plans: ['location by location', 'breaks later', 'fails, then comes up'],
  });
  const admin = new Redis(world.redis.port);
  onTestFinished(async () => {
    admin.disconnect();
    await world.close();
  });
  const reports = (): string[] =>
    world.slack.posts.filter(({ key }) => key.startsWith('@redis/')).map(({ key }) => key);
  await world.begin();
  const before = await perSecond(admin);
  const full: number[] = [];
  for (let time = 1; time <= TIMES; time += 1) {
    world.fleet.allow(time * TRANSITIONS);
    const half = (time - 0.5) * TRANSITIONS;
    await until('half of the script has happened', () => world.fleet.done() >= half, DEADLINE_MS);
    await admin.config('SET', 'maxmemory', '1');
    await until('ops is notified', () => reports().length === time, DEADLINE_MS);
    full.push(await perSecond(admin));
    await admin.config('SET', 'maxmemory', '0');
    const isOver = (): boolean =>
      world.slack.posts.filter(({ text }) => text.includes('takes writes again')).length === time;
    await until('ops is notified that it is over', isOver, DEADLINE_MS);
  }
  await world.quiet(DEADLINE_MS);

  const lines = errorLines(world);
  const count = world.report('Full Redis', {
    'commands a second before': before,
    'commands a second while it is full': full,
    'lines of errors in the logs of both workers': lines.length,
    'posted to ops': reports(),
  });
  expect(count).toMatchObject({ lost: [], doubled: [], ghost: [] });
  expect(reports()).toEqual(full.map((_, time) => `@redis/refuses/${time + 1}`));
  expect(Math.max(...full)).toBeLessThan(MOST_A_SECOND);
  expect(lines.length).toBeLessThanOrEqual(TIMES * WORKERS);
});
