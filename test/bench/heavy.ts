import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import { until } from '../support/until.ts';
import { sendCommands } from './acks.ts';
import { quantile, type Figure, type Open } from './measure.ts';
import {
  startAround,
  startBenchedBot,
  startHeavyPlatform,
  withPool,
  type BenchedBot,
} from './processes.ts';
import { command, type SilentSlack } from './slack.ts';

const MB = 1024 * 1024;
/** The largest answer that is read. */
const BYTES = 31 * MB;
const QUESTION = {
  command: '/usage',
  text: 'last 40 days by workload,gvc,metric,volumeIndex step hour',
};
const WARM_MS = 3_000;
const MEASURED_MS = 20_000;
const LOOK_MS = 200;
/** Questions have numbers of their own, far behind those of the commands beside them. */
let number = 1_000_000;
const LIMIT_MB = 400;

/**
 * Acknowledgements of 200 commands a second beside a person without any role who asks the heaviest
 * question that is answered, again as soon as the answer is there; and the memory of each role
 * meanwhile.
 */
export async function benchHeavy(open: Open): Promise<Figure[]> {
  const platform = await open(startHeavyPlatform(BYTES));
  const { slack, around } = await startAround(open, platform.url);
  const inRole = <T>(role: string, work: (pool: Pool, bot: BenchedBot) => Promise<T>) =>
    withPool(startBenchedBot({ ...around, usageUrl: platform.url }, { ROLE: role }), work);
  const idle = await inRole('all', (pool, bot) => run(pool, bot, slack, false));
  const busy = await inRole('all', (pool, bot) => run(pool, bot, slack, true));
  const app = await inRole('app', (pool, bot) => run(pool, bot, slack, true));
  const worker = await inRole('worker', async (_, bot) => ({ memory: await bot.memory() }));
  console.log(`${busy.answered} of the heaviest questions were answered beside them`);
  const times = `${busy.p99.toFixed(1)} ms / ${idle.p99.toFixed(1)} ms`;
  return [
    {
      what: `99 % of acknowledgements beside the heaviest question / idle (${times})`,
      ratio: busy.p99 / idle.p99,
      target: 2,
    },
    ...Object.entries({ all: busy, app, worker }).map(([role, { memory }]) => ({
      what: `resident at most beside it, ROLE=${role}`,
      ratio: memory,
      target: LIMIT_MB,
      unit: 'MB',
    })),
  ];
}

/** Times in milliseconds, memory in MiB. */
async function run(pool: Pool, bot: BenchedBot, slack: SilentSlack, asks: boolean) {
  const over = new AbortController();
  const memory = watchMemory(bot, over.signal);
  await sendCommands(pool, slack.url, WARM_MS);
  const asking = asks ? askOnAndOn(pool, slack, over.signal) : Promise.resolve(0);
  const times = await sendCommands(pool, slack.url, MEASURED_MS);
  over.abort();
  return { p99: quantile(times, 0.99), answered: await asking, memory: await memory };
}

/** @returns how many were answered with figures */
async function askOnAndOn(pool: Pool, slack: SilentSlack, signal: AbortSignal): Promise<number> {
  for (let asked = 0; ; asked += 1) {
    number += 1;
    const index = number;
    await command(pool, slack.url, index, QUESTION);
    await until('an answer with figures', () => {
      const said = slack.answers(index).join('\n');
      if (said.includes('more than one answer')) throw new Error('it was refused');
      return said.includes('Usage by workload') || signal.aborted;
    });
    if (signal.aborted) return asked;
  }
}

/** @returns the most that it ever took, in MB */
async function watchMemory(bot: BenchedBot, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) {
    most = Math.max(most, await bot.memory());
    await sleep(LOOK_MS);
  }
  return most;
}
