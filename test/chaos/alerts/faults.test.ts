import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startRedis } from '../../../src/sandbox/redis.ts';
import { alertRules } from '../../support/alert-rules.ts';
import { decide, request } from '../../support/approvals.ts';
import { giveAlert } from '../../support/changes-raw.ts';
import { post, sendJson, startProxy } from '../../support/http.ts';
import { firesAfter, type Fault } from '../../support/prometheus.ts';
import { hasPromtool } from '../../support/promtool.ts';
import type { RunningBot } from '../../support/running-bot.ts';
import { userOf } from '../../support/user.ts';
import { openWorld, type World } from '../../support/world.ts';

/** A fault, and the bots of its world. */
type Trouble = Fault & { readonly bots: readonly RunningBot[] };

interface Story {
  readonly title: string;
  readonly fires: readonly string[];
  readonly platform?: Parameters<typeof openWorld>[0];
  /** @param closed parts that end after the world */
  readonly trouble: (world: World, closed: (() => unknown)[]) => Promise<Trouble>;
}

const DATA = { org: 'acme', gvc: 'data', workload: 'ingest' };
const WATCHES = 'acme/data';
const LIST = '-deployment';

/** One bot that watches a GVC. */
const watching = async (world: World, environment: Record<string, string> = {}) => {
  const bot = await world.startBot({ environment: { WATCHES, ...environment } });
  await world.polled();
  return bot;
};
const rollout = (world: World) => world.platform('rollout', { ...DATA, seconds: 1 });
/** Types commands, and waits for no answer. */
const type = (world: World, text: string, times = 1) =>
  Promise.all(
    Array.from({ length: times }, () =>
      post(`${world.slackUrl}/page/command`, { user: 'U0ADA', channel: 'C0BILLING', text }),
    ),
  );

/** All GVCs of the stand-in's fleet. */
const fleetOf = (gvcs: number): string =>
  Array.from({ length: gvcs }, (_, at) => `fleet/g${String(at).padStart(3, '0')}`).join(';');

/** A way to Redis that can be cut, without an end of its connections. */
async function startWay(world: World, closed: (() => unknown)[]) {
  let awaited: { command: string; seen: () => void } | undefined;
  const way = {
    url: '',
    isCut: false,
    /** Resolves when the bot sends this command. */
    next: (command: string) =>
      new Promise<void>((seen) => {
        awaited = { command, seen };
      }),
  };
  const proxy = await startProxy(
    () => new URL(world.redisUrl),
    () => ({
      there(chunk, _, far) {
        if (awaited && chunk.toString('latin1').toUpperCase().includes(awaited.command)) {
          awaited.seen();
        }
        if (!way.isCut) far.write(chunk);
      },
      back: (chunk, near) => void (way.isCut || near.write(chunk)),
    }),
  );
  closed.push(() => proxy.close());
  return Object.assign(way, { url: proxy.url });
}

