import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { BILLING_OFF, createAuthorizer } from './access/authorizer.ts';
import { createIdentities } from './access/identities.ts';
import type { Principal } from './access/policy.ts';
import { secretsOf, type Config } from './config/config.ts';
import { createJobs, type JobKind } from './jobs/jobs.ts';
import { derivedKeys } from './lib/derived-key.ts';
import { Refusal } from './lib/errors.ts';
import { createScrubber } from './lib/secret.ts';
import { createReports } from './lib/threads.ts';
import { systemStopwatch, type Clock } from './lib/time.ts';
import { createMessageSender, type MessageSender } from './notify/message.ts';
import { createOutbox } from './notify/outbox.ts';
import { createStoreOutage } from './notify/store-outage.ts';
import { createBareHttp } from './platform/bare-http.ts';
import { createOrgCharges } from './platform/billing/charges.ts';
import { createBillingClient } from './platform/billing/client.ts';
import { createConcurrencyLimits } from './platform/concurrency.ts';
import { createDeploymentsClient } from './platform/deployments/client.ts';
import type { Orgs } from './platform/deployments/target.ts';
import { errorOf } from './platform/errors.ts';
import { createUsageClient } from './platform/usage.ts';
import { createIdentity, createSlackClient } from './slack/client.ts';
import { createAudiences } from './slack/audience.ts';
import { createPeople } from './slack/directory.ts';
import { createReadFile, createSendFile } from './slack/files.ts';
import { createOwnPosts } from './slack/own-posts.ts';
import { createKept } from './slack/replies/shelf.ts';
import type { SlackRoutes } from './slack/routing/routes.ts';
import { namingPeople } from './slack/kit/text.ts';
import { createHomeVersions } from './slack/home-versions.ts';
import { createNativeBlocks } from './slack/native-blocks.ts';
import { createSlackSender } from './slack/sender.ts';
import { record } from './metrics.ts';
import { createAuditLog } from './store/audit.ts';
import { connectRedis, createKeys, type Keys, type RedisConnection } from './store/redis.ts';
import { createStore } from './store/schema.ts';

/** Built once, for every role of the process; a room names the services that it needs. */
export type Services = ReturnType<typeof createServices>;

/**
 * A folder in `features` and a line in `app.ts`. Everything is optional; what a feature names is connected by
 * the composition root, checked against `manifest.yml` by a test, and found by `/purser help`.
 */
export interface Feature extends SlackRoutes<Principal> {
  name: string;
  jobs?: readonly JobKind[];
}

interface Surroundings extends Pick<JobsSetup, 'logger' | 'telemetry'> {
  readonly clock: Clock;
  readonly stopping: AbortSignal;
  /** The file of the report thread; absent: the one beside this file. */
  readonly reportThread?: URL | undefined;
}

/** No call is made before its first use. @param stopping aborted when the process is asked to stop */
export function createServices(
  config: Config,
  { clock, logger, stopping, telemetry, reportThread = REPORT_THREAD }: Surroundings,
) {
  const keys = createKeys(config.redis.prefix);
  const store = createStore({ target: config.redis, keys, logger, stopping });
  const base = {
    config,
    /** Closed until `openStore` has succeeded. */
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
  const audit = createAuditLog(logger, derivedKeys(config, 'audit-log'));
  const jobs = jobsOf({ ...base, sender, telemetry });
  const platform = platformClients(base);
  return {
    ...base,
    ...platform,
    native,
    versions: createHomeVersions(base),
    sendFile: createSendFile(base),
    readFile: createReadFile(base.slack),
    identity,
    kept: createKept(base),
    sender,
    jobs,
    outbox: createOutbox(base.redis, base.keys, base.scrub, audit),
    /** Asks a worker to deliver the waiting messages of these channels. */
    wake: async (channels: readonly string[]): Promise<void> => {
      for (const channel of channels) await jobs.add('notifications', 'deliver', { channel });
    },
    access: createAuthorizer({ ...base, ...platform, identity, identities, people }),
    audience: createAudiences(base.slack, people, base.stopwatch),
    identities,
    bareHttp: createBareHttp(),
    /** For work that would block the thread that answers Slack. */
    reports: createReports({
      logger,
      entry: reportThread,
      errorOf,
      ended: (result) => record.reports.inc({ result }),
    }),
    orgs: { known: [...config.api.credentials.keys()], fallback: config.api.defaultOrg } as Orgs,
  };
}

/** Works from source, from dist and from a bundle. */
const REPORT_THREAD = new URL(`./report-thread${extname(import.meta.url)}`, import.meta.url);

/** A worker without a heartbeat for this long counts as gone. */
const HEARTBEAT_MS = 30_000;

type JobsSetup = Parameters<typeof createJobs>[0];

function jobsOf(
  services: Omit<Surroundings, 'stopping'> & {
    readonly config: Config;
    readonly redis: RedisConnection;
    readonly keys: Keys;
    readonly sender: MessageSender;
  },
) {
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
function platformClients({ config, clock }: { readonly config: Config; readonly clock: Clock }) {
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
  const orgs = [...(api.defaultOrg ? [api.defaultOrg] : []), ...api.credentials.keys()];
  const orgCharges = orgChargesUrl
    ? createOrgCharges({ ...timed, baseUrl: orgChargesUrl, orgs })
    : undefined;
  const usage = usageUrl ? createUsageClient({ ...timed, baseUrl: usageUrl }) : undefined;
  return {
    deployments: createDeploymentsClient({ ...shared, baseUrl: api.url }),
    /** @throws Refusal when billing is not configured (design section 7) */
    billing: () => orOff(billingClient, BILLING_OFF),
    /** Charges of single orgs, for users without access to the account; undefined: ORG_CHARGES is off. */
    orgCharges,
    /** @throws Refusal when the usage API is not configured (design section 7) */
    usage: () => orOff(usage, USAGE_OFF),
    /** Ends every running call to billing and usage; its user gets a restart notice. */
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
