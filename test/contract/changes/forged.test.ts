import type { RedisConnection } from '../../../src/store/redis.ts';
import { describe, expect, it } from 'vitest';
import { createExecutor } from '../../../src/changes/execute.ts';
import { createReviewService } from '../../../src/changes/request.ts';
import { createSecretReveal } from '../../../src/changes/reveal.ts';
import { planHash, type Change } from '../../../src/changes/change.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { changeOf, REQUESTED_AT } from '../../support/changes.ts';
import { useRedis } from '../../support/redis.ts';
import { ADA, approved, BEN, fakeContext, MINUTE, TOKEN } from '../../unit/changes/fake-context.ts';
import { openHarness } from './harness.ts';

const server = useRedis();
const ID = 'k3m9x2ab';
const SECRET = { value: new Secret('svc-bsat-canary'), what: 'token', tokenId: 't2' } as const;
const NOT_VERIFIED = /^The approval cannot be verified: /;

/** A request in Redis, its approvers, and a worker. */
async function openOffice(over: Partial<Change> = {}) {
  const harness = await openHarness(server.url);
  const { store, redis, keys } = harness;
  const fake = fakeContext();
  const context = { ...fake.context, changes: store };
  await store.create(changeOf({ plan: fake.planned.plan, ...over }));
  return {
    ...harness,
    fake,
    reviews: createReviewService(context),
    reveal: () => createSecretReveal(context).take(ADA, ID),
    now: async () => (await store.get(ID))!,
    approve: (): Promise<Change> =>
      createReviewService(context).approve(BEN, ID, planHash(fake.planned.plan)),
    work: async (): Promise<Change> => {
      await createExecutor(context).advance(ID);
      return (await store.get(ID))!;
    },
    edit: (edited: (record: Change) => object) => edit(redis, keys.change(ID), edited),
  };
}

/** As anyone can who reaches Redis. */
async function edit(redis: RedisConnection, key: string, edited: (record: Change) => object) {
  const record = JSON.parse((await redis.hget(key, 'data')) ?? '{}') as Change;
  await redis.hset(key, 'data', JSON.stringify({ ...record, ...edited(record) }));
}

describe('a record of an approved change that was edited in Redis', () => {
  const OTHER = { userId: 'U0EVE', teamId: 'T0ACME', email: 'eve@acme.example' };
  const edits: Readonly<Record<string, (record: Change) => object>> = {
    order: () => ({ order: { kind: 'alert.replace', amount: 9_999, enabled: true } }),
    'order.kind': () => ({
      order: { kind: 'user.add', email: OTHER.email, roles: ['billing_admin'] },
    }),
    'plan.after': ({ plan }) => ({ plan: { ...plan, after: [{ name: 'Amount', text: '$1.00' }] } }),
    'plan.consequences': ({ plan }) => ({ plan: { ...plan, consequences: ['Nothing.'] } }),
    requester: () => ({ requester: OTHER }),
    'requester.email': ({ requester }) => ({ requester: { ...requester, email: OTHER.email } }),
    'decision.by': ({ decision }) => ({ decision: { ...decision, by: OTHER } }),
    'decision.at': ({ decision }) => ({ decision: { ...decision, at: REQUESTED_AT + 1 } }),
    'decision.self': ({ decision }) => ({ decision: { ...decision, self: true } }),
    'decision.run': ({ decision }) => ({ decision: { ...decision, run: 'another' } }),
    marks: () => ({ marks: { tokenIds: [] } }),
    sendings: () => ({ sendings: 2 }),
    signature: ({ signature = '' }) => ({ signature: signature.replace(/^../, '00') }),
    'no signature': () => ({ signature: undefined }),
  };

  it.each(Object.keys(edits))('(%s) is refused, and nothing is sent', async (field) => {
    const { approve, work, edit, fake, store } = await openOffice();
    await approve();
    await edit(edits[field]!);

    await expect(work()).resolves.toMatchObject({
      state: 'refused',
      outcome: { sentence: expect.stringMatching(NOT_VERIFIED) },
    });
    expect(fake.calls).toEqual([]);
    expect(await store.due(Infinity)).toEqual([]);
  });

  it.each([{ id: 'other123' }, { version: 7 }])('(%j) counts as unreadable', async (edited) => {
    const { approve, work, edit, fake, store } = await openOffice();
    await approve();
    await edit(() => edited);

    await expect(work()).rejects.toThrow('This request cannot be read');
    expect(fake.calls).toEqual([]);
    expect(await store.due(Date.now())).toEqual([]);
  });

  it('is sent where nothing was edited', async () => {
    const { approve, work, fake } = await openOffice();
    await approve();

    await expect(work()).resolves.toMatchObject({ state: 'succeeded' });
    expect(fake.calls).toEqual(['send']);
  });
});

