import { record } from '../metrics.ts';
import { readRedisTime, type Keys, type RedisConnection } from '../store/redis.ts';

/** Messages at the head of each channel's outbox whose age is read: one that failed often is moved to the end. */
const HEAD = 50;

/** Reads the waiting messages of all channels, for the metrics. */
export async function measureOutbox({
  redis,
  keys,
}: {
  readonly redis: RedisConnection;
  readonly keys: Keys;
}): Promise<void> {
  const [channels, now] = await Promise.all([
    redis.smembers(keys.outboxChannels),
    readRedisTime(redis),
  ]);
  const all = await Promise.all(
    channels.map(async (channel) => {
      const outbox = keys.outbox(channel);
      const [waiting, head] = await Promise.all([
        redis.zcard(outbox),
        redis.zrange(outbox, '0', String(HEAD - 1)),
      ]);
      const wanted = await Promise.all(
        head.map((key) => redis.hget(keys.message(channel, key), 'wantedAt')),
      );
      return { waiting, wanted: wanted.filter((at) => at !== null).map(Number) };
    }),
  );
  const oldest = Math.min(now, ...all.flatMap(({ wanted }) => wanted));
  record.outboxMessages.set(
    {},
    all.reduce((sum, { waiting }) => sum + waiting, 0),
  );
  record.outboxOldest.set({}, Math.max(0, now - oldest) / 1_000);
}
