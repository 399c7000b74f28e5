import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/notify/message.ts';
import { messagesOf } from '../../../src/rollouts/messages/publish.ts';
import type { LocationNews, Telling } from '../../../src/rollouts/engine/telling.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { PLACE } from './gvc-story.ts';
import { SEVEN, cardOfCart, limaFailed, outcomeOfCart, ref, reply } from './news-story.ts';
import { MINUTE, NOON } from './platform-json.ts';

function watch(channel: string, over: Partial<Watch> = {}): Watch {
  return { ...PLACE, channel, quiet: false, configured: false, ...over };
}

/** A channel that watches single workloads. */
function watchEach(channel: string, workloads: readonly string[], over: Partial<Watch> = {}) {
  return workloads.map((workload) => watch(channel, { ...over, workload }));
}

const LIMA = { location: 'lima', state: 'failed', n: 1 } as const;
const ROOT = 'acme/shop/@location/lima/failed/1';

function messages(
  news: LocationNews,
  watches: readonly Watch[],
  tellings: Telling[] = [],
): Message[] {
  return messagesOf(PLACE, { tellings, news: [news] }, { watches, mutes: [], now: NOON });
}

/** Each message as its key without org and GVC, in brackets when it is only an edit. */
function sketch(all: readonly Message[]): string[] {
  return all.map(({ key, requires }) => {
    const short = key.replace('acme/shop/', '');
    return requires === undefined ? short : `(${short})`;
  });
}

const failed = outcomeOfCart({ by: LIMA });
const card = cardOfCart({ opensFor: LIMA });

describe('a location in trouble', () => {
  it('is one message that stands for the outcomes, which are not told beside it', () => {
    const all = messages(limaFailed(), [watch('C1')], [card, failed]);

    expect(sketch(all)).toEqual(['(cart/12/card)', '@location/lima/failed/1']);
    expect(all[1]?.covers).toEqual(SEVEN.map((name) => `acme/shop/${name}/12/failed`));
    expect(all[1]).toMatchObject({ groupable: true });
    expect(all[1]).not.toHaveProperty('threadKey');
  });

  it('is none for who watches fewer than five of its workloads: they hear the outcomes', () => {
    const four = watchEach('C1', SEVEN.slice(0, 4));
    const five = watchEach('C1', SEVEN.slice(0, 5));

    expect(sketch(messages(limaFailed(), four, [card, failed]))).toEqual([
      'cart/12/card',
      'cart/12/failed',
    ]);
    const heard = messages(limaFailed(), five, [card, failed]);
    expect(sketch(heard)).toEqual(['(cart/12/card)', '@location/lima/failed/1']);
    expect(heard[1]?.covers).toHaveLength(5);
    expect(heard[1]?.text).not.toContain('web');
  });

  it('is heard when its state is', () => {
    const told = (only: Watch['only'] & object) =>
      sketch(messages(limaFailed(), [watch('C1', { only })], [card, failed]));

    expect(told(['failed'])).toEqual(['(cart/12/card)', '@location/lima/failed/1']);
    expect(told(['stale'])).toEqual(['(cart/12/card)', '(cart/12/failed)']);
  });

  it('leaves an outcome of another kind to its card where a filter does not name it', () => {
    const mixed = limaFailed({
      covers: [ref('cart', 'stale'), ...SEVEN.slice(3).map((one) => ref(one))],
    });
    const stale = outcomeOfCart({ kind: 'stale', by: LIMA });
    const all = messages(mixed, [watch('C1', { only: ['failed'] })], [stale]);

    expect(sketch(all)).toEqual(['(cart/12/stale)', '@location/lima/failed/1']);
    expect(all[1]?.covers).not.toContain('acme/shop/cart/12/stale');
  });

  it('does not hold back a card that opens by itself', () => {
    const all = messages(limaFailed(), [watch('C1')], [cardOfCart(), failed]);

    expect(sketch(all)).toEqual(['cart/12/card', '@location/lima/failed/1']);
  });

  it('is edited later, and what it stood for is not told again', () => {
    const all = messages(limaFailed({ opens: false }), [watch('C1')], [failed]);

    expect(sketch(all)).toEqual(['(@location/lima/failed/1)']);
    expect(all[0]).not.toHaveProperty('covers');
  });
});

