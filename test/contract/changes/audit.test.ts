import { describe, expect, it } from 'vitest';
import { changeOf } from '../../support/changes.ts';
import { BEA, EVENTS, SHOWN } from '../../unit/changes/stages.ts';
import { useRedis } from '../../support/redis.ts';
import { entriesOf, openHarness } from './harness.ts';

const server = useRedis();

const { id } = changeOf();

describe('the audit', () => {
  it('has the whole life of a change: who, what, when, before, after, and how it ended', async () => {
    const { changes } = await openHarness(server.url);
    await changes.create(changeOf());
    let change = changeOf();
    for (const event of [EVENTS.approve, EVENTS.wait, EVENTS.claim, EVENTS.succeed]) {
      change = (await changes.move(change, event)) ?? change;
    }

    const entries = await entriesOf(changes.audit(id));

    const { requester, requestedAt, order, plan } = changeOf();
    expect(entries.map((entry) => ({ ...entry, entry: undefined }))).toEqual([
      {
        at: requestedAt,
        change: id,
        event: 'request',
        state: 'pending',
        by: requester.userId,
        email: requester.email,
        kind: 'alert.replace',
        order,
        ...plan,
      },
      {
        at: EVENTS.approve.at,
        change: id,
        event: 'approve',
        state: 'approved',
        by: BEA.userId,
        email: BEA.email,
        comment: 'fine',
        self: false,
        ...SHOWN,
      },
      { at: EVENTS.claim.at, change: id, event: 'claim', state: 'executing', sending: 1 },
      {
        at: EVENTS.succeed.at,
        change: id,
        event: 'succeed',
        state: 'succeeded',
        sentence: 'Done.',
        now: SHOWN.after,
      },
    ]);
  });

  it('is read whole, in order, however long it is', async () => {
    const { changes, redis, keys } = await openHarness(server.url);
    await changes.create(changeOf());
    const line = (at: number): string =>
      JSON.stringify({ at, change: `c${at % 7}`, event: 'expire', state: 'expired' });
    const pipeline = redis.pipeline();
    for (let at = 1; at <= 1_234; at += 1) pipeline.xadd(keys.audit, '*', 'data', line(at));
    await pipeline.exec();

    const [first, ...others] = await entriesOf(changes.audit());

    expect(first).toMatchObject({ event: 'request', change: id });
    expect(others.map(({ at }) => at)).toEqual(Array.from({ length: 1_234 }, (_, at) => at + 1));
    expect(new Set(others.map(({ entry }) => entry)).size).toBe(1_234);
  });

  it.each([500, 1_000])('ends after exactly %d lines', async (count) => {
    const { changes, redis, keys } = await openHarness(server.url);
    const data = JSON.stringify({ at: 1, change: id, event: 'expire', state: 'expired' });
    const pipeline = redis.pipeline();
    for (let at = 0; at < count; at += 1) pipeline.xadd(keys.audit, '*', 'data', data);
    await pipeline.exec();

    expect(await entriesOf(changes.audit())).toHaveLength(count);
  });

  it('of one change is not looked for among all the others', async () => {
    const { changes, redis, keys } = await openHarness(server.url);
    await changes.create(changeOf());
    await redis.del(keys.audit);

    expect(await entriesOf(changes.audit(id))).toHaveLength(1);
  });

  it('leaves out what it cannot read, and nothing else', async () => {
    const { changes, redis, keys } = await openHarness(server.url);
    await changes.create(changeOf());
    await redis.xadd(keys.audit, '*', 'data', '{"at":');
    await redis.xadd(keys.audit, '*', 'else', 'x');
    await changes.move(changeOf(), EVENTS.withdraw);

    const entries = await entriesOf(changes.audit());

    expect(entries.map(({ event }) => event)).toEqual(['request', 'withdraw']);
  });

  it('is added to, and never altered', async () => {
    const { changes } = await openHarness(server.url);
    await changes.create(changeOf());
    const before = await entriesOf(changes.audit());

    await changes.move(changeOf(), EVENTS.reject);
    await changes.move(changeOf(), EVENTS.approve);

    const after = await entriesOf(changes.audit());
    expect(after.slice(0, 1)).toEqual(before);
    expect(after.map(({ event }) => event)).toEqual(['request', 'reject']);
  });
});
