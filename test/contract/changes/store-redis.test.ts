import { describe, expect, it } from 'vitest';
import { createSecretCipher } from '../../../src/changes/context.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { changeOf } from '../../support/changes.ts';
import { EVENTS, NOW, STAGES, UNTIL } from '../../unit/changes/stages.ts';
import { until } from '../../support/until.ts';
import { useRedis } from '../../support/redis.ts';
import { listeningLogger } from '../slack/support.ts';
import { openHarness } from './harness.ts';

const server = useRedis();

const { id, channel } = changeOf();
const CARD = `@changes/${id}/card`;

describe('a change and its messages', () => {
  it('are written in one step, and the channels are woken', async () => {
    const { redis, keys, changes, woken } = await openHarness(server.url);

    await changes.create(changeOf());

    expect(await redis.zrange(keys.outbox(channel), '0', '-1')).toEqual([CARD]);
    expect(await redis.hget(keys.message(channel, CARD), 'body')).toContain('asks for approval');
    await changes.move(changeOf(), EVENTS.withdraw);
    expect(await redis.hget(keys.message(channel, CARD), 'body')).toContain('withdrawn');
    expect(woken).toEqual([[channel], [channel]]);
  });

  it('are not written at all by the one who is too late', async () => {
    const { changes, everything, woken } = await openHarness(server.url);
    await changes.create(changeOf());
    await changes.move(changeOf(), EVENTS.reject);
    const before = await everything();

    const beside = { secret: { sealed: 'c2VhbGVk', forMs: 9e5 } };
    expect(await changes.move(changeOf(), EVENTS.approve, beside)).toBeUndefined();

    expect(await everything()).toEqual(before);
    expect(woken).toHaveLength(2);
  });

  it('are not written at all when the change could not be read again', async () => {
    const { changes, everything } = await openHarness(server.url);
    await changes.create(changeOf());
    const before = await everything();

    const never = { kind: 'approve', at: Number.NaN, comment: '', plan: changeOf().plan } as const;
    const late = changes.move(changeOf({ expiresAt: Infinity }), { ...never, self: false });

    await expect(late).resolves.toBeUndefined();
    const broken = changeOf({ expiresAt: Infinity });
    await expect(changes.move(broken, EVENTS.approve)).rejects.toThrow('expiresAt');
    expect(await everything()).toEqual(before);
  });

  it('stay written when nobody can be woken', async () => {
    const lines: string[] = [];
    const logger = createLogger({
      level: 'warn',
      secrets: [],
      destination: { write: (line: string) => void lines.push(line) },
    });
    const wake = (): Promise<void> => Promise.reject(new Error('no queue'));
    const { changes } = await openHarness(server.url, { wake, logger });

    expect(await changes.create(changeOf())).toEqual({ made: true });
    expect(await changes.move(changeOf(), EVENTS.approve)).toMatchObject({ state: 'approved' });

    expect(lines.join('')).toContain('no queue');
  });
});

const DAY_S = 24 * 3_600;

it('a change that is over leaves nothing behind but itself and its audit', async () => {
  const { changes, redis, keys } = await openHarness(server.url);
  await changes.create(changeOf());
  expect(await redis.hvals(keys.changesOpen)).toEqual([id, id]);

  await changes.move(changeOf(), EVENTS.reject);

  expect(await redis.exists(keys.changesOpen, keys.changesDue, keys.secret(id))).toBe(0);
  expect(await redis.exists(keys.change(id), keys.changes, keys.audit, keys.auditOf(id))).toBe(4);
});

describe('a command that a broken connection sends twice', () => {
  const twice = () =>
    openHarness(server.url, {
      outbox: (real) => ({
        ...real,
        async commit(...args) {
          await real.commit(...args);
          return real.commit(...args);
        },
      }),
    });

  it('is one request', async () => {
    const { changes, redis, keys } = await twice();

    expect(await changes.create(changeOf())).toEqual({ made: true });

    expect(await redis.xlen(keys.audit)).toBe(1);
  });

  it('is one move, of the one who made it', async () => {
    const { changes, redis, keys } = await twice();
    await changes.create(changeOf());

    expect(await changes.move(changeOf(), EVENTS.approve)).toMatchObject({ version: 2 });
    expect(await changes.move(changeOf(), EVENTS.approve)).toBeUndefined();

    expect(await redis.xlen(keys.audit)).toBe(2);
  });
});

describe('what cannot be read', () => {
  it('is said when it is asked for, and hides nothing else', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ level: 'error', secrets: [], destination });
    const { changes, redis, keys } = await openHarness(server.url, { logger });
    const order = { kind: 'alert.delete' } as const;
    await changes.create(changeOf());
    await changes.create(changeOf({ id: 'another1', order }));
    await redis.hset(keys.change(id), 'data', '{"id":"k3m9x2ab","state":"asleep"}');

    await expect(changes.get(id)).rejects.toThrow('the change k3m9x2ab cannot be read');
    expect((await changes.list(0, 9)).map((change) => change.id)).toEqual(['another1']);
    expect((await changes.open()).map((change) => change.id)).toEqual(['another1']);
    expect(await changes.count()).toBe(2);
    expect(lines.join('')).toContain(id);
  });

  it('or is gone does not stand against a new request', async () => {
    const { changes, redis, keys } = await openHarness(server.url);
    await changes.create(changeOf());
    await redis.del(keys.change(id));

    expect(await changes.create(changeOf({ id: 'another1' }))).toEqual({ made: true });
    expect((await changes.open()).map((change) => change.id)).toEqual(['another1']);
  });
});

