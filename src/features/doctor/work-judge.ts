import type { QueueLook } from '../../jobs/look.ts';
import { formatDuration, plural } from '../../lib/text.ts';
import type { Finding } from './check.ts';
import { broken, doubtful, listed, well } from './findings.ts';

/** A channel whose messages wait. */
export interface WaitingChannel {
  readonly id: string;
  readonly messages: number;
  /** For how long nothing is tried there, in milliseconds; 0: nobody holds it back. */
  readonly heldMs: number;
}

export interface DueChanges {
  /** How many were to go on long ago, and did not. */
  readonly late: number;
  /** Their ids, of those that cannot be read. */
  readonly unreadable: readonly string[];
}

const WORKER_FIX =
  'start a process with ROLE=worker (or all), and look into its log and at its /readyz';

/** @param beats a worker has reported within the last 30 s */
export function judgeWorker(beats: boolean): Finding {
  return beats
    ? well('Worker', 'one is running')
    : broken(
        'Worker',
        'none has reported within 30 s: nothing is polled, posted or carried out',
        WORKER_FIX,
      );
}

/** Milliseconds. */
const SLOW_MS = 60_000;
const STUCK_MS = 5 * 60_000;

export function judgeQueues(queues: readonly QueueLook[]): readonly Finding[] {
  const troubles = queues.flatMap(judgeQueue);
  if (troubles.length > 0) return troubles;
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  return [
    well(
      'Queues',
      waiting === 0 ? 'no job waits' : `${plural(waiting, 'job')} wait, none for long`,
    ),
  ];
}

function judgeQueue({ queue, waiting, oldestMs = 0, failed }: QueueLook): Finding[] {
  const what = `Queue ${queue}`;
  const late = `${plural(waiting, 'job')} ${waiting === 1 ? 'waits' : 'wait'}, the first for ${formatDuration(oldestMs)}`;
  return [
    ...(oldestMs >= STUCK_MS ? [broken(what, late, WORKER_FIX)] : []),
    ...(oldestMs >= SLOW_MS && oldestMs < STUCK_MS
      ? [doubtful(what, late, 'give Purser another worker (ROLE=worker), if it stays so')]
      : []),
    ...(failed > 0
      ? [
          doubtful(
            what,
            `${plural(failed, 'job')} failed within a day`,
            'look into the log of Purser for "A job failed"; what runs by itself is tried again',
          ),
        ]
      : []),
  ];
}

/** Messages of one channel from which on more is told than it takes. */
const MANY = 100;
const MAX_NAMED = 3;

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
  return listed(
    channels.map(({ id }) => id),
    MAX_NAMED,
  );
}

export function judgeChanges({ late, unreadable }: DueChanges): readonly Finding[] {
  const what = 'Changes';
  if (late === 0) return [well(what, 'none is overdue')];
  return [
    ...(unreadable.length > 0
      ? [
          broken(
            what,
            `${plural(unreadable.length, 'change')} cannot be read: ${listed(unreadable, MAX_NAMED)}`,
            'run the version of Purser that made them, or restore Redis; the audit (/changes) still has them',
          ),
        ]
      : []),
    ...(late > unreadable.length
      ? [
          broken(
            what,
            `${plural(late - unreadable.length, 'change')} should have gone on more than 5 min ago`,
            WORKER_FIX,
          ),
        ]
      : []),
  ];
}