describe('a record that was never approved', () => {
  it('sends nothing when its state is set to approved by hand, by two people with the role', async () => {
    const { work, edit, fake, redis, keys } = await openOffice();
    await edit(() => approved());
    await redis.zadd(keys.changesDue, 0, ID);

    await expect(work()).resolves.toMatchObject({ state: 'refused' });
    expect(fake.calls).toEqual([]);
  });

  it('cannot be reviewed, approved, rejected or withdrawn once its requester was edited', async () => {
    const { edit, reviews, approve, now } = await openOffice();
    await edit(() => ({ requester: { ...ADA, email: 'eve@acme.example' } }));

    const tries = [
      reviews.review(BEN, ID),
      approve(),
      reviews.reject(BEN, ID, { comment: '' }),
      reviews.withdraw(ADA, ID),
    ];
    for (const one of tries) await expect(one).rejects.toThrow('cannot be verified');
    await expect(now()).resolves.toMatchObject({ state: 'pending', version: 1 });
  });
});

describe('a record of a change under way', () => {
  it('is not sent again when it was made by hand', async () => {
    const { approve, work, edit, fake } = await openOffice();
    await approve();
    await edit(() => ({ state: 'executing', sentAt: REQUESTED_AT, sendings: 1 }));
    fake.clock.at += 2 * MINUTE;

    await expect(work()).resolves.toMatchObject({ state: 'refused' });
    expect(fake.calls).toEqual([]);
  });

  it('deletes no token that was written into it, and gives its secret to no other person', async () => {
    const { approve, work, edit, fake, reveal, now } = await openOffice({ order: TOKEN });
    fake.send = async () => ({ secret: SECRET });
    await approve();
    await work();
    expect((await now()).secret?.state).toBe('sealed');

    await edit(({ secret }) => ({ secret: { ...secret, tokenId: 'in-use', until: 0 } }));
    await expect(reveal()).rejects.toThrow('cannot be verified');
    await expect(work()).resolves.toMatchObject({ state: 'refused' });
    expect(fake.calls).toEqual(['send']);
  });
});

describe('a record that cannot be read', () => {
  it('waits an hour, is reported once, and blocks no other change', async () => {
    const { store, work, redis, keys, fake, approve } = await openOffice();
    await approve();
    await redis.hset(keys.change('later123'), 'data', '{"kind":"of a later release"}');
    await redis.zadd(keys.changesDue, '0', 'later123', '0', 'gone1234');
    const executor = createExecutor({ ...fake.context, changes: store });

    for (let times = 0; times < 3; times += 1) {
      await executor.advance('later123');
      await executor.advance('gone1234');
    }
    await expect(work()).resolves.toMatchObject({ state: 'succeeded' });

    const [id, due] = await redis.zrange(keys.changesDue, '0', '-1', 'WITHSCORES');
    expect(id).toBe('later123');
    expect(Math.abs(Number(due) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const outbox = await redis.zrange(keys.outbox('C0NOTIFY'), '0', '-1');
    expect(outbox).toEqual(['@changes/later123/unreadable']);
    const record = await redis.hget(
      keys.message('C0NOTIFY', '@changes/later123/unreadable'),
      'revision',
    );
    expect(record).toBe('1');
  });
});
