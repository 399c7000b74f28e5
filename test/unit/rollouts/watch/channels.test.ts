import { describe, expect, it } from 'vitest';
import type { Mute, Watch } from '../../../../src/rollouts/watches.ts';
import { workload } from '../../../stories/watch/records.ts';
import { at, known, until, type Story } from '../../../stories/watch/story.ts';
import { messagesFor, mute, sketch, watch } from './audience.ts';

const cart = workload('cart').in('lima');
const FIVE = ['a', 'b', 'c', 'd', 'e'];
const ONCALL = '<!subteam^S0ONCALL>';
type Polls = Pick<Story, 'polls'>;

const FAILS: Polls = {
  polls: [
    known(cart.v(11).ready(2), workload('pay').in('lima').v(3).ready(1)),
    at(0, cart.v(12).deploying(0, 2).old(11, 2)),
    at(2, cart.v(12).down(0, 2).crash('CrashLoopBackOff').old(11, 2)),
    until(5),
  ],
};
const OUTAGE: Polls = {
  polls: [known(cart.v(11).ready(2)), at(0, cart.v(11).down(0, 2)), until(10)],
};
const REDUCED: Polls = {
  polls: [known(cart.v(11).ready(4)), at(0, cart.v(11).down(3, 4)), until(20)],
};
const LOCATION: Polls = {
  polls: [
    known(...FIVE.map((name) => workload(name).in('lima').v(11).ready(2))),
    at(0, ...FIVE.map((name) => workload(name).in('lima').v(11).down(0, 2))),
    until(5),
  ],
};
const w = (name: string) => workload(name).in('lima').v(11);
const JOINED: Polls = {
  polls: [
    known(...[...FIVE, 'x'].map((name) => w(name).ready(2))),
    at(0, ...FIVE.map((name) => w(name).down(0, 2))),
    at(10, w('x').down(0, 2)),
    until(20),
  ],
};
const ROLLED: Polls = {
  polls: [
    known(...['a', 'b'].map((name) => w(name).under(4).ready(2))),
    at(0, w('a').under(4).down(0, 2)),
    at(
      20,
      w('a').under(5).deploying(0, 2).says('ErrImagePull'),
      w('b').under(5).deploying(0, 2).oldGvc(2),
    ),
    at(22, w('b').under(5).ready(2)),
    until(40),
  ],
};
const RISES: Polls = {
  polls: [
    known(...FIVE.map((name) => w(name).ready(4))),
    at(0, ...FIVE.map((name) => w(name).down(3, 4))),
    at(15, w('a').down(0, 4)),
    until(25),
  ],
};
const THIRD: Polls = {
  polls: [
    known(cart.v(11).ready(2)),
    ...[0, 18, 36].flatMap((minute) => [
      at(minute, cart.v(11).down(0, 2)),
      at(minute + 8, cart.v(11).ready(2)),
    ]),
    until(50),
  ],
};
const oslo = workload('cart').in('oslo').v(11);
const GROWS: Polls = {
  polls: [
    known(cart.v(11).ready(2), oslo.ready(2)),
    at(0, cart.v(11).down(0, 2)),
    at(10, oslo.down(0, 2)),
    until(20),
  ],
};
const GVC: Polls = {
  polls: [
    known(...['a', 'b'].map((name) => workload(name).in('lima').v(11).under(4).ready(2))),
    at(
      0,
      ...['a', 'b'].map((name) =>
        workload(name).in('lima').v(11).under(5).deploying(0, 2).oldGvc(2),
      ),
    ),
    at(3, ...['a', 'b'].map((name) => workload(name).in('lima').v(11).under(5).ready(2))),
    until(5),
  ],
};

const heard = (story: Polls, watches: readonly Watch[], mutes: readonly Mute[] = []): string[] =>
  sketch(messagesFor(story, { watches, mutes }));

describe('a channel', () => {
  it('gets messages of the workloads that it watches', () => {
    const watches = [watch('C1'), watch('C2', { workload: 'pay' }), watch('C3', { org: 'other' })];
    expect(heard(FAILS, watches)).toEqual([
      'C1 cart/12/card',
      '(C1 cart/12/card)',
      'C1 cart/12/failed',
    ]);
  });

  it('with several watches gets each message once, by the watch that shows the most', () => {
    const watches = [
      watch('C1', { quiet: true, only: ['ready'] }),
      watch('C1', { workload: 'cart' }),
    ];
    const all = messagesFor(FAILS, { watches });
    expect(all.filter(({ key }) => key.endsWith('/failed'))).toMatchObject([{ broadcast: true }]);
  });

  it('that names words gets the card with the first message', () => {
    const only = [watch('C1', { only: ['failed'] })];
    const all = messagesFor(FAILS, { watches: only });
    expect(sketch(all)).toEqual(['(C1 cart/12/card)', 'C1 cart/12/failed']);
    expect(all.at(-1)).toMatchObject({ threadKey: 'acme/shop/cart/12/card', orphan: 'root' });
    expect(heard(FAILS, [watch('C1', { only: ['ready'] })])).toEqual([
      '(C1 cart/12/card)',
      '(C1 cart/12/failed)',
    ]);
  });

  it('that is quiet has outcomes in the thread alone', () => {
    const all = messagesFor(FAILS, { watches: [watch('C1', { quiet: true })] });
    expect(all.at(-1)).toMatchObject({ broadcast: false, threadKey: 'acme/shop/cart/12/card' });
  });
});

