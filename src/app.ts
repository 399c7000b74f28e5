import type { Server } from 'node:http';
import { createChanges, createWaitingCards, type Changes } from './changes/changes.ts';
import { createChangeStore } from './changes/store.ts';
import type { Config } from './config/config.ts';
import { createAlertFeature } from './features/alert/feature.ts';
import { createAlertJobs } from './features/alert/watch.ts';
import { createBillingFeature } from './features/billing/feature.ts';
import { createTokenJobs } from './features/billing/token-watch.ts';
import { accessButton } from './features/changes/refusals.ts';
import { createChangesFeature } from './features/changes/feature.ts';
import { createDeploymentsFeature } from './features/deployments/feature.ts';
import { createDoctor } from './features/doctor/doctor.ts';
import { createHelpFeature } from './features/help/feature.ts';
import { createHomeFeature } from './features/home/feature.ts';
import { createDeliveryWatch } from './features/invoices/delivery-watch.ts';
import { createInvoicesFeature } from './features/invoices/feature.ts';
import { createInvoiceJobs } from './features/invoices/watch.ts';
import { createDigestJobs } from './features/reports/digest.ts';
import { createReportsFeatures } from './features/reports/feature.ts';
import { createStopFeature } from './features/stop/feature.ts';
import { createWorkloadFeature } from './features/workload/feature.ts';
import type { JobKind } from './jobs/jobs.ts';
import type { WorkerThread } from './jobs/worker-thread.ts';
import type { WorkersHealth } from './jobs/workers.ts';
import { StartRefused } from './lib/errors.ts';
import { backoffDelay, HOUR_MS, systemClock, within, type Clock } from './lib/time.ts';
import type { Logger } from './lib/logger.ts';
import type { MetricValues } from './lib/metrics.ts';
import {
  createLoopWatch,
  createOpsServer,
  NO_ANSWER,
  type ReadinessChecks,
} from './lib/ops-server.ts';
import { createShutdown } from './lib/shutdown.ts';
import { createDeliveryJobs } from './notify/deliver.ts';
import { createWorkerWatch, type WorkerWatch } from './notify/worker-watch.ts';
import { explainPlatformError } from './platform/errors.ts';
import { createRolloutJobs, RECONCILE_WATCHES } from './rollouts/jobs.ts';
import { createMutedMessages } from './rollouts/muted-messages.ts';
import type { SlackConnection } from './slack/connection/connection.ts';
import { createScrape } from './scrape.ts';
import { createServices, type Feature, type Services } from './services.ts';
import { isMember } from './slack/directory.ts';
import type { Person } from './slack/routing/routes.ts';
import { createPersonLimit } from './slack/routing/person-limit.ts';
import { connectFeatures } from './slack/routing/router.ts';
import { tokenRefusal } from './slack/sender.ts';
import { connectRefusal, redisReady, refusalWord } from './store/redis.ts';
import { createRewrite } from './store/server.ts';
import { SCHEMA } from './store/schema.ts';

export type PurserApp = Awaited<ReturnType<typeof createApp>>;

export interface AppOverrides {
  clock?: Clock;
  workerThread?: Pick<WorkerThread, 'metrics' | 'health'>;
  /** Of this thread and its process. */
  measured?: () => Promise<MetricValues>;
  /** `false`: another thread listens on the ports. */
  listen?: false;
  /** Makes a span of each job. */
  telemetry?: Parameters<typeof createServices>[1]['telemetry'];
  /** A file that starts faster than the source does. */
  reportThread?: URL;
}

/** Below the 25 s of design section 7, with time for the exit itself. Milliseconds. */
const SHUTDOWN_MS = 20_000;

