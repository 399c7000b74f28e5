import { createAllow } from './access/allow.ts';
import { BILLING_OFF, createGate } from './access/gate.ts';
import type { Gate } from './access/gate.ts';
import type { OrgAccessRule } from './access/admit.ts';
import { changesFeatures } from './app-changes.ts';
import { deploymentsFeature, watchesOf } from './app-deployments.ts';
import { doctorOf } from './app-doctor.ts';
import { createGround, deliveryJobs } from './app-ground.ts';
import type { Ground } from './app-ground.ts';
import { moneyFeatures, USAGE_OFF } from './app-money.ts';
import { workloadFeature } from './app-workload.ts';
import type { Config } from './config.ts';
import { RECONCILE_WATCHES } from './features/deployments/jobs.ts';
import type { Feature } from './features/feature.ts';
import { createHelpFeature } from './features/help/feature.ts';
import { createHomeFeature } from './features/home/feature.ts';
import { explainPlatformError } from './features/platform-sentences.ts';
import { rolesOf } from './features/roles-of.ts';
import type { WorkersHealth } from './jobs/health.ts';
import { systemClock, systemStopwatch } from './lib/clock.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { createLoopWatch } from './lib/loop-watch.ts';
import type { Family } from './lib/metrics.ts';
import { createShutdown } from './lib/shutdown.ts';
import { createOpsServer, NO_ANSWER } from './ops.ts';
import { createAnswers } from './slack/answers.ts';
import { createSendDirectly } from './slack/direct.ts';
import { createEdge } from './slack/edge.ts';
import type { Edge } from './slack/edge.ts';
import type { Asked } from './slack/guard.ts';
import { createHome } from './slack/home.ts';
import { createIdentity } from './slack/identity.ts';
import type { Identity, IdentityStore } from './slack/identity.ts';
import { createKeep } from './slack/keep.ts';
import type { Keep } from './slack/keep.ts';
import { createModals } from './slack/modals.ts';
import { createPeople } from './slack/people.ts';
import { route } from './slack/router.ts';
import type { Person } from './slack/routes.ts';
import { listenOn, startUp } from './start-up.ts';
import { refusalWord } from './store/refusal.ts';

export interface PurserApp {
  /** Resolves when the bot does its work, as far as its role goes. @throws when Slack refuses the token */
  start(): Promise<void>;
  /** Takes nothing new, finishes or hands back what runs, closes; within 20 s, never rejects. */
  stop(): Promise<{ clean: boolean }>;
  /** The ports that are listened on. */
  ports(): { slack: number | undefined; ops: number | undefined };
  /** What was counted here, for whoever shows it elsewhere. */
  families(): Family[];
  /** How the workers stand, here or in the other thread. */
  health(): WorkersHealth;
}

export interface AppOverrides {
  clock?: Clock;
  /** Another thread of this process, which does the work of the role `worker`. */
  elsewhere?: { families(): Promise<Family[]>; health(): WorkersHealth };
  /** `closed`: another thread listens on the ports of this process. */
  doors?: 'closed';
}

/** The bot, as long as Slack has not said who it is. */
const NOBODY: Identity = { botId: '', botUserId: '', teamId: '' };

/** Below the 25 s of design section 7, with room for the exit itself. Milliseconds. */
const SHUTDOWN_MS = 20_000;

