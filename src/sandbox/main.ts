import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { botEnvironment, CREDENTIALS, eagerTelling, startBot } from './bot.ts';
import { createSandboxPlatform } from './platform/server.ts';
import { exitOf, freePort, startRedis } from './redis.ts';
import { buildPage } from './slack/build-page.ts';
import { createSandboxSlack } from './slack/server.ts';
import { playStory } from './story.ts';

const READY_MS = 60_000;
const DEFAULT_PORT = 4_000;
/** Invented pages, so that messages have the buttons that a real bot's have. */
const LINKS = {
  Logs: 'https://logs.example.com/{org}/{gvc}/{workload}?from={start}&to={end}',
  Runbook: 'https://runbooks.example.com/{gvc}/{workload}',
};

/** The demo: Redis, the stand-ins and the real bot between them, until Ctrl+C. */
async function main(): Promise<void> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const { bot, pageUrl, platformUrl } = await raise(closers);
    console.log(`\nPurser's demo is ready. Open ${pageUrl}\n`);
    console.log(
      'Type /deployments shop in #deployments, or play a story in the panel on the right.',
    );
    console.log(
      'Three things happen by themselves in the first two minutes, and the digest comes to #billing.',
    );
    console.log(
      'Issue an invoice in the panel and let its payment fail. Ctrl+C ends everything.\n',
    );
    playStory(platformUrl, ending.signal, (problem) => console.error(problem));
    bot.once('exit', () => ending.abort());
    if (!ending.signal.aborted) await once(ending.signal, 'abort');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  for (const close of closers.toReversed()) await close();
}

async function raise(closers: (() => Promise<unknown>)[]): Promise<{
  bot: ChildProcess;
  pageUrl: string;
  platformUrl: string;
}> {
  const redis = await startRedis(process.env['REDIS_URL'], true);
  closers.push(() => redis.close());
  const platform = createSandboxPlatform();
  await platform.listen();
  closers.push(() => platform.close());
  const slack = createSandboxSlack({
    ...CREDENTIALS,
    manifestPath: new URL('../../manifest.yml', import.meta.url).pathname,
    platformUrl: platform.url,
    pageScript: buildPage,
  });
  await slack.listen(Number(process.env['DEMO_PORT'] ?? DEFAULT_PORT));
  closers.push(() => slack.close());
  const [port, opsPort] = [await freePort(), await freePort()];
  slack.setRequestUrl(`http://127.0.0.1:${port}/slack/events`);
  const environment = botEnvironment({
    slackUrl: slack.url,
    platformUrl: platform.url,
    billingUrl: platform.billingUrl,
    usageUrl: platform.usageUrl,
    orgTokens: platform.tokens,
    redisUrl: redis.url,
    port,
    opsPort,
  });
  const own = {
    WATCHES: 'acme/shop',
    REDIS_PREFIX: `demo-${process.pid}`,
    // Ten minutes of the watch are one.
    WATCH_PATIENCE: '0.1',
    LINKS: JSON.stringify(LINKS),
    ...eagerTelling(Date.now()),
  };
  const bot = startBot({ LOG_LEVEL: 'warn', ...environment, ...own }, process.env);
  bot.stdout?.pipe(process.stdout);
  closers.push(async () => {
    bot.kill('SIGTERM');
    await exitOf(bot);
  });
  await ready(`http://127.0.0.1:${opsPort}/readyz`, bot);
  return { bot, pageUrl: `${slack.url}/`, platformUrl: platform.url };
}

async function ready(address: string, bot: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && bot.exitCode === null) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
  throw new Error('The bot did not become ready: see its log above.');
}

await main();
