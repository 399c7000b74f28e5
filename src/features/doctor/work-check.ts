import type { ChangeStore } from '../../changes/store.ts';
import type { QueueStatus } from '../../jobs/jobs.ts';
import { formatDuration, plural } from '../../lib/text.ts';
import type { Services } from '../../services.ts';
import { broken, compact, doubtful, listed, well } from './check.ts';
import type { Check, Finding } from './check.ts';

/** A channel whose messages wait. */
interface WaitingChannel {
  readonly id: string;
  readonly messages: number;
  /** For how long nothing is tried there, in milliseconds; 0: it is not held back. */
  readonly heldMs: number;
}

interface OverdueChanges {
  readonly count: number;
  /** The ids of those that cannot be read. */
  readonly unreadable: readonly string[];
}

type ChangesReader = Pick<ChangeStore, 'due' | 'get'>;

const DAY_MS = 24 * 3_600_000;
/** A change waits for its turn, and for a platform that is away, without anything being wrong. */
const OVERDUE_MS = 5 * 60_000;
/** Changes that are read one by one. */
const MAX_READ = 50;
const MAX_NAMED = 3;

const WORKER_FIX =
  'start a process with ROLE=worker (or all), and look into its log and at its /readyz';

/** Whether what is to happen by itself happens: jobs, messages, changes. */
export function createWorkCheck(
  services: Pick<Services, 'redis' | 'keys' | 'clock'> & {
    jobs: Pick<Services['jobs'], 'inspect'>;
  },
  changes: ChangesReader,
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

async function readOutbox({
  redis,
  keys,
}: Pick<Services, 'redis' | 'keys'>): Promise<WaitingChannel[]> {
  const ids = await redis.smembers(keys.outboxChannels);
  const channels = await Promise.all(
    ids.map(async (id) => {
      const [messages, held] = await Promise.all([
        redis.zcard(keys.outbox(id)),
        redis.pttl(keys.channelBackoff(id, 'post')),
      ]);
      return { id, messages, heldMs: Math.max(0, held) };
    }),
  );
  return channels.filter(({ messages }) => messages > 0);
}

async function readOverdue(changes: ChangesReader, now: number): Promise<OverdueChanges> {
  const ids = await changes.due(now - OVERDUE_MS);
  const read = ids.slice(0, MAX_READ).map((id) =>
    changes.get(id).then(
      () => [],
      () => [id],
    ),
  );
  return { count: ids.length, unreadable: (await Promise.all(read)).flat() };
}

/** @param isAlive a worker has reported within the last 30 s */
export function judgeWorker(isAlive: boolean): Finding {
  if (isAlive) return well('Worker', 'one is running');
  const says = 'none has reported within 30 s: nothing is polled, posted or carried out';
  return broken('Worker', says, WORKER_FIX);
}

/** How long the first job of a queue may wait, in milliseconds. */
const SLOW_MS = 60_000;
const STUCK_MS = 5 * 60_000;

export function judgeQueues(queues: readonly QueueStatus[]): readonly Finding[] {
  const troubles = queues.flatMap(judgeQueue);
  if (troubles.length > 0) return troubles;
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const says = waiting === 0 ? 'no job waits' : `${plural(waiting, 'job')} wait, none for long`;
  return [well('Queues', says)];
}

function judgeQueue({ queue, waiting, oldestMs = 0, failed }: QueueStatus): Finding[] {
  const what = `Queue ${queue}`;
  const late = `${plural(waiting, 'job')} ${waiting === 1 ? 'waits' : 'wait'}, the first for ${formatDuration(oldestMs)}`;
  return compact([
    oldestMs >= STUCK_MS && broken(what, late, WORKER_FIX),
    oldestMs >= SLOW_MS &&
      oldestMs < STUCK_MS &&
      doubtful(what, late, 'give Purser another worker (ROLE=worker), if it stays so'),
    failed > 0 &&
      doubtful(
        what,
        `${plural(failed, 'job')} failed within a day`,
        'look into the log of Purser for "A job failed"; what runs by itself is tried again',
      ),
  ]);
}

/** Messages of one channel from which on more is told than it takes. */
const MANY = 100;

export function judgeOutbox(channels: readonly WaitingChannel[]): Finding {
  const what = 'Outbox';
  const messages = channels.reduce((sum, channel) => sum + channel.messages, 0);
  if (messages === 0) return well(what, 'every message is delivered');
  const held = channels.filter(({ heldMs }) => heldMs > 0);
  const full = channels.filter(({ messages: own }) => own >= MANY);
  const says = `${plural(messages, 'message')} wait for ${plural(channels.length, 'channel')}`;
  if (held.length > 0) {
    const soon = Math.max(...held.map(({ heldMs }) => heldMs));
    return doubtful(
      what,
      `${says}, and Slack takes none now for ${namesOf(held)}: next try within ${formatDuration(Math.max(1_000, soon))}`,
      'it goes on by itself; if not, mend what is said here about Slack’s token, scopes and channels',
    );
  }
  if (full.length > 0) {
    return doubtful(
      what,
      `${says}, most for ${namesOf(full)}`,
      'Slack takes about one message a second and channel: narrow the watches there (only, quiet), or spread them',
    );
  }
  return well(what, `${says}, which are under way`);
}

function namesOf(channels: readonly WaitingChannel[]): string {
  const names = channels.map(({ id }) => id);
  return listed(names, MAX_NAMED);
}

export function judgeChanges({ count, unreadable }: OverdueChanges): readonly Finding[] {
  const what = 'Changes';
  if (count === 0) return [well(what, 'none is overdue')];
  const stuck = count - unreadable.length;
  return compact([
    unreadable.length > 0 &&
      broken(
        what,
        `${plural(unreadable.length, 'change')} cannot be read: ${listed(unreadable, MAX_NAMED)}`,
        'run the version of Purser that made them, or restore Redis; the audit (/changes) still has them',
      ),
    stuck > 0 &&
      broken(
        what,
        `${plural(stuck, 'change')} should have gone on more than 5 min ago`,
        WORKER_FIX,
      ),
  ]);
}
