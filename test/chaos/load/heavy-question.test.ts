import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Pool } from 'undici';
import { expect, it } from 'vitest';
import { botEnvironment } from '../../../src/sandbox/bot.ts';
import { exitOf, freePort, startRedis } from '../../../src/sandbox/redis.ts';
import { startHeavyPlatform } from '../../bench/processes.ts';
import { command, startSilentSlack } from '../../bench/slack.ts';
import { until } from '../../support/until.ts';
import { askForHelp } from '../acks.ts';

const MB = 1024 * 1024;
/** After these Slack says to the person that the bot did not answer. */
const SLACK_WAITS_MS = 3_000;
const PATIENCE_MS = 120_000;
const NARROW = 'That is more than one answer can be made of: ask for a shorter range';

const PROGRESS = 'Still working on it';

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The bot in one process with a heap of 256 MB, which one such question used to end. */
async function startSmallBot(around: Parameters<typeof botEnvironment>[0], prefix: string) {
  const words = ['--max-old-space-size=256', '--import', 'tsx', 'src/main.ts'];
  const child = spawn(process.execPath, words, {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...botEnvironment(around),
      ROLE: 'all',
      REDIS_PREFIX: prefix,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await until(
    'the bot to be ready',
    async () => {
      if (hasEnded(child)) throw new Error('the bot ended');
      const address = `http://127.0.0.1:${around.opsPort}/readyz`;
      return (await fetch(address).catch(() => undefined))?.ok;
    },
    PATIENCE_MS,
  );
  return child;
}

it('a question of somebody without any role neither ends nor stalls a process with a small heap', async () => {
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
  const bot = await startSmallBot(around, `heavy-${port}`);
  const pool = new Pool(`http://127.0.0.1:${port}`);
  let asked = 0;
  /** All that the person is told, the last of it being the answer. */
  const ask = async (org: string): Promise<readonly string[]> => {
    asked += 1;
    const index = asked;
    const text = `last 40 days by workload,gvc,metric,volumeIndex step hour org ${org}`;
    await command(pool, slack.url, index, { command: '/usage', text });
    return until(
      `the answer about ${org}`,
      () => {
        if (hasEnded(bot)) throw new Error('the bot ended');
        const told = slack.answers(index);
        return told.some((said) => !said.includes(PROGRESS)) && told;
      },
      PATIENCE_MS,
    );
  };
  try {
    const acks = askForHelp(port, `${slack.url}/api/`);
    const vast = await ask('vast');
    // The second one waits for the thread that the first one ends.
    const [dense, usual] = await Promise.all([ask('dense'), ask('acme')]);
    const waits = await acks.stop();
    process.stdout.write(
      `Heavy question: ${waits.length} acks, p50 ${at(waits, 0.5)} ms, p99 ${at(waits, 0.99)} ms, most ${at(waits, 1)} ms\n`,
    );

    expect(vast.at(-1)).toContain(NARROW);
    expect(dense.at(-1)).toContain(NARROW);
    expect(usual.at(-1)).toContain('*Usage by workload, gvc, metric, volumeIndex*');
    expect(usual[0]).toContain(PROGRESS);
    expect(at(waits, 1)).toBeLessThan(SLACK_WAITS_MS);
    expect(hasEnded(bot)).toBe(false);
  } finally {
    await pool.close();
    bot.kill('SIGTERM');
    await exitOf(bot);
    slack.close();
    await platform.close();
    await redis.close();
  }
});

function at(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
}
