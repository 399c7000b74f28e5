import { randomUUID } from 'node:crypto';
import type { Config } from './config.ts';
import { secretsOf } from './config.ts';
import { createJobs } from './jobs/jobs.ts';
import type { JobKind, Jobs } from './jobs/jobs.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { createMetrics } from './lib/metrics.ts';
import type { Metrics } from './lib/metrics.ts';
import { createScrubber } from './lib/scrub.ts';
import type { Scrub } from './lib/scrub.ts';
import { createDeliverer } from './notify/deliver.ts';
import { createOutbox } from './notify/outbox.ts';
import type { Outbox } from './notify/outbox.ts';
import type { MessageSender } from './notify/sender.ts';
import { createMessageSender } from './notify/slack-messages.ts';
import { createStoreOutage } from './notify/store-outage.ts';
import { createOrgCharges } from './platform/billing/charges.ts';
import type { OrgChargesClient } from './platform/billing/charges.ts';
import { createBillingClient } from './platform/billing/client.ts';
import type { BillingClient } from './platform/billing/client.ts';
import { createDeploymentsClient } from './platform/deployments/client.ts';
import type { DeploymentsClient } from './platform/deployments/client.ts';
import { createTurns } from './platform/turns.ts';
import type { Turns } from './platform/turns.ts';
import { createUsageClient } from './platform/usage/client.ts';
import type { UsageClient } from './platform/usage/client.ts';
import { createReports } from './reports.ts';
import type { Reports } from './reports.ts';
import { createHeldTeller } from './rollouts/held.ts';
import { createMutes } from './rollouts/mutes.ts';
import type { Mutes } from './rollouts/mutes.ts';
import { createSlackClient } from './slack/client.ts';
import { createOwnPosts } from './slack/own-posts.ts';
import { createSlackSender } from './slack/sender.ts';
import { createKeys } from './store/keys.ts';
import type { Keys } from './store/keys.ts';
import { connectRedis } from './store/redis.ts';
import type { RedisConnection } from './store/redis.ts';

/** What every role of the process stands on. */
export interface Ground {
  redis: RedisConnection;
  keys: Keys;
  jobs: Jobs;
  metrics: Metrics;
  scrub: Scrub;
  slack: ReturnType<typeof createSlackClient>;
  /** Messages to channels, in Slack's terms. */
  sender: MessageSender;
  platform: DeploymentsClient;
  /** Absent: billing is not configured. */
  billing: BillingClient | undefined;
  /** Charges of single orgs, for who may not query the account; absent: ORG_CHARGES is off. */
  orgCharges: OrgChargesClient | undefined;
  /** Absent: the usage API is not configured. */
  usage: UsageClient | undefined;
  reports: Reports;
  outbox: Outbox;
  mutes: Mutes;
  /** Asks a worker to deliver what waits for these channels. */
  wake: (channels: readonly string[]) => Promise<void>;
  clock: Clock;
  logger: Logger;
  /** Aborted when the process is asked to stop. */
  stopping: AbortController;
}

export function createGround(config: Config, logger: Logger, clock: Clock): Ground {
  const scrub = createScrubber(secretsOf(config), config.brand.prefix);
  const keys = createKeys(config.redis.prefix);
  const redis = connectRedis(config.redis.nodes, 'commands', logger);
  const metrics = createMetrics();
  const slack = createSlackClient(config.slack.botToken.reveal(), config.slack.apiUrl, logger);
  const sender = createMessageSender(createSlackSender(slack), createOwnPosts(slack));
  const turns = createTurns();
  const self = randomUUID();
  const jobs = createJobs({
    commands: redis,
    connectWorker: () => connectRedis(config.redis.nodes, 'worker', logger),
    prefix: keys.queuePrefix,
    beat: () => redis.set(keys.beat, self, 'PX', BEAT_MS),
    outage: createStoreOutage({
      redis,
      keys,
      sender,
      opsChannel: config.channels.ops,
      self,
      clock,
      logger,
    }),
    logger,
    finished: metrics.counter('purser_jobs_total', 'Jobs by queue, name and result'),
  });
  return {
    redis,
    keys,
    jobs,
    metrics,
    scrub,
    slack,
    sender,
    platform: createDeploymentsClient({
      apiUrl: config.api.url,
      credentialOf: (org) => config.api.credentials.get(org),
      turns,
    }),
    billing: billingOf(config, clock, turns),
    orgCharges: orgChargesOf(config, clock, turns),
    usage: usageOf(config, clock, turns),
    reports: createReports({ logger }),
    outbox: createOutbox(redis, keys, scrub),
    mutes: createMutes({ redis, keys }),
    wake: async (channels) => {
      for (const channel of channels) await jobs.add('notifications', 'deliver', { channel });
    },
    clock,
    logger,
    stopping: new AbortController(),
  };
}

function billingOf(
  { billing, api }: Config,
  clock: Clock,
  turns: Turns,
): BillingClient | undefined {
  if (billing === undefined) return undefined;
  const { url, accountId, token, userToken } = billing;
  return createBillingClient({
    billingUrl: url,
    accountId,
    accountCredential: { kind: 'bearer', secret: token },
    ...(userToken && { userCredential: { kind: 'bearer', secret: userToken } }),
    orgCredentialOf: (org) => api.credentials.get(org),
    turns,
    now: () => clock.now(),
  });
}

function orgChargesOf(
  { orgChargesUrl, api }: Config,
  clock: Clock,
  turns: Turns,
): OrgChargesClient | undefined {
  if (orgChargesUrl === undefined) return undefined;
  const { defaultOrg } = api;
  return createOrgCharges({
    billingUrl: orgChargesUrl,
    orgs: [...(defaultOrg === undefined ? [] : [defaultOrg]), ...api.credentials.keys()],
    orgCredentialOf: (org) => api.credentials.get(org),
    turns,
    now: () => clock.now(),
  });
}

function usageOf({ usageUrl, api }: Config, clock: Clock, turns: Turns): UsageClient | undefined {
  if (usageUrl === undefined) return undefined;
  return createUsageClient({
    usageUrl,
    credentialOf: (org) => api.credentials.get(org),
    turns,
    now: () => clock.now(),
  });
}

const SWEEP_MS = 2_000;
/** A worker whose beat was not heard for this long is not there. */
const BEAT_MS = 30_000;

/**
 * The relay of the outbox: at once when something is written, and by a regular sweep after a crash, which
 * also tells what a mute has held back.
 */
export function deliveryJobs(config: Config, ground: Ground): JobKind[] {
  const held = createHeldTeller(ground);
  const deliverer = createDeliverer({
    ...ground,
    opsChannel: config.channels.ops,
    deliveries: ground.metrics.counter(
      'purser_deliveries_total',
      'Messages by what became of them',
    ),
    stopping: ground.stopping.signal,
  });
  return [
    {
      queue: 'notifications',
      name: 'deliver',
      run: async ({ channel }) => {
        if (channel === undefined) return;
        // A busy channel gives its place to others in between.
        if (await deliverer.deliver(channel)) await ground.wake([channel]);
      },
    },
    {
      queue: 'notifications',
      name: 'sweep',
      every: SWEEP_MS,
      run: async () => {
        await ground.wake(await deliverer.due());
        await held.tellHeld();
      },
    },
  ];
}
