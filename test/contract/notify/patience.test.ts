import { describe, expect, it } from 'vitest';
import type { Deliverer } from '../../../src/notify/deliver.ts';
import { CARD, CHANNEL, harness, message, READY, useHarness } from './support.ts';

useHarness();

const OTHER = 'acme/shop/web/3/ready';
/** Texts of the channel; with `>` those in a thread. */
const shown = async (): Promise<string[]> =>
  (await harness.accepted()).map(({ text, thread_ts }) => `${thread_ts ? '> ' : ''}${text}`);

/** A deliverer whose workspace answers `internal_error` to one message, or to all, for as long as it is `ill`. */
function illOn(
  key: string,
  kind: 'post' | 'edit' = 'post',
): { state: { ill: boolean }; deliverer: Deliverer } {
  const state = { ill: true };
  const isIll = (call: string, sent: { key: string }): boolean =>
    state.ill && call === kind && (key === 'all' || sent.key === key);
  const failure = { kind: 'unclear', error: 'internal_error' } as const;
  const deliverer = harness.anotherDeliverer({
    sender: (real) => ({
      ...real,
      post: async (sent, threadTs) => (isIll('post', sent) ? failure : real.post(sent, threadTs)),
      update: async (sent, ts) => (isIll('edit', sent) ? failure : real.update(sent, ts)),
    }),
  });
  return { state, deliverer };
}

/** So many turns, each after the wait that the one before led to. @returns those waits, in seconds */
async function rounds(deliverer: Deliverer, count: number): Promise<number[]> {
  const waits: number[] = [];
  for (let round = 0; round < count; round += 1) {
    await harness.waitIsOver();
    await deliverer.deliver(CHANNEL);
    waits.push(Math.ceil((await harness.waits()) / 1_000));
  }
  return waits;
}

describe('a message that Slack fails on again and again', () => {
  it('is tried ever more rarely, lets the others pass, and is never given up', async () => {
    const { state, deliverer } = illOn('poison');
    await harness.outbox.commit([message('poison', 'a'), message('second', 'b')]);

    expect(await rounds(deliverer, 3)).toEqual([2, 4, 8]);
    expect(await harness.reported()).toEqual([]);
    expect(await rounds(deliverer, 4)).toEqual([16, 30, 30, 30]);
    expect(await harness.reported()).toEqual(['second: b']);

    state.ill = false;
    await rounds(deliverer, 1);
    expect(await harness.reported()).toEqual(['second: b', 'poison: a']);
  });

  it('begins anew with its patience when it was sent in between', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    await harness.faults({ kind: 'http', status: 500, times: 2 });
    await rounds(harness.deliverer, 3);
    await harness.faults({ method: 'chat.update', kind: 'http', status: 500, times: 1 });
    await harness.outbox.commit([message(CARD, 'v7 ready')]);

    await harness.deliverer.deliver(CHANNEL);

    const wait = await harness.waits(CHANNEL, 'edit');
    expect(wait).toBeGreaterThan(1_000);
    expect(wait).toBeLessThanOrEqual(2_000);
  });

  it('as a card takes its outcomes along for four minutes; then they are posted by themselves', async () => {
    const { deliverer } = illOn(CARD);
    await harness.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD, broadcast: true }),
      message(OTHER, 'web v3 ready'),
    ]);

    await rounds(deliverer, 11);
    expect(await shown()).toEqual(['web v3 ready']);
    await rounds(deliverer, 2);

    expect(await shown()).toEqual(['web v3 ready', 'v7 ready']);
  });

  it('as a card keeps its outcomes for an hour where nothing else is posted', async () => {
    const { deliverer } = illOn(CARD);
    await harness.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD, broadcast: true }),
    ]);

    await rounds(deliverer, 119);
    expect(await shown()).toEqual([]);
    await rounds(deliverer, 2);

    expect(await shown()).toEqual(['v7 ready']);
  });

  it('as a card of a short outage gets its outcome into the thread', async () => {
    await harness.faults({ method: '*', kind: 'http', status: 503, times: 4 });
    await harness.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD, broadcast: true }),
    ]);

    await rounds(harness.deliverer, 6);

    const [card, reply, ...others] = await harness.accepted();
    expect(card).toMatchObject({ text: 'v7 deploying', thread_ts: null });
    expect(reply).toMatchObject({ text: 'v7 ready', thread_ts: card?.ts });
    expect(others).toEqual([]);
  });

  it('is looked for where it was tried, even if its card came since', async () => {
    const { state, deliverer } = illOn(CARD);
    await harness.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD }),
      message(OTHER, 'web v3 ready'),
    ]);
    await rounds(deliverer, 12);
    await harness.faults({ kind: 'reset-after', times: 1 });
    await rounds(deliverer, 1);
    expect(await shown()).toEqual(['web v3 ready', 'v7 ready']);

    state.ill = false;
    await harness.redis.zadd(harness.keys.outbox(CHANNEL), 0, CARD);
    await rounds(deliverer, 1);

    expect(await shown()).toEqual(['web v3 ready', 'v7 ready', 'v7 deploying']);
  });

  it('holds back nothing but edits while it is an edit', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    await rounds(harness.deliverer, 1);
    const { deliverer } = illOn(CARD, 'edit');
    await harness.outbox.commit([message(CARD, 'v7 failed')]);
    await rounds(deliverer, 4);
    await harness.outbox.commit([
      message('acme/shop/api/7/failed', 'api v7 failed', { threadKey: CARD }),
      message(OTHER, 'web v3 ready'),
    ]);

    await rounds(deliverer, 1);

    expect(await shown()).toEqual(['v7 deploying', '> api v7 failed', 'web v3 ready']);
  });
});

