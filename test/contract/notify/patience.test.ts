import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedis } from '../../../src/sandbox/redis.ts';
import type { SandboxRedis } from '../../../src/sandbox/redis.ts';
import { CHANNEL, message, openOffice } from './support.ts';
import type { Office } from './support.ts';

let server: SandboxRedis;
let office: Office;
beforeAll(async () => {
  server = await startRedis(process.env['REDIS_URL']);
});
afterAll(() => server.close());
beforeEach(async () => {
  office = await openOffice(server.url);
});

const CARD = 'acme/shop/api/7/card';
const READY = 'acme/shop/api/7/ready';

describe('a message that Slack fails on again and again', () => {
  /** A workspace that answers `internal_error` to one message for as long as it is `ill`. */
  const illOn = (key: string) => {
    const state = { ill: true };
    const deliverer = office.colleague({
      sender: (real) => ({
        ...real,
        async post(sent, threadTs) {
          const ill = state.ill && sent.key === key;
          return ill ? { kind: 'unclear', error: 'internal_error' } : real.post(sent, threadTs);
        },
      }),
    });
    return { state, deliverer };
  };
  const rounds = async (deliverer: Office['deliverer'], count: number): Promise<number[]> => {
    const waits: number[] = [];
    for (let round = 0; round < count; round += 1) {
      await office.waitIsOver();
      await deliverer.deliver(CHANNEL);
      waits.push(Math.ceil((await office.waits()) / 1_000));
    }
    return waits;
  };

  it('is tried ever more rarely, lets the others pass, and is never given up', async () => {
    const { state, deliverer } = illOn('poison');
    await office.outbox.commit([message('poison', 'a'), message('second', 'b')]);

    expect(await rounds(deliverer, 3)).toEqual([2, 4, 8]);
    expect(await office.told()).toEqual([]);
    expect(await rounds(deliverer, 4)).toEqual([16, 30, 30, 30]);
    expect(await office.told()).toEqual(['second: b']);

    state.ill = false;
    await rounds(deliverer, 1);
    expect(await office.told()).toEqual(['second: b', 'poison: a']);
  });

  it('begins anew with its patience when it was sent in between', async () => {
    await office.outbox.commit([message(CARD, 'v7 deploying')]);
    await office.faults({ kind: 'http', status: 500, times: 2 });
    await rounds(office.deliverer, 3);
    await office.faults({ method: 'chat.update', kind: 'http', status: 500, times: 1 });
    await office.outbox.commit([message(CARD, 'v7 ready')]);

    await office.deliverer.deliver(CHANNEL);

    const wait = await office.waits(CHANNEL, 'edit');
    expect(wait).toBeGreaterThan(1_000);
    expect(wait).toBeLessThanOrEqual(2_000);
  });

  it('is not overtaken by what is told later of its workload, alone or together with others', async () => {
    const { state, deliverer } = illOn(READY);
    await office.outbox.commit([
      message(READY, 'v7 ready'),
      message('acme/shop/web/3/ready', 'web v3 ready'),
      message('acme/shop/@location/aws-eu/failed/1', 'aws-eu failed', {
        covers: ['acme/shop/api/8/failed', 'acme/shop/cart/2/failed'],
      }),
      message('acme/shop/api-gateway/7/ready', 'api-gateway v7 ready'),
      message('acme/shop/cart/2/recovered', 'cart v2 recovered'),
    ]);

    await rounds(deliverer, 6);
    const others = ['acme/shop/web/3/ready: web v3 ready'];
    others.push('acme/shop/api-gateway/7/ready: api-gateway v7 ready');
    expect(await office.told()).toEqual(others);

    state.ill = false;
    await rounds(deliverer, 3);
    expect((await office.told()).slice(2)).toEqual([
      `${READY}: v7 ready`,
      'acme/shop/@location/aws-eu/failed/1: aws-eu failed',
      'acme/shop/cart/2/recovered: cart v2 recovered',
    ]);
  });

  it('as a card takes its outcomes along for four minutes; then they stand by themselves', async () => {
    const { deliverer } = illOn(CARD);
    await office.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD, broadcast: true }),
    ]);

    await rounds(deliverer, 12);
    expect(await office.told()).toEqual([]);
    await rounds(deliverer, 1);

    expect(await office.accepted()).toMatchObject([{ text: 'v7 ready', thread_ts: null }]);
  });

  it('as a card of a short outage gets its outcome into the thread', async () => {
    await office.faults({ method: '*', kind: 'http', status: 503, times: 4 });
    await office.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD, broadcast: true }),
    ]);

    await rounds(office.deliverer, 6);

    const [card, reply, ...others] = await office.accepted();
    expect(card).toMatchObject({ text: 'v7 deploying', thread_ts: null });
    expect(reply).toMatchObject({ text: 'v7 ready', thread_ts: card?.ts });
    expect(others).toEqual([]);
  });

  it('is looked for where it was tried, even if its card came since', async () => {
    const { state, deliverer } = illOn(CARD);
    await office.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD }),
    ]);
    await rounds(deliverer, 12);
    await office.faults({ kind: 'reset-after', times: 1 });
    await rounds(deliverer, 1);
    expect(await office.told()).toEqual([`${READY}: v7 ready`]);

    state.ill = false;
    await office.redis.zadd(office.keys.outbox(CHANNEL), 0, CARD);
    await rounds(deliverer, 1);

    expect(await office.told()).toEqual([`${READY}: v7 ready`, `${CARD}: v7 deploying`]);
  });
});
