import { createRequire } from 'node:module';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../src/lib/logger.ts';
import { connectRedis, refusalWord } from '../../../src/store/redis.ts';

const { ReplyError } = createRequire(import.meta.url)('ioredis') as {
  ReplyError: new (message: string) => Error;
};

const SILENT = createLogger({ level: 'silent', secrets: [] });

/** The errors of Redis when a script writes to a replica. */
const OF_REDIS_7 =
  "READONLY You can't write against a read only replica. script: 8f2, on @user_script:1.";
const OF_REDIS_6 =
  "ERR Error running script (call to f_8f2): @user_script:7: @user_script: 7: -READONLY You can't write against a read only replica.";
const OF_A_LIST = 'WRONGTYPE Operation against a key holding the wrong kind of value';

it.each([
  [OF_REDIS_7, 'READONLY', true],
  [OF_REDIS_6, 'READONLY', true],
  [OF_A_LIST, 'ERR', false],
])('%s: it is %s, and a new connection helps: %s', (says, word, helps) => {
  const address = { host: '127.0.0.1', port: 1, db: 0, tls: false };
  const connection = connectRedis({ nodes: [address] }, 'worker', SILENT);
  onTestFinished(() => connection.disconnect());
  const { reconnectOnError } = connection.options as {
    reconnectOnError: (error: Error) => boolean;
  };
  const error = new ReplyError(says);

  expect(refusalWord(error)).toBe(word);
  expect(reconnectOnError(error)).toBe(helps);
});
