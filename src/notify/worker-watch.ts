import { formatDuration } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import type { Logger } from '../lib/logger.ts';
import { record } from '../metrics.ts';
import { section, sign } from '../slack/kit/blocks.ts';
import { contentOf } from '../slack/kit/message-text.ts';
import { code, moment, mrkdwn } from '../slack/kit/text.ts';
import type { Keys, RedisConnection } from '../store/redis.ts';
import type { Message, MessageContent, MessageSender } from './message.ts';

/** A shorter absence, such as that of a restart, is not reported. Milliseconds. */
const PATIENCE_MS = 2 * 60_000;
const EVERY_MS = 10_000;
/** A process that ends while it posts leaves the message to another one after this time. Milliseconds. */
const POSTING_MS = 60_000;
const NUMBER = '@worker/none';

interface WorkerWatchDeps {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly sender: Pick<MessageSender, 'post' | 'update'>;
  readonly opsChannel: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called every few seconds without a worker. */
  readonly whileNone: () => Promise<void>;
  readonly times?: { readonly patienceMs: number; readonly everyMs: number };
}

export type WorkerWatch = ReturnType<typeof createWorkerWatch>;

/**
 * For a process without workers: reports once when no process with workers has been running for two minutes, or ever,
 * and again when one is back. It posts to Slack directly, because the outbox is delivered by workers.
 */
export function createWorkerWatch(deps: WorkerWatchDeps) {
  const { redis, keys, clock, logger, whileNone } = deps;
  const { patienceMs, everyMs } = deps.times ?? { patienceMs: PATIENCE_MS, everyMs: EVERY_MS };
  const notice = createNotice(deps);
  let seenAt = clock.now();
  let timer: NodeJS.Timeout | undefined;

  const absentMs = (): number => clock.now() - seenAt;

  async function check(): Promise<void> {
    if ((await redis.exists(keys.heartbeat)) === 1) {
      seenAt = clock.now();
      await notice.end(seenAt);
    } else if (absentMs() >= patienceMs) {
      await notice.begin(seenAt);
      await whileNone();
    }
  }

  return {
    start(): void {
      timer = setInterval(() => {
        check().catch((error: unknown) => {
          logger.warn({ err: error }, 'Whether a worker is running is not known');
        });
      }, everyMs).unref();
    },
    stop: (): void => clearInterval(timer),
    check,
    /** "none for 2 min"; undefined while a worker is running, or was a moment ago. */
    absence(): string | undefined {
      return absentMs() < patienceMs ? undefined : `none for ${formatDuration(absentMs())}`;
    },
  };
}

/** Reads when a worker last reported, for the metrics. Without one the age counts from the start of this process. */
export async function measureHeartbeat({
  redis,
  keys,
  clock,
}: Pick<WorkerWatchDeps, 'redis' | 'keys' | 'clock'>): Promise<void> {
  const at = await redis.get(keys.lastHeartbeat);
  const ageMs = at === null ? process.uptime() * 1_000 : clock.now() - Number(at);
  record.heartbeatAge.set({}, Math.max(0, ageMs) / 1_000);
}

/** One message for all processes, by a key in Redis: `<number> <ms since the epoch> <ts>`. */
function createNotice({ redis, keys, sender, opsChannel }: WorkerWatchDeps) {
  const messageOf = (number: string, content: MessageContent): Message => ({
    channel: opsChannel,
    key: `${NUMBER}/${number}`,
    ...content,
  });

  return {
    async begin(since: number): Promise<void> {
      if ((await redis.set(keys.noWorker, '', 'PX', POSTING_MS, 'NX')) !== 'OK') return;
      const number = String(await redis.hincrby(keys.numbers, NUMBER, 1));
      const sent = await sender.post(messageOf(number, absentContent(since)), undefined);
      if (sent.kind === 'sent') await redis.set(keys.noWorker, `${number} ${since} ${sent.ts}`);
    },
    async end(now: number): Promise<void> {
      const [number, since, ts] = ((await redis.get(keys.noWorker)) ?? '').split(' ');
      if (number === undefined || ts === undefined) return;
      await sender.update(messageOf(number, presentContent(Number(since), now)), ts);
      await redis.del(keys.noWorker);
    },
  };
}

const NONE = mrkdwn`No worker of Purser is running`;

/** @param since ms since the epoch */
export function absentContent(since: number): MessageContent {
  const effect = mrkdwn`Nothing is watched or posted, and approved changes wait: they are refused 15 minutes after their approval.`;
  const next = mrkdwn`→ Start a process with ${code('ROLE=worker')} or ${code('all')}; if there is one, look at its log`;
  return contentOf([
    section(mrkdwn`${sign('wrong')} *${NONE}* since ${moment(since)}\n${effect}\n${next}`),
  ]);
}

/** @param since both in ms since the epoch */
export function presentContent(since: number, now: number): MessageContent {
  const [back, after] = ['A worker of Purser is running again', formatDuration(now - since)];
  return contentOf([section(mrkdwn`${sign('good')} *${back}* after ${after}.`)]);
}
