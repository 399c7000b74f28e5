import { describe, expect, it } from 'vitest';
import type { Notice, RolloutNotice } from '../../../../src/rollouts/engine/notices.ts';
import type { OutcomeKind } from '../../../../src/rollouts/engine/states.ts';
import type { Mute } from '../../../../src/rollouts/watches.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { NOON } from '../platform-json.ts';
import {
  cardOfCart,
  gvcNews,
  jobFailed,
  limaFailed,
  messages,
  mute,
  outcomeOfCart,
  ref,
  sketch,
  watch,
} from './scenario.ts';

describe('a GVC that rolls all its workloads', () => {
  it('has one card, edited in place, and is ready once', () => {
    expect(sketch(messages({ notices: [gvcNews()] }))).toEqual(['@gvc/7/card']);
    expect(sketch(messages({ notices: [gvcNews({ opens: false })] }))).toEqual(['(@gvc/7/card)']);

    const done = gvcNews({ opens: false, ending: 'ready', readyAt: NOON, tellsReady: true });
    const [card, ready] = messages({ notices: [done] });
    expect(card?.key).toBe('acme/shop/@gvc/7/card');
    expect(ready).toMatchObject({
      key: 'acme/shop/@gvc/7/ready',
      threadKey: 'acme/shop/@gvc/7/card',
      broadcast: true,
    });
  });

  it('is heard by who hears of one of its workloads', () => {
    const watches = [watch('C1', { workload: 'web' }), watch('C2', { workload: 'zoo' })];

    expect(messages({ notices: [gvcNews()] }, watches).map(({ channel }) => channel)).toEqual([
      'C1',
    ]);
  });

  it('is held back by a filter until it is ready', () => {
    const only = (word: 'ready' | 'failed') => [watch('C1', { only: [word] })];
    const done = gvcNews({ opens: false, tellsReady: true });

    expect(sketch(messages({ notices: [gvcNews()] }, only('ready')))).toEqual(['(@gvc/7/card)']);
    expect(sketch(messages({ notices: [done] }, only('ready')))).toEqual([
      '@gvc/7/card',
      '@gvc/7/ready',
    ]);
    expect(sketch(messages({ notices: [done] }, only('failed')))).toEqual([
      '(@gvc/7/card)',
      '(@gvc/7/ready)',
    ]);
  });

  it('that is gone is one message for what the channel watched of it', () => {
    const news: Notice = {
      kind: 'gvc-gone',
      version: 7,
      workloads: ['cart', 'web'],
      covers: [ref('cart', 'gone'), ref('web', 'gone')],
    };
    const [whole, part] = messages({ notices: [news] }, [
      watch('C1'),
      watch('C2', { workload: 'web' }),
    ]);

    expect(whole).toMatchObject({
      key: 'acme/shop/@gvc/7/gone',
      covers: ['acme/shop/cart/12/gone', 'acme/shop/web/12/gone'],
    });
    expect(part).toMatchObject({ channel: 'C2', covers: ['acme/shop/web/12/gone'] });
    expect(messages({ notices: [news] }, [watch('C1', { only: ['ready'] })])).toEqual([]);
  });
});

describe('an execution that failed', () => {
  it('is a message of its own, heard like a failure', () => {
    const watches = [
      watch('C1'),
      watch('C2', { workload: 'cart' }),
      watch('C3', { only: ['failed'] }),
      watch('C4', { only: ['ready'] }),
    ];
    const all = messages({ notices: [jobFailed()] }, watches);

    expect(all.map(({ channel, key }) => `${channel} ${key}`)).toEqual([
      'C1 acme/shop/report/@job/lima/report-28/failed',
      'C3 acme/shop/report/@job/lima/report-28/failed',
    ]);
    expect(all[0]).not.toHaveProperty('threadKey');
  });
});

const THREAD_ONLY: OutcomeKind[] = ['suspended', 'resumed', 'diverged', 'lagging', 'gone'];

