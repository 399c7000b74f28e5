import type { Ground } from './app-ground.ts';
import { createChanges } from './changes/store.ts';
import type { Config } from './config.ts';
import { createChannelCheck } from './features/doctor/channel-check.ts';
import type { Check } from './features/doctor/check.ts';
import { createClockCheck } from './features/doctor/clock-check.ts';
import { createDoctor } from './features/doctor/doctor.ts';
import { createGroupCheck } from './features/doctor/group-check.ts';
import { createPlatformChecks } from './features/doctor/platform-checks.ts';
import { createPollCheck } from './features/doctor/poll-check.ts';
import { createRedisCheck } from './features/doctor/redis-check.ts';
import { createSettingsCheck } from './features/doctor/settings-check.ts';
import { createSlackCheck } from './features/doctor/slack-check.ts';
import type { SlackCheckDeps } from './features/doctor/slack-check.ts';
import { createWorkCheck } from './features/doctor/work-check.ts';
import { explainPlatformError } from './features/platform-sentences.ts';
import { createBareHttp } from './platform/bare-http.ts';
import type { BareHttp } from './platform/bare-http.ts';
import { readPulse } from './rollouts/gvc-store.ts';
import type { Watches } from './rollouts/watches.ts';
import { readRedisFacts, readRedisTime } from './store/redis-facts.ts';

/** What the doctor looks at beside the ground. */
interface Surroundings {
  readonly watches: Pick<Watches, 'all'>;
  /** How Slack reaches this process now. */
  readonly connection: SlackCheckDeps['connection'];
}

/** `/purser doctor`, with everything that it looks at. */
export function doctorOf(
  config: Config,
  ground: Ground,
  around: Surroundings,
): ReturnType<typeof createDoctor> {
  const bare = createBareHttp();
  return createDoctor({
    ...ground,
    checks: [
      ...slackChecks(config, ground, around),
      ...createPlatformChecks(platformDeps(config, ground, bare, around)),
      ...ownChecks(config, ground, bare, around),
    ],
    explain: explainPlatformError,
    now: () => performance.now(),
  });
}

function slackChecks(
  { slack, channels, orgAccess }: Config,
  { slack: client, redis, keys, clock }: Ground,
  { watches, connection }: Surroundings,
): Check[] {
  return [
    createSlackCheck({ client, botToken: slack.botToken, mode: slack, connection }),
    createChannelCheck({
      client,
      redis,
      keys,
      configured: new Map([
        ['NOTIFY_CHANNEL', channels.notify],
        ['APPROVALS_CHANNEL', channels.approvals],
        ['BILLING_CHANNEL', channels.billing],
        ['OPS_CHANNEL', channels.ops],
      ]),
      watches: () => watches.all(),
      clock,
    }),
    ...(orgAccess.kind === 'usergroup' ? [createGroupCheck(client, orgAccess.id)] : []),
  ];
}

function platformDeps(
  { api, usageUrl, billing, orgChargesUrl, brand, approvals }: Config,
  { clock }: Ground,
  bare: BareHttp,
  { watches }: Surroundings,
): Parameters<typeof createPlatformChecks>[0] {
  return {
    urls: { api: api.url, usage: usageUrl, billing: billing?.url, orgCharges: orgChargesUrl },
    bare,
    credentials: api.credentials,
    account: billing && {
      id: billing.accountId,
      token: billing.token,
      userToken: billing.userToken,
    },
    watched: () => watches.all(),
    prefix: brand.prefix,
    approvals,
    clock,
  };
}

/** Redis, the clock, what runs by itself, and what is switched off. */
function ownChecks(
  config: Config,
  ground: Ground,
  bare: BareHttp,
  { watches }: Surroundings,
): readonly Check[] {
  const { redis, keys, clock, jobs } = ground;
  const { brand } = config;
  return [
    createRedisCheck({
      facts: () => readRedisFacts(redis, () => performance.now()),
      cluster: config.redis.cluster,
    }),
    createClockCheck({
      bare,
      servers: [
        { name: 'Slack', url: `${config.slack.apiUrl}api.test` },
        { name: 'the platform', url: config.api.url },
      ],
      redisTime: () => readRedisTime(redis),
      clock,
    }),
    createWorkCheck({ redis, keys, jobs, changes: createChanges(ground), clock }),
    createPollCheck({
      watches: () => watches.all(),
      readPulse: (org, gvc) => readPulse(redis, keys, org, gvc),
      idleMs: config.polling.idleMs,
      clock,
    }),
    createSettingsCheck({
      billing: config.billing !== undefined,
      secretKey: config.secretKey !== undefined,
      globalDomain: brand.globalDomain !== undefined,
      locationDomain: brand.locationDomain !== undefined,
      internalDomain: brand.internalDomain !== undefined,
      approvals: config.approvals,
      orgAccessByRole: config.orgAccess.kind === 'roles',
    }),
  ];
}
