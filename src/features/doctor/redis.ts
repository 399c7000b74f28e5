import { plural } from '../../lib/text.ts';
import { readRedisFacts, type RedisFacts, type RedisNodeFacts } from '../../store/server.ts';
import { type Check, checkOf, type CheckServices, type Probe, probe } from './probe.ts';

const SLOW_MS = 250;
/** Shares of maxmemory: memory is low, and writes are about to fail. */
const NARROW = 0.8;
const FULL = 0.97;
const MB = 1_048_576;

const FIX = {
  away: 'check REDIS_URL, its password, and that Redis runs',
  slow: 'move Redis closer to Purser, and look for what slows it: `SLOWLOG GET`',
  replica: 'name the primary in REDIS_URL, or the sentinels in REDIS_SENTINELS',
  alone: 'name two or more nodes in REDIS_URL, divided by commas, or set REDIS_CLUSTER=true',
  cluster: 'repair the cluster: `redis-cli --cluster check`',
  policy:
    '`CONFIG SET maxmemory-policy noeviction`, and the same in `redis.conf` or in the settings of the service',
  memory: 'give Redis more memory (`maxmemory`): when it is full, it takes no writes',
  append:
    '`CONFIG SET appendonly yes`, and `appendonly yes` with `appendfsync everysec` in `redis.conf`',
  disk: 'read the log of Redis, and check that its disk has room and its folder can be written',
};

/** All of Purser's state is in Redis: it must answer, evict nothing, and survive a restart. */
export function createRedisCheck(services: CheckServices<'redis' | 'stopwatch', 'redis'>): Check {
  const { redis, stopwatch, config } = services;
  const elapsed = () => stopwatch.elapsed();
  return checkOf(
    'Redis',
    () => readRedisFacts(redis, elapsed).catch(() => undefined),
    (facts) => redisProbes(facts, config.redis.cluster),
  );
}

/**
 * @param facts undefined: it does not answer
 * @param cluster REDIS_URL names several nodes, or REDIS_CLUSTER is true
 */
export function redisProbes(facts: RedisFacts | undefined, cluster: boolean): readonly Probe[] {
  if (!facts) return [probe('Redis', false, { [`! it does not answer → ${FIX.away}`]: true })];
  const { nodes } = facts;
  const ms = Math.max(1, Math.round(facts.pingMs));
  const kind = cluster ? `, cluster of ${plural(nodes.length, 'node')}` : '';
  const server = probe(
    'Server',
    `${nodes[0]?.version ?? 'version unknown'}${kind}, answers in ${ms} ms`,
    { [`? it takes ${ms} ms to answer → ${FIX.slow}`]: ms > SLOW_MS },
  );
  const ofNodes = nodes.flatMap((node, index) => {
    const suffix = nodes.length > 1 ? `, node ${index + 1} of ${nodes.length}` : '';
    return nodeProbes(node, cluster).map((one) => ({ ...one, what: `${one.what}${suffix}` }));
  });
  return [server, ...ofNodes];
}

function nodeProbes(node: RedisNodeFacts, cluster: boolean): readonly Probe[] {
  const { version = '', role, policy, appendOnly, usedBytes, maxBytes = 0 } = node;
  const { clusterState = 'ok', lastAppend = 'ok', lastSave = 'ok' } = node;
  const [, major = Infinity, minor = 0] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const isOld = major < 6 || (major === 6 && minor < 2);
  const isMember = role !== 'slave' && node.clustered === true;
  const share = usedBytes === undefined || maxBytes === 0 ? undefined : usedBytes / maxBytes;
  const memory = `${Math.round((share ?? 0) * 100)}% of ${Math.round(maxBytes / MB)} MB in use`;
  const hidden =
    '? Redis does not show it: the user of REDIS_URL may not ask → allow that user `INFO`, or check it yourself:';
  return [
    probe('Version', false, {
      [`! it is ${version}, which is too old → use Redis 6.2 or newer, or Valkey`]: isOld,
    }),
    probe('Role', false, {
      [`! it is a replica, which takes no writes → ${FIX.replica}`]: role === 'slave',
    }),
    probe('Cluster', false, {
      [`! it is a node of a cluster, but REDIS_URL names no other node and REDIS_CLUSTER is not true → ${FIX.alone}`]:
        isMember && !cluster,
      [`! its state is ${clusterState} → ${FIX.cluster}`]: isMember && clusterState !== 'ok',
    }),
    probe('maxmemory-policy', policy, {
      [`${hidden} it has to be \`noeviction\``]: policy === undefined,
      // Without a limit Redis never considers its memory full.
      [`? it is ${policy}: with a maxmemory, Redis would throw keys away → ${FIX.policy}`]:
        policy !== 'noeviction' && node.maxBytes === 0,
      [`! it is ${policy}: Redis throws keys away when it is full, and with them watches, messages and changes → ${FIX.policy}`]:
        policy !== 'noeviction',
    }),
    probe('Memory', share !== undefined && memory, {
      [`! ${memory} → ${FIX.memory}`]: share !== undefined && share >= FULL,
      [`? ${memory} → ${FIX.memory}`]: share !== undefined && share > NARROW,
    }),
    probe('Append-only file', 'AOF is on', {
      [`${hidden} \`appendonly\` has to be \`yes\``]: appendOnly === undefined,
      [`? AOF is off: a restart of Redis loses what was written last, watches and changes included → ${FIX.append}`]:
        appendOnly === false,
      [`! AOF is on, but its last write failed (${lastAppend}) → ${FIX.disk}`]: lastAppend !== 'ok',
    }),
    probe('Snapshot', false, {
      [`! the last one failed (${lastSave}): by default Redis takes no writes then → ${FIX.disk}`]:
        lastSave !== 'ok',
    }),
    probe('Replicas', false, {
      '? the user of REDIS_URL may not use WAIT, so a fail-over in the middle of a change can carry it out twice → allow that user `WAIT` and `WAITAOF`':
        !node.canWait,
    }),
  ];
}
