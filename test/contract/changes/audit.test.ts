import { describe, expect, it } from 'vitest';
import { changeOf, REASON } from '../../support/changes.ts';
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
        reason: REASON,
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

  // Blocks of 500 lines are read at a time: the boundaries are part of it.
  it.each([500, 1_000, 1_234])('of %d lines is read whole, in order', async (count) => {
    const { changes, redis, keys } = await openHarness(server.url);
    const pipeline = redis.pipeline();
    for (let at = 1; at <= count; at += 1) {
      const line = { at, change: `c${at % 7}`, event: 'expire', state: 'expired' };
      pipeline.xadd(keys.audit, '*', 'data', JSON.stringify(line));
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

  it('leaves out what it cannot read, and nothing else', async () => {
    const { changes, redis, keys } = await openHarness(server.url);
    await changes.create(changeOf());
    await redis.xadd(keys.audit, '*', 'data', '{"at":');
    await redis.xadd(keys.audit, '*', 'else', 'x');
    await changes.move(changeOf(), EVENTS.withdraw);

    const entries = await entriesOf(changes.audit());

    expect(entries.map(({ event }) => event)).toEqual(['request', 'withdraw']);
  });
});