/** Assembles the bot in one thread; nothing runs before `start`. */
export async function createApp(config: Config, logger: Logger, overrides: AppOverrides = {}) {
  const stopping = new AbortController();
  const { clock = systemClock, workerThread, ...given } = overrides;
  const services = createServices(config, { ...given, clock, logger, stopping: stopping.signal });
  const features = createFeatures(services, () => connection);
  const connection = config.role === 'worker' ? undefined : await connectionOf(services);
  if (connection !== undefined) connect(services, connection, features);
  const kinds = jobKindsOf(services, features);
  const watch = config.role === 'app' && !workerThread ? workerWatchOf(services) : undefined;
  const health = healthOf(workerThread ?? (config.role === 'app' ? undefined : services.jobs));
  const ops = createOpsServer({
    scrape: scrapeOf(services, connection, overrides),
    checks: checksOf(services, connection, watch ? undefined : health),
    notes: () => ({ worker: watch?.absence() }),
    stuck: () => health().stuck,
  });
  const shutdown = shutdownOf(services, connection, ops);

  /** @param store resolves when Redis takes commands; until then each fails */
  async function startParts(store: Promise<void>): Promise<void> {
    if (config.role !== 'worker') {
      await untilDone(services, () =>
        services.identity.get().catch((error: unknown) => {
          throw tokenRefusal('SLACK_BOT_TOKEN', error) ?? error;
        }),
      );
      // The first command should find the store connected; if Redis is away, the answer says so.
      await within(store, BEFORE_LISTENING_MS, undefined);
      if (stopping.signal.aborted) return;
      watch?.start();
      await connection?.start();
    }
    if (config.role !== 'app') {
      await store;
      await untilDone(services, async () => {
        await redisReady(services.redis, REDIS_WAIT_MS);
        await services.jobs.work(kinds);
        await services.jobs.add('rollouts', RECONCILE_WATCHES, {});
      });
    }
  }

  return {
    /**
     * Resolves when all parts of its role work. If Redis or Slack is away, it waits and `/readyz` reports it; a stop
     * ends the wait.
     * @throws StartRefused at once where waiting does not help: Slack refuses a token, or Redis holds data that this
     *   release cannot read
     */
    async start(): Promise<void> {
      if (overrides.listen !== false) await listenOn(ops, config.opsPort, config.opsHost);
      // In parallel: Slack may be away for long, and users are answered while Redis is away.
      const store = untilDone(services, () => services.openStore());
      await Promise.all([store, startParts(store)]);
    },
    /** Takes nothing new, finishes or hands back running work, closes; within 20 s, never rejects. */
    stop: (): Promise<{ clean: boolean }> => {
      stopping.abort();
      watch?.stop();
      return shutdown.run();
    },
    ports() {
      const address = ops.address();
      return {
        slack: connection?.port(),
        ops: typeof address === 'object' ? address?.port : undefined,
      };
    },
    health,
  };
}

/** Of the process and of all its threads. */
function scrapeOf(
  services: Services,
  connection: SlackConnection | undefined,
  { measured, workerThread }: AppOverrides,
): () => Promise<string> {
  return createScrape(services, {
    connection,
    threads: [
      ...(measured ? [measured] : []),
      ...(workerThread ? [() => workerThread.metrics()] : []),
      () => services.reports.metrics(),
    ],
  });
}

function jobKindsOf(services: Services, features: readonly Feature[]): JobKind[] {
  const mutedMessages = mutedMessagesOf(services);
  return [
    ...createDeliveryJobs(services, () => mutedMessages.release()),
    { queue: 'notifications', name: 'rewrite', every: HOUR_MS, run: createRewrite(services) },
    ...createRolloutJobs(services),
    ...features.flatMap((feature) => feature.jobs ?? []),
  ];
}

function workerWatchOf(services: Services): WorkerWatch {
  const whileNone = createWaitingCards(services, createChangeStore(services));
  const { ops: opsChannel } = services.config.channels;
  return createWorkerWatch({ ...services, opsChannel, whileNone });
}

function mutedMessagesOf(services: Services) {
  const takesPosts = (channel: string) => isMember(services.slack, channel);
  return createMutedMessages({ ...services, takesPosts });
}

/** The one list of features. @param connection for the connection check of doctor */
function createFeatures(
  services: Services,
  connection: () => SlackConnection | undefined,
): Feature[] {
  const changes = createChanges(services);
  const askForAccess = (roles: readonly string[]) => accessButton(changes.forms, roles);
  const canAsk = changes.off === undefined;
  const isByOrg = services.config.orgAccess.kind === 'orgs';
  const orgsOf = (person: Person) => services.access.readableOrgs(person, services.orgs.known);
  const features: Feature[] = [
    ...createReportsFeatures(services),
    createInvoicesFeature(services),
    createDeploymentsFeature(services),
    createWorkloadFeature(services),
    createAlertFeature(services, changes.forms),
    createBillingFeature(services, changes.forms),
    createChangesFeature(services, changes),
    { ...createStopFeature(services), jobs: createNoticeJobs(services, changes) },
    createHomeFeature(services, () => features.flatMap(({ home }) => home ?? [])),
    createHelpFeature(
      { ...services, ...(canAsk && { askForAccess }), ...(isByOrg && { orgsOf }) },
      createDoctor(services, connection),
      () => features.flatMap((feature) => (feature.commands ?? []).map((command) => command.help)),
    ),
  ];
  return features;
}

