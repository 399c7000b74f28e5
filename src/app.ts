import { createAllow } from './access/allow.ts';
import { createGate } from './access/gate.ts';
import type { Gate } from './access/gate.ts';
import type { OrgAccessRule } from './access/admit.ts';
import { createGround, deliveryJobs } from './app-ground.ts';
import type { Ground } from './app-ground.ts';
import { moneyFeatures } from './app-money.ts';
import type { Config } from './config.ts';
import { createDeploymentsFeature } from './features/deployments/feature.ts';
import { RECONCILE_WATCHES } from './features/deployments/jobs.ts';
import type { Feature } from './features/feature.ts';
import { createHelpFeature } from './features/help/feature.ts';
import { createLaterFeature } from './features/later/feature.ts';
import { explainPlatformError } from './features/platform-sentences.ts';
import { rolesOf } from './features/roles-of.ts';
import { systemClock } from './lib/clock.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { createShutdown } from './lib/shutdown.ts';
import { createOpsServer } from './ops.ts';
import { forgetGvc, readGvc, readPulse } from './rollouts/gvc-store.ts';
import { createPoller } from './rollouts/poll.ts';
import { createWatches } from './rollouts/watches.ts';
import { createAnswers } from './slack/answers.ts';
import { isMember } from './slack/channels.ts';
import { createSendDirectly } from './slack/direct.ts';
import { createEdge } from './slack/edge.ts';
import type { Edge } from './slack/edge.ts';
import { readIdentity } from './slack/identity.ts';
import type { Identity } from './slack/identity.ts';
import { createKeep } from './slack/keep.ts';
import type { Keep } from './slack/keep.ts';
import { createModals } from './slack/modals.ts';
import { createPeople } from './slack/people.ts';
import { route } from './slack/router.ts';
import { startUp } from './start-up.ts';
import { withLock } from './store/lock.ts';

export interface PurserApp {
  /** Resolves when the bot does its work, as far as its role goes. @throws when Slack refuses the token */
  start(): Promise<void>;
  /** Takes nothing new, finishes or hands back what runs, closes; within 20 s, never rejects. */
  stop(): Promise<{ clean: boolean }>;
  /** The ports that are listened on. */
  ports(): { slack: number | undefined; ops: number | undefined };
}

/** Below the 25 s of design section 7, with room for the exit itself. Milliseconds. */
const SHUTDOWN_MS = 20_000;

/** Puts the bot together; nothing runs before `start`. */
export function createApp(
  config: Config,
  logger: Logger,
  overrides: { clock?: Clock } = {},
): PurserApp {
  const ground = createGround(config, logger, overrides.clock ?? systemClock);
  let identity: Identity = { botId: '', botUserId: '', teamId: '' };
  const gate = gateOf(config, ground, () => identity.teamId);
  const keep = createKeep(ground);
  const features = createFeatures(config, ground, gate, keep);
  const edge = config.role === 'worker' ? undefined : edgeOf(config, ground, () => identity);
  if (edge !== undefined) connect({ config, ground, gate, keep }, edge, features);
  const kinds = [...deliveryJobs(ground), ...features.flatMap((feature) => feature.jobs ?? [])];
  const ops = createOpsServer({ metrics: ground.metrics, checks: checksOf(config, ground, edge) });
  const shutdown = shutdownOf(ground, edge, ops);
  return {
    async start() {
      await startUp(
        { server: ops, port: config.opsPort, ground, role: config.role },
        {
          identify: async () => {
            identity = await readIdentity(ground.slack);
          },
          work: async () => {
            await ground.jobs.work(kinds);
            await ground.jobs.add('rollouts', RECONCILE_WATCHES, {});
          },
          listen: () => edge?.start() ?? Promise.resolve(),
        },
      );
    },
    stop: () => {
      ground.stopping.abort();
      return shutdown.run();
    },
    ports() {
      const address = ops.address();
      return {
        slack: edge?.port(),
        ops: typeof address === 'object' ? address?.port : undefined,
      };
    },
  };
}

/** The one list of features. */
function createFeatures(config: Config, ground: Ground, gate: Gate, keep: Keep): Feature[] {
  const features: Feature[] = [
    ...moneyFeatures(config, ground, gate, keep),
    createDeploymentsFeature(deploymentsDeps(config, ground, gate)),
    createLaterFeature(),
    createHelpFeature(() =>
      features.flatMap((feature) => (feature.commands ?? []).map((command) => command.help)),
    ),
  ];
  return features;
}

