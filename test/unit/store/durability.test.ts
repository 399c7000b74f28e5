import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { createDurability } from '../../../src/store/server.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { silentLogger } from '../../contract/notify/support.ts';

const UNKNOWN = new Error("ERR unknown command 'WAITAOF'");

/** A server with one replica. @param answers to WAITAOF and WAIT @param sent the commands, in order */
function serverWith(
  isAppending: boolean,
  answers: Readonly<Record<string, unknown>>,
  sent: string[] = [],
): Redis {
  const server = {
    info: () => Promise.resolve(`connected_slaves:1\r\naof_enabled:${isAppending ? '1' : '0'}\r\n`),
    duplicate: () => server,
    disconnect: () => undefined,
    set: () => Promise.resolve('OK'),
    call(...words: unknown[]) {
      sent.push(words.join(' '));
      const answer = answers[String(words[0])];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  return server as unknown as Redis;
}

const confirmedBy = (redis: Redis) =>
  createDurability({ redis, keys: createKeys('p'), logger: silentLogger }).confirmed();

it.each([
  ['a replica has it on its disk', [0, 1], true],
  ['no replica has it on its disk', [1, 0], false],
])('a server that appends to a file confirms once %s', async (_, answer, isConfirmed) => {
  const sent: string[] = [];
  const server = serverWith(true, { WAITAOF: answer, WAIT: 1 }, sent);

  await expect(confirmedBy(server)).resolves.toBe(isConfirmed);
  expect(sent).toEqual(['WAITAOF 0 1 1000']);
});

it.each([
  ['appends, and is too old for WAITAOF', true, ['WAITAOF 0 1 1000', 'WAIT 1 1000']],
  ['appends to no file', false, ['WAIT 1 1000']],
])('a server that %s confirms once a replica has it', async (_, isAppending, commands) => {
  for (const [replicas, isConfirmed] of [
    [1, true],
    [0, false],
  ] as const) {
    const sent: string[] = [];
    const server = serverWith(isAppending, { WAITAOF: UNKNOWN, WAIT: replicas }, sent);
    await expect(confirmedBy(server)).resolves.toBe(isConfirmed);
    expect(sent).toEqual(commands);
  }
});