describe('a message behind such a message', () => {
  it('does not overtake it when it is of the same workload, alone or together with others', async () => {
    const { state, deliverer } = illOn(READY);
    const covers = ['acme/shop/api/8/failed', 'acme/shop/cart/2/failed'];
    await harness.outbox.commit([
      message(READY, 'api v7 ready'),
      message(OTHER, 'web v3 ready'),
      message('acme/@location/aws-eu/failed/1', 'aws-eu failed', { covers }),
      message('acme/shop/api-gateway/7/ready', 'api-gateway v7 ready'),
      message('acme/shop/cart/2/recovered', 'cart v2 recovered'),
    ]);

    await rounds(deliverer, 6);
    expect(await shown()).toEqual(['web v3 ready', 'api-gateway v7 ready']);

    state.ill = false;
    await rounds(deliverer, 3);
    const rest = ['api v7 ready', 'aws-eu failed', 'cart v2 recovered'];
    expect((await shown()).slice(2)).toEqual(rest);
  });

  it('does not overtake it when it is of a workload that it gathered', async () => {
    const { state, deliverer } = illOn('digest');
    const failed = 'acme/shop/cart/2/failed';
    await harness.outbox.commit([message(failed, 'cart failed')]);
    await harness.outbox.gather([failed], [message('digest', 'held back')]);
    await harness.outbox.commit([
      message('acme/shop/cart/2/recovered', 'cart recovered'),
      message(OTHER, 'web v3 ready'),
    ]);

    await rounds(deliverer, 6);
    expect(await shown()).toEqual(['web v3 ready']);

    state.ill = false;
    await rounds(deliverer, 2);
    expect(await shown()).toEqual(['web v3 ready', 'held back', 'cart recovered']);
  });

  it('stays in its thread, also when it is named after something else', async () => {
    const root = 'acme/shop/@api/down/1';
    const { state, deliverer } = illOn(root);
    await harness.outbox.commit([
      message(root, 'shop cannot be read'),
      message('acme/blog/@api/down/1', 'nor can blog', { threadKey: root }),
    ]);

    await rounds(deliverer, 6);
    state.ill = false;
    await rounds(deliverer, 3);

    expect(await shown()).toEqual(['shop cannot be read', '> nor can blog']);
  });

  it('goes without a card that is reported in such a message', async () => {
    const { deliverer } = illOn('digest');
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    await harness.outbox.gather([CARD], [message('digest', 'held back')]);
    await harness.outbox.commit([
      message(READY, 'v7 ready', { threadKey: CARD }),
      message(OTHER, 'web v3 ready'),
    ]);

    await rounds(deliverer, 14);

    expect(await shown()).toEqual(['web v3 ready', 'v7 ready']);
  });

  it('keeps its order and its threads when all of Slack is away, however long', async () => {
    const { state, deliverer } = illOn('all');
    await harness.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD, broadcast: true }),
      message('acme/shop/api/8/ready', 'v8 ready'),
    ]);

    await rounds(deliverer, 40);
    state.ill = false;
    await rounds(deliverer, 1);

    expect(await shown()).toEqual(['v7 deploying', '> v7 ready', 'v8 ready']);
  });
});