/** Puts the bot together, all of its role in one thread; nothing runs before `start`. */
export function createApp(config: Config, logger: Logger, overrides: AppOverrides = {}): PurserApp {
  const ground = createGround(config, logger, overrides.clock ?? systemClock);
  const identity = createIdentity(ground.slack);
  const gate = gateOf(config, ground, identity);
  const keep = createKeep(ground);
  const features = createFeatures({ config, ground, gate, keep }, () => edge);
  const edge =
    config.role === 'worker' ? undefined : edgeOf(config, ground, () => identity.now() ?? NOBODY);
  if (edge !== undefined) connect({ config, ground, gate, keep }, edge, features);
  const kinds = [
    ...deliveryJobs(config, ground),
    ...features.flatMap((feature) => feature.jobs ?? []),
  ];
  const { elsewhere } = overrides;
  const health = healthOf(elsewhere ?? (config.role === 'app' ? undefined : ground.jobs));
  const ops = createOpsServer({
    metrics: ground.metrics,
    others: elsewhere && (() => elsewhere.families()),
    checks: checksOf(ground, edge, config.role !== 'app' || elsewhere ? health : undefined),
    stuck: () => health().stuck,
  });
  const shutdown = shutdownOf(ground, edge, ops);
  return {
    async start() {
      await startUp(
        { ground, role: config.role },
        {
          open: () =>
            overrides.doors === 'closed' ? Promise.resolve() : listenOn(ops, config.opsPort),
          identify: async () => {
            await identity.get();
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
    families: () => ground.metrics.families(),
    health,
  };
}

/** What features are made of. */
interface Parts {
  config: Config;
  ground: Ground;
  gate: Gate;
  keep: Keep;
}

/** The one list of features. @param edge asked for when someone wants to know how Slack comes in */
function createFeatures(parts: Parts, edge: () => Edge | undefined): Feature[] {
  const { config, ground, gate, keep } = parts;
  const who = {
    standing: (person: Person) => gate.standing(person),
    billingOff: ground.billing === undefined ? BILLING_OFF : undefined,
  };
  const features: Feature[] = [
    ...moneyFeatures(config, ground, gate, keep),
    deploymentsFeature(config, ground, gate),
    workloadFeature(config, ground, gate),
    ...changesFeatures(config, ground, gate, keep),
    createHomeFeature(who),
    createHelpFeature({
      ...who,
      commands: () =>
        features.flatMap((feature) => (feature.commands ?? []).map((command) => command.help)),
      doctor: doctorOf(config, ground, {
        watches: watchesOf(config, ground),
        connection: () => wayIn(edge()),
      }),
      chargesOff: ground.orgCharges === undefined ? who.billingOff : undefined,
      usageOff: ground.usage === undefined ? USAGE_OFF : undefined,
    }),
  ];
  return features;
}

/** How Slack reaches this process now. */
function wayIn(edge: Edge | undefined): { connected: boolean; port?: number } | undefined {
  if (edge === undefined) return undefined;
  const port = edge.port();
  return { connected: edge.connected(), ...(port === undefined ? {} : { port }) };
}

function gateOf(config: Config, ground: Ground, identity: IdentityStore): Gate {
  const people = createPeople(ground.slack, systemStopwatch);
  const { billing } = ground;
  const access = config.orgAccess;
  const orgAccess: OrgAccessRule =
    access.kind === 'usergroup' ? { groupId: access.id } : access.kind;
  return createGate({
    async applicant(userId, asked) {
      // A worker does not listen to Slack, so nobody has told it yet whose it is.
      await identity.get();
      return people.member(userId, asked);
    },
    groupMembers: (groupId, asked) => people.groupMembers(groupId, asked),
    ...(billing && { rolesOf: (email: string) => rolesOf(billing, email) }),
    homeTeamId: () => (identity.now() ?? NOBODY).teamId,
    orgAccess,
    orgCharges: ground.orgCharges !== undefined,
    stopwatch: systemStopwatch,
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
  { config, ground, gate, keep }: Parts,
  edge: Edge,
  features: readonly Feature[],
): void {
  const { redis, keys, scrub, logger, slack, clock } = ground;
  const { apiUrl } = config.slack;
  const direct = createSendDirectly({ client: slack, logger });
  const shared = {
    client: slack,
    admit: (person: Person) => gate.admit(person),
    explain: explainPlatformError,
    stopping: ground.stopping.signal,
    scrub,
    logger,
    refused: async (asked: Asked, why: string) => {
      for (const feature of features) await feature.refused?.(asked, why);
    },
  };
  route(
    {
      ...shared,
      app: edge.app,
      answers: createAnswers({ redis, keys, scrub, logger, apiUrl, direct }),
      modals: createModals(shared),
      home: createHome({
        ...shared,
        parts: features.flatMap(({ home }) => home ?? []),
        who: (person) => gate.standing(person),
        refusal: (who) => who.refusal,
        clock,
      }),
      allow: createAllow(gate, { orgCharges: ground.orgCharges !== undefined }),
      keep,
    },
    features.flatMap((feature) => feature.commands ?? []),
    features.flatMap((feature) => feature.actions ?? []),
    features.flatMap((feature) => feature.modals ?? []),
    features.flatMap((feature) => feature.forms ?? []),
    features.flatMap((feature) => feature.reveals ?? []),
  );
}

/** What is written to see whether Redis takes it lives so long. Milliseconds. */
const READY_MS = 1_000;
/** An event loop that stood still for longer in the last minute answers nobody in time. Milliseconds. */
const STILL_MS = 10_000;

/** How this thread stands, and the workers, wherever they are; without them, this thread alone. */
function healthOf(workers: { health(): WorkersHealth } | undefined): () => WorkersHealth {
  const loop = createLoopWatch();
  return () => {
    const stillMs = loop.stoodStillMs();
    if (stillMs <= STILL_MS) return workers?.health() ?? {};
    const still = `the event loop stood still for ${Math.round(stillMs / 1_000)} s of the last minute`;
    return { unwell: still, stuck: still };
  };
}

/** @param health of the process that is to do the work of the role `worker` */
function checksOf(
  ground: Ground,
  edge: Edge | undefined,
  health: (() => WorkersHealth) | undefined,
): Parameters<typeof createOpsServer>[0]['checks'] {
  return {
    redis: () => whyNoWrites(ground),
    ...(edge === undefined
      ? {}
      : { slack: () => (edge.connected() ? undefined : 'nothing of Slack’s can come in') }),
    ...(health === undefined ? {} : { worker: () => health().unwell }),
  };
}

/** Redis may answer and take no writes all the same. */
async function whyNoWrites({ redis, keys }: Ground): Promise<string | undefined> {
  try {
    await redis.set(keys.lock('readyz'), '1', 'PX', READY_MS);
    return undefined;
  } catch (error) {
    const word = refusalWord(error);
    return word === undefined ? NO_ANSWER : `it takes no writes (${word})`;
  }
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
  // Who waits for a slow answer of theirs is told of the restart instead; a change that is being carried
  // out is not cut off.
  shutdown.add(edge === undefined ? 'connections' : 'workers', 'money', async () => {
    const { billing, orgCharges, usage, reports } = ground;
    await Promise.all([billing?.close(), orgCharges?.close(), usage?.close(), reports.close()]);
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
