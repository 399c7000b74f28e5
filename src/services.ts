import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { BILLING_OFF, createAuthorizer, type Authorizer } from './access/authorizer.ts';
import { createIdentities, type Identities } from './access/identities.ts';
import type { Principal } from './access/policy.ts';
import { secretsOf, type Config } from './config/config.ts';
import { createJobs, type JobKind, type Jobs } from './jobs/jobs.ts';
import { derivedKeys } from './lib/derived-key.ts';
import { Refusal } from './lib/errors.ts';
import type { Logger } from './lib/logger.ts';
import { createScrubber, type Scrub } from './lib/secret.ts';
import { createReports, type Reports } from './lib/threads.ts';
import { systemStopwatch, type Clock, type Stopwatch } from './lib/time.ts';
import { createMessageSender, type MessageSender } from './notify/message.ts';
import { createOutbox, type Outbox } from './notify/outbox.ts';
import { createStoreOutage } from './notify/store-outage.ts';
import { createBareHttp, type BareHttp } from './platform/bare-http.ts';
import { createOrgCharges, type OrgChargesClient } from './platform/billing/charges.ts';
import { createBillingClient, type BillingClient } from './platform/billing/client.ts';
import { createConcurrencyLimits } from './platform/concurrency.ts';
import { createDeploymentsClient, type DeploymentsClient } from './platform/deployments/client.ts';
import type { Orgs } from './platform/deployments/target.ts';
import { errorOf } from './platform/errors.ts';
import { createUsageClient, type UsageClient } from './platform/usage.ts';
import { createIdentity, createSlackClient, type IdentityStore } from './slack/client.ts';
import { createAudiences, type Audiences } from './slack/audience.ts';
import { createPeople } from './slack/directory.ts';
import { createReadFile, createSendFile, type ReadFile, type SendFile } from './slack/files.ts';
import { createOwnPosts } from './slack/own-posts.ts';
import { createKept, type Kept } from './slack/replies/shelf.ts';
import type { SlackRoutes } from './slack/routing/routes.ts';
import { namingPeople } from './slack/kit/text.ts';
import { createNativeBlocks, type NativeBlocks } from './slack/native-blocks.ts';
import { createSlackSender } from './slack/sender.ts';
import { record } from './metrics.ts';
import { createAuditLog } from './store/audit.ts';
import { connectRedis, createKeys, type Keys, type RedisConnection } from './store/redis.ts';
import { createStore } from './store/schema.ts';