function deploymentsDeps(
  config: Config,
  ground: Ground,
  gate: Gate,
): Parameters<typeof createDeploymentsFeature>[0] {
  const { redis, keys, clock, logger, jobs } = ground;
  const watches = createWatches({
    redis,
    keys,
    configured: config.watches.map((watch) => ({
      ...watch,
      channel: watch.channel ?? config.channels.notify,
      configured: true,
    })),
  });
  const poll = createPoller({
    redis,
    keys,
    client: ground.platform,
    watches,
    outbox: ground.outbox,
    wake: ground.wake,
    polling: config.polling,
    clock,
    logger,
    polls: ground.metrics.counter('purser_polls_total', 'Polls of a GVC by result'),
    stopping: ground.stopping.signal,
  });
  return {
    client: ground.platform,
    watches,
    poll,
    clock,
    tickMs: Math.min(config.polling.activeMs, config.polling.idleMs),
    orgs: { known: [...config.api.credentials.keys()], fallback: config.api.defaultOrg },
    requireOrgAccess: (person) => gate.requireOrgAccess(person),
    alone: (work) =>
      withLock(redis, keys.lock('watches'), { ttlMs: 10_000, patienceMs: 20_000 }, work),
    pollSoon: (org, gvc) => jobs.add('rollouts', 'poll', { org, gvc }),
    stopping: ground.stopping.signal,
    reconcile: (idPrefix, wanted) => jobs.reconcile('rollouts', idPrefix, wanted),
    forget: ({ org, gvc }) => forgetGvc(redis, keys, org, gvc),
    readGvc: async (org, gvc) => (await readGvc(redis, keys, org, gvc)).state,
    readPulse: (org, gvc) => readPulse(redis, keys, org, gvc),
    isMember: (channel) => isMember(ground.slack, channel),
    watchesChanged: () => jobs.add('rollouts', RECONCILE_WATCHES, {}),
  };
}

function gateOf(config: Config, ground: Ground, homeTeamId: () => string): Gate {
  const people = createPeople(ground.slack, ground.clock);
  const { billing } = ground;
  const access = config.orgAccess;
  const orgAccess: OrgAccessRule =
    access.kind === 'usergroup' ? { groupId: access.id } : access.kind;
  return createGate({
    applicant: (userId) => people.member(userId),
    groupMembers: (groupId) => people.groupMembers(groupId),
    ...(billing && { rolesOf: (email: string) => rolesOf(billing, email) }),
    homeTeamId,
    orgAccess,
    clock: ground.clock,
  });
}

function edgeOf(config: Config, ground: Ground, identity: () => Identity): Edge {
  const { slack } = config;
  return createEdge({
    mode:
      slack.mode === 'http'
        ? { kind: 'http', signingSecret: slack.signingSecret.reveal(), port: config.port }
        : { kind: 'socket', appToken: slack.appToken.reveal() },
    apiUrl: slack.apiUrl,
    botToken: slack.botToken.reveal(),
    identity,
    redis: ground.redis,
    keys: ground.keys,
    clock: ground.clock,
    logger: ground.logger,
  });
}

function connect(
  { config, ground, gate, keep }: { config: Config; ground: Ground; gate: Gate; keep: Keep },
  edge: Edge,
  features: readonly Feature[],
): void {
  const { redis, keys, scrub, logger, slack } = ground;
  const { apiUrl } = config.slack;
  const direct = createSendDirectly({ client: slack, logger });
  route(
    {
      app: edge.app,
      answers: createAnswers({ redis, keys, scrub, logger, apiUrl, direct }),
      modals: createModals({ client: slack, scrub, logger }),
      admit: (person) => gate.admit(person),
      allow: createAllow(gate),
      explain: explainPlatformError,
      stopping: ground.stopping.signal,
      keep,
      scrub,
      logger,
    },
    features.flatMap((feature) => feature.commands ?? []),
    features.flatMap((feature) => feature.actions ?? []),
    features.flatMap((feature) => feature.modals ?? []),
    features.flatMap((feature) => feature.forms ?? []),
  );
}

function checksOf(
  config: Config,
  ground: Ground,
  edge: Edge | undefined,
): Parameters<typeof createOpsServer>[0]['checks'] {
  return {
    redis: async () => (await ground.redis.ping()) === 'PONG',
    ...(edge === undefined ? {} : { slack: () => edge.connected() }),
    ...(config.role === 'app'
      ? {}
      : { worker: async () => (await ground.redis.exists(ground.keys.beat)) === 1 }),
  };
}

function shutdownOf(
  ground: Ground,
  edge: Edge | undefined,
  ops: ReturnType<typeof createOpsServer>,
): ReturnType<typeof createShutdown> {
  const shutdown = createShutdown({ timeoutMs: SHUTDOWN_MS, logger: ground.logger });
  if (edge !== undefined) {
    shutdown.add('intake', 'slack', () => edge.stop());
    shutdown.add('workers', 'commands', () => edge.drain());
  }
  // Who waits for a slow answer of theirs is told of the restart instead.
  shutdown.add('workers', 'money', async () => {
    await Promise.all([ground.billing?.close(), ground.usage?.close()]);
  });
  shutdown.add('workers', 'jobs', () => ground.jobs.stopWorking());
  shutdown.add('connections', 'queues', async () => {
    await ground.jobs.close();
    ground.redis.disconnect();
  });
  shutdown.add('connections', 'platform', () => ground.platform.close());
  shutdown.add('connections', 'ops', () => {
    ops.close();
    ops.closeAllConnections();
  });
  return shutdown;
}
