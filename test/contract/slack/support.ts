import { createHmac, randomUUID } from 'node:crypto';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createLogger } from '../../../src/lib/logger.ts';
import type { Logger } from '../../../src/lib/logger.ts';
import { connectRedis, redisReady } from '../../../src/store/redis.ts';

export const MANIFEST = new URL('../../../manifest.yml', import.meta.url).pathname;

/** A prefix of its own, so that tests can share a Redis. */
export const freshPrefix = (): string => `test-${randomUUID()}`;

/** A logger whose lines can be read. */
export function listeningLogger(
  secrets: Parameters<typeof createLogger>[0]['secrets'] = [],
  level: 'debug' | 'trace' = 'debug',
) {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const logger: Logger = createLogger({ level, secrets, destination });
  return { logger, lines: () => written.join('') };
}

/** Slack's headers for a body. `at` is in seconds since the epoch. */
export function signedHeaders(secret: string, body: string, at: number): Record<string, string> {
  const hash = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': `v0=${hash}`,
  };
}

export interface RedisProxy {
  url: string;
  /** From now on nothing gets through, and connections stay open: as a frozen host does. */
  freeze(): void;
  /** Connections end and new ones are refused. */
  cut(): Promise<void>;
  close(): Promise<void>;
}

/** A proxy to Redis that can be blocked. */
async function openProxy(redisUrl: string): Promise<RedisProxy> {
  const { hostname, port } = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((near) => {
    const far = connect(Number(port || 6379), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (frozen || to.write(bytes)));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => {
      server.close(() => resolve());
    });
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => void (frozen = true),
    cut: close,
    close,
  };
}

/** A connection to Redis through a proxy. */
export async function connectThroughProxy(redisUrl: string, logger: Logger) {
  const proxy = await openProxy(redisUrl);
  const { hostname, port } = new URL(proxy.url);
  const node = { host: hostname, port: Number(port), db: 0, tls: false };
  const connection = connectRedis([node], 'commands', logger);
  await redisReady(connection, 5_000);
  return {
    proxy,
    connection,
    async close(): Promise<void> {
      connection.disconnect();
      await proxy.close();
    },
  };
}
