import { describe, expect, it } from 'vitest';
import { load, problemsOf } from './environment.ts';

describe('REDIS_URL', () => {
  it.each([
    ['localhost:6379', 'an address has to begin with redis:// or rediss://;'],
    ['"redis://a:6379"', 'an address has to begin with redis:// or rediss://;'],
    ['redis://', 'it names no host;'],
    ['redis://:6379', 'it names no host;'],
    ['redis://u:hunter2@:6379', 'it names no host;'],
    ['redis://a:port', 'the port has to be a number from 1 to 65535;'],
    ['redis://a:70000', 'the port has to be a number from 1 to 65535;'],
    ['redis://a:0', 'the port has to be a number from 1 to 65535;'],
    ['redis://a b:6379', 'its host cannot be one;'],
    ['redis://::1:6379', 'an IPv6 address needs square brackets;'],
    ['redis://a:6379/zero', 'only the number of a database may follow the host;'],
    ['redis://:hunter2#x@a:6379', 'in a password / is written as %2F, ? as %3F'],
    ['redis://u:12#34@a', 'in a password / is written as %2F, ? as %3F'],
    ['redis://u:12?34@a', 'in a password / is written as %2F, ? as %3F'],
    ['redis://u:12/34@a', 'in a password / is written as %2F, ? as %3F'],
    ['redis://a/1?ssl=true', 'only the number of a database may follow the host;'],
    ['redis://a#x', 'only the number of a database may follow the host;'],
    ['redis://:hun,ter2@a', 'in a password a comma is written as %2C;'],
    ['redis://u:12,34@a:6379', 'in a password a comma is written as %2C;'],
    ['redis://a,b', 'node 2: an address has to begin with redis:// or rediss://;'],
    ['redis://:hunter2%@a:6379', 'a % in the user or the password has to be written as'],
    ['redis://a:6379/1,redis://b:6379', 'a cluster has database 0 alone'],
    ['redis://a:6379,rediss://b:6379', 'all begin with redis://, or all with rediss://'],
    ['redis://a:6379,,redis://b:6379', 'node 2: there is nothing where an address has'],
    ['redis://a,redis://b:port', 'node 2: the port has to be a number from 1 to 65535;'],
    ['redis://a,redis://u:hunter2@b', 'of the first node count for the whole cluster'],
  ])('%s is refused and the message names the mistake', (value, words) => {
    const problems = problemsOf({ REDIS_URL: value });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^REDIS_URL: /);
    expect(problems[0]).toContain(words);
    expect(problems[0]).not.toContain('hunter2');
  });

  it('that is wrong is explained in words that survive the scrub, and never with the password', () => {
    const [problem = ''] = problemsOf({ REDIS_URL: 'redis://ann:hunter2@redis.example.com:x' });

    expect(problem).toBe(
      'REDIS_URL: the port has to be a number from 1 to 65535; give redis://HOST:PORT (rediss:// with TLS), with USER:PASSWORD@ before the host where Redis asks for it and /DB behind the port; several nodes with commas between them are a cluster',
    );
  });

  it('names one Redis with credentials, or a cluster of several', () => {
    const { nodes } = load({ REDIS_URL: 'rediss://ann:p%40ss@redis.example.com/3' }).redis;
    const cluster = load({ REDIS_URL: 'redis://a:7000, redis://b:7001' }).redis;

    expect(nodes).toMatchObject([
      { host: 'redis.example.com', port: 6379, db: 3, tls: true, username: 'ann' },
    ]);
    expect(nodes[0]?.password?.reveal()).toBe('p@ss');
    expect(cluster).toMatchObject({ cluster: true, nodes: [{ host: 'a' }, { port: 7001 }] });
  });
});

describe('REDIS_CLUSTER', () => {
  it('makes a cluster of one configuration endpoint', () => {
    const redis = { REDIS_URL: 'rediss://ann:pass@clustercfg.example.com:6379' };

    expect(load({ ...redis, REDIS_CLUSTER: 'true' }).redis.cluster).toBe(true);
    expect(load(redis).redis.cluster).toBe(false);
  });

  it('has no databases', () => {
    expect(problemsOf({ REDIS_URL: 'redis://a:6379/1', REDIS_CLUSTER: 'true' })).toEqual([
      'REDIS_CLUSTER: is true, and a cluster has database 0 alone: leave the number behind the host of REDIS_URL out',
    ]);
  });
});

describe('REDIS_SENTINELS', () => {
  const name = { REDIS_SENTINEL_NAME: 'mymaster' };

  it('are addresses, beside the user, the database and the TLS of REDIS_URL', () => {
    const { sentinel, cluster, nodes } = load({
      ...name,
      REDIS_URL: 'rediss://ann:p%40ss@unused/3',
      REDIS_SENTINELS: 'a, b:26380,[::1]:26381',
    }).redis;

    expect(cluster).toBe(false);
    expect(nodes).toMatchObject([{ db: 3, tls: true, username: 'ann' }]);
    expect(sentinel).toEqual({
      name: 'mymaster',
      nodes: [
        { host: 'a', port: 26379, db: 0, tls: false },
        { host: 'b', port: 26380, db: 0, tls: false },
        { host: '::1', port: 26381, db: 0, tls: false },
      ],
    });
  });

  it('may have a user, a password and TLS of their own, from a file, too', () => {
    const { sentinel } = load(
      { ...name, REDIS_SENTINELS_FILE: '/run/sentinels' },
      { '/run/sentinels': 'rediss://sen:hunter2@a,rediss://b\n' },
    ).redis;

    expect(sentinel?.nodes).toMatchObject([{ tls: true, username: 'sen' }, { tls: true }]);
    expect(sentinel?.nodes[0]?.password?.reveal()).toBe('hunter2');
  });

  it.each([
    ['a,,b', 'sentinel 2: there is nothing where an address has to be;'],
    ['a:port', 'the port has to be a number from 1 to 65535;'],
    ['http://a', 'an address has to begin with redis:// or rediss://;'],
    ['a/1', 'a sentinel has no databases;'],
    ['a,rediss://b', 'the sentinels all begin with rediss://, or none of them does;'],
    ['a,redis://:hunter2@b', 'of the first sentinel count for all: write them there;'],
    [
      'a,,c',
      'after redis:// (rediss:// with TLS) and USER:PASSWORD@ where a sentinel asks for them',
    ],
  ])('%s is refused and the message names the mistake', (value, words) => {
    const problems = problemsOf({ ...name, REDIS_SENTINELS: value });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^REDIS_SENTINELS: /);
    expect(problems[0]).toContain(words);
    expect(problems[0]).not.toContain('hunter2');
  });

  it('need the name of the primary, and it needs them', () => {
    expect(problemsOf({ REDIS_SENTINELS: 'a' })).toEqual([
      'REDIS_SENTINEL_NAME: is not set while REDIS_SENTINELS is: set both or none',
    ]);
    expect(problemsOf(name)).toEqual([
      'REDIS_SENTINELS: is not set while REDIS_SENTINEL_NAME is: set both or none',
    ]);
  });

  it.each([{ REDIS_CLUSTER: 'true' }, { REDIS_URL: 'redis://a,redis://b' }])(
    'are not for a cluster: %j',
    (cluster) => {
      expect(problemsOf({ ...name, ...cluster, REDIS_SENTINELS: 'a' })).toEqual([
        'REDIS_SENTINELS: is set together with a Redis Cluster, which has no sentinels: unset one or the other',
      ]);
    },
  );
});