const STORIES: readonly Story[] = [
  {
    title: 'the bot, which is killed',
    fires: ['PurserDown'],
    trouble: async (world) => {
      const bot = await world.startBot();
      return { bots: [bot], fault: () => bot.kill() };
    },
  },
  {
    title: 'the worker, which is killed before a change is approved',
    fires: ['PurserNoWorker', 'PurserChangeStuck'],
    trouble: async (world) => {
      await giveAlert(world);
      const worker = await world.startBot({ environment: { ROLE: 'worker' } });
      const app = await world.startBot({ environment: { ROLE: 'app' } });
      const [ada, ben] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
      const id = await request(world, ada, { command: '/alert set 500' });
      const fault = async () => {
        await worker.kill();
        await decide(world, ben, { id, decision: 'Approve' });
      };
      return { bots: [app, worker], fault };
    },
  },
  {
    title: 'an org, which hangs',
    fires: ['PurserPollsStale'],
    trouble: async (world) => {
      const bot = await watching(world, { WATCHES: 'acme/data;globex/shop' });
      return {
        bots: [bot],
        fault: () => world.faults({ path: `/org/acme/.*${LIST}`, delayMs: 120_000 }),
      };
    },
  },
  {
    title: 'the platform, which answers with errors',
    fires: [
      'PurserPollsFailing',
      'PurserPlatformErrors',
      'PurserCommandsFailing',
      'PurserJobsFailing',
      'PurserMonitorStale',
    ],
    trouble: async (world) => {
      const bot = await watching(world, { BILLING_POLL_SECONDS: '0.5' });
      return {
        bots: [bot],
        fault: () => world.faults({ status: 500 }),
        again: async () => {
          await Promise.all([type(world, '/deployments shop'), sleep(2_000)]);
        },
      };
    },
  },
  {
    title: 'a record of the platform, which cannot be read',
    fires: ['PurserUnreadableRecords'],
    trouble: async (world) => ({
      bots: [await watching(world)],
      fault: () => world.faults({ path: LIST, kind: 'bad-item' }),
    }),
  },
  {
    title: 'BILLING_TOKEN, which is revoked',
    fires: ['PurserKeyRefused'],
    trouble: async (world) => ({
      bots: [await world.startBot({ environment: { BILLING_POLL_SECONDS: '0.5' } })],
      fault: () => world.faults({ path: '/account/', status: 401 }),
    }),
  },
  {
    title: 'Slack, which limits posts',
    fires: ['PurserRateLimited', 'PurserOutboxOld'],
    trouble: async (world) => {
      const bot = await watching(world, {
        WATCHES: 'acme/data;acme/data=C0OPS;acme/data=C0APPROVE',
      });
      const fault = async () => {
        const limit = { method: 'chat.postMessage', kind: 'ratelimit', retryAfter: 1 };
        await world.slack('faults', { faults: [limit] });
        await rollout(world);
      };
      return { bots: [bot], fault };
    },
  },
  {
    title: 'Slack, which hangs',
    fires: ['PurserSlackFailing'],
    trouble: async (world) => {
      const bot = await watching(world);
      const fault = async () => {
        const hang = { method: '*', kind: 'delay-before', delayMs: 120_000 };
        await world.slack('faults', { faults: [hang] });
        await rollout(world);
      };
      return { bots: [bot], fault };
    },
  },
  {
    title: 'the token of Slack, which is revoked',
    fires: ['PurserSlackDisconnected'],
    trouble: async (world) => ({
      bots: [await world.startBot()],
      fault: () =>
        world.slack('faults', { faults: [{ method: '*', kind: 'error', error: 'token_revoked' }] }),
    }),
  },
  {
    title: 'a channel, which is archived',
    fires: ['PurserDeliveriesRefused'],
    trouble: async (world) => {
      const bot = await watching(world);
      const fault = async () => {
        await world.slack('archive', { channel: 'C0DEPLOYS' });
        await rollout(world);
      };
      return { bots: [bot], fault };
    },
  },
  {
    title: 'Redis, which hangs',
    fires: ['PurserRedisDown'],
    trouble: async (world, closed) => {
      const way = await startWay(world, closed);
      const bot = await world.startBot({ environment: { REDIS_URL: way.url } });
      return { bots: [bot], fault: () => Promise.resolve((way.isCut = true)) };
    },
  },
  {
    title: 'Redis, which is full',
    fires: ['PurserRedisFull'],
    trouble: async (world, closed) => {
      const redis = await startRedis();
      const admin = new Redis(redis.url);
      closed.push(
        () => admin.disconnect(),
        () => redis.close(),
      );
      const bot = await world.startBot({ environment: { REDIS_URL: redis.url } });
      return { bots: [bot], fault: () => admin.config('SET', 'maxmemory', '1mb') };
    },
  },
  {
    title: 'the platform, which hangs for more GVCs than a worker has places',
    fires: ['PurserQueueLong'],
    platform: { platform: { fleet: { gvcs: 600, workloads: 1, locations: 1 } } },
    trouble: async (world) => {
      const bot = await watching(world, { WATCHES: fleetOf(600) });
      return { bots: [bot], fault: () => world.faults({ path: LIST, delayMs: 120_000 }) };
    },
  },
  {
    title: 'answers of the platform, which are no reports',
    fires: ['PurserReportsFailing'],
    trouble: async (world) => ({
      bots: [await world.startBot()],
      fault: () => world.faults({ path: 'query', kind: 'malformed' }),
      again: () => type(world, '/charges', 3),
    }),
  },
  {
    title: 'a stranger, who sends requests to the endpoint of Slack',
    fires: ['PurserRequestsRefused'],
    trouble: async (world) => {
      const bot = await world.startBot();
      const address = `http://127.0.0.1:${bot.port}/slack/events`;
      return {
        bots: [bot],
        fault: () => Promise.all(Array.from({ length: 12 }, () => sendJson(address, {}))),
      };
    },
  },
  {
    title: 'the machine, which stands still while a command waits for Redis',
    fires: ['PurserEventLoopSlow', 'PurserAcksSlow'],
    trouble: async (world, closed) => {
      const way = await startWay(world, closed);
      const bot = await world.startBot({ environment: { REDIS_URL: way.url } });
      const again = async () => {
        way.isCut = true;
        const asked = way.next('EVAL');
        const typed = type(world, '/purser help');
        await asked;
        bot.child.kill('SIGSTOP');
        way.isCut = false;
        await sleep(2_500);
        bot.child.kill('SIGCONT');
        await typed;
      };
      return { bots: [bot], fault: () => Promise.resolve(), again };
    },
  },
  {
    title: 'the log collector, which does not read',
    fires: ['PurserLogDropped'],
    platform: { platform: { fleet: { gvcs: 100, workloads: 1, locations: 1 } } },
    trouble: async (world) => {
      const bot = await watching(world, { WATCHES: fleetOf(100), LOG_LEVEL: 'trace' });
      return { bots: [bot], fault: () => Promise.resolve(bot.child.stdout.pause()) };
    },
  },
];

/** A call to Slack ends after half a minute. Milliseconds. */
const SLOW_MS = 300_000;

describe.skipIf(!hasPromtool())('a real fault', { timeout: SLOW_MS }, () => {
  it.concurrent.each(STORIES)('of $title, fires $fires', async ({ fires, platform, trouble }) => {
    const closed: (() => unknown)[] = [];
    const world = await openWorld(platform);
    try {
      const { bots, ...fault } = await trouble(world, closed);
      await expect(firesAfter(fires, bots, fault)).resolves.toBeUndefined();
    } finally {
      await world.close();
      for (const close of closed) await close();
    }
  });

  it('is there for each alert', () => {
    const seen = STORIES.flatMap(({ fires }) => fires);

    expect(seen.toSorted()).toEqual(
      alertRules()
        .map(({ alert }) => alert)
        .toSorted(),
    );
  });
});
