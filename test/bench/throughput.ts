import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { Figure, Open } from './measure.ts';
import { CONNECTIONS, startAround, startBareBolt, startBenchedBot, withPool } from './processes.ts';
import { command, type SilentSlack } from './slack.ts';

/** Milliseconds of commands: first those that do not count. */
const WHOLE = { warmMs: 3_000, measuredMs: 5_000 };
/** V8 gives back the memory of the start. */
const REST_MS = 30_000;
const QUICK = { warmMs: 1_500, measuredMs: 2_500 };

/** Commands answered in a second: by a plain Bolt with `users.info` and `respond`, and by the bot. */
export async function benchThroughput(open: Open, quick: boolean): Promise<Figure[]> {
  const times = quick ? QUICK : WHOLE;
  const { slack, around } = await startAround(open);
  const bare = await withPool(startBareBolt(slack.url), (pool) => answered(pool, slack, times));
  const { idle, own } = await withPool(
    startBenchedBot(around, { ROLE: 'all' }),
    async (pool, bot) => ({
      idle: await setTimeout(REST_MS).then(() => bot.memory()),
      own: await answered(pool, slack, times),
    }),
  );
  return [
    {
      what: `/purser help: answers of a plain Bolt with users.info / of the bot (${bare.toFixed(0)} / ${own.toFixed(0)} a second)`,
      ratio: bare / own,
      target: 2,
    },
    { what: 'resident, after half a minute of rest', ratio: idle, target: 160, unit: 'MB' },
  ];
}

/** In a second, when the next command is sent as soon as one is answered. */
async function answered(
  pool: Pool,
  slack: SilentSlack,
  { warmMs, measuredMs }: typeof WHOLE,
): Promise<number> {
  let index = 0;
  const sendFor = async (ms: number): Promise<number> => {
    const [before, ends] = [index, performance.now() + ms];
    const send = async (): Promise<void> => {
      while (performance.now() < ends) {
        const number = (index += 1);
        const answer = slack.answered(number);
        await command(pool, slack.url, number);
        await answer;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    return index - before;
  };
  await sendFor(warmMs);
  return (await sendFor(measuredMs)) / (measuredMs / 1_000);
}
