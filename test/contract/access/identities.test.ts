import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIdentities } from '../../../src/access/identities.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { createScrubber, Secret } from '../../../src/lib/secret.ts';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { readAudit } from '../../../src/store/audit.ts';
import { createKeys, type RedisConnection } from '../../../src/store/redis.ts';
import { authorizerFor, MEMBER, usersWith } from '../../support/authorizer.ts';
import { connectTo, useRedis } from '../../support/redis.ts';

const server = useRedis();
const EMAIL = 'ada@acme.example';
const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
const EVE = { userId: 'U0EVE', teamId: 'T0ACME' };
const IN_USE =
  /^This e-mail address is in use by another Slack account \((.+)\), so .+ run \/changes confirm to ask .+\.$/;
const ADMINS = ['billing_admin'] as const;

const silent = createLogger({ level: 'silent', secrets: [] });
const keyOf = (letter: string) => new Secret(Buffer.alloc(32, letter).toString('base64'));

/** The memory of one process, and the rights that it gives; all people have the address of Ada. */
async function openDoor(
  prefix = `test-${randomUUID()}`,
  [newest, ...older]: readonly Secret[] = [keyOf('a')],
) {
  const redis = await connectTo(server.url);
  onTestFinished(() => redis.disconnect());
  const keys = createKeys(prefix);
  const config = {
    ...(newest && {
      secretKey: new Secret(newest.reveal(), ...older.map((key) => key.reveal())),
    }),
    slack: { botToken: new Secret('xoxb-test') },
  };
  const identities = createIdentities({ redis, keys, config, logger: silent });
  const access = authorizerFor({
    identities,
    member: async () => ({ ...MEMBER, email: 'Ada@Acme.example' }),
    users: usersWith(async () => ADMINS),
  });
  return {
    redis,
    keys,
    prefix,
    identities,
    access,
    stored: () => storedIn(redis, keys.identities),
  };
}

const storedIn = async (redis: RedisConnection, key: string): Promise<string | null> =>
  redis.hget(key, EMAIL);

const refusedTo = (error: unknown): string | undefined =>
  error instanceof Refusal ? IN_USE.exec(error.message)?.[1] : String(error);

