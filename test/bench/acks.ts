import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import { until } from '../support/until.ts';
import { quantile, type Figure, type Open } from './measure.ts';
import { startAround, startBenchedBot, startFleet, withPool } from './processes.ts';
import { command } from './slack.ts';

/** Commands a second, and the milliseconds of the warm-up and of the measurement. */
const WHOLE = { perSecond: 200, warmMs: 3_000, measuredMs: 10_000 };
/** Fewer, so that they do not queue on a busy machine. */
const QUICK = { perSecond: 50, warmMs: 1_000, measuredMs: 4_000 };

/**
 * Acknowledgements of signed commands, 200 a second, each timed from when it was due (who waits for one
 * answer before the next question does not see a delay): by a bot that does nothing else, and by one
 * that polls 10,000 deployments every second.
 */
export async function benchAcks(open: Open, quick: boolean): Promise<Figure[]> {
  const times = quick ? QUICK : WHOLE;
  const fleet = await open(startFleet(10_000, 'some'));
  const { around } = await startAround(open, fleet.url);
  const idle = await run(around, '3600', fleet.asked, times);
  const busy = await run(around, '1', fleet.asked, times);
  const both = `${busy.p99.toFixed(1)} ms / ${idle.p99.toFixed(1)} ms`;
  return [
    {
      what: `99 % of acknowledgements beside a poll of 10,000 each second / idle (${both})`,
      ratio: busy.p99 / idle.p99,
      target: 2,
    },
    {
      what: `50 % of them (${busy.p50.toFixed(1)} ms / ${idle.p50.toFixed(1)} ms)`,
      ratio: busy.p50 / idle.p50,
      target: 2,
    },
    { what: 'resident after one poll', ratio: idle.memory, target: 350, unit: 'MB' },
    { what: 'resident, a poll each second', ratio: busy.memory, target: 350, unit: 'MB' },
  ];
}

/** Times in milliseconds, memory in MiB. */
async function run(
  around: Parameters<typeof startBenchedBot>[0],
  seconds: string,
  asked: () => Promise<Record<string, number[]>>,
  { perSecond, warmMs, measuredMs }: typeof WHOLE,
) {
  const polls = async () => Object.values(await asked()).flat().length;
  const before = await polls();
  const starting = startBenchedBot(around, {
    ROLE: 'all',
    WATCHES: 'acme/shop',
    POLL_ACTIVE_SECONDS: '1',
    POLL_IDLE_SECONDS: seconds,
  });
  return withPool(starting, async (pool, bot) => {
    await until('the first poll', async () => (await polls()) > before);
    await sendCommands(pool, around.slackUrl, warmMs, perSecond);
    const times = await sendCommands(pool, around.slackUrl, measuredMs, perSecond);
    return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), memory: await bot.memory() };
  });
}

/** Sends commands at their times, whatever becomes of those before. @returns milliseconds from due to acknowledged */
export async function sendCommands(
  pool: Pool,
  slackUrl: string,
  forMs: number,
  perSecond = WHOLE.perSecond,
): Promise<number[]> {
  const start = performance.now();
  const sent: Promise<number>[] = [];
  for (let index = 0; index < (forMs / 1_000) * perSecond; index += 1) {
    const due = start + index * (1_000 / perSecond);
    if (due > performance.now()) await sleep(due - performance.now());
    sent.push(command(pool, slackUrl, index).then(() => performance.now() - due));
  }
  return Promise.all(sent);
}
