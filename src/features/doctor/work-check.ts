import type { ChangeStore } from '../../changes/store.ts';
import type { QueueStatus } from '../../jobs/jobs.ts';
import { formatDuration, plural, withoutStop } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import { readPollStatus, type PollStatus } from '../../rollouts/gvc-store.ts';
import { watchedGvcs, type WatchedGvc, type Watches } from '../../rollouts/watches.ts';
import type { Services } from '../../services.ts';
import {
  broken,
  compact,
  doubtful,
  listed,
  RUN_AGAIN,
  well,
  type Check,
  type CheckServices,
  type Finding,
} from './doctor-view.ts';

/** A change may wait this long, for its turn or for a platform that is away, without being a problem. */
const OVERDUE_MS = 5 * 60_000;
const MAX_READ = 50;
const MAX_NAMED = 3;
/** Waiting time of the first job of a queue, in milliseconds. */
const SLOW_MS = 60_000;
const STUCK_MS = 5 * 60_000;
/** From this many waiting messages on, a channel receives more than it can take. */
const MANY = 100;

const FIX = {
  worker: 'start a process with `ROLE=worker` (or `all`), and look at its log and its `/readyz`',
  slow: 'if it stays slow, start another worker (`ROLE=worker`)',
  failed: 'search Purser’s log for `A job failed`; regular jobs are tried again by themselves',
  held: 'it goes on by itself; if not, fix what is said here about Slack’s token, scopes and channels',
  full: 'narrow the watches of that channel (`only`, `quiet`) or spread them: a channel takes about one message a second',
  changes:
    'run the version of Purser that made them, or restore Redis; the audit (`/changes`) still has them',
  poll: 'check its name in the watch, the org’s key in ORG_TOKENS, and what is said of the platform here',
  list: 'search Purser’s log for `Deployments could not be read`',
};

export function createWorkCheck(
  services: Pick<Services, 'redis' | 'keys' | 'clock'> & {
    jobs: Pick<Services['jobs'], 'inspect'>;
  },
  changes: Pick<ChangeStore, 'due' | 'get'>,
): Check {
  const { redis, keys, jobs, clock } = services;
  return {
    area: 'Work',
    async run() {
      const now = clock.now();
      const [heartbeats, queues, channels, overdue] = await Promise.all([
        redis.exists(keys.heartbeat),
        jobs.inspect({ now, failedSince: now - DAY_MS }),
        readOutbox(services),
        readOverdue(changes, now),
      ]);
      return [
        judgeWorker(heartbeats === 1),
        ...judgeQueues(queues),
        judgeOutbox(channels),
        ...judgeChanges(overdue),
      ];
    },
  };
}

async function readOutbox({ redis, keys }: Pick<Services, 'redis' | 'keys'>) {
  const ids = await redis.smembers(keys.outboxChannels);
  const channels = await Promise.all(
    ids.map(async (id) => {
      const [messages, heldMs] = await Promise.all([
        redis.zcard(keys.outbox(id)),
        redis.pttl(keys.channelBackoff(id, 'post')),
      ]);
      // Remaining backoff of the channel in ms; 0: not held back.
      return { id, messages, heldMs: Math.max(0, heldMs) };
    }),
  );
  return channels.filter(({ messages }) => messages > 0);
}

/** @param now ms since the epoch */
async function readOverdue(changes: Pick<ChangeStore, 'due' | 'get'>, now: number) {
  const due = await changes.due(now - OVERDUE_MS);
  const some = due.slice(0, MAX_READ);
  const read = await Promise.allSettled(some.map((id) => changes.get(id)));
  const unreadable = some.filter((_, index) => read[index]?.status === 'rejected');
  return { count: due.length, unreadable };
}

type WaitingChannel = Awaited<ReturnType<typeof readOutbox>>[number];

/** @param isAlive a worker has reported within the last 30 s */
export function judgeWorker(isAlive: boolean): Finding {
  if (isAlive) return well('Worker', 'one is running');
  const says = 'none has reported within 30 s, so nothing is polled, posted or carried out';
  return broken('Worker', says, FIX.worker);
}

export function judgeQueues(queues: readonly QueueStatus[]): readonly Finding[] {
  const troubles = queues.flatMap(judgeQueue);
  if (troubles.length > 0) return troubles;
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const says = waiting === 0 ? 'no job waits' : `${plural(waiting, 'job')} waiting, none for long`;
  return [well('Queues', says)];
}