it('a store that does not answer is an error, not an empty list', async () => {
  const { changes, redis } = await openHarness(server.url);
  await changes.create(changeOf());
  redis.disconnect();

  await expect(changes.create(changeOf())).rejects.toThrow('enableOfflineQueue');
  await expect(changes.get(id)).rejects.toThrow('enableOfflineQueue');
  await expect(changes.move(changeOf(), EVENTS.approve)).rejects.toThrow('enableOfflineQueue');
  await expect(changes.open()).rejects.toThrow('enableOfflineQueue');
});

it('a secret rests sealed, in one place, for its time', async () => {
  const { changes, redis, keys, everything } = await openHarness(server.url);
  const canary = new Secret('svc-bsat-canary-that-nobody-may-see');
  const vault = createSecretCipher(new Secret(Buffer.alloc(32, 'k').toString('base64')));
  const sealed = vault.seal(id, canary);
  await changes.create(changeOf());
  const approved = await changes.move(changeOf(), EVENTS.approve);
  const executing = await changes.move(approved ?? STAGES.approved, EVENTS.claim);
  const secret = { state: 'sealed', what: 'token', until: UNTIL, tokenId: 't2' } as const;
  const done = { kind: 'succeed', at: NOW, sentence: 'Done.', secret } as const;

  const beside = { secret: { sealed, forMs: 900_000 } };
  await changes.move(executing ?? STAGES.executing, done, beside);

  const all = await everything();
  expect([...all.values()].filter((text) => text.includes('canary'))).toEqual([]);
  const places = [...all].filter(([, text]) => text.includes(sealed)).map(([key]) => key);
  expect(places).toEqual([keys.secret(id)]);
  const left = await redis.pttl(keys.secret(id));
  expect(left > 890_000 && left <= 900_000).toBe(true);
  expect(await redis.ttl(keys.change(id))).toBeGreaterThan(399 * DAY_S);
  expect(vault.open(id, (await changes.takeSecret(id)) ?? '').reveal()).toBe(canary.reveal());
  expect((await everything()).has(keys.secret(id))).toBe(false);
});

it('a change and its audit are kept for 400 days, from the last word on', async () => {
  const { changes, redis, keys } = await openHarness(server.url);
  const audited = async (): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const { change } of changes.audit()) found.push(change);
    return found;
  };
  await changes.create(changeOf());
  // As if it had been long ago: Redis gives the lines of the audit their time.
  const [line] = await redis.xrange(keys.audit, '-', '+');
  await redis.del(keys.audit);
  await redis.xadd(keys.audit, `${NOW - 401 * DAY_S * 1_000}-1`, ...(line?.[1] ?? []));
  for (let filler = 0; filler < 200; filler += 1) {
    await redis.xadd(keys.audit, `${NOW - 401 * DAY_S * 1_000 + filler}-2`, ...(line?.[1] ?? []));
  }
  await redis.zadd(keys.changes, NOW - 401 * DAY_S * 1_000, 'older');
  await redis.pexpire(keys.change(id), 1_000_000);

  await changes.move(changeOf(), EVENTS.approve);
  await changes.refused({
    about: STAGES.approved,
    at: NOW,
    by: 'U0BEN',
    what: 'change.review',
    why: 'role',
  });

  expect(await redis.zrange(keys.changes, '0', '-1')).toEqual([id]);
  for (const key of [keys.change(id), keys.auditOf(id)]) {
    expect(await redis.ttl(key)).toBeGreaterThan(399 * DAY_S);
  }
  // Redis lets go of whole blocks of a hundred lines.
  expect((await audited()).length).toBeLessThan(110);
});

it('a secret is gone when its time is over, however short that is', async () => {
  const { changes, redis, keys } = await openHarness(server.url);
  await changes.create(changeOf());

  await changes.move(changeOf(), EVENTS.approve, { secret: { sealed: 'x', forMs: 0.2 } });

  await until('it is gone', async () => (await redis.exists(keys.secret(id))) === 0);
  expect(await changes.takeSecret(id)).toBeUndefined();
});

it('each line of the audit is also a line of the log, without addresses', async () => {
  const { logger, lines } = listeningLogger();
  const { changes } = await openHarness(server.url, { logger });
  const change = changeOf();
  await changes.create(change);
  await changes.move(change, EVENTS.approve);

  const logged = lines()
    .split('\n')
    .filter((line) => line.includes('"audit":true'));
  const { userId } = change.requester;
  expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
    { audit: true, change: id, event: 'request', state: 'pending', by: userId },
    { audit: true, change: id, event: 'approve', state: 'approved' },
  ]);
  expect(logged.join()).not.toContain('@');
});
