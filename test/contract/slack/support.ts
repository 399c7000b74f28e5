import { randomUUID } from 'node:crypto';
import { createLogger, type Logger } from '../../../src/lib/logger.ts';
import { connectRedis, redisReady } from '../../../src/store/redis.ts';
import { startProxy } from '../../support/http.ts';

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

/** A connection to Redis through a proxy, which can freeze and be cut. */
export async function connectThroughProxy(redisUrl: string, logger: Logger) {
  let frozen = false;
  const { port, close } = await startProxy(
    () => new URL(redisUrl),
    () => ({
      there: (chunk, _near, far) => void (frozen || far.write(chunk)),
      back: (chunk, near) => void (frozen || near.write(chunk)),
    }),
  );
  const node = { host: '127.0.0.1', port, db: 0, tls: false };
  const connection = connectRedis({ nodes: [node] }, 'commands', logger);
  await redisReady(connection, 5_000);
  return {
    connection,
    proxy: {
      url: `redis://127.0.0.1:${port}`,
      /** From now on nothing gets through, and connections stay open: as a frozen host does. */
      freeze: () => void (frozen = true),
      /** Connections end and new ones are refused. */
      cut: close,
    },
    async close(): Promise<void> {
      connection.disconnect();
      await close();
    },
  };
}

let number = 0;

/** A command as Slack sends it; each is another one. */
export function commandBody(fields: Record<string, string> = {}): string {
  number += 1;
  return new URLSearchParams({
    command: '/purser',
    text: `effect ${number}`,
    team_id: 'T1',
    user_id: 'U1',
    channel_id: 'C1',
    trigger_id: `trigger.${number}`,
    response_url: 'https://hooks.slack.com/commands/1',
    ...fields,
  }).toString();
}
