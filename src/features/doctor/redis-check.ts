import type { RedisFacts } from '../../store/redis-facts.ts';
import type { Check } from './check.ts';
import { broken } from './findings.ts';
import { judgeRedis } from './redis-judge.ts';

export interface RedisCheckDeps {
  /** @throws when Redis does not answer */
  readonly facts: () => Promise<RedisFacts>;
  /** REDIS_URL names several nodes. */
  readonly cluster: boolean;
}

/** What Purser keeps is in Redis alone: that it answers, keeps everything, and keeps it over a restart. */
export function createRedisCheck({ facts, cluster }: RedisCheckDeps): Check {
  return {
    area: 'Redis',
    async look() {
      let known: RedisFacts;
      try {
        known = await facts();
      } catch {
        return [
          broken(
            'Redis',
            'it does not answer',
            'check REDIS_URL, its password, and that Redis runs',
          ),
        ];
      }
      return judgeRedis(known, cluster);
    },
  };
}
