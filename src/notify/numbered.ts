import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';

/** A key that was never used: the name with the next number of its own, `name/<n>`, from 1 on. */
export async function numbered(redis: RedisConnection, keys: Keys, name: string): Promise<string> {
  return `${name}/${await redis.hincrby(keys.numbers, name, 1)}`;
}
