import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { exitOf, freePort } from '../../src/sandbox/redis.ts';
import { PROGRAM, startRedisServer } from './durable-redis.ts';
import { until } from './until.ts';

/** Passwords of the servers and of the sentinels. */
const PASSWORD = { server: 'of the servers', sentinel: 'of-the-sentinels' };
const NAME = 'purser-primary';
const SENTINELS = 3;

/** A primary, its replica, and three sentinels that know both, each with a password. */
export async function createSentinels() {
  const folder = await mkdtemp(join(tmpdir(), 'purser-sentinels-'));
  const servers = [await startServer(folder), await startServer(folder)] as const;
  const [first, second] = servers;
  await second.admin.call('REPLICAOF', '127.0.0.1', String(first.port));
  await until('the replica to follow', async () =>
    (await second.admin.info('replication')).includes('master_link_status:up'),
  );
  const sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, () => startSentinel(folder, first.port)),
  );
  await until('the sentinels to know each other and the replica', async () => {
    const known = await Promise.all(sentinels.map(({ admin }) => knownTo(admin)));
    return known.every((one) => one === `${SENTINELS - 1} 1`);
  });
  const addresses = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    environment: {
      // Its host is not used.
      REDIS_URL: `redis://:${encodeURIComponent(PASSWORD.server)}@nowhere.invalid/2`,
      REDIS_SENTINELS: `redis://:${PASSWORD.sentinel}@${addresses}`,
      REDIS_SENTINEL_NAME: NAME,
    },
    /** The host of the primary is gone: it closes no connection. Gives when the other one has taken its place. */
    second: second.admin,
    /** The host of the primary is gone: it closes no connection. Gives when the other one has taken its place. */
    async freezePrimary(): Promise<void> {
      first.server.kill('SIGSTOP');
      await until('the replica to become the primary', async () =>
        (await second.admin.info('replication')).includes('role:master'),
      );
    },
    /** It comes back, and becomes a replica of the other one. */
    async thawPrimary(): Promise<void> {
      first.server.kill('SIGCONT');
      await until('it to become a replica', async () =>
        (await first.admin.info('replication').catch(() => '')).includes('role:slave'),
      );
    },
    async close(): Promise<void> {
      for (const { server, admin } of [...sentinels, ...servers]) {
        admin.disconnect();
        server.kill('SIGKILL');
        await exitOf(server);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** How many other sentinels and replicas a sentinel knows. */
async function knownTo(sentinel: Redis): Promise<string> {
  const flat = (await sentinel.call('SENTINEL', 'MASTER', NAME)) as string[];
  const value = (name: string): string => flat[flat.indexOf(name) + 1] ?? '';
  return `${value('num-other-sentinels')} ${value('num-slaves')}`;
}

async function startServer(folder: string) {
  const port = await freePort();
  const files = `--appendfilename aof-${port} --appenddirname aof-${port}`.split(' ');
  const quick = ['--repl-diskless-sync-delay', '0', '--dbfilename', `${port}.rdb`];
  const words = ['--requirepass', PASSWORD.server, '--masterauth', PASSWORD.server];
  const server = await startRedisServer(port, folder, [...files, ...quick, ...words]);
  const admin = new Redis({
    port,
    db: 2,
    password: PASSWORD.server,
    maxRetriesPerRequest: 1,
    commandTimeout: 1_000,
  });
  admin.on('error', () => undefined);
  return { port, server, admin };
}

async function startSentinel(folder: string, primary: number) {
  const port = await freePort();
  const file = join(folder, `sentinel-${port}.conf`);
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `requirepass ${PASSWORD.sentinel}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${primary} 2`,
    `sentinel auth-pass ${NAME} "${PASSWORD.server}"`,
    `sentinel down-after-milliseconds ${NAME} 1000`,
    `sentinel failover-timeout ${NAME} 5000`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const server = spawn(PROGRAM, [file, '--sentinel'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await started(server);
  const admin = new Redis({ port, password: PASSWORD.sentinel, maxRetriesPerRequest: 1 });
  admin.on('error', () => undefined);
  return { port, server, admin };
}

async function started(server: ChildProcess): Promise<void> {
  let log = '';
  server.stdout?.on('data', (text: Buffer) => (log += text.toString()));
  await until('a sentinel to watch the primary', () => log.includes('+monitor master'));
}
