import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planHash, type Change } from '../../../src/changes/change.ts';
import { createExecutor } from '../../../src/changes/execute.ts';
import { createReviewService } from '../../../src/changes/request.ts';
import { createSecretReveal } from '../../../src/changes/reveal.ts';
import { createChangeStore } from '../../../src/changes/store.ts';
import { systemClock } from '../../../src/lib/time.ts';
import { createScrubber, Secret } from '../../../src/lib/secret.ts';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { createDurability } from '../../../src/store/server.ts';
import { createKeys, type RedisConnection } from '../../../src/store/redis.ts';
import { changeOf, REASON } from '../../support/changes.ts';
import { createDurableRedis, type DurableRedis } from '../../support/durable-redis.ts';
import { until } from '../../support/until.ts';
import { connectTo } from '../../support/redis.ts';
import { ADA, BEN, fakeContext, MINUTE, TOKEN } from '../../unit/changes/fake-context.ts';
import { load } from '../../unit/config/environment.ts';
import { silentLogger } from '../notify/support.ts';

const ID = 'k3m9x2ab';

let server: DurableRedis;
let redis: RedisConnection;
beforeAll(async () => {
  server = await createDurableRedis('no');
  redis = await connectTo(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

/** Redis comes back with the backup. */
async function restore(): Promise<void> {
  await server.loseTheRest();
  await until('Redis to be there again', () => redis.status === 'ready');
}

/** A token is requested, approved, created and revealed; a backup of Redis is taken on the way. */
function office() {
  const keys = createKeys(`test-${randomUUID()}`);
  const deps = { redis, keys, logger: silentLogger };
  const store = createChangeStore({
    ...deps,
    outbox: createOutbox(redis, keys, createScrubber([])),
    wake: async () => undefined,
    clock: systemClock,
    config: load(),
  });
  const fake = fakeContext({ changes: store, durability: createDurability(deps) });
  fake.repeatable = false;
  fake.send = async () => ({
    secret: { value: new Secret('svc-bsat-canary'), what: 'token', tokenId: 't2' },
  });
  // The token is there as soon as it was sent.
  fake.settle = () =>
    fake.calls.includes('send')
      ? { kind: 'secret lost', what: 'token', tokenIds: ['t2'] }
      : { kind: 'not done' };
  const now = async (): Promise<Change> => (await store.get(ID))!;
  return {
    fake,
    now,
    async request() {
      const { run } = await fake.context.durability.moment();
      const plan = fake.planned.plan;
      await store.create(changeOf({ order: TOKEN, plan, reason: REASON, ...(run && { run }) }));
    },
    approve: () => createReviewService(fake.context).approve(BEN, ID, planHash(fake.planned.plan)),
    /** A new process. */
    work: () => createExecutor(fake.context).advance(ID),
    async reveal() {
      const taken = await createSecretReveal(fake.context).take(ADA, ID);
      await taken.shown();
    },
    async settle(): Promise<Change> {
      for (let times = 0; times < 12; times += 1) {
        fake.clock.at += 2 * MINUTE;
        await createExecutor(fake.context).advance(ID);
      }
      return now();
    },
  };
}

const STEPS = ['request', 'approve', 'work', 'reveal'] as const;

describe('a backup of Redis that is restored sends nothing twice, and deletes no token in use', () => {
  it.each([
    ['before the approval', 1, 'expired or pending'],
    ['between the approval and the call', 2, 'unknown'],
    ['while the secret waits', 3, 'succeeded'],
    ['after it was revealed', 4, 'succeeded'],
  ] as const)('taken %s', async (_when, steps, state) => {
    const one = office();
    for (const step of STEPS.slice(0, steps)) await one[step]();
    await server.remember();
    for (const step of STEPS.slice(steps)) await one[step]();
    expect(one.fake.calls).toEqual(['send']);

    await restore();
    const ended = await one.settle();
    const again = one.approve();

    expect(one.fake.calls).toEqual(['send']);
    expect(state).toContain(ended.state);
    await expect(again).rejects.toThrow(/./);
    expect(ended.outcome?.sentence ?? '').not.toContain('Nothing was sent');
  });

  it('taken during the call: it is not sent again', async () => {
    const one = office();
    await one.request();
    await one.approve();
    const { send } = one.fake;
    one.fake.send = async () => {
      await server.remember();
      return send();
    };
    await one.work();

    await restore();
    const ended = await one.settle();

    expect(one.fake.calls).toEqual(['send']);
    expect(ended.state).toBe('unknown');
    expect(ended.outcome?.sentence).toContain('cannot know whether it was revealed');
  });
});