describe('replies to a location', () => {
  const edited = limaFailed({ opens: false });

  it('stand for what came later, in its thread only', () => {
    const all = messages({ ...edited, replies: [reply()] }, [watch('C1')]);

    expect(sketch(all)).toEqual(['@location/lima/failed/1', '@location/lima/failed/2']);
    expect(all[1]).toMatchObject({
      threadKey: ROOT,
      covers: ['acme/shop/zoo/12/failed'],
      broadcast: false,
      groupable: true,
    });
  });

  it('are shown in the channel when nobody reads the thread any more', () => {
    const long = limaFailed({ opens: false, since: NOON - 11 * MINUTE, replies: [reply()] });

    expect(messages(long, [watch('C1')])[1]).toMatchObject({ broadcast: true });
    expect(messages(long, [watch('C1', { quiet: true })])[1]).toMatchObject({ broadcast: false });
  });

  it('bring the message to a channel that came after it opened, so that nothing is lost', () => {
    const all = messages({ ...edited, replies: [reply()] }, [watch('late')]);

    expect(all[0]).not.toHaveProperty('requires');
    expect(all[0]).not.toHaveProperty('covers');
  });

  it('are told of where the outcome is', () => {
    const zoo = { ...outcomeOfCart({ by: reply().ref }), workload: 'zoo' };
    const all = messages({ ...edited, replies: [reply()] }, [watch('C1')], [zoo]);

    expect(sketch(all)).toEqual(['@location/lima/failed/1', '@location/lima/failed/2']);
  });

  it('about workloads that a channel does not watch are none of its matter', () => {
    const all = messages({ ...edited, replies: [reply()] }, watchEach('C1', SEVEN));

    expect(sketch(all)).toEqual(['(@location/lima/failed/1)']);
  });

  it.each<[string, Partial<Watch>, boolean]>([
    ['in the channel', {}, true],
    ['not where the watch is quiet', { quiet: true }, false],
  ])('say that it is over %s', (_where, over, broadcast) => {
    const back = reply({
      ref: { location: 'lima', state: 'recovered', n: 1 },
      what: 'back',
      workloads: [],
      closes: true,
      covers: [],
    });
    const closed = { ...edited, closedAt: NOON + MINUTE, replies: [back] };
    const all = messages(closed, [watch('C1', over)]);

    expect(sketch(all)).toEqual(['(@location/lima/failed/1)', '(@location/lima/recovered/1)']);
    expect(all[1]).toMatchObject({ requires: ROOT, broadcast });
  });
});

describe('more outcomes than one message can name', () => {
  const many = Array.from({ length: 700 }, (_, index) => ref(`workload-${index}`));

  it('go on in replies with numbers of their own; each is told once', () => {
    const all = messages(limaFailed({ covers: many }), [watch('C1')]);

    expect(all.map(({ key, threadKey }) => [key.split('/').at(-1), threadKey])).toEqual([
      ['1', undefined],
      ['1000001', ROOT],
      ['2000001', ROOT],
    ]);
    expect(all.flatMap(({ covers }) => covers)).toEqual(
      many.map(({ workload }) => `acme/shop/${workload}/12/failed`),
    );
    expect(Math.max(...all.map(({ covers = [] }) => covers.join(' ').length))).toBeLessThan(8_001);
  });

  it('stay where they are when others are added', () => {
    const told = (count: number) => {
      const flapping = outcomeOfCart({ kind: 'flapping', n: 2, covers: many.slice(0, count) });
      return messages(limaFailed(), [watch('C1')], [flapping]).slice(0, -1);
    };
    const [first, second] = told(400);

    expect(first).toMatchObject({ key: 'acme/shop/cart/12/flapping/2', broadcast: true });
    expect(second).toMatchObject({
      key: 'acme/shop/cart/12/flapping/1000002',
      threadKey: 'acme/shop/cart/12/card',
    });
    expect(told(700)[0]?.covers).toEqual(first?.covers);
    expect(told(700)[1]?.covers?.slice(0, second?.covers?.length)).toEqual(second?.covers);
  });
});