describe('what is said in the thread only', () => {
  it.each(THREAD_ONLY)('%s needs the card and is not shown in the channel', (kind) => {
    expect(messages({ rolloutNotices: [outcomeOfCart({ kind })] })).toEqual([
      expect.objectContaining({
        key: `acme/shop/cart/12/${kind}`,
        requires: 'acme/shop/cart/12/card',
        broadcast: false,
      }),
    ]);
  });

  it('brings the card that a filter held back, where the filter names it', () => {
    const told = (over: Partial<RolloutNotice['rollout']> = {}) =>
      sketch(
        messages({ rolloutNotices: [outcomeOfCart({ kind: 'lagging' }, { rollout: over })] }, [
          watch('C1', { only: ['lagging'] }),
        ]),
      );

    expect(told()).toEqual(['cart/12/card', '(cart/12/lagging)']);
    // A rollout that was adopted has none.
    expect(told({ told: {} })).toEqual(['(cart/12/card)', '(cart/12/lagging)']);
  });

  it('does not bring the card where the filter names something else', () => {
    const rolloutNotices = [cardOfCart({ opens: false }), outcomeOfCart({ kind: 'lagging' })];

    expect(sketch(messages({ rolloutNotices }, [watch('C1', { only: ['failed'] })]))).toEqual([
      '(cart/12/card)',
      '(cart/12/lagging)',
    ]);
  });
});

describe('flapping', () => {
  const flapping = outcomeOfCart({ kind: 'flapping', covers: [ref('cart', 'unhealthy', 2)] });

  it('stands for the outcomes that it replaces', () => {
    expect(messages({ rolloutNotices: [flapping] })[0]).toMatchObject({
      key: 'acme/shop/cart/12/flapping',
      covers: ['acme/shop/cart/12/unhealthy/2'],
      broadcast: true,
    });
  });

  it.each(['ready', 'failed', 'stale', 'unhealthy', 'recovered'] as const)(
    'is heard by who waits for %s',
    (only) => {
      const rolloutNotices = [cardOfCart(), flapping];

      expect(sketch(messages({ rolloutNotices }, [watch('C1', { only: [only] })]))).toEqual([
        'cart/12/card',
        'cart/12/flapping',
      ]);
    },
  );

  it('is not for who waits for something in the thread', () => {
    expect(
      sketch(messages({ rolloutNotices: [flapping] }, [watch('C1', { only: ['gone'] })])),
    ).toEqual(['(cart/12/flapping)']);
  });
});

describe('a channel that is muted', () => {
  const rolloutNotices = [cardOfCart(), outcomeOfCart({})];

  it.each<[string, Partial<Mute>, string]>([
    ['as a whole', {}, 'acme/shop/cart *'],
    ['for the org', { org: 'acme' }, 'acme/shop/cart acme'],
    ['for the GVC', PLACE, 'acme/shop/cart acme/shop'],
    ['for the workload', { ...PLACE, workload: 'cart' }, 'acme/shop/cart'],
  ])('%s gets no card, and the outcome is held back', (_how, over, mark) => {
    expect(sketch(messages({ rolloutNotices }, [watch('C1')], [mute(over)]))).toEqual([
      '(cart/12/card)',
      `cart/12/failed held ${mark}`,
    ]);
  });

  it.each<[string, Partial<Mute>]>([
    ['is over', { until: NOON }],
    ['is of another channel', { channel: 'C2' }],
    ['is for another workload', { ...PLACE, workload: 'web' }],
  ])('hears all when the mute %s', (_how, over) => {
    expect(sketch(messages({ rolloutNotices }, [watch('C1')], [mute(over)]))).toEqual([
      'cart/12/card',
      'cart/12/failed',
    ]);
  });

  it('for the GVC hears nothing of its locations, of itself and of its jobs', () => {
    const done = gvcNews({ tellsReady: true });

    expect(
      sketch(
        messages({ notices: [limaFailed(), done, jobFailed()] }, [watch('C1')], [mute(PLACE)]),
      ),
    ).toEqual([
      '@location/lima/failed/1 held acme/shop',
      '@gvc/7/ready held acme/shop',
      'report/@job/lima/report-28/failed held acme/shop/report acme/shop',
    ]);
  });

  it('for a workload hears of locations and of the GVC', () => {
    const quiet = [mute({ ...PLACE, workload: 'report' })];

    expect(
      sketch(messages({ notices: [limaFailed(), gvcNews(), jobFailed()] }, [watch('C1')], quiet)),
    ).toEqual([
      '@location/lima/failed/1',
      '@gvc/7/card',
      'report/@job/lima/report-28/failed held acme/shop/report',
    ]);
  });
});