/** Built once, for every role of the process; a room names the services that it needs. */
export interface Services {
  readonly config: Config;
  /** Closed until `openStore` has succeeded. */
  readonly redis: RedisConnection;
  readonly openStore: () => Promise<void>;
  readonly keys: Keys;
  readonly jobs: Jobs;
  readonly scrub: Scrub;
  readonly slack: ReturnType<typeof createSlackClient>;
  readonly identity: IdentityStore;
  readonly kept: Kept;
  readonly native: NativeBlocks;
  readonly sendFile: SendFile;
  readonly readFile: ReadFile;
  readonly sender: MessageSender;
  readonly outbox: Outbox;
  /** Asks a worker to deliver the waiting messages of these channels. */
  readonly wake: (channels: readonly string[]) => Promise<void>;
  readonly access: Authorizer;
  readonly audience: Audiences;
  readonly identities: Identities;
  readonly deployments: DeploymentsClient;
  /** @throws Refusal when billing is not configured (design section 7) */
  readonly billing: () => BillingClient;
  /** Charges of single orgs, for users without access to the account; absent: ORG_CHARGES is off. */
  readonly orgCharges: OrgChargesClient | undefined;
  /** @throws Refusal when the usage API is not configured (design section 7) */
  readonly usage: () => UsageClient;
  /** Ends every running call to billing and usage; its user gets a restart notice. */
  readonly endCalls: () => Promise<void>;
  readonly bareHttp: BareHttp;
  /** For work that would block the thread that answers Slack. */
  readonly reports: Reports;
  readonly orgs: Orgs;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/**
 * A folder in `features` and a line in `app.ts`. Everything is optional; what a feature names is connected by
 * the composition root, checked against `manifest.yml` by a test, and found by `/purser help`.
 */
export interface Feature extends SlackRoutes<Principal> {
  name: string;
  jobs?: readonly JobKind[];
}

type Surroundings = Pick<Services, 'clock' | 'logger' | 'stopping'> & Pick<JobsSetup, 'telemetry'>;

/** No call is made before its first use. @param stopping aborted when the process is asked to stop */
export function createServices(
  config: Config,
  { clock, logger, stopping, telemetry }: Surroundings,
): Services {
  const keys = createKeys(config.redis.prefix);
  const store = createStore({ target: config.redis, keys, logger, stopping });
  const base = {
    config,
    redis: store.redis,
    openStore: () => store.open(),
    keys,
    scrub: namingPeople(createScrubber(secretsOf(config), config.brand.prefix), config),
    slack: createSlackClient(config.slack.botToken, config.slack.apiUrl, logger),
    clock,
    stopwatch: systemStopwatch,
    logger,
    stopping,
  };
  const identity = createIdentity(base.slack);
  const people = createPeople(base.slack, base.stopwatch);
  const identities = createIdentities(base);
  const native = createNativeBlocks(base);
  const sender = createMessageSender(
    createSlackSender(base.slack, native),
    createOwnPosts(base.slack),
  );
  const jobs = jobsOf({ ...base, sender, telemetry });
  const platform = platformClients(base);
  return {
    ...base,
    ...platform,
    native,
    sendFile: createSendFile(base),
    readFile: createReadFile(base.slack),
    identity,
    kept: createKept(base),
    sender,
    jobs,
    outbox: createOutbox(
      base.redis,
      base.keys,
      base.scrub,
      createAuditLog(logger, derivedKeys(config, 'audit-log')),
    ),
    wake: async (channels) => {
      for (const channel of channels) await jobs.add('notifications', 'deliver', { channel });
    },
    access: createAuthorizer({ ...base, ...platform, identity, identities, people }),
    audience: createAudiences(base.slack, people, base.stopwatch),
    identities,
    bareHttp: createBareHttp(),
    reports: createReports({
      logger,
      entry: REPORT_THREAD,
      errorOf,
      ended: (result) => record.reports.inc({ result }),
    }),
    orgs: { known: [...config.api.credentials.keys()], fallback: config.api.defaultOrg },
  };
}

/** Works from source, from dist and from a bundle. */
const REPORT_THREAD = new URL(`./report-thread${extname(import.meta.url)}`, import.meta.url);

/** A worker without a heartbeat for this long counts as gone. */
const HEARTBEAT_MS = 30_000;

type JobsSetup = Parameters<typeof createJobs>[0];

function jobsOf(
  services: Pick<Services, 'config' | 'redis' | 'keys' | 'sender' | 'clock' | 'logger'> &
    Pick<JobsSetup, 'telemetry'>,
): Jobs {
  const { config, redis, keys, clock, logger, telemetry } = services;
  const self = randomUUID();
  return createJobs({
    commands: redis,
    connectWorker: () => connectRedis(config.redis, 'worker', logger),
    prefix: keys.queuePrefix,
    heartbeat: () =>
      Promise.all([
        redis.set(keys.heartbeat, self, 'PX', HEARTBEAT_MS),
        redis.set(keys.lastHeartbeat, clock.now()),
      ]),
    outage: createStoreOutage({ ...services, opsChannel: config.channels.ops, self }),
    telemetry,
    logger,
  });
}

/** The clients of the three APIs share one concurrency limit. */
function platformClients({ config, clock }: Pick<Services, 'config' | 'clock'>) {
  const { api, billing, orgChargesUrl, usageUrl } = config;
  const shared = {
    credentialOf: (org: string) => api.credentials.get(org),
    concurrency: createConcurrencyLimits(),
  };
  const timed = { ...shared, now: () => clock.now() };
  const billingClient =
    billing &&
    createBillingClient({
      ...timed,
      baseUrl: billing.url,
      accountId: billing.accountId,
      accountCredential: { kind: 'bearer', secret: billing.token },
      ...(billing.userToken && { userCredential: { kind: 'bearer', secret: billing.userToken } }),
    });
  const orgs = [
    ...(api.defaultOrg === undefined ? [] : [api.defaultOrg]),
    ...api.credentials.keys(),
  ];
  const orgCharges =
    orgChargesUrl === undefined
      ? undefined
      : createOrgCharges({ ...timed, baseUrl: orgChargesUrl, orgs });
  const usage =
    usageUrl === undefined ? undefined : createUsageClient({ ...timed, baseUrl: usageUrl });
  return {
    deployments: createDeploymentsClient({ ...shared, baseUrl: api.url }),
    billing: () => orOff(billingClient, BILLING_OFF),
    orgCharges,
    usage: () => orOff(usage, USAGE_OFF),
    endCalls: async () => {
      await Promise.all([billingClient?.close(), orgCharges?.close(), usage?.close()]);
    },
  };
}

/** Design section 7. */
export const USAGE_OFF =
  'Usage isn’t set up. Ask your Purser administrator (details in /purser doctor).';

function orOff<T>(client: T | undefined, sentence: string): T {
  if (client === undefined) throw new Refusal(sentence);
  return client;
}
