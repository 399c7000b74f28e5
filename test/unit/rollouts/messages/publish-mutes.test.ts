import { describe, expect, it } from 'vitest';
import type { LocationNotice } from '../../../../src/rollouts/engine/notices.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { MINUTE, NOON } from '../platform-json.ts';
import {
  cardOfCart,
  gvcNews,
  limaFailed,
  messages,
  mute,
  outcomeOfCart,
  ref,
  reply,
  SEVEN,
  sketch,
  watch,
  watchEach,
} from './scenario.ts';

const LIMA = { location: 'lima', state: 'failed', n: 1 } as const;
const rolloutNotices = [cardOfCart({ opensFor: LIMA }), outcomeOfCart({ by: LIMA })];
const muted = (workload: string, minutes = 1) =>
  mute({ ...PLACE, workload, until: NOON + minutes * MINUTE });

describe('a workload that is muted in the midst of others', () => {
  it('is left out of what is told of its location, and has a message that is held back', () => {
    const told = messages(
      { rolloutNotices, notices: [limaFailed()] },
      [watch('C1')],
      [muted('cart')],
    );

    expect(sketch(told)).toEqual([
      '(cart/12/card)',
      'cart/12/failed held acme/shop/cart',
      '@location/lima/failed/1',
    ]);
    expect(told[2]?.covers).toHaveLength(6);
    expect(told[2]?.text).toContain('6 workloads failed (api, auth, mail');
  });

  it('does not count for the location', () => {
    const five = watchEach('C1', SEVEN.slice(0, 5));
    const told = messages({ rolloutNotices, notices: [limaFailed()] }, five, [muted('api')]);

    expect(sketch(told)).toEqual(['cart/12/card', 'cart/12/failed']);
  });

  it('is left out of the replies', () => {
    const later = reply({ workloads: ['cart', 'zoo'], covers: [ref('cart'), ref('zoo')] });
    const notices: LocationNotice = limaFailed({ opens: false, replies: [later] });
    const cart = outcomeOfCart({ by: later.ref });
    const told = messages(
      { rolloutNotices: [cart], notices: [notices] },
      [watch('C1')],
      [muted('cart')],
    );

    expect(sketch(told)).toEqual([
      'cart/12/failed held acme/shop/cart',
      '@location/lima/failed/1',
      '@location/lima/failed/2',
    ]);
    expect(told[2]).toMatchObject({ covers: ['acme/shop/zoo/12/failed'] });
    expect(told[2]?.text).toContain('1 more workload failed (zoo)');
  });

  it('is left out of the card of its GVC', () => {
    const [card] = messages({ notices: [gvcNews()] }, [watch('C1')], [muted('cart')]);

    expect(card?.text).toContain('1 of 1 workload ready');
  });
});

it('what is told of workloads that are all muted is held back for as long as the last of them', () => {
  const quiet = SEVEN.map((workload, index) => muted(workload, index === 3 ? 9 : 2));
  const notices = [limaFailed(), gvcNews({ tellsReady: true })];
  const own = [watch('C1')];

  expect(sketch(messages({ rolloutNotices, notices }, own, quiet))).toEqual([
    '(cart/12/card)',
    '@location/lima/failed/1 held acme/shop/mail',
    '@gvc/7/ready held acme/shop/cart',
  ]);
});

it('the end of a whole GVC stands for what is muted of it, too', () => {
  const covers = [ref('cart', 'gone'), ref('web', 'gone')];
  const notices = { kind: 'gvc-gone', version: 7, workloads: ['cart', 'web'], covers } as const;
  const told = messages({ notices: [{ ...notices, workloads: ['cart', 'web'] }] }, undefined, [
    muted('cart'),
  ]);

  expect(told).toMatchObject([{ covers: ['acme/shop/cart/12/gone', 'acme/shop/web/12/gone'] }]);
  expect(told[0]).not.toHaveProperty('held');
});
