import { describe, expect, it } from 'vitest';
import { redisProbes } from '../../../../src/features/doctor/redis.ts';
import type { RedisNodeFacts } from '../../../../src/store/facts.ts';
import type { RedisConnection } from '../../../../src/store/redis.ts';
import { judged, lineOf, REDIS_NODE, redisCheck } from './support.ts';

const MB = 1_048_576;
const judgeRedis = judged(redisProbes);
/** Troubles by name: "broken Role". */
const troubles = (changes: Partial<RedisNodeFacts>, pingMs = 1, cluster = false): string[] =>
  judgeRedis({ pingMs, nodes: [{ ...REDIS_NODE, ...changes }] }, cluster)
    .filter(({ state }) => state !== 'well')
    .map(({ state, what }) => `${state} ${what}`);

describe('Redis', () => {
  it.each([
    ['evicts', { policy: 'allkeys-lru' }, 'broken maxmemory-policy'],
    ['would evict', { policy: 'volatile-ttl', maxBytes: 0 }, 'doubtful maxmemory-policy'],
    ['forgets at a restart', { appendOnly: false }, 'doubtful Append-only file'],
    ['cannot write', { lastAppend: 'err' }, 'broken Append-only file'],
    ['cannot save', { lastSave: 'err' }, 'broken Snapshot'],
    ['may not wait for its replicas', { canWait: false }, 'doubtful Replicas'],
    ['is nearly full', { usedBytes: 81 * MB }, 'doubtful Memory'],
    ['is full', { usedBytes: 99 * MB }, 'broken Memory'],
    ['is too old', { version: '6.0.16' }, 'broken Version'],
    ['is a replica of a cluster', { role: 'slave', clustered: true }, 'broken Role'],
    ['is a node of a cluster', { clustered: true }, 'broken Cluster'],
    ['hides its policy', { policy: undefined }, 'doubtful maxmemory-policy'],
    ['hides how it writes', { appendOnly: undefined }, 'doubtful Append-only file'],
  ] as const)('that %s has one finding', (_, changes, line) => {
    expect(troubles(changes)).toEqual([line]);
  });

  it('that is exactly at four fifths, has no limit, or is just new enough, is well', () => {
    expect(troubles({})).toEqual([]);
    expect(troubles({ usedBytes: 80 * MB, version: '6.2.0' })).toEqual([]);
    expect(troubles({ maxBytes: 0, usedBytes: 900 * MB, version: undefined })).toEqual([]);
  });

  it('that answers slowly is doubtful', () => {
    expect(troubles({}, 251)).toEqual(['doubtful Server']);
    expect(troubles({}, 250)).toEqual([]);
  });

  it('as a cluster is checked node by node', () => {
    const node = { ...REDIS_NODE, clustered: true, clusterState: 'ok' };
    const findings = judgeRedis(
      { pingMs: 1, nodes: [node, { ...node, policy: 'allkeys-lfu', clusterState: 'fail' }] },
      true,
    );
    expect(findings.filter(({ state }) => state !== 'well').map(({ what }) => what)).toEqual([
      'Cluster, node 2 of 2',
      'maxmemory-policy, node 2 of 2',
    ]);
  });

  it('that does not answer is broken, and nothing of its address is shown', async () => {
    const ping = () => Promise.reject(new Error('connect ECONNREFUSED redis://u:p@10.0.0.1'));
    const findings = await redisCheck({ ping } as unknown as RedisConnection).run(
      AbortSignal.abort(),
    );
    expect(findings.map(lineOf)).toEqual([
      expect.stringMatching(/^broken Redis: it does not answer → check REDIS_URL/),
    ]);
  });
});
