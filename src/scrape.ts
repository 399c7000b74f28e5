import { measureChanges } from './changes/store.ts';
import { renderMetrics, type MetricValues } from './lib/metrics.ts';
import { within } from './lib/time.ts';
import { metricValues, record } from './metrics.ts';
import { measureMonitors } from './monitors/run.ts';
import { measureOutbox } from './notify/queue.ts';
import { measureHeartbeat } from './notify/worker-watch.ts';
import { measurePolls } from './rollouts/poll.ts';
import type { Services } from './services.ts';
import { createTokenCheck } from './slack/client.ts';
import type { SlackConnection } from './slack/connection/connection.ts';
import { readMemoryRatio } from './store/server.ts';

/** For Redis, Slack and each thread; a scrape has to answer within 2 s. Milliseconds. */
const PATIENCE_MS = 1_200;

interface Scraped {
  /** Absent in a worker. */
  readonly connection: SlackConnection | undefined;
  /** Values of other registries and threads. */
  readonly threads: readonly (() => Promise<MetricValues>)[];
}

/** The text for Prometheus. What does not answer in time keeps its last values; a silent thread is left out. */
export function createScrape(
  services: Services,
  { connection, threads }: Scraped,
): () => Promise<string> {
  const isTokenAccepted = createTokenCheck(services.slack);
  const isConnected = (): Promise<boolean> =>
    services.config.slack.mode === 'socket' && connection !== undefined
      ? Promise.resolve(connection.connected())
      : isTokenAccepted();

  return async () => {
    const [others, isUp, connected] = await Promise.all([
      Promise.all(
        threads.map((thread) =>
          within(
            thread().catch(() => []),
            PATIENCE_MS,
            [],
          ),
        ),
      ),
      within(measureStore(services), PATIENCE_MS, false),
      within(isConnected(), PATIENCE_MS, undefined),
    ]);
    record.redisUp.set({}, isUp ? 1 : 0);
    if (connected !== undefined) record.slackConnected.set({}, connected ? 1 : 0);
    return renderMetrics([await metricValues(), ...others]);
  };
}

/** Reads all gauges that are in Redis. @returns whether Redis answers */
async function measureStore(services: Services): Promise<boolean> {
  const { redis, jobs, logger } = services;
  try {
    record.redisMemory.set({}, await readMemoryRatio(redis));
  } catch {
    return false;
  }
  const gauges = [
    jobs.measure(),
    measureChanges(services),
    measureHeartbeat(services),
    measureMonitors(services),
    measureOutbox(services),
    measurePolls(services),
  ];
  const failed = (await Promise.allSettled(gauges)).filter(({ status }) => status === 'rejected');
  for (const result of failed) logger.debug({ err: result }, 'Some metrics could not be read');
  return true;
}
