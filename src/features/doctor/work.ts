import type { ChangeStore } from '../../changes/store.ts';
import type { QueueStatus } from '../../jobs/jobs.ts';
import { formatDuration, plural, withoutStop } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import { readPollStatus, type PollStatus } from '../../rollouts/gvc-store.ts';
import { watchedGvcs, type WatchedGvc, type Watches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import {
  type Check,
  checkOf,
  type CheckServices,
  isWell,
  listed,
  type Probe,
  probe,
  RUN_AGAIN,
} from './probe.ts';

/** A change may wait this long, for its turn or for a platform that is away, without being a problem. */
const OVERDUE_MS = 5 * 60_000;
const MAX_READ = 50;
const MAX_NAMED = 3;
/** Waiting time of the first job of a queue, in milliseconds. */
const SLOW_MS = 60_000;
const STUCK_MS = 5 * 60_000;
/** From this many waiting messages on, a channel receives more than it can take. */
const MANY = 100;

const CHECK_WORKER = 'check that a worker runs and that the queues move';
const FIX = {
  worker: 'start a process with `ROLE=worker` (or `all`), and look at its log and its `/readyz`',
  slow: 'if it stays slow, start another worker (`ROLE=worker`)',
  failed: 'search Purser’s log for `A job failed`; regular jobs are tried again by themselves',
  held: 'it goes on by itself; if not, fix the findings about Slack’s token, scopes and channels',
  full: 'narrow the watches of that channel (`only`, `quiet`) or spread them: a channel takes about one message a second',
  changes:
    'run the version of Purser that made them, or restore Redis; the audit (`/changes`) still has them',
  poll: 'check its name in the watch, the org’s key in ORG_TOKENS, and the findings about the platform',
  list: 'search Purser’s log for `Deployments could not be read`',
  wait: `${RUN_AGAIN}; if nothing changes, ${CHECK_WORKER}`,
};

export function createWorkCheck(
  services: Pick<Services, 'redis' | 'keys' | 'clock'> & {
    jobs: Pick<Services['jobs'], 'inspect'>;
  },
  changes: Pick<ChangeStore, 'due' | 'get'>,
): Check {
  const { redis, keys, jobs, clock } = services;
  async function read(): Promise<WorkFacts> {
    const now = clock.now();
    const [heartbeats, queues, channels, overdue] = await Promise.all([
      redis.exists(keys.heartbeat),
      jobs.inspect({ now, failedSince: now - DAY_MS }),
      readOutbox(services),
      readOverdue(changes, now),
    ]);
    return { isAlive: heartbeats === 1, queues, channels, overdue };
  }
  return checkOf('Work', read, workProbes);
}

export interface WorkFacts {
  /** A worker has reported within the last 30 s. */
  readonly isAlive: boolean;
  readonly queues: readonly QueueStatus[];
  /** `heldMs`: remaining backoff; 0: not held back. */
  readonly channels: readonly {
    readonly id: string;
    readonly messages: number;
    readonly heldMs: number;
  }[];
  /** Their number, and the ids of those that cannot be read. */
  readonly overdue: { readonly count: number; readonly unreadable: readonly string[] };
}

async function readOutbox({ redis, keys }: Pick<Services, 'redis' | 'keys'>) {
  const ids = await redis.smembers(keys.outboxChannels);
  return Promise.all(
    ids.map(async (id) => {
      const [messages, heldMs] = await Promise.all([
        redis.zcard(keys.outbox(id)),
        redis.pttl(keys.channelBackoff(id, 'post')),
      ]);
      return { id, messages, heldMs: Math.max(0, heldMs) };
    }),
  );
}

/** @param now ms since the epoch */
async function readOverdue(changes: Pick<ChangeStore, 'due' | 'get'>, now: number) {
  const due = await changes.due(now - OVERDUE_MS);
  const some = due.slice(0, MAX_READ);
  const read = await Promise.allSettled(some.map((id) => changes.get(id)));
  const unreadable = some.filter((_, index) => read[index]?.status === 'rejected');
  return { count: due.length, unreadable };
}

export function workProbes({ isAlive, queues, channels, overdue }: WorkFacts): readonly Probe[] {
  const late = queues.flatMap(queueProbes);
  const jobs = queues.reduce((sum, { waiting }) => sum + waiting, 0);
  const { count, unreadable } = overdue;
  const stuck = plural(count - unreadable.length, 'change');
  const lost = `${plural(unreadable.length, 'change')} cannot be read: ${listed(unreadable, MAX_NAMED)}`;
  return [
    probe('Worker', 'one is running', {
      [`! none has reported within 30 s, so nothing is polled, posted or carried out → ${FIX.worker}`]:
        !isAlive,
    }),
    ...late,
    probe(
      'Queues',
      late.every(isWell) &&
        (jobs === 0 ? 'no job waits' : `${plural(jobs, 'job')} waiting, none for long`),
    ),
    outbox(channels.filter(({ messages }) => messages > 0)),
    probe('Changes', false, { [`! ${lost} → ${FIX.changes}`]: unreadable.length > 0 }),
    probe('Changes', count === 0 && 'none is overdue', {
      [`! ${stuck} should have gone on more than 5 min ago → ${FIX.worker}`]:
        count > unreadable.length,
    }),
  ];
}

function queueProbes({ queue, waiting, oldestMs = 0, failed }: QueueStatus): readonly Probe[] {
  const what = `Queue ${queue}`;
  const late = `${plural(waiting, 'job')} waiting, the first for ${formatDuration(oldestMs)}`;
  const lost = `? ${plural(failed, 'job')} failed within a day → ${FIX.failed}`;
  return [
    probe(what, false, {
      [`! ${late} → ${FIX.worker}`]: oldestMs >= STUCK_MS,
      [`? ${late} → ${FIX.slow}`]: oldestMs >= SLOW_MS,
    }),
    probe(what, false, { [lost]: failed > 0 }),
  ];
}

function outbox(channels: WorkFacts['channels']): Probe {
  const messages = channels.reduce((sum, channel) => sum + channel.messages, 0);
  const says = `${plural(messages, 'message')} waiting for ${plural(channels.length, 'channel')}`;
  const held = channels.filter(({ heldMs }) => heldMs > 0);
  const full = channels.filter((channel) => channel.messages >= MANY);
  const soon = formatDuration(Math.max(1_000, ...held.map(({ heldMs }) => heldMs)));
  const named = (some: WorkFacts['channels']) =>
    listed(
      some.map(({ id }) => id),
      MAX_NAMED,
    );
  return probe(
    'Outbox',
    messages === 0 ? 'every message is delivered' : `${says}, all on their way`,
    {
      [`? ${says}, Slack takes none for ${named(held)} now, next try within ${soon} → ${FIX.held}`]:
        held.length > 0,
      [`? ${says}, most for ${named(full)} → ${FIX.full}`]: full.length > 0,
    },
  );
}

/** Section 4 of the design: three failed polls in a row are an outage. */
const OUTAGE_FAILURES = 3;
/** The platform has 30 s for a slow list. Milliseconds. */
const GRACE_MS = 30_000;
/** Multiples of the idle interval after which a poll is late, and after which it has stopped. */
const LATE = 2;
const LOST = 5;

export function createPollCheck(
  { redis, keys, clock, config }: CheckServices<'redis' | 'keys' | 'clock', 'polling'>,
  watches: Pick<Watches, 'all'>,
): Check {
  return checkOf(
    'Watches',
    async () =>
      Promise.all(
        watchedGvcs(await watches.all()).map(async ({ org, gvc }) => {
          return { org, gvc, poll: await readPollStatus(redis, keys, org, gvc) };
        }),
      ),
    (polled) => pollProbes(polled, config.polling.idleMs, clock.now()),
  );
}

type PolledGvc = WatchedGvc & { readonly poll: PollStatus };

/** Healthy GVCs share one finding. @param now ms since the epoch, as the times of the polls */
export function pollProbes(
  polled: readonly PolledGvc[],
  idleMs: number,
  now: number,
): readonly Probe[] {
  const probes = polled.map((one) => pollProbe(one, idleMs, now));
  const fine = polled.filter((_, index) => isWell(probes[index] ?? probe('', false)));
  const oldest = Math.max(1_000, ...fine.map(({ poll }) => now - poll.at));
  const says = `${plural(fine.length, 'GVC')} read within the last ${formatDuration(oldest)}`;
  return [...probes, probe('Polls', fine.length > 0 && says)];
}

function pollProbe({ org, gvc, poll }: PolledGvc, idleMs: number, now: number): Probe {
  const { at, failures, skipped, notBefore, error } = poll;
  const last = at === 0 ? 'it was never read' : `it was last read ${formatDuration(now - at)} ago`;
  const failing = `${last}, and ${plural(failures, 'poll')} failed since: ${withoutStop(error)}`;
  const overdue = now - Math.max(at, notBefore) - GRACE_MS;
  return probe(`GVC ${org}/${gvc}`, false, {
    [`! ${failing} → ${FIX.poll}`]: failures >= OUTAGE_FAILURES,
    [`? ${failing} → ${FIX.poll}`]: failures > 0,
    [`? it has not been read yet → ${FIX.wait}`]: at === 0,
    [`! ${last}, but is due every ${formatDuration(idleMs)} → ${CHECK_WORKER}`]:
      overdue > LOST * idleMs,
    [`? ${last}, which is late → ${FIX.wait}`]: overdue > LATE * idleMs,
    [`? ${plural(skipped, 'deployment')} in it cannot be read → ${FIX.list}`]: skipped > 0,
  });
}
