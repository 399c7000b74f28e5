import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/notify/message.ts';
import type { LocationNotice, RolloutNotice } from '../../../../src/rollouts/engine/notices.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { MINUTE, NOON } from '../platform-json.ts';
import {
  cardOfCart,
  limaFailed,
  messages as messagesOfPoll,
  outcomeOfCart,
  ref,
  reply,
  SEVEN,
  sketch,
  watch,
  watchEach,
} from './scenario.ts';

const LIMA = { location: 'lima', state: 'failed', n: 1 } as const;
const ROOT = 'acme/shop/@location/lima/failed/1';

function messages(
  news: LocationNotice,
  watches: readonly Watch[],
  rolloutNotices: RolloutNotice[] = [],
): Message[] {
  return messagesOfPoll({ rolloutNotices, notices: [news] }, watches);
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

  it('does not hold back a card that opens for more than its outcomes', () => {
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

describe('the end of a location in trouble', () => {
  const back = reply({
    ref: { location: 'lima', state: 'recovered', n: 1 },
    what: 'back',
    workloads: ['cart'],
    covers: [ref('cart', 'ready')],
  });
  const news = limaFailed({ opens: false, replies: [back] });
  const ready = outcomeOfCart({ kind: 'ready', by: back.ref });

  it('is told to whoever was told of the trouble, though a filter names no return', () => {
    const all = messages(news, [watch('C1', { only: ['failed'] })], [ready]);

    expect(sketch(all)).toEqual(['(@location/lima/failed/1)', '(@location/lima/recovered/1)']);
    expect(all[1]).toMatchObject({ requires: ROOT, covers: ['acme/shop/cart/12/ready'] });
  });

  it('calls nobody whose filter does not name it', () => {
    const over = { ...news, replies: [{ ...back, closes: true }] };
    const broadcast = (only?: Watch['only']) =>
      messages(over, [watch('C1', only && { only })]).at(-1)?.broadcast;

    expect([broadcast(), broadcast(['failed', 'ready']), broadcast(['failed'])]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is told of what the channel watches alone', () => {
    const both = { ...back, covers: [...back.covers, ref('mail', 'ready')] };
    const five = watchEach('C1', ['api', 'auth', 'cart', 'pay', 'web']);
    const all = messages({ ...news, replies: [both] }, five, [ready]);

    expect(all[1]).toMatchObject({ covers: ['acme/shop/cart/12/ready'] });
  });

  it('is seen where too few of its workloads are watched by now', () => {
    const few = messages(limaFailed({ opens: false }), watchEach('C1', ['api', 'cart']));

    expect(sketch(few)).toEqual(['(@location/lima/failed/1)']);
    expect(few[0]?.text).toContain('2 workloads failed (api, cart)');
  });
});

describe('a card that only outcomes of a location would open', () => {
  const rollout = { startedAt: null, told: { '12/card': 1, '12/failed': 1 } };
  const adopted = cardOfCart({ opensFor: LIMA, rollout: { ...card.rollout, ...rollout } });

  it('is not even edited where there was none', () => {
    expect(sketch(messages(limaFailed(), [watch('C1')], [adopted, failed]))).toEqual([
      '@location/lima/failed/1',
    ]);
  });

  it('opens where the outcome is told by itself', () => {
    const four = watchEach('C1', SEVEN.slice(0, 4));

    expect(sketch(messages(limaFailed(), four, [adopted, failed]))).toEqual([
      'cart/12/card',
      'cart/12/failed',
    ]);
  });

  it('opens where another outcome is told by itself', () => {
    const oslo = { location: 'oslo', state: 'stale', n: 1 } as const;
    const stale = outcomeOfCart({ kind: 'stale', by: oslo });
    const ofOthers = limaFailed({
      ref: oslo,
      openedBy: ['a', 'b', 'c', 'd', 'e'],
      covers: [ref('cart', 'stale')],
    });
    const told = { rolloutNotices: [adopted, failed, stale], notices: [limaFailed(), ofOthers] };

    expect(sketch(messagesOfPoll(told, watchEach('C1', SEVEN)))).toEqual([
      'cart/12/card',
      'cart/12/stale',
      '@location/lima/failed/1',
    ]);
  });

  it.each<[string, Partial<RolloutNotice['rollout']>]>([
    ['its rollout was seen', { startedAt: NOON }],
    ['something was told of it before', { told: { ...rollout.told, '12/stale': 1 } }],
    ['the same was told of it before', { told: { ...rollout.told, '12/failed': 2 } }],
  ])('is edited when %s', (_why, over) => {
    const known = { ...adopted, rollout: { ...adopted.rollout, ...over } };

    expect(sketch(messages(limaFailed(), [watch('C1')], [known, failed]))[0]).toBe(
      '(cart/12/card)',
    );
  });
});

it('what a location told is only edited where that is not heard any more', () => {
  const later = limaFailed({ opens: false, covers: [] });

  expect(sketch(messages(later, watchEach('C1', ['cart']), [failed]))).toContain(
    '(cart/12/failed)',
  );
});
