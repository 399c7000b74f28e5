import type { Pool } from 'undici';
import type { Figure, Open } from './measure.ts';
import { CONNECTIONS, startAround, startBareBolt, startBenchedBot, withPool } from './processes.ts';
import { command } from './slack.ts';

/** Milliseconds of commands: first those that do not count. */
const WHOLE = { warmMs: 3_000, measuredMs: 5_000 };
const QUICK = { warmMs: 1_500, measuredMs: 2_500 };

/** Commands in a second: by Bolt with an empty listener, and by the bot, which also answers them. */
export async function benchThroughput(open: Open, quick: boolean): Promise<Figure[]> {
  const times = quick ? QUICK : WHOLE;
  const { slack, around } = await startAround(open);
  const bare = await withPool(startBareBolt(slack.url), (pool) =>
    acknowledged(pool, slack.url, times),
  );
  const { idle, own } = await withPool(
    startBenchedBot(around, { ROLE: 'all' }),
    async (pool, bot) => ({
      idle: await bot.memory(),
      own: await acknowledged(pool, slack.url, times),
    }),
  );
  return [
    {
      what: `commands that an empty Bolt acknowledges / that the bot acknowledges and answers (${bare.toFixed(0)} / ${own.toFixed(0)} a second)`,
      ratio: bare / own,
      target: 2,
    },
    { what: 'resident, idle', ratio: idle, target: 160, unit: 'MB' },
  ];
}

/** In a second, when the next command is sent as soon as one is acknowledged. */
async function acknowledged(
  pool: Pool,
  slackUrl: string,
  { warmMs, measuredMs }: typeof WHOLE,
): Promise<number> {
  let index = 0;
  const sendFor = async (ms: number): Promise<number> => {
    const [before, ends] = [index, performance.now() + ms];
    const send = async (): Promise<void> => {
      while (performance.now() < ends) await command(pool, slackUrl, (index += 1));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    return index - before;
  };
  await sendFor(warmMs);
  return (await sendFor(measuredMs)) / (measuredMs / 1_000);
}
