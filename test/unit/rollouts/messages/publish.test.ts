import { describe, expect, it } from 'vitest';
import { metadataOf, type Message } from '../../../../src/notify/message.ts';
import { messagesOf } from '../../../../src/rollouts/messages/publish.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { gvcScenario, PLACE, type GvcScenario } from '../engine/gvc-scenario.ts';
import { broken, MINUTE, NOON, ready, rolling, stale } from '../platform-json.ts';

function watch(channel: string, over: Partial<Watch> = {}): Watch {
  return { ...PLACE, channel, quiet: false, configured: false, ...over };
}

/** The messages of the last poll. */
function messages(gvc: GvcScenario, ...watches: Watch[]): Message[] {
  return messagesOf(
    PLACE,
    { rolloutNotices: gvc.told(), notices: [] },
    { watches, mutes: [], now: NOON },
  );
}

/** `channel key`, and of what the message needs to be there. */
function sketch(all: readonly Message[]): string[] {
  return all.map(({ channel, key, requires }) => {
    const short = key.replace('acme/shop/', '');
    return requires === undefined ? `${channel} ${short}` : `${channel} (${short})`;
  });
}

function failing(): GvcScenario {
  const gvc = gvcScenario({ lima: ready(11) });
  gvc.poll({ lima: broken(12, 'no such image') });
  return gvc;
}

describe('the messages of a poll', () => {
  it('carry their keys, for the card and for the outcome in its thread', () => {
    const [card, outcome] = messages(failing(), watch('C1'));

    expect(card).toMatchObject({ channel: 'C1', key: 'acme/shop/cart/12/card' });
    expect(card).not.toHaveProperty('threadKey');
    expect(outcome).toMatchObject({
      channel: 'C1',
      key: 'acme/shop/cart/12/failed',
      threadKey: 'acme/shop/cart/12/card',
      broadcast: true,
    });
    expect(outcome && metadataOf(outcome)).toEqual({
      event_type: 'purser_event',
      event_payload: { key: 'acme/shop/cart/12/failed' },
    });
  });

  it('have numbers from the second time on, and the thread goes with the card', () => {
    const gvc = gvcScenario({ lima: ready(10) });
    gvc.poll({ lima: broken(11, 'no such image') });
    gvc.poll({ lima: rolling(12) });
    gvc.poll({ lima: broken(11, 'no such image') });

    expect(messages(gvc, watch('C1')).map(({ key, threadKey }) => [key, threadKey])).toEqual([
      ['acme/shop/cart/12/card', undefined],
      ['acme/shop/cart/11/card/2', undefined],
      ['acme/shop/cart/11/failed/2', 'acme/shop/cart/11/card/2'],
    ]);
  });

  it('a card that opens is posted, any other is only an edit of one that is there', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12) });
    expect(sketch(messages(gvc, watch('C1')))).toEqual(['C1 cart/12/card']);

    gvc.poll({ oslo: rolling(12) });
    expect(sketch(messages(gvc, watch('C1')))).toEqual(['C1 (cart/12/card)']);
  });

  it('say the place, the version and the state word in their text', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    const texts = (): string[] => messages(gvc, watch('C1')).map(({ text }) => text);

    gvc.poll({ lima: rolling(12), oslo: rolling(12) });
    expect(texts()).toEqual(['shop/cart v12 deploying · 0 of 2 locations ready · v11 serves']);
    gvc.poll({ lima: broken(12, 'oh no') });
    expect(texts()).toEqual([
      'shop/cart v12 failed, users are served · 0 of 2 locations ready',
      'Rollout failed, users are served · shop/cart v12 in lima · v11 serves 2/4: `oh no`',
    ]);
    gvc.poll({ lima: stale(12) });
    expect(texts().at(-1)).toMatch(/^No report · shop\/cart v12 stale in lima · .* elsewhere$/);
    gvc.poll({ lima: ready(12), oslo: ready(12) });
    expect(texts()).toEqual([
      'shop/cart v12 ready · live in 30 s',
      'shop/cart v12 ready in both locations · live in 30 s',
    ]);
    gvc.poll({ lima: broken(12, 'oh no') });
    expect(texts().at(-1)).toBe(
      'Degraded, users are served · shop/cart v12 unhealthy in lima · 2 of 4 replicas ready: `oh no`',
    );
    gvc.poll({ lima: ready(12) }, { after: 11 * MINUTE });
    expect(texts().at(-1)).toBe('shop/cart v12 recovered in lima · 4 of 4 replicas ready');
  });
});

