import { plural } from '../../lib/text.ts';
import { readRedisFacts, type RedisFacts, type RedisNodeFacts } from '../../store/redis.ts';
import {
  broken,
  compact,
  doubtful,
  well,
  type Check,
  type CheckServices,
  type Finding,
} from './check.ts';

const SLOW_MS = 250;
/** Shares of maxmemory: from the first on it gets narrow, from the second on writes are about to fail. */
const NARROW = 0.8;
const FULL = 0.97;
const MB = 1_048_576;

const FIX = {
  away: 'check REDIS_URL, its password, and that Redis runs',
  slow: 'move Redis closer to Purser, and look for what slows it: `SLOWLOG GET`',
  version: 'use Redis 6.2 or newer, or Valkey',
  replica: 'name the primary in REDIS_URL',
  alone: 'name two or more nodes in REDIS_URL, divided by commas',
  cluster: 'repair the cluster: `redis-cli --cluster check`',
  policy:
    '`CONFIG SET maxmemory-policy noeviction`, and the same in `redis.conf` or in the settings of the service',
  memory: 'give Redis more memory (`maxmemory`): when it is full, it takes no writes',
  append:
    '`CONFIG SET appendonly yes`, and `appendonly yes` with `appendfsync everysec` in `redis.conf`',
  disk: 'read the log of Redis, and check that its disk has room and its folder can be written',
};

/** What Purser keeps is in Redis alone: that it answers, keeps everything, and keeps it over a restart. */
export function createRedisCheck(services: CheckServices<'redis' | 'stopwatch', 'redis'>): Check {
  const { redis, stopwatch, config } = services;
  return {
    area: 'Redis',
    run: () =>
      readRedisFacts(redis, () => stopwatch.elapsed()).then(
        (facts) => judgeRedis(facts, config.redis.cluster),
        () => [broken('Redis', 'it does not answer', FIX.away)],
      ),
  };
}

/** @param cluster REDIS_URL names several nodes */
export function judgeRedis({ pingMs, nodes }: RedisFacts, cluster: boolean): readonly Finding[] {
  const ms = Math.max(1, Math.round(pingMs));
  const version = nodes[0]?.version ?? 'version unknown';
  const kind = cluster ? `, cluster of ${plural(nodes.length, 'node')}` : '';
  return [
    ms <= SLOW_MS
      ? well('Server', `${version}${kind}, answers in ${ms} ms`)
      : doubtful('Server', `it takes ${ms} ms to answer`, FIX.slow),
    ...nodes.flatMap((node, index) => {
      const suffix = nodes.length > 1 ? `, node ${index + 1} of ${nodes.length}` : '';
      return judgeNode(node, cluster).map((one) => ({ ...one, what: `${one.what}${suffix}` }));
    }),
  ];
}

function judgeNode(node: RedisNodeFacts, cluster: boolean): Finding[] {
  const { version = '', role, lastSave = 'ok' } = node;
  const [, major = Infinity, minor = 0] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const isOld = major < 6 || (major === 6 && minor < 2);
  const unsaved = `the last one failed (${lastSave}): by default Redis takes no writes then`;
  return compact([
    isOld && broken('Version', `it is ${version}, which is too old`, FIX.version),
    role === 'slave'
      ? broken('Role', 'it is a replica, which takes no writes', FIX.replica)
      : judgeCluster(node, cluster),
    judgeEviction(node),
    judgeMemory(node),
    judgeAppending(node),
    lastSave !== 'ok' && broken('Snapshot', unsaved, FIX.disk),
  ]);
}

function judgeCluster({ clustered, clusterState = 'ok' }: RedisNodeFacts, cluster: boolean) {
  if (clustered !== true) return undefined;
  if (!cluster)
    return broken(
      'Cluster',
      'it is a node of a cluster, but REDIS_URL names no other node',
      FIX.alone,
    );
  return clusterState !== 'ok' && broken('Cluster', `its state is ${clusterState}`, FIX.cluster);
}

function judgeEviction({ policy, maxBytes }: RedisNodeFacts): Finding {
  const what = 'maxmemory-policy';
  if (policy === undefined) return notTold(what, 'it has to be `noeviction`');
  if (policy === 'noeviction') return well(what, policy);
  // Without a limit the memory is never full in the eyes of Redis.
  if (maxBytes === 0)
    return doubtful(
      what,
      `it is ${policy}: with a maxmemory, Redis would throw keys away`,
      FIX.policy,
    );
  const says = `it is ${policy}: Redis throws keys away when it is full, and with them watches, messages and changes`;
  return broken(what, says, FIX.policy);
}

function judgeMemory({ usedBytes, maxBytes = 0 }: RedisNodeFacts): Finding | undefined {
  if (usedBytes === undefined || maxBytes === 0) return undefined;
  const share = usedBytes / maxBytes;
  const says = `${Math.round(share * 100)} % of ${Math.round(maxBytes / MB)} MB in use`;
  if (share <= NARROW) return well('Memory', says);
  return (share >= FULL ? broken : doubtful)('Memory', says, FIX.memory);
}

function judgeAppending({ appendOnly, lastAppend = 'ok' }: RedisNodeFacts): Finding {
  const what = 'Append-only file';
  if (appendOnly === undefined) return notTold(what, '`appendonly` has to be `yes`');
  const gone = 'a restart of Redis loses what was written last, watches and changes included';
  if (!appendOnly) return doubtful(what, `AOF is off: ${gone}`, FIX.append);
  if (lastAppend === 'ok') return well(what, 'AOF is on');
  return broken(what, `AOF is on, but its last write failed (${lastAppend})`, FIX.disk);
}

function notTold(what: string, rule: string): Finding {
  const says = 'Redis does not say: the user of REDIS_URL may not ask';
  return doubtful(what, says, `allow that user \`INFO\`, or check it yourself: ${rule}`);
}