describe('a group', () => {
  it('of a location is one message in a channel that watches five of its workloads, else one for each', () => {
    const four = FIVE.slice(0, 4).map((name) => watch('C2', { workload: name }));
    const all = messagesFor(LOCATION, { watches: [watch('C1'), ...four] });
    expect(sketch(all).filter((line) => !line.startsWith('('))).toEqual([
      'C1 @location/lima/unhealthy/1',
      ...['a', 'b', 'c', 'd'].map((name) => `C2 ${name}/11/unhealthy`),
    ]);
    expect(all[0]?.covers).toEqual(FIVE.map((name) => `acme/shop/${name}/11/unhealthy`));
  });

  it.each(['shop', 'data'])(
    "that names a workload of %s before its call is due is that call where the group's message is not heard",
    (gvc) => {
      const later = workload('cart', gvc).in('lima').v(11);
      const five = (name: string) => workload(name).in('lima').v(11);
      const polls = [
        known(...FIVE.map((name) => five(name).ready(2)), later.ready(2)),
        at(0, ...FIVE.map((name) => five(name).down(0, 2))),
        at(2, later.down(0, 2)),
        until(7),
      ];
      const watches = [watch('C1'), watch('C1', { gvc }), watch('C2', { gvc, workload: 'cart' })];
      const posted = messagesFor({ polls }, { watches }).filter(({ editOnly }) => !editOnly);
      const named = (channel: string): string[] =>
        posted
          .filter((one) => one.channel === channel)
          .flatMap(({ key, covers = [] }) => [key, ...covers]);
      const key = `acme/${gvc}/cart/11/unhealthy`;

      expect(named('C1')[0]).toBe('acme/@location/lima/unhealthy/1');
      expect(named('C1').filter((one) => one === key)).toHaveLength(1);
      expect(named('C2')).toEqual([key]);
    },
  );

  it('of a GVC version reaches channels that watch anything of the GVC, with their workloads alone', () => {
    const all = messagesFor(GVC, { watches: [watch('C1'), watch('C2', { workload: 'b' })] });
    const ready = all.filter(({ key }) => key.endsWith('/ready'));
    expect(ready.map(({ channel, covers }) => [channel, covers])).toEqual([
      ['C1', ['acme/shop/a/11/ready', 'acme/shop/b/11/ready']],
      ['C2', ['acme/shop/b/11/ready']],
    ]);
    expect(ready[1]?.text).not.toContain('shop/a');
  });
});

describe('a mute', () => {
  it.each<[string, Partial<Mute>, boolean]>([
    ['of the whole channel', {}, true],
    ['of the org', { org: 'acme' }, true],
    ['of the GVC', { org: 'acme', gvc: 'shop' }, true],
    ['of the workload', { org: 'acme', gvc: 'shop', workload: 'cart' }, true],
    ['of another workload', { org: 'acme', gvc: 'shop', workload: 'pay' }, false],
    ['of another channel', { channel: 'C2' }, false],
    ['that is over', { until: 0 }, false],
  ])('%s holds its messages back or not: %j', (_, over, holds) => {
    const all = messagesFor(FAILS, { mutes: [mute(over)] });
    expect(all.map(({ held }) => held !== undefined)).toEqual(all.map(() => holds));
  });

  it('of a workload leaves the group of its location', () => {
    const one = mute({ org: 'acme', gvc: 'shop', workload: 'a' });
    expect(heard(LOCATION, [watch('C1')], [one])).toEqual(['C1 @location/lima/unhealthy/1']);
  });
});

it.each<[string, Polls, Partial<Mute>[], string[]]>([
  ['of an outage, once, in its own channel', OUTAGE, [], ['C1 cart/11/unhealthy']],
  ['of a location, once', LOCATION, [], ['C1 @location/lima/unhealthy/1']],
  [
    'of each outage within an hour',
    THIRD,
    [],
    ['C1 cart/11/unhealthy', 'C1 cart/11/unhealthy/2', 'C1 cart/11/unhealthy/3'],
  ],
  [
    'of a workload that joins the message of its location',
    JOINED,
    [],
    ['C1 @location/lima/unhealthy/1', '(C1 @location/lima/unhealthy/1)', 'C1 x/11/unhealthy'],
  ],
  ['of an outage that a change of the GVC does not end, once', ROLLED, [], ['C1 a/11/unhealthy']],
  [
    'of a workload of a location that gets worse, in its own call',
    RISES,
    [],
    ['C1 a/11/unhealthy/2'],
  ],
  [
    'of an outage that grows, once: in edits, too, for the first message may still be on its way',
    GROWS,
    [],
    ['C1 cart/11/unhealthy', '(C1 cart/11/unhealthy)'],
  ],
  ['not of reduced capacity', REDUCED, [], []],
  ['not in a muted channel', OUTAGE, [{}], []],
])('a watch with notify mentions the group %s', (_, story, mutes, mentioning) => {
  const watches = [watch('C1', { notify: ONCALL }), watch('C2')];
  const all = messagesFor(story, { watches, mutes: mutes.map(mute) });
  const both = all.filter(
    ({ text, blocks }) => text.includes(ONCALL) && JSON.stringify(blocks).includes(ONCALL),
  );
  expect(sketch(both)).toEqual(mentioning);
});

it('a message about a location mentions the people of those workloads alone that are hurt', () => {
  const [some, others] = [FIVE, FIVE.map((name) => `z${name}`)];
  const polls = [
    known(...some.map((name) => w(name).ready(4)), ...others.map((name) => w(name).ready(2))),
    at(0, ...some.map((name) => w(name).down(3, 4))),
    at(9, ...others.map((name) => w(name).down(0, 2))),
    until(20),
  ];
  const watches = [
    ...some.map((name) => watch('C1', { workload: name, notify: ONCALL })),
    ...others.map((name) => watch('C2', { workload: name, notify: ONCALL })),
  ];
  const all = messagesFor({ polls }, { watches }).filter(({ text }) => text.includes(ONCALL));
  expect(new Set(all.map(({ channel }) => channel))).toEqual(new Set(['C2']));
});
