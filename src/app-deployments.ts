import type { Gate } from './access/gate.ts';
import type { Ground } from './app-ground.ts';
import type { Config } from './config.ts';
import { createDeploymentsFeature } from './features/deployments/feature.ts';
import { RECONCILE_WATCHES } from './features/deployments/jobs.ts';
import type { Feature } from './features/feature.ts';
import { forgetGvc, readGvc, readPulse } from './rollouts/gvc-store.ts';
import { createOutages } from './rollouts/outages/outages.ts';
import type { Outages } from './rollouts/outages/outages.ts';
import { betweenPolls, soonBetweenPolls } from './rollouts/poll-lock.ts';
import { createPollTurns } from './rollouts/poll-turns.ts';
import { createPoller } from './rollouts/poll.ts';
import { createWatches } from './rollouts/watches.ts';
import type { Watches } from './rollouts/watches.ts';
import { hasMember, isMember } from './slack/channels.ts';
import { withLock } from './store/lock.ts';

/** How long a poll that runs is waited for, in milliseconds: a person waits, too; a job comes again. */
const UNWATCH_PATIENCE_MS = 5_000;
const FORGET_PATIENCE_MS = 1_000;

/** `/deployments`, and the watch engine behind it. */
export function deploymentsFeature(config: Config, ground: Ground, gate: Gate): Feature {
  const { redis, keys, clock, jobs, slack, outbox, wake, mutes } = ground;
  const watches = watchesOf(config, ground);
  const outages = createOutages({ ...ground, opsChannel: config.channels.ops });
  return createDeploymentsFeature({
    client: ground.platform,
    watches,
    mutes,
    outbox,
    wake,
    poll: createPollTurns({
      poll: pollerOf(config, ground, watches, outages),
      again: ({ org, gvc }) => jobs.add('rollouts', 'poll', { org, gvc }),
    }),
    clock,
    tickMs: Math.min(config.polling.activeMs, config.polling.idleMs),
    orgs: { known: [...config.api.credentials.keys()], fallback: config.api.defaultOrg },
    requireOrgAccess: (person) => gate.requireOrgAccess(person),
    alone: (work) =>
      withLock(redis, keys.lock('watches'), { ttlMs: 10_000, patienceMs: 20_000 }, work),
    pollSoon: (org, gvc) => jobs.add('rollouts', 'poll', { org, gvc }),
    stopping: ground.stopping.signal,
    reconcile: (idPrefix, wanted, leave) => jobs.reconcile('rollouts', idPrefix, wanted, leave),
    undisturbed: (place, work) => soonBetweenPolls(ground, place, UNWATCH_PATIENCE_MS, work),
    forget: (place) =>
      betweenPolls(ground, place, FORGET_PATIENCE_MS, () =>
        forgetGvc(redis, keys, place.org, place.gvc),
      ),
    forgetOutage: (place) => outages.forget(place),
    readGvc: async (org, gvc) => (await readGvc(redis, keys, org, gvc)).state,
    readPulse: (org, gvc) => readPulse(redis, keys, org, gvc),
    isMember: (channel) => isMember(slack, channel),
    hasMember: (channel, userId) => hasMember(slack, channel, userId),
    watchesChanged: () => jobs.add('rollouts', RECONCILE_WATCHES, {}),
  });
}

/** Those of the configuration, and those made by command. */
export function watchesOf(config: Config, { redis, keys }: Ground): Watches {
  return createWatches({
    redis,
    keys,
    configured: config.watches.map((watch) => ({
      ...watch,
      channel: watch.channel ?? config.channels.notify,
      configured: true,
    })),
  });
}

function pollerOf(config: Config, ground: Ground, watches: Watches, outages: Outages) {
  return createPoller({
    ...ground,
    client: ground.platform,
    watches,
    outages,
    polling: config.polling,
    polls: ground.metrics.counter('purser_polls_total', 'Polls of a GVC by result'),
    stopping: ground.stopping.signal,
  });
}
