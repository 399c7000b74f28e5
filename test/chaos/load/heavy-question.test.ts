import { Pool } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { botEnvironment } from '../../../src/sandbox/bot.ts';
import { freePort, startRedis } from '../../../src/sandbox/redis.ts';
import { startHeavyPlatform } from '../../bench/processes.ts';
import { command, startSilentSlack } from '../../bench/slack.ts';
import { hasEnded, launch } from '../../support/running-bot.ts';
import { until } from '../../support/until.ts';
import { askForHelp } from '../acks.ts';

const MB = 1024 * 1024;
/** After these Slack says to the person that the bot did not answer. */
const SLACK_WAITS_MS = 3_000;
const PATIENCE_MS = 120_000;
const NARROW = 'That is more than one answer can be made of: ask for a shorter range';

const PROGRESS = 'Still working on it';

/** The bot in one process with a heap of 256 MB, which one such question used to end. */
function launchSmallBot(around: Parameters<typeof botEnvironment>[0]) {
  const words = ['--max-old-space-size=256', '--import', 'tsx', 'src/main.ts'];
  return launch([process.execPath, ...words], {
    ...botEnvironment(around),
    ROLE: 'all',
    REDIS_PREFIX: `heavy-${around.port}`,
    LOG_LEVEL: 'error',
  });
}

it('a question of a person without any role neither ends nor stalls a process with a small heap', async () => {
  const redis = await startRedis(process.env['REDIS_URL']);
  const platform = await startHeavyPlatform(30 * MB);
  const slack = await startSilentSlack();
  const [port, opsPort] = [await freePort(), await freePort()];
  const around = {
    slackUrl: slack.url,
    platformUrl: platform.url,
    usageUrl: platform.url,
    redisUrl: redis.url,
    orgTokens: { acme: 'a', dense: 'd', vast: 'v' },
    port,
    opsPort,
  };
  const bot = launchSmallBot(around);
  const pool = new Pool(`http://127.0.0.1:${port}`);
  onTestFinished(async () => {
    await pool.close();
    await bot.stop();
    await Promise.all([slack.close(), platform.close(), redis.close()]);
  });
  await bot.ready();
  let asked = 0;
  /** All answers to the person, the last one being the result. */
  const ask = async (org: string): Promise<readonly string[]> => {
    asked += 1;
    const index = asked;
    const text = `last 40 days by workload,gvc,metric,volumeIndex step hour org ${org}`;
    await command(pool, slack.url, index, { command: '/usage', text });
    return until(
      `the answer about ${org}`,
      () => {
        if (hasEnded(bot.child)) throw new Error('the bot ended');
        const reported = slack.answers(index);
        return reported.some((said) => !said.includes(PROGRESS)) && reported;
      },
      PATIENCE_MS,
    );
  };
  const stopAsking = askForHelp(port, slack.url);
  const vast = await ask('vast');
  // The second one waits for the thread that the first one ends.
  const [dense, usual] = await Promise.all([ask('dense'), ask('acme')]);
  const waits = await stopAsking();
  const most = waits.at(-1) ?? Infinity;
  process.stdout.write(`Heavy question: ${waits.length} acks, after ${most} ms at most\n`);

  expect(vast.at(-1)).toContain(NARROW);
  expect(dense.at(-1)).toContain(NARROW);
  expect(usual.at(-1)).toContain('*Usage by workload, gvc, metric, volumeIndex*');
  expect(usual[0]).toContain(PROGRESS);
  expect(most).toBeLessThan(SLACK_WAITS_MS);
  expect(hasEnded(bot.child)).toBe(false);
});