/** Unsolicited messages (design section 3). */
function createNoticeJobs(services: Services, { changes, forms }: Changes): JobKind[] {
  const withChanges = { ...services, changes };
  return [
    ...createDigestJobs(withChanges),
    ...createAlertJobs(withChanges),
    ...createInvoiceJobs(services),
    ...createDeliveryWatch(services, forms),
    ...createTokenJobs(services),
  ];
}

/** Workers need no Bolt, which takes 10 MB. */
async function connectionOf(services: Services): Promise<SlackConnection> {
  const { createSlackConnection } = await import('./slack/connection/connection.ts');
  const { port, slack } = services.config;
  return createSlackConnection(
    slack.mode === 'http'
      ? { kind: 'http', signingSecret: slack.signingSecret, port }
      : { kind: 'socket', appToken: slack.appToken },
    services,
  );
}

function connect(services: Services, { app }: SlackConnection, features: readonly Feature[]): void {
  const slackServices = {
    ...services,
    ...services.access,
    app,
    limit: createPersonLimit(services),
    explain: explainPlatformError,
  };
  connectFeatures(slackServices, features);
}

/** Expiry of the probe that tests whether Redis takes writes. Milliseconds. */
const READY_MS = 1_000;
/** An event loop that was blocked for longer in the last minute is too slow for Slack. Milliseconds. */
const STILL_MS = 10_000;

/** Health of this thread and of the workers, wherever they run; without workers, of this thread alone. */
function healthOf(workers: { health(): WorkersHealth } | undefined): () => WorkersHealth {
  const loop = createLoopWatch();
  return () => {
    const stillMs = loop.stoodStillMs();
    if (stillMs <= STILL_MS) return workers?.health() ?? {};
    const still = `the event loop stood still for ${Math.round(stillMs / 1_000)} s of the last minute`;
    return { unwell: still, stuck: still };
  };
}

/** @param health of the thread or process with the role `worker` */
function checksOf(
  services: Services,
  connection: SlackConnection | undefined,
  health: (() => WorkersHealth) | undefined,
): ReadinessChecks {
  return {
    redis: () => whyNoWrites(services),
    ...(connection && {
      slack: () => (connection.connected() ? undefined : 'nothing of Slack’s can come in'),
    }),
    ...(health && { worker: () => health().unwell }),
  };
}

/**
 * Redis may answer and still refuse writes. The probe also restores the schema number in a Redis that was
 * emptied, so that it is never missing while the bot is ready.
 */
async function whyNoWrites({ redis, keys, config }: Services): Promise<string | undefined> {
  try {
    await redis.set(keys.lock('readyz'), '1', 'PX', READY_MS);
    await redis.set(keys.schema, String(SCHEMA), 'NX');
    return undefined;
  } catch (error) {
    const word = refusalWord(error) ?? connectRefusal(config.redis);
    return word === undefined ? NO_ANSWER : `it takes no writes (${word})`;
  }
}

function shutdownOf(
  services: Services,
  connection: SlackConnection | undefined,
  ops: ReturnType<typeof createOpsServer>,
): ReturnType<typeof createShutdown> {
  const shutdown = createShutdown({ timeoutMs: SHUTDOWN_MS, logger: services.logger });
  if (connection !== undefined) {
    shutdown.add('intake', 'slack', () => connection.stop());
    shutdown.add('workers', 'commands', () => connection.drain());
  }
  // Slow answers are aborted with a restart notice; running changes may finish.
  shutdown.add(connection === undefined ? 'connections' : 'workers', 'money', async () => {
    await Promise.all([services.endCalls(), services.reports.close()]);
  });
  shutdown.add('workers', 'jobs', () => services.jobs.stopWorking());
  shutdown.add('connections', 'queues', async () => {
    await services.jobs.close();
    services.redis.disconnect();
  });
  shutdown.add('connections', 'platform', () => services.deployments.close());
  shutdown.add('connections', 'ops', () => {
    ops.close();
    ops.closeAllConnections();
  });
  return shutdown;
}

const REDIS_WAIT_MS = 60_000;
const BEFORE_LISTENING_MS = 3_000;
const RETRY = { baseMs: 500, capMs: 10_000 };

/** @throws when the port is taken, or the host is not this one */
function listenOn(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

/** Repeats a step until it succeeds or the process is asked to stop. @throws StartRefused */
async function untilDone(services: Services, step: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; !services.stopping.aborted; attempt += 1) {
    try {
      await step();
      return;
    } catch (error) {
      if (error instanceof StartRefused) throw error;
      services.logger.warn({ err: error }, 'Something that Purser needs is not there yet');
    }
    const delay = backoffDelay(attempt, { ...RETRY, random: Math.random });
    await new Promise((resolve) => {
      setTimeout(resolve, delay);
    });
  }
}
