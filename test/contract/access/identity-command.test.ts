import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createIdentities } from '../../../src/access/identities.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { connectTo, useRedis } from '../../support/redis.ts';
import { stateCommand } from '../../support/state-command.ts';
import { minimal } from '../../unit/config/environment.ts';

const server = useRedis();

/** `npm run state -- identity …`, with the environment of a bot that remembers two accounts of Ada. */
async function openCommand() {
  const prefix = `test-${randomUUID()}`;
  const environment = { ...minimal, REDIS_URL: server.url, REDIS_PREFIX: prefix };
  const redis = await connectTo(server.url);
  onTestFinished(() => redis.disconnect());
  const keys = createKeys(prefix);
  const config = loadConfig(environment);
  const logger = createLogger({ level: 'silent', secrets: [] });
  const identities = createIdentities({ redis, keys, config, logger });
  await identities.add('ada@acme.example', 'U0ADA');
  await identities.add('ada@acme.example', 'U0NEW');
  await redis.hset(keys.identities, 'ben@acme.example', '{"ids":["U0EVE"],"signature":"ff"}');
  return {
    redis,
    keys,
    prefix,
    identities,
    run: (...words: readonly string[]) => stateCommand(['identity', ...words], environment),
  };
}

it('lists the remembered accounts, and says in which Redis', async () => {
  const { run, prefix } = await openCommand();

  const { code, said, complained } = await run('list');

  expect({ code, complained }).toEqual({ code: 0, complained: '' });
  expect(said.split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^Redis 127\\.0\\.0\\.1:\\d+/0, prefix ${prefix}$`)),
    'ada@acme.example\tU0ADA, U0NEW',
    'ben@acme.example\tan entry that cannot be verified',
    '',
  ]);
});

it('releases addresses with a line in the audit, and says which ones are not there', async () => {
  const { run, redis, keys, identities } = await openCommand();

  const { code, said } = await run('release', 'Ada@acme.example', 'cleo@acme.example');

  expect(code).toBe(1);
  expect(said).toContain('Ada@acme.example: released U0ADA, U0NEW.');
  expect(said).toContain('cleo@acme.example: no Slack account is remembered with it');
  expect([...(await identities.list()).keys()]).toEqual(['ben@acme.example']);
  const [[, fields] = ['', []]] = await redis.xrange(keys.audit, '-', '+');
  expect(fields.join()).toContain('"event":"identity.release"');
});

it.each([[[]], [['release']], [['list', 'ada@acme.example']], [['drop']]])(
  'with %j explains itself, and changes nothing',
  async (words) => {
    const { run } = await openCommand();

    expect(await run(...words)).toMatchObject({
      code: 2,
      complained: expect.stringContaining('identity release EMAIL...'),
    });
  },
);
