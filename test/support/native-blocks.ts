import { createLogger } from '../../src/lib/logger.ts';
import { createNativeBlocks, type NativeBlocks } from '../../src/slack/native-blocks.ts';
import type { HomeVersions } from '../../src/slack/home-versions.ts';
import { createKeys, type RedisConnection } from '../../src/store/redis.ts';

/** With a memory of its own in place of Redis, as the surfaces in it that take no native blocks. */
export function nativeBlocks(plain = new Set<string>()): NativeBlocks {
  const redis = {
    exists: async (key: string) => Number(plain.has(key)),
    set: async (key: string) => void plain.add(key),
  } as unknown as RedisConnection;
  const logger = createLogger({ level: 'silent', secrets: [] });
  return createNativeBlocks({ redis, keys: createKeys('test'), logger });
}

/** For a home tab that one process alone draws. */
export const NO_VERSIONS: HomeVersions = {
  get: () => Promise.resolve(undefined),
  set: () => Promise.resolve(),
};
