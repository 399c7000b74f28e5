import { Pool } from 'undici';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { startRedis } from '../../src/sandbox/redis.ts';
import type { Figure } from './measure.ts';
import { startBareBolt, startBenchedBot } from './processes.ts';
import { command, startSilentSlack } from './slack.ts';

const CONNECTIONS = 32;
const WARM_MS = 3_000;
const MEASURED_MS = 5_000;

/** Commands in a second: by Bolt with an empty listener, and by the bot, which also answers them. */
export async function benchThroughput(): Promise<Figure[]> {
  const redis = await startRedis(process.env['REDIS_URL']);
  const slack = await startSilentSlack();
  const around = { slackUrl: slack.url, platformUrl: 'http://127.0.0.1:1', redisUrl: redis.url };
  try {
    const bolt = await startBareBolt(CREDENTIALS.signingSecret, slack.url);
    const bare = await acknowledged(bolt, slack.url);
    const bot = await startBenchedBot(around, { ROLE: 'all' });
    const idle = await bot.memory();
    const own = await acknowledged(bot, slack.url);
    return [
      {
        what: `commands that an empty Bolt acknowledges / that the bot acknowledges and answers (${bare.toFixed(0)} / ${own.toFixed(0)} a second)`,
        ratio: bare / own,
        target: 2,
      },
      ...(idle === undefined
        ? []
        : [{ what: 'resident, idle', ratio: idle, target: 160, unit: 'MB' }]),
    ];
  } finally {
    slack.close();
    await redis.close();
  }
}

/** In a second, when the next command is sent as soon as one is acknowledged; ends who is asked. */
async function acknowledged(
  { port, close }: { port: number; close: () => Promise<void> },
  slackUrl: string,
): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  let index = 0;
  const sendFor = async (ms: number): Promise<number> => {
    const [before, ends] = [index, performance.now() + ms];
    const send = async (): Promise<void> => {
      while (performance.now() < ends) await command(pool, slackUrl, (index += 1));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    return index - before;
  };
  try {
    await sendFor(WARM_MS);
    return (await sendFor(MEASURED_MS)) / (MEASURED_MS / 1_000);
  } finally {
    await pool.close();
    await close();
  }
}