describe('the first Slack account that uses a role', () => {
  it('is remembered with its e-mail address, and another one is refused from then on', async () => {
    const { access } = await openDoor();

    await access.requireRole(ADA, ADMINS);

    const refusal: unknown = await access.requireRole(EVE, ADMINS).catch((error) => error);
    expect(refusedTo(refusal)).toBe('U0ADA');
    expect(refusal).toMatchObject({ why: 'identity' });
    await expect(access.requireRole(ADA, ADMINS)).resolves.toBeUndefined();
  });

  it('is not the one that only reads which roles it has', async () => {
    const { access, stored } = await openDoor();
    await expect(access.principal(EVE)).resolves.toMatchObject({ roles: ADMINS });
    expect(await stored()).toBeNull();

    await access.principal(ADA, { uses: ADMINS });

    await expect(access.principal(EVE)).resolves.toMatchObject({
      roles: undefined,
      rolesRefusal: expect.stringMatching(IN_USE),
      rolesWhy: 'identity',
    });
  });

  it('is one of two that come at the same moment, in two processes', async () => {
    const one = await openDoor();
    const other = await openDoor(one.prefix);

    const ends = await Promise.allSettled([
      one.access.requireRole(ADA, ADMINS),
      other.access.requireRole(EVE, ADMINS),
    ]);

    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('stays valid when another one is confirmed, which counts at once in every process', async () => {
    const one = await openDoor();
    const other = await openDoor(one.prefix);
    await one.access.requireRole(ADA, ADMINS);
    await expect(other.access.requireRole(EVE, ADMINS)).rejects.toThrow(IN_USE);

    await one.identities.add(EMAIL, EVE.userId);

    await expect(other.access.requireRole(EVE, ADMINS)).resolves.toBeUndefined();
    await expect(other.access.requireRole(ADA, ADMINS)).resolves.toBeUndefined();
  });
});

describe('an entry in Redis that Purser did not write', () => {
  type Edit = (stored: string) => string;
  const edits: Readonly<Record<string, Edit>> = {
    'names another account': (stored) => stored.replace('U0ADA', 'U0EVE'),
    'adds an account': (stored) => stored.replace('"U0ADA"', '"U0ADA","U0EVE"'),
    'has no signature': () => JSON.stringify({ ids: ['U0EVE'], signature: '' }),
    'has the signature of another key': () =>
      JSON.stringify({ ids: ['U0EVE'], signature: '00'.repeat(32) }),
    'is no entry': () => '["U0EVE"]',
  };

  it.each(Object.keys(edits))('(%s) opens nothing to anyone', async (name) => {
    const { access, redis, keys, stored } = await openDoor();
    await access.requireRole(ADA, ADMINS);
    await redis.hset(keys.identities, EMAIL, edits[name]!((await stored())!));

    for (const person of [ADA, EVE]) {
      await expect(access.requireRole(person, ADMINS)).rejects.toThrow('cannot be verified');
      await expect(access.principal(person, { uses: ADMINS })).resolves.toMatchObject({
        roles: undefined,
        rolesWhy: 'identity',
      });
    }
  });

  it('is of no use under another address', async () => {
    const { access, redis, keys, identities } = await openDoor();
    await identities.add('eve@acme.example', 'U0EVE');
    await access.requireRole(ADA, ADMINS);
    const own = await redis.hget(keys.identities, 'eve@acme.example');

    await redis.hset(keys.identities, EMAIL, own!);

    await expect(access.requireRole(EVE, ADMINS)).rejects.toThrow('cannot be verified');
  });

  it('is replaced by the confirmed account, without those that it named', async () => {
    const { access, redis, keys, identities } = await openDoor();
    await redis.hset(keys.identities, EMAIL, JSON.stringify({ ids: ['U0EVE'], signature: 'ff' }));

    await identities.add(EMAIL, ADA.userId);

    await expect(access.requireRole(ADA, ADMINS)).resolves.toBeUndefined();
    await expect(access.requireRole(EVE, ADMINS)).rejects.toThrow('(U0ADA)');
  });
});

it('while Redis is away, a role opens nothing, and it is not denied', async () => {
  const { access, redis } = await openDoor();
  await access.requireRole(ADA, ADMINS);
  redis.disconnect();

  const refusals = [
    access.requireRole(ADA, ADMINS),
    access.principal(ADA),
    access.principal(ADA, { uses: ADMINS }),
  ];

  for (const refusal of refusals) await expect(refusal).rejects.toThrow('try again in a minute');
});

it('when SECRET_KEY gets a newer key, entries move to it with their next use', async () => {
  const { prefix, access } = await openDoor();
  await access.requireRole(ADA, ADMINS);
  const both = await openDoor(prefix, [keyOf('b'), keyOf('a')]);
  await both.access.requireRole(ADA, ADMINS);

  const newer = await openDoor(prefix, [keyOf('b')]);

  await expect(newer.access.requireRole(ADA, ADMINS)).resolves.toBeUndefined();
  await expect(newer.access.requireRole(EVE, ADMINS)).rejects.toThrow('(U0ADA)');
});

it('a released address is free for the next account, and the audit says so', async () => {
  const { access, redis, keys, identities } = await openDoor();
  await access.requireRole(ADA, ADMINS);
  const outbox = createOutbox(redis, keys, createScrubber([]));
  const clock = { now: () => 7 };

  await expect(identities.release('ADA@acme.example', clock, outbox)).resolves.toMatchObject({
    ids: ['U0ADA'],
  });

  await expect(identities.release(EMAIL, clock, outbox)).resolves.toBeUndefined();
  await access.requireRole(EVE, ADMINS);
  await expect(access.requireRole(ADA, ADMINS)).rejects.toThrow('(U0EVE)');
  const lines = [];
  for await (const line of readAudit(redis, keys.audit, silent)) lines.push(line);
  expect(lines).toEqual([
    expect.objectContaining({ at: 7, event: 'identity.release', email: EMAIL, ids: ['U0ADA'] }),
  ]);
});
