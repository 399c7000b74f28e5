import { describe, expect, it } from 'vitest';
import type { GvcNotice, RolloutNotice } from '../../../../src/rollouts/engine/notices.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { MINUTE, NOON } from '../platform-json.ts';
import {
  cardOfCart,
  gvcNews,
  menuOf,
  messages,
  mute,
  outcomeOfCart,
  read,
  ref,
  sketch,
  watch,
  watchEach,
} from './scenario.ts';

const [CART, WEB] = gvcNews().rows as [GvcNotice['rows'][0], GvcNotice['rows'][0]];
const READY: Partial<GvcNotice> = {
  opens: false,
  ending: 'ready',
  readyAt: NOON + MINUTE,
  tellsReady: true,
  rows: [{ ...CART, state: 'ready', ready: 2 }, WEB],
};

describe('the card of a GVC in a channel that watches one workload of it', () => {
  const onlyWeb = [watch('C1', { workload: 'web' })];

  it('shows that one alone, and its menu is about it', () => {
    const [card, ...others] = messages({ notices: [gvcNews()] }, onlyWeb);

    expect(others).toEqual([]);
    expect(card?.text).toBe('shop GVC v7 ready · 1 of 1 workload ready');
    expect(card && read(card)).toContain('web v12 | ready | 2/2');
    expect(card && read(card).join()).not.toContain('cart');
    expect(card && menuOf(card)?.id).toBe('menu:acme/shop/web');
  });

  it('opens when the change reaches it', () => {
    const waits = gvcNews({ rows: [CART, { ...WEB, state: 'waiting' }] });
    const rolls = gvcNews({ opens: false, rows: [CART, { ...WEB, state: 'deploying' }] });

    expect(sketch(messages({ notices: [waits] }, onlyWeb))).toEqual(['(@gvc/7/card)']);
    expect(sketch(messages({ notices: [rolls] }, onlyWeb))).toEqual(['@gvc/7/card']);
    expect(sketch(messages({ notices: [rolls] }))).toEqual(['(@gvc/7/card)']);
    const over = { ...rolls, ending: 'superseded' as const };
    expect(sketch(messages({ notices: [over] }, onlyWeb))).toEqual(['(@gvc/7/card)']);
  });

  it('counts that one alone when all are ready', () => {
    const told = messages({ notices: [gvcNews(READY)] }, onlyWeb);

    expect(told.map(({ text }) => text)).toEqual([
      'shop GVC v7 ready · live in 1 min',
      'shop GVC v7 ready in 1 workload · live in 1 min',
    ]);
  });

  it('is one post when all are ready at first sight, which serves as the card', () => {
    const told = messages({ notices: [gvcNews({ ...READY, opens: true })] });

    expect(told).toMatchObject([
      {
        key: 'acme/shop/@gvc/7/ready',
        servesAs: 'acme/shop/@gvc/7/card',
        text: 'shop GVC v7 ready · live in 1 min',
      },
    ]);
    expect(told[0]).not.toHaveProperty('threadKey');
  });

  it('is not ready with what has nothing to serve', () => {
    const asleep = gvcNews({ ...READY, rows: [CART, { ...WEB, state: 'idle' }] });

    expect(sketch(messages({ notices: [asleep] }, onlyWeb))).toEqual(['(@gvc/7/card)']);
  });
});

it('a channel that watches several workloads ends one watch at a time', () => {
  const [card] = messages({ notices: [gvcNews()] }, watchEach('C1', ['cart', 'web']));
  const [whole] = messages({ notices: [gvcNews()] });

  expect(card && menuOf(card)?.items).toEqual([
    'Details deployments.details',
    'Mute 1 h deployments.mute.1h',
    'Mute 8 h deployments.mute.8h',
  ]);
  expect(whole && menuOf(whole)?.items).toContain('Unwatch deployments.unwatch.ask');
});

it.each(['superseded', 'gone'] as const)('its last edit reaches every card: %s', (ending) => {
  const news = gvcNews({ opens: false, ending, rows: [], supersededBy: 8 });
  const watches = [watch('C1'), watch('C2', { workload: 'web' })];

  expect(messages({ notices: [news] }, watches)).toMatchObject([
    { channel: 'C1', requires: 'acme/shop/@gvc/7/card' },
    { channel: 'C2', requires: 'acme/shop/@gvc/7/card' },
  ]);
});

describe('a workload that comes back with its GVC', () => {
  const news = gvcNews({ ...READY, covers: [ref('cart', 'ready')] });
  const rolloutNotices: RolloutNotice[] = [
    cardOfCart({ opens: true }),
    outcomeOfCart({ kind: 'ready', byGvc: 7 }),
  ];

  it('is told with it, once', () => {
    const told = messages({ rolloutNotices, notices: [news] });

    expect(sketch(told)).toEqual(['(cart/12/card)', '@gvc/7/card', '@gvc/7/ready']);
    expect(told.at(-1)?.covers).toEqual(['acme/shop/cart/12/ready']);
  });

  it.each([
    ['watches only that one', [watch('C1', { workload: 'cart' })]],
    ['waits for that', [watch('C1', { only: ['ready'] })]],
  ])('is told with it where the channel %s', (_how, watches) => {
    expect(messages({ rolloutNotices, notices: [news] }, watches).at(-1)?.covers).toHaveLength(1);
    expect(sketch(messages({ rolloutNotices, notices: [news] }, watches))).not.toContain(
      'cart/12/ready',
    );
  });

  it('is told as usual where the GVC is not heard of', () => {
    expect(
      sketch(messages({ rolloutNotices, notices: [news] }, [watch('C1', { only: ['gone'] })])),
    ).toEqual(['(cart/12/card)', '(cart/12/ready)', '(@gvc/7/card)', '(@gvc/7/ready)']);
  });

  it('is told as usual where a filter names it for another workload alone', () => {
    const watches = [
      watch('C1', { workload: 'cart', only: ['gone'] }),
      watch('C1', { workload: 'web', only: ['ready'] }),
    ];
    const told = messages({ rolloutNotices, notices: [news] }, watches);

    expect(sketch(told)).toContain('(cart/12/ready)');
    expect(told.at(-1)).not.toHaveProperty('covers');
  });

  it('calls nobody whose filter does not name it', () => {
    const [, ready] = messages({ notices: [news] }, [watch('C1', { only: ['gone'] })]);

    expect(ready).toMatchObject({ key: 'acme/shop/@gvc/7/ready', broadcast: false });
  });

  it('is held back alone where it is muted alone', () => {
    const quiet = [mute({ ...PLACE, workload: 'cart' })];
    const told = messages({ rolloutNotices, notices: [news] }, [watch('C1')], quiet);

    expect(sketch(told)).toEqual([
      '(cart/12/card)',
      'cart/12/ready held acme/shop/cart',
      '@gvc/7/card',
      '@gvc/7/ready',
    ]);
    expect(told.at(-1)).not.toHaveProperty('covers');
    expect(told.at(-1)?.text).toContain('ready in 1 workload');
  });
});
