import { describe, expect, it } from 'vitest';
import { judgeRedis } from '../../../../src/features/doctor/installation-check.ts';
import type { RedisConnection, RedisNodeFacts } from '../../../../src/store/redis.ts';
import { lineOf, REDIS_NODE, redisCheck } from './support.ts';

const MB = 1_048_576;
const said = (changes: Partial<RedisNodeFacts>, pingMs = 1, cluster = false): string =>
  judgeRedis({ pingMs, nodes: [{ ...REDIS_NODE, ...changes }] }, cluster)
    .map(lineOf)
    .join('\n');

describe('Redis', () => {
  it('is well when it keeps everything, also over a restart', () => {
    expect(said({}).split('\n')).toEqual([
      'well Server: 7.2.4, answers in 1 ms',
      'well maxmemory-policy: noeviction',
      'well Memory: 10 % of 100 MB in use',
      'well Append-only file: AOF is on',
    ]);
  });

  it.each([
    [
      'evicts',
      { policy: 'allkeys-lru' },
      /broken maxmemory-policy: it is allkeys-lru.*→ CONFIG SET maxmemory-policy noeviction/,
    ],
    [
      'would evict',
      { policy: 'volatile-ttl', maxBytes: 0 },
      /doubtful maxmemory-policy: it is volatile-ttl/,
    ],
    [
      'forgets at a restart',
      { appendOnly: false },
      /doubtful Append-only file: AOF is off.*→ CONFIG SET appendonly yes/,
    ],
    ['cannot write', { lastAppend: 'err' }, /broken Append-only file: .*failed \(err\) → .*disk/],
    ['cannot save', { lastSave: 'err' }, /broken Snapshot: .*takes no writes/],
    ['may not wait for its replicas', { canWait: false }, /doubtful Replicas: .*may not use WAIT/],
    [
      'is nearly full',
      { usedBytes: 81 * MB },
      /doubtful Memory: 81 % of 100 MB in use → give Redis more/,
    ],
    ['is full', { usedBytes: 99 * MB }, /broken Memory: 99 %/],
    ['is too old', { version: '6.0.16' }, /broken Version: it is 6\.0\.16.*→ use Redis 6\.2/],
    ['is a replica', { role: 'slave' }, /broken Role: .*→ name the primary in REDIS_URL/],
    ['is a node of a cluster', { clustered: true }, /broken Cluster: .*→ name two or more nodes/],
    [
      'does not say its policy',
      { policy: undefined },
      /doubtful maxmemory-policy: Redis does not say.*has to be noeviction/,
    ],
    [
      'does not say how it writes',
      { appendOnly: undefined },
      /doubtful Append-only file: Redis does not say/,
    ],
  ] as const)('that %s is found', (_, changes, line) => {
    expect(said(changes)).toMatch(line);
  });

  it('that is exactly at four fifths, has no limit, or is just new enough, is well', () => {
    expect(said({ usedBytes: 80 * MB, version: '6.2.0' })).not.toMatch(/doubtful|broken/);
    expect(said({ maxBytes: 0, usedBytes: 900 * MB, version: undefined })).not.toMatch(
      /doubtful|broken/,
    );
  });

  it('that answers slowly is doubtful', () => {
    expect(said({}, 251)).toMatch(/doubtful Server: it takes 251 ms/);
    expect(said({}, 250)).not.toContain('doubtful');
  });

  it('as a cluster is looked at node by node', () => {
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
