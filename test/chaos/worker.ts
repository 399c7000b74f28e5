import { fileURLToPath } from 'node:url';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { freePort } from '../../src/sandbox/redis.ts';
import { hasEnded, launch } from '../support/running-bot.ts';

const WITHOUT = fileURLToPath(new URL('without.ts', import.meta.url));

/** The guards of which each has a run without it. */
export type Guard = 'pending mark' | 'reconcile' | 'fencing' | 'silent adoption';

export type Bot = Awaited<ReturnType<typeof startBot>>;

/** Starts the bot as `npm start` does. */
export async function startBot(
  around: { slackApiUrl: string; platformUrl: string; redisPort: number },
  environment: Readonly<Record<string, string>>,
  without: Guard | undefined,
) {
  const hooks = without === undefined ? [] : ['--import', WITHOUT];
  const program = [process.execPath, '--import', 'tsx', ...hooks, 'src/main.ts'];
  const bot = launch(program, {
    ROLE: 'worker',
    SLACK_MODE: 'http',
    SLACK_BOT_TOKEN: CREDENTIALS.botToken,
    SLACK_SIGNING_SECRET: CREDENTIALS.signingSecret,
    SLACK_API_URL: around.slackApiUrl,
    PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
    REDIS_URL: `redis://127.0.0.1:${around.redisPort}`,
    API_URL: around.platformUrl,
    ORG_TOKENS: '{"acme":"key-of-acme"}',
    DEFAULT_ORG: 'acme',
    NOTIFY_CHANNEL: 'C0MAIN',
    OPS_CHANNEL: 'C0OPS',
    POLL_ACTIVE_SECONDS: '0.5',
    POLL_IDLE_SECONDS: '0.5',
    // Ten minutes of the watch are 0.6 seconds: three polls.
    WATCH_PATIENCE: '0.001',
    CHAOS_WITHOUT: without ?? '',
    ...environment,
  });
  return {
    ...bot,
    /** Lines of the log of at least the level `warn`. */
    troubles: () =>
      bot
        .log()
        .split('\n')
        .filter((line) => /"level":"(warn|error|fatal)/.test(line) || /^[^{]/.test(line)),
    /** SIGSTOP, and SIGCONT after `ms` milliseconds. */
    pause(ms: number): void {
      bot.child.kill('SIGSTOP');
      setTimeout(() => bot.child.kill('SIGCONT'), ms).unref();
    },
    alive: () => !hasEnded(bot.child),
  };
}
