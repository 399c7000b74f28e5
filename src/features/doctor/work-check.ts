import type { Changes } from '../../changes/store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Clock } from '../../lib/clock.ts';
import { holdKey } from '../../notify/holds.ts';
import type { Keys } from '../../store/keys.ts';
import type { RedisConnection } from '../../store/redis.ts';
import type { Check } from './check.ts';
import { judgeChanges, judgeOutbox, judgeQueues, judgeWorker } from './work-judge.ts';
import type { DueChanges, WaitingChannel } from './work-judge.ts';

export interface WorkCheckDeps {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly jobs: Pick<Jobs, 'look'>;
  readonly changes: Pick<Changes, 'due' | 'get'>;
  readonly clock: Clock;
}

const DAY_MS = 24 * 3_600_000;
/** A change waits for its turn, and for a platform that is away, without anything being wrong. */
const OVERDUE_MS = 5 * 60_000;
/** Changes that are read one by one. */
const MAX_READ = 50;

/** Whether what is to happen by itself happens: jobs, messages, changes. */
export function createWorkCheck(deps: WorkCheckDeps): Check {
  const { redis, keys, jobs, clock } = deps;
  return {
    area: 'Work',
    async look() {
      const now = clock.now();
      const [beats, queues, channels, due] = await Promise.all([
        redis.exists(keys.beat),
        jobs.look({ now, failedSince: now - DAY_MS }),
        readOutbox(deps),
        readDue(deps, now),
      ]);
      return [
        judgeWorker(beats === 1),
        ...judgeQueues(queues),
        judgeOutbox(channels),
        ...judgeChanges(due),
      ];
    },
  };
}

async function readOutbox({ redis, keys }: WorkCheckDeps): Promise<WaitingChannel[]> {
  const ids = await redis.smembers(keys.outboxChannels);
  const channels = await Promise.all(
    ids.map(async (id) => {
      const [messages, held] = await Promise.all([
        redis.zcard(keys.outbox(id)),
        redis.pttl(holdKey(keys, id, 'post')),
      ]);
      return { id, messages, heldMs: Math.max(0, held) };
    }),
  );
  return channels.filter(({ messages }) => messages > 0);
}

async function readDue({ changes }: WorkCheckDeps, now: number): Promise<DueChanges> {
  const ids = await changes.due(now - OVERDUE_MS);
  const unreadable = await Promise.all(
    ids.slice(0, MAX_READ).map((id) =>
      changes.get(id).then(
        () => [],
        () => [id],
      ),
    ),
  );
  return { late: ids.length, unreadable: unreadable.flat() };
}