describe('who hears them', () => {
  it('channels that watch the GVC or the workload, and no other', () => {
    const watches = [
      watch('C1'),
      watch('C2', { workload: 'cart' }),
      watch('C3', { workload: 'web' }),
      watch('C4', { gvc: 'data' }),
      watch('C5', { org: 'globex' }),
    ];

    expect(sketch(messages(failing(), ...watches))).toEqual([
      'C1 cart/12/card',
      'C2 cart/12/card',
      'C1 cart/12/failed',
      'C2 cart/12/failed',
    ]);
  });

  it('a channel with several watches hears each thing once, by the most talkative of them', () => {
    const quiet = watch('C1', { quiet: true, only: ['ready'] });
    const loud = watch('C1', { workload: 'cart' });

    expect(sketch(messages(failing(), quiet, loud))).toEqual([
      'C1 cart/12/card',
      'C1 cart/12/failed',
    ]);
    expect(messages(failing(), quiet, loud).at(-1)?.broadcast).toBe(true);
  });

  it('a filter holds nothing back beside a watch that has none', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });
    const filtered = watch('C1', { workload: 'cart', only: ['failed'] });

    expect(sketch(messages(gvc, filtered, watch('C1')))).toEqual(['C1 cart/12/card']);
    expect(sketch(messages(gvc, filtered))).toEqual(['C1 (cart/12/card)']);
  });

  it('outcomes of a quiet watch stay in the thread', () => {
    const [, outcome] = messages(failing(), watch('C1', { quiet: true }));

    expect(outcome?.broadcast).toBe(false);
  });

  it('an outcome is as quiet as the watches that hear it', () => {
    const broadcast = (...watches: Watch[]) => messages(failing(), ...watches).at(-1)?.broadcast;
    const loudReady = watch('C1', { only: ['ready'] });
    const quietFailed = watch('C1', { workload: 'cart', only: ['failed'], quiet: true });

    expect(broadcast(loudReady, quietFailed)).toBe(false);
    expect(broadcast(watch('C1', { quiet: true }), loudReady)).toBe(false);
    expect(broadcast(quietFailed, watch('C1'))).toBe(true);
    // Nobody asked for it: what a filter lets through later stays in the thread.
    expect(broadcast(loudReady)).toBe(false);
  });
});

describe('a watch that is narrowed by only', () => {
  const onlyReady = watch('C1', { only: ['ready', 'recovered'] });

  it('holds card and outcomes back until a named one comes', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12), oslo: rolling(12) });
    expect(sketch(messages(gvc, onlyReady))).toEqual(['C1 (cart/12/card)']);

    gvc.poll({ lima: broken(12, 'no such image') });
    expect(sketch(messages(gvc, onlyReady))).toEqual(['C1 (cart/12/card)', 'C1 (cart/12/failed)']);

    gvc.poll({ lima: ready(12), oslo: ready(12) });
    expect(sketch(messages(gvc, onlyReady))).toEqual(['C1 cart/12/card', 'C1 cart/12/ready']);
  });

  it('once it has the card it hears the rest, too', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: ready(12) });
    gvc.poll({ lima: stale(12) });

    const stays = messages(gvc, onlyReady).at(-1);
    expect(stays).toMatchObject({
      key: 'acme/shop/cart/12/stale',
      requires: 'acme/shop/cart/12/card',
      broadcast: false,
    });
  });

  it('two narrowed watches of one channel add up', () => {
    const onlyFailed = watch('C1', { only: ['failed'], workload: 'cart' });

    expect(sketch(messages(failing(), onlyReady, onlyFailed))).toEqual([
      'C1 cart/12/card',
      'C1 cart/12/failed',
    ]);
  });

  it('an outcome of one workload does not bring the card of another', () => {
    const gvc = gvcScenario({ 'a/lima': ready(1), 'b/lima': ready(1) });
    gvc.poll({ 'a/lima': ready(2), 'b/lima': rolling(2) });

    expect(sketch(messages(gvc, onlyReady))).toEqual(['C1 a/2/ready', 'C1 (b/2/card)']);
  });
});
