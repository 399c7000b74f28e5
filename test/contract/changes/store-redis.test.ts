import { describe, expect, it } from 'vitest';
import { createSecretCipher } from '../../../src/changes/context.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { changeOf } from '../../support/changes.ts';
import { EVENTS, NOW, STAGES, UNTIL } from '../../unit/changes/stages.ts';
import { until } from '../../support/until.ts';
import { useRedis } from '../../support/redis.ts';
import { listeningLogger } from '../slack/support.ts';
import { entriesOf, openHarness } from './harness.ts';

const server = useRedis();

const { id, channel } = changeOf();
const CARD = `@changes/${id}/card`;

describe('a change and its messages', () => {
  it('are written in one step, and the channels are woken', async () => {
    const { redis, keys, changes, woken } = await openHarness(server.url);

    await changes.create(changeOf());

    expect(await redis.zrange(keys.outbox(channel), '0', '-1')).toEqual([CARD]);
    expect(await redis.hget(keys.message(channel, CARD), 'body')).toContain('Waiting for a review');
    await changes.move(changeOf(), EVENTS.withdraw);
    expect(await redis.hget(keys.message(channel, CARD), 'body')).toContain('Withdrawn');
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

  it('stay written when no worker can be woken', async () => {
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

describe('a change that cannot be read', () => {
  it('is an error when it is requested, and hides no other change', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ level: 'error', secrets: [], destination });
    const { changes, redis, keys } = await openHarness(server.url, { logger });
    const order = { kind: 'alert.delete' } as const;
    await changes.create(changeOf());
    await changes.create(changeOf({ id: 'another1', order }));
    await redis.hset(keys.change(id), 'data', '{"id":"k3m9x2ab","state":"asleep"}');

    await expect(changes.get(id)).rejects.toThrow('This request cannot be read');
    expect((await changes.list(0, 9)).map((change) => change.id)).toEqual(['another1']);
    expect((await changes.open()).map((change) => change.id)).toEqual(['another1']);
    expect(await changes.count()).toBe(2);
    expect(lines.join('')).toContain(id);
  });

  it('or is gone does not block a new request', async () => {
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
  const canary = new Secret('svc-bsat-canary-that-stays-hidden');
  const vault = createSecretCipher(() => [Buffer.alloc(32, 'k')]);
  const sealed = vault.seal(changeOf(), canary);
  await changes.create(changeOf());
  const approved = await changes.move(changeOf(), EVENTS.approve);
  const executing = await changes.move(approved ?? STAGES.approved, EVENTS.claim);
  const secret = { state: 'sealed', what: 'token', until: UNTIL, tokenId: 't2' } as const;
  const done = { kind: 'succeed', at: NOW, end: { code: 'done', sentence: '' }, secret } as const;

  const beside = { secret: { sealed, forMs: 900_000 } };
  await changes.move(executing ?? STAGES.executing, done, beside);

  const all = await everything();
  expect([...all.values()].filter((text) => text.includes('canary'))).toEqual([]);
  const places = [...all].filter(([, text]) => text.includes(sealed)).map(([key]) => key);
  expect(places).toEqual([keys.secret(id)]);
  const left = await redis.pttl(keys.secret(id));
  expect(left > 890_000 && left <= 900_000).toBe(true);
  expect(await redis.ttl(keys.change(id))).toBeGreaterThan(399 * DAY_S);
  expect(vault.open(changeOf(), (await changes.takeSecret(id)) ?? '').reveal()).toBe(
    canary.reveal(),
  );
  expect((await everything()).has(keys.secret(id))).toBe(false);
});

it('a change and its audit are kept for 400 days, from the last word on', async () => {
  const { changes, redis, keys } = await openHarness(server.url);
  await changes.create(changeOf());
  await redis.pexpire(keys.change(id), 1_000_000);
  await redis.pexpire(keys.auditOf(id), 1_000_000);

  await changes.refused({
    about: changeOf(),
    at: NOW,
    by: 'U0BEN',
    what: 'change.review',
    why: 'role',
  });

  for (const key of [keys.change(id), keys.auditOf(id)]) {
    expect(await redis.ttl(key)).toBeGreaterThan(399 * DAY_S);
  }
});

it('a secret is gone when its time is over, however short that is', async () => {
  const { changes, redis, keys } = await openHarness(server.url);
  await changes.create(changeOf());

  await changes.move(changeOf(), EVENTS.approve, { secret: { sealed: 'x', forMs: 0.2 } });

  await until('it is gone', async () => (await redis.exists(keys.secret(id))) === 0);
  expect(await changes.takeSecret(id)).toBeUndefined();
});

describe('the log of the audit', () => {
  const loggedBy = (lines: () => string): Record<string, unknown>[] =>
    lines()
      .split('\n')
      .filter((line) => line.includes('"audit":true'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has each line with its hash, without addresses', async () => {
    const { logger, lines } = listeningLogger();
    const { changes } = await openHarness(server.url, { logger });
    const change = changeOf();
    await changes.create(change);
    await changes.move(change, { ...EVENTS.reject, comment: 'ask ada@acme.example first' });

    const logged = loggedBy(lines);
    const entries = await entriesOf(changes.audit());
    const { userId } = change.requester;
    expect(logged).toMatchObject([
      { level: 'info', change: id, event: 'request', state: 'pending', by: userId },
      { level: 'info', change: id, event: 'reject', state: 'rejected', before: change.plan.before },
    ]);
    expect(logged.map(({ hash }) => hash)).toEqual(entries.map(({ hash }) => hash));
    expect(logged[1]?.['comment']).toBe(`ask ${String(logged[0]?.['email'])} first`);
    expect(JSON.stringify(logged)).not.toContain('@');
    expect(entries[1]).toMatchObject({ comment: 'ask ada@acme.example first' });
  });

  it('has a line once whose answer was lost on the way', async () => {
    const { logger, lines } = listeningLogger();
    const { changes, redis } = await openHarness(server.url, { logger });
    await changes.create(changeOf());
    // As the client does after a lost connection.
    const call = redis.call.bind(redis) as (...args: unknown[]) => Promise<unknown>;
    redis.call = async (...args: unknown[]) => {
      await call(...args);
      return call(...args);
    };

    await changes.move(changeOf(), EVENTS.approve);

    const entries = await entriesOf(changes.audit());
    expect(entries).toHaveLength(2);
    expect(loggedBy(lines).map(({ hash }) => hash)).toEqual(entries.map(({ hash }) => hash));
  });

  it('has no line of the one who is too late', async () => {
    const { logger, lines } = listeningLogger();
    const { changes } = await openHarness(server.url, { logger });
    await changes.create(changeOf());
    const events = [EVENTS.approve, EVENTS.reject, EVENTS.withdraw];

    await Promise.all(events.map((event) => changes.move(changeOf(), event)));

    expect(loggedBy(lines)).toHaveLength(2);
  });
});