function judgeQueue({ queue, waiting, oldestMs = 0, failed }: QueueStatus): Finding[] {
  const what = `Queue ${queue}`;
  const late = `${plural(waiting, 'job')} waiting, the first for ${formatDuration(oldestMs)}`;
  return compact([
    oldestMs >= STUCK_MS && broken(what, late, FIX.worker),
    oldestMs >= SLOW_MS && oldestMs < STUCK_MS && doubtful(what, late, FIX.slow),
    failed > 0 && doubtful(what, `${plural(failed, 'job')} failed within a day`, FIX.failed),
  ]);
}

export function judgeOutbox(channels: readonly WaitingChannel[]): Finding {
  const what = 'Outbox';
  const messages = channels.reduce((sum, channel) => sum + channel.messages, 0);
  if (messages === 0) return well(what, 'every message is delivered');
  const says = `${plural(messages, 'message')} waiting for ${plural(channels.length, 'channel')}`;
  const held = channels.filter(({ heldMs }) => heldMs > 0);
  if (held.length > 0) {
    const soon = formatDuration(Math.max(1_000, ...held.map(({ heldMs }) => heldMs)));
    const none = `Slack takes none for ${namesOf(held)} now, next try within ${soon}`;
    return doubtful(what, `${says}, ${none}`, FIX.held);
  }
  const full = channels.filter((channel) => channel.messages >= MANY);
  if (full.length === 0) return well(what, `${says}, all on their way`);
  return doubtful(what, `${says}, most for ${namesOf(full)}`, FIX.full);
}

function namesOf(channels: readonly WaitingChannel[]): string {
  const names = channels.map(({ id }) => id);
  return listed(names, MAX_NAMED);
}

/** @param overdue their number, and the ids of those that cannot be read */
export function judgeChanges(overdue: {
  readonly count: number;
  readonly unreadable: readonly string[];
}): readonly Finding[] {
  const what = 'Changes';
  const { count, unreadable } = overdue;
  if (count === 0) return [well(what, 'none is overdue')];
  const stuck = count - unreadable.length;
  const late = `${plural(stuck, 'change')} should have gone on more than 5 min ago`;
  const lost = `${plural(unreadable.length, 'change')} cannot be read: ${listed(unreadable, MAX_NAMED)}`;
  return compact([
    unreadable.length > 0 && broken(what, lost, FIX.changes),
    stuck > 0 && broken(what, late, FIX.worker),
  ]);
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
  return {
    area: 'Watches',
    async run() {
      const polled = watchedGvcs(await watches.all()).map(async ({ org, gvc }) => {
        return { org, gvc, poll: await readPollStatus(redis, keys, org, gvc) };
      });
      return judgePolls(await Promise.all(polled), config.polling.idleMs, clock.now());
    },
  };
}

type PolledGvc = WatchedGvc & { readonly poll: PollStatus };

/** Healthy GVCs share one finding. @param now ms since the epoch, as the times of the polls */
export function judgePolls(
  polled: readonly PolledGvc[],
  idleMs: number,
  now: number,
): readonly Finding[] {
  const judged = polled.map((one) => judgePoll(one, idleMs, now));
  const fine = polled.filter((_, index) => judged[index] === false);
  const oldest = Math.max(1_000, ...fine.map(({ poll }) => now - poll.at));
  const says = `${plural(fine.length, 'GVC')} read within the last ${formatDuration(oldest)}`;
  return compact([...judged, fine.length > 0 && well('Polls', says)]);
}

const CHECK_WORKER = 'check that a worker runs and that the queues move';
const WAIT_AND_CHECK = `${RUN_AGAIN}; if nothing changes, ${CHECK_WORKER}`;

/** False when healthy. */
function judgePoll({ org, gvc, poll }: PolledGvc, idleMs: number, now: number) {
  const what = `GVC ${org}/${gvc}`;
  const { at, failures, skipped, notBefore, error } = poll;
  const last = at === 0 ? 'it was never read' : `it was last read ${formatDuration(now - at)} ago`;
  if (failures > 0) {
    const since = `${plural(failures, 'poll')} failed since: ${withoutStop(error)}`;
    return (failures < OUTAGE_FAILURES ? doubtful : broken)(
      what,
      `${last}, and ${since}`,
      FIX.poll,
    );
  }
  if (at === 0) return doubtful(what, 'it has not been read yet', WAIT_AND_CHECK);
  const overdue = now - Math.max(at, notBefore) - GRACE_MS;
  if (overdue > LOST * idleMs)
    return broken(what, `${last}, but is due every ${formatDuration(idleMs)}`, CHECK_WORKER);
  if (overdue > LATE * idleMs) return doubtful(what, `${last}, which is late`, WAIT_AND_CHECK);
  const unread = `${plural(skipped, 'deployment')} in it cannot be read`;
  return skipped > 0 && doubtful(what, unread, FIX.list);
}
