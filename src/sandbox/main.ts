import { once } from 'node:events';
import {
  botEnvironment,
  CREDENTIALS,
  digestDue,
  eagerReports,
  startBot,
  type BotProcess,
} from './bot.ts';
import { createSandboxPlatform, type SandboxPlatform } from './platform/server.ts';
import { freePort, startRedis, type SandboxRedis } from './redis.ts';
import { buildPage } from './slack/build-page.ts';
import type { DemoControls } from './slack/routes/demo.ts';
import { createSandboxSlack } from './slack/server.ts';
import { hurryDigest, playStory } from './story.ts';

const DEFAULT_PORT = 4_000;
/** Invented pages, so that messages have the buttons that a real bot's have. */
const LINKS = {
  Logs: 'https://logs.example.com/{org}/{gvc}/{workload}?from={start}&to={end}',
  Runbook: 'https://runbooks.example.com/{gvc}/{workload}',
};

/** The demo: Redis, the stand-ins and the real bot between them, until Ctrl+C. */
async function main(): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const closers: (() => Promise<unknown>)[] = [];
  const startMs = Date.now();
  try {
    const { pageUrl, platform } = await raise(closers, startMs, end);
    console.log(`\nPurser's demo is ready. Open ${pageUrl}\n`);
    console.log('The page says what to try. Ctrl+C ends everything.\n');
    hurryDigest(platform.clock, digestDue(startMs), ending.signal);
    playStory(platform.url, ending.signal, (problem) => console.error(problem));
    if (!ending.signal.aborted) await once(ending.signal, 'abort');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  for (const close of closers.toReversed()) await close();
}

/** @param end called when the bot ends by itself */
async function raise(
  closers: (() => Promise<unknown>)[],
  startMs: number,
  end: () => void,
): Promise<{ pageUrl: string; platform: SandboxPlatform }> {
  const redis = await startRedis(process.env['REDIS_URL'], true);
  closers.push(() => redis.close());
  const platform = createSandboxPlatform();
  await platform.listen();
  closers.push(() => platform.close());
  const bots: BotProcess[] = [];
  const slack = createSandboxSlack({
    ...CREDENTIALS,
    manifestPath: new URL('../../manifest.yml', import.meta.url).pathname,
    platformUrl: platform.url,
    pageScript: buildPage,
    clock: platform.clock,
    demo: controlsOf(redis, () => bots[1]),
  });
  await slack.listen(Number(process.env['DEMO_PORT'] ?? DEFAULT_PORT));
  closers.push(() => slack.close());
  const port = await freePort();
  slack.setRequestUrl(`http://127.0.0.1:${port}/slack/events`);
  const own = {
    LOG_LEVEL: 'warn',
    WATCHES: 'acme/shop',
    REDIS_PREFIX: `demo-${process.pid}`,
    // Ten minutes of the watch are one.
    WATCH_PATIENCE: '0.1',
    LINKS: JSON.stringify(LINKS),
    ...eagerReports(startMs),
  };
  for (const ROLE of ['app', 'worker']) {
    const environment = botEnvironment({
      slackUrl: slack.url,
      platformUrl: platform.url,
      billingUrl: platform.billingUrl,
      usageUrl: platform.usageUrl,
      orgTokens: platform.tokens,
      redisUrl: redis.url,
      port,
      opsPort: await freePort(),
    });
    const bot = startBot({ ...process.env, ...environment, ...own, ROLE }, end);
    bots.push(bot);
    closers.push(() => bot.stop());
    platform.clock.onMove((aheadMs) => bot.moveTo(aheadMs));
  }
  // The Date headers go along, or the bot would find its clock wrong.
  for (const url of [platform.url, slack.url]) {
    platform.clock.onMove((aheadMs) => void moveHeaders(url, aheadMs));
  }
  await Promise.all(bots.map((bot) => bot.ready()));
  return { pageUrl: `${slack.url}/`, platform };
}

async function moveHeaders(url: string, aheadMs: number): Promise<void> {
  const body = JSON.stringify({ aheadSeconds: aheadMs / 1_000 });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/_sandbox/date`, { method: 'POST', headers, body }).catch(() => undefined);
}

function controlsOf(redis: SandboxRedis, worker: () => BotProcess | undefined): DemoControls {
  return {
    ...(redis.restart === undefined && {
      redisStays: 'Redis is yours (REDIS_URL): the demo does not restart it.',
    }),
    async restart(what) {
      if (what === 'worker') await worker()?.restart();
      else await redis.restart?.();
    },
  };
}

await main();
