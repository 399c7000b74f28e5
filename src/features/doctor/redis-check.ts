import { plural } from '../../lib/text.ts';
import { readRedisFacts } from '../../store/redis.ts';
import type { RedisFacts, RedisNodeFacts } from '../../store/redis.ts';
import { broken, compact, doubtful, well } from './check.ts';
import type { Check, CheckServices, Finding } from './check.ts';

const SLOW_MS = 250;
/** Shares of maxmemory: from the first on it gets narrow, from the second on writes are about to fail. */
const NARROW = 0.8;
const FULL = 0.97;
const MB = 1_048_576;

/** What Purser keeps is in Redis alone: that it answers, keeps everything, and keeps it over a restart. */
export function createRedisCheck({
  redis,
  stopwatch,
  config,
}: CheckServices<'redis' | 'stopwatch', 'redis'>): Check {
  return {
    area: 'Redis',
    async run() {
      const facts = await readRedisFacts(redis, () => stopwatch.elapsed()).catch(() => undefined);
      if (facts !== undefined) return judgeRedis(facts, config.redis.cluster);
      const fix = 'check REDIS_URL, its password, and that Redis runs';
      return [broken('Redis', 'it does not answer', fix)];
    },
  };
}

/** @param cluster REDIS_URL names several nodes */
export function judgeRedis({ pingMs, nodes }: RedisFacts, cluster: boolean): readonly Finding[] {
  const several = nodes.length > 1;
  return [
    judgePing(pingMs, nodes, cluster),
    ...nodes.flatMap((node, index) => {
      const suffix = several ? `, node ${index + 1} of ${nodes.length}` : '';
      return judgeNode(node, cluster).map((one) => ({ ...one, what: `${one.what}${suffix}` }));
    }),
  ];
}

function judgePing(pingMs: number, nodes: RedisFacts['nodes'], cluster: boolean): Finding {
  const ms = Math.max(1, Math.round(pingMs));
  const version = nodes[0]?.version ?? 'of a version that it does not tell';
  const kind = cluster ? `, cluster of ${plural(nodes.length, 'node')}` : '';
  if (ms <= SLOW_MS) return well('Server', `${version}${kind}, answers in ${ms} ms`);
  const fix = 'put Redis near Purser, and look whether it is overloaded (SLOWLOG GET)';
  return doubtful('Server', `it takes ${ms} ms to answer`, fix);
}

function judgeNode(node: RedisNodeFacts, cluster: boolean): Finding[] {
  return compact([
    judgeVersion(node),
    judgeKind(node, cluster),
    judgeEviction(node),
    judgeMemory(node),
    judgeAppending(node),
    judgeSaving(node),
  ]);
}

function judgeVersion({ version }: RedisNodeFacts): Finding | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  if (major > 6 || (major === 6 && minor >= 2)) return undefined;
  return broken(
    'Version',
    `it is ${version}, which is too old`,
    'use Redis 6.2 or newer, or Valkey',
  );
}

function judgeKind(node: RedisNodeFacts, cluster: boolean): Finding | undefined {
  const { role, clustered, clusterState } = node;
  if (role === 'slave') {
    return broken('Role', 'it is a replica and takes no writes', 'name the primary in REDIS_URL');
  }
  if (clustered !== true) return undefined;
  if (!cluster) {
    const fix = 'name two or more nodes in REDIS_URL, separated by commas';
    return broken('Cluster', 'it is a node of a cluster, and REDIS_URL names it alone', fix);
  }
  if (clusterState === undefined || clusterState === 'ok') return undefined;
  const fix = 'mend the cluster: redis-cli --cluster check';
  return broken('Cluster', `its state is ${clusterState}`, fix);
}

function judgeEviction({ policy, maxBytes }: RedisNodeFacts): Finding {
  const what = 'maxmemory-policy';
  const fix =
    'CONFIG SET maxmemory-policy noeviction, and the same in redis.conf or the settings of the service';
  if (policy === undefined) return notTold(what, 'it has to be noeviction');
  if (policy === 'noeviction') return well(what, 'noeviction');
  // Without a limit the memory is never full in the eyes of Redis.
  if (maxBytes === 0) {
    return doubtful(what, `it is ${policy}: with a maxmemory Redis would throw keys away`, fix);
  }
  const says = `it is ${policy}: Redis throws keys away when it is full, and with them watches, messages and changes`;
  return broken(what, says, fix);
}

function judgeMemory({ usedBytes, maxBytes }: RedisNodeFacts): Finding | undefined {
  if (usedBytes === undefined || maxBytes === undefined || maxBytes === 0) return undefined;
  const share = usedBytes / maxBytes;
  const says = `${Math.round(share * 100)} % of ${Math.round(maxBytes / MB)} MB are used`;
  if (share <= NARROW) return well('Memory', says);
  const fix = 'give Redis more memory (maxmemory): when it is full, it takes no writes';
  return (share >= FULL ? broken : doubtful)('Memory', says, fix);
}

function judgeAppending({ appendOnly, lastAppend }: RedisNodeFacts): Finding {
  const what = 'Append-only file';
  if (appendOnly === undefined) return notTold(what, 'appendonly has to be yes');
  if (!appendOnly) {
    return doubtful(
      what,
      'AOF is off: when Redis restarts, what it was told last is gone, watches and changes among it',
      'CONFIG SET appendonly yes, and appendonly yes with appendfsync everysec in redis.conf',
    );
  }
  if (lastAppend === undefined || lastAppend === 'ok') return well(what, 'AOF is on');
  return broken(what, `AOF is on, and the last write failed (${lastAppend})`, DISK);
}

function judgeSaving({ lastSave }: RedisNodeFacts): Finding | undefined {
  if (lastSave === undefined || lastSave === 'ok') return undefined;
  const says = `the last one failed (${lastSave}): by default Redis takes no writes then`;
  return broken('Snapshot', says, DISK);
}

const DISK = 'look into the log of Redis, and whether its disk is full or its folder not writable';

function notTold(what: string, rule: string): Finding {
  return doubtful(
    what,
    'Redis does not say: the user of REDIS_URL may not ask',
    `allow INFO to that user, or look yourself: ${rule}`,
  );
}
