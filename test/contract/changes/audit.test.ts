import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { hashOf, verifyAudit, type AuditEntry } from '../../../src/store/audit.ts';
import { changeOf } from '../../support/changes.ts';
import { EVENTS, NOW } from '../../unit/changes/stages.ts';
import { useRedis } from '../../support/redis.ts';
import { entriesOf, lineIn, openHarness } from './harness.ts';

const server = useRedis();

const { id } = changeOf();

describe('the audit', () => {
  // Blocks of 500 lines are read at a time: the counts include their boundaries.
  it.each([500, 1_000, 1_234])('of %d lines is read whole, in order', async (count) => {
    const { changes, redis, keys } = await openHarness(server.url);
    const pipeline = redis.pipeline();
    for (let at = 1; at <= count; at += 1) {
      const line = { at, change: `c${at % 7}`, event: 'expire', state: 'expired' };
      pipeline.xadd(keys.audit, '*', 'data', JSON.stringify(line), 'hash', 'x');
    }
    await pipeline.exec();

    const entries = await entriesOf(changes.audit());

    expect(entries.map(({ at }) => at)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    expect(new Set(entries.map(({ entry }) => entry)).size).toBe(count);
  });

  it('of one change is not looked for among all the others', async () => {
    const { changes, redis, keys } = await openHarness(server.url);
    await changes.create(changeOf());
    await redis.del(keys.audit);

    expect(await entriesOf(changes.audit(id))).toHaveLength(1);
  });

  it('leaves out unreadable lines, and nothing else', async () => {
    const { changes, redis, keys } = await openHarness(server.url);
    await changes.create(changeOf());
    await redis.xadd(keys.audit, '*', 'data', '{"at":');
    await redis.xadd(keys.audit, '*', 'else', 'x');
    await changes.move(changeOf(), EVENTS.withdraw);

    const entries = await entriesOf(changes.audit());

    expect(entries.map(({ event }) => event)).toEqual(['request', 'withdraw']);
  });
});

describe('the chain', () => {
  const textOf = (entry: AuditEntry): string => JSON.stringify(lineIn(entry));

  it('links each line to the one before it, and a change has the same hashes', async () => {
    const { changes } = await openHarness(server.url);
    await changes.create(changeOf());
    await changes.create(changeOf({ id: 'another1', order: { kind: 'alert.delete' } }));
    await changes.move(changeOf(), EVENTS.approve);
    // Its fields have another order than those of a step.
    await changes.refused({ at: NOW, by: 'U0EVE', what: 'x', why: 'role', about: changeOf() });

    const all = await entriesOf(changes.audit());

    let previous = '';
    for (const entry of all) {
      expect(entry.hash).toBe(hashOf(previous, textOf(entry)));
      previous = entry.hash;
    }
    expect(all).toHaveLength(4);
    const own = await entriesOf(changes.audit(id));
    expect(own.map(({ hash }) => hash)).toEqual([all[0]?.hash, all[2]?.hash, all[3]?.hash]);
  });

  it('has no fork when many write at the same moment', async () => {
    const { changes } = await openHarness(server.url);
    const at = { at: NOW, what: 'x', why: 'role', about: 'user.add' } as const;

    await Promise.all(
      Array.from({ length: 50 }, (_, index) => changes.refused({ ...at, by: `U0${index}` })),
    );

    const all = await entriesOf(changes.audit());
    const exported = all.map((entry) => JSON.stringify(entry));
    expect(await verifyAudit(Readable.from(exported))).toMatchObject({ lines: 50, chained: 50 });
  });
});

it('nothing is written when the audit cannot be', async () => {
  const { changes, redis, keys } = await openHarness(server.url);
  await redis.set(keys.audit, 'no stream');

  await expect(changes.create(changeOf())).rejects.toThrow('WRONGTYPE');

  expect(await changes.get(id)).toBeUndefined();
  expect(await redis.exists(keys.changes, keys.changesOpen)).toBe(0);
});
