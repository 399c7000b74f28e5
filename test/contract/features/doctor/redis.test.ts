import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/lib/logger.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { startRedis, type SandboxRedis } from '../../../../src/sandbox/redis.ts';
import { readRedisFacts } from '../../../../src/store/server.ts';
import {
  connectRedis,
  readRedisTime,
  redisReady,
  type RedisConnection,
} from '../../../../src/store/redis.ts';
import { lineOf, redisCheck } from '../../../unit/features/doctor/support.ts';

const READY_MS = 5_000;
const logger = createLogger({ level: 'silent', secrets: [] });

let server: SandboxRedis;
let redis: RedisConnection;
// Its settings are changed here, so it is one of its own.
beforeAll(async () => {
  server = await startRedis();
  redis = await connect();
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});
beforeEach(async () => {
  await config('maxmemory-policy', 'noeviction');
  await config('maxmemory', '0');
  await config('appendonly', 'no');
});

async function connect(login: { username?: string; password?: Secret } = {}) {
  const node = { host: '127.0.0.1', port: Number(new URL(server.url).port), db: 0, tls: false };
  const connection = connectRedis({ nodes: [{ ...node, ...login }] }, 'commands', logger);
  await redisReady(connection, READY_MS);
  return connection;
}

const config = (name: string, value: string) => redis.call('CONFIG', 'SET', name, value);

async function look(connection = redis): Promise<string[]> {
  const findings = await redisCheck(connection).run(new AbortController().signal);
  return findings.map(lineOf);
}

describe('the doctor looks at a real Redis', () => {
  it('which keeps everything', async () => {
    await config('appendonly', 'yes');

    expect(await look()).toEqual([
      expect.stringMatching(/^well Server: \d+\.\d+\.\d+, answers in \d+ ms$/),
      'well maxmemory-policy: noeviction',
      'well Append-only file: AOF is on',
    ]);
  });

  it('which evicts, is nearly full, and keeps nothing over a restart', async () => {
    const { nodes } = await readRedisFacts(redis, () => 0);
    await config('maxmemory', String(Math.ceil((nodes[0]?.usedBytes ?? 0) / 0.9)));
    await config('maxmemory-policy', 'allkeys-lru');

    const lines = await look();

    for (const line of [
      /^broken maxmemory-policy: it is allkeys-lru.*noeviction/,
      /^(?:doubtful|broken) Memory: \d\d% of \d MB in use/,
      /^doubtful Append-only file: AOF is off.*→ CONFIG SET appendonly yes/,
    ]) {
      expect(lines).toContainEqual(expect.stringMatching(line));
    }
  });

  it('which omits how it is set up', async () => {
    await redis.call('ACL', 'SETUSER', 'shy', 'on', '>a-password', '~*', '+@all', '-info');
    const shy = await connect({ username: 'shy', password: new Secret('a-password') });
    onTestFinished(() => shy.disconnect());

    const lines = await look(shy);

    expect(lines).toContainEqual(
      expect.stringMatching(/^doubtful maxmemory-policy: .*allow that user INFO/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^doubtful Append-only file: .*allow that user INFO/),
    );
  });

  it('which goes away while it is asked', async () => {
    const info = (refusal: string) =>
      ({
        ping: () => Promise.resolve('PONG'),
        info: () => Promise.reject(new Error(refusal)),
      }) as unknown as RedisConnection;
    const lines = (refusal: string) => look(info(refusal));

    expect(await lines('Connection is closed.')).toEqual([
      expect.stringMatching(/^broken Redis: it does not answer/),
    ]);
    for (const refusal of ['NOPERM no permissions', "ERR unknown command 'info'"]) {
      expect(await lines(refusal)).toContainEqual(
        expect.stringMatching(/^doubtful .*allow that user INFO/),
      );
    }
  });

  it('which shows the time', async () => {
    const before = Date.now();
    const time = await readRedisTime(redis);

    expect(time).toBeGreaterThan(before - 1_000);
    expect(time).toBeLessThan(Date.now() + 1_000);
  });
});
