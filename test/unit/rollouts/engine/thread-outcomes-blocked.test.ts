import { describe, expect, it } from 'vitest';
import { card, messages, outcome, read, watch } from '../messages/scenario.ts';
import {
  broken,
  container,
  DAY,
  idle,
  MINUTE,
  pending,
  ready,
  rolling,
  SECOND,
  version,
  type Json,
} from '../platform-json.ts';
import { gvcScenario, outcomes, type GvcScenario } from './gvc-scenario.ts';
import { rolloutScenario } from './rollout-scenario.ts';

const SECRET =
  'The secret cart-credentials no longer exists. Workload updates are paused until it is.';

/** The rollout goes on, and says why it cannot. */
function held(expected: number, message = SECRET): Json {
  return rolling(expected, {
    versions: [version(expected, { ready: false, message, containers: {} }), version(expected - 1)],
  });
}

/** In place for long, and restarted so often. */
function restarted(count: number, over: { ready?: number; memory?: number } = {}): Json {
  const { ready: up = 2, memory = 512 } = over;
  const restarts = { count, reason: 'OOMKilled', exitCode: 137 };
  const resources = { replicas: 2, replicasReady: up, memory };
  return ready(12, {
    versions: [version(12, { containers: { main: container({ resources, restarts }) } })],
  });
}

/** The only message of the last poll, for a channel that hears of everything. */
function posted(gvc: GvcScenario) {
  const all = messages({ rolloutNotices: gvc.told(), notices: gvc.newsItems() }, [watch('C1')]);
  return all.filter(({ requires }) => requires === undefined);
}

describe('a rollout that a missing secret, an image or a quota holds up', () => {
  it('shows why on its card from the beginning', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: held(12) });

    expect(read(card(gvc))).toContain(`*lima*: a secret is missing (\`${SECRET}\`)`);
  });

  it('is blocked after three minutes, in the channel, too, and once', () => {
    const cart = rolloutScenario({ lima: ready(11), oslo: ready(11) });
    expect(cart.poll({ lima: held(12), oslo: held(12) })).toEqual([]);

    expect(cart.poll({}, { after: 3 * MINUTE - SECOND })).toEqual([]);
    expect(cart.poll({}, { after: SECOND })).toEqual(['blocked in lima, oslo']);
    expect(cart.poll({}, { after: DAY })).toEqual([]);
  });

  it('is told to everyone who watches, with the cause and what serves', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: held(12) });
    gvc.poll({}, { after: 3 * MINUTE });

    expect(posted(gvc).slice(1)).toMatchObject([
      {
        key: 'acme/shop/cart/12/blocked',
        threadKey: 'acme/shop/cart/12/card',
        broadcast: true,
        text: `Rollout blocked, nobody affected · shop/cart v12 in lima · v11 serves 2/2: a secret is missing (\`${SECRET}\`)`,
      },
    ]);
  });

  it('joins what was told when another location is held up, too', () => {
    const cart = rolloutScenario({ lima: ready(11), oslo: ready(11) });
    cart.poll({ lima: held(12), oslo: rolling(12) });
    expect(cart.poll({ oslo: held(12) }, { after: 3 * MINUTE })).toEqual(['blocked in lima']);

    expect(cart.poll({}, { after: 3 * MINUTE })).toEqual(['blocked in lima, oslo']);
  });

  it('is not blocked when the cause ends before, and begins to count anew', () => {
    const cart = rolloutScenario({ lima: ready(11) });
    cart.poll({ lima: held(12) });
    cart.poll({ lima: rolling(12) }, { after: 2 * MINUTE });

    expect(cart.poll({ lima: held(12) }, { after: 2 * MINUTE })).toEqual([]);
    expect(cart.poll({}, { after: 3 * MINUTE })).toEqual(['blocked in lima']);
  });

  it('is blocked while the change has not been applied, too', () => {
    const cart = rolloutScenario({ lima: ready(11) });
    cart.poll({ lima: pending(12, { message: SECRET }) });

    expect(cart.poll({}, { after: 3 * MINUTE })).toEqual(['blocked in lima']);
  });

  it('does not lag beside it, and lags ten minutes after it was freed', () => {
    const cart = rolloutScenario({ lima: ready(11) });
    cart.poll({ lima: held(12) });
    cart.poll({}, { after: 3 * MINUTE });
    expect(cart.poll({}, { after: 10 * MINUTE })).toEqual([]);

    expect(cart.poll({ lima: rolling(12) }, { after: MINUTE })).toEqual([]);
    expect(cart.poll({}, { after: 9 * MINUTE })).toEqual([]);
    expect(cart.poll({}, { after: MINUTE })).toEqual(['lagging in lima']);
  });

  it('is ready when it comes up after all, also where ready was told before', () => {
    const cart = rolloutScenario({ lima: ready(11) });
    cart.poll({ lima: held(12) });
    cart.poll({}, { after: 3 * MINUTE });
    expect(cart.poll({ lima: ready(12) })).toEqual(['ready in lima']);

    cart.poll({ lima: held(12) });
    expect(cart.poll({}, { after: 3 * MINUTE })).toEqual(['blocked/2 in lima']);
    expect(cart.poll({ lima: ready(12) })).toEqual(['ready/2 in lima']);
  });

  it('opens a card where there is none', () => {
    const gvc = gvcScenario({ lima: rolling(12) });
    gvc.poll({ lima: held(12) });

    expect(gvc.poll({}, { after: 3 * MINUTE })).toEqual([
      'open cart/12/card',
      'cart/12/blocked in lima',
    ]);
  });
});

describe('containers that crash again and again', () => {
  it('are told of a workload that was adopted and has no card, as a message of its own', () => {
    const gvc = gvcScenario({ lima: restarted(1) });
    gvc.poll({ lima: restarted(5) }, { after: MINUTE });
    gvc.poll({ lima: restarted(10) }, { after: 5 * MINUTE });
    gvc.poll({ lima: restarted(15) }, { after: 4 * MINUTE });

    expect(gvc.told()).toHaveLength(1);
    expect(posted(gvc)).toMatchObject([
      {
        key: 'acme/shop/cart/12/crashloop',
        broadcast: false,
        text: 'Unstable, users are served · shop/cart v12 keeps crashing in lima · 2 of 2 replicas ready: out of memory: main, 14 restarts in 10 min, OOMKilled (exit code 137), limit 512 MiB',
      },
    ]);
  });

  it('are told in the channel when less than half of the wanted replicas are ready', () => {
    const broadcast = (up: number): boolean | undefined => {
      const gvc = gvcScenario({ lima: restarted(1) });
      for (const count of [2, 3, 4]) gvc.poll({ lima: restarted(count, { ready: up }) });
      return posted(gvc).find(({ key }) => key.endsWith('/crashloop'))?.broadcast;
    };

    expect(broadcast(0)).toBe(true);
    expect(broadcast(1)).toBe(false);
  });

  it('are told with what the container stopped of last', () => {
    const gvc = gvcScenario({ lima: restarted(1) });
    for (const count of [2, 3]) gvc.poll({ lima: restarted(count) });
    gvc.poll({ lima: restarted(4, { memory: 1_024 }) });

    expect(read(outcome(gvc))).toContain(
      'out of memory: main, 3 restarts in 1 min, OOMKilled (exit code 137), limit 1024 MiB',
    );
  });
});

describe('a rollout that is late', () => {
  it('is stuck when no location comes up, which the channel is told', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12), oslo: rolling(12) });
    gvc.poll({}, { after: 10 * MINUTE });

    expect(messages({ rolloutNotices: gvc.told() })).toMatchObject([
      { requires: 'acme/shop/cart/12/card', broadcast: true },
    ]);
  });

  it('is for its thread while one of them is ready', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12), oslo: ready(12) });
    gvc.poll({}, { after: 10 * MINUTE });

    expect(messages({ rolloutNotices: gvc.told() })).toMatchObject([
      { key: 'acme/shop/cart/12/lagging', broadcast: false },
    ]);
  });

  it('says what the location says of itself, also where the change has not come', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: ready(12), oslo: ready(11, { message: 'updates are paused for the night' }) });
    gvc.poll({}, { after: 10 * MINUTE });

    expect(outcome(gvc).text).toBe(
      'shop/cart v12 lagging in oslo for 10 min · 4 of 4 replicas ready: `updates are paused for the night`',
    );
  });
});

describe('what holds nothing back', () => {
  it('a location that never stated a version is shown as what it is', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: { ready: true } });

    expect(outcomes(gvc.poll({ lima: ready(12) }))).toEqual(['cart/12/ready in lima, oslo']);
  });

  it('a location that states no replicas and rests at the version counts as scaled to zero', () => {
    const silent = broken(12, '', { desiredScale: undefined, versions: [] });
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12), oslo: silent });

    expect(outcomes(gvc.poll({ lima: ready(12) }))).toEqual(['cart/12/ready in lima']);
    expect(gvc.told()[0]?.rows.map(({ state }) => state)).toEqual(['ready', 'idle']);
  });

  it('a location that is gone shows no counts', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11), rome: ready(11) });
    gvc.poll({ lima: rolling(12), oslo: rolling(12), rome: idle(12) });
    gvc.poll({ oslo: 'absent' });
    gvc.poll();

    expect(read(card(gvc))).toContain('oslo | gone | – | –');
  });
});

describe('a version that is ready when it is first seen', () => {
  const first = (...watches: Parameters<typeof messages>[1] & object) => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: ready(12) });
    const now = () =>
      messages({ rolloutNotices: gvc.told() }, watches.length > 0 ? watches : [watch('C1')]);
    return { gvc, now };
  };

  it('is one post, which serves as the card', () => {
    expect(first().now()).toMatchObject([
      {
        key: 'acme/shop/cart/12/ready',
        servesAs: 'acme/shop/cart/12/card',
        text: 'shop/cart v12 ready',
      },
    ]);
  });

  it('is edited as the card is, and has its replies', () => {
    const { gvc, now } = first();
    gvc.poll({ lima: broken(12, 'no such image') });

    expect(now()).toMatchObject([
      { key: 'acme/shop/cart/12/ready', requires: 'acme/shop/cart/12/ready' },
      { key: 'acme/shop/cart/12/card' },
      { key: 'acme/shop/cart/12/unhealthy', threadKey: 'acme/shop/cart/12/card' },
    ]);
    expect(now()[0]?.text).toContain('unhealthy');
  });

  it('has a card of its own where nobody wants to hear that it is ready', () => {
    const { gvc, now } = first(watch('C1', { only: ['unhealthy'] }));
    expect(now().map(({ requires }) => requires)).not.toContain(undefined);
    gvc.poll({ lima: broken(12, 'no such image') });

    expect(now().filter(({ requires }) => requires === undefined)).toMatchObject([
      { key: 'acme/shop/cart/12/card' },
      { key: 'acme/shop/cart/12/unhealthy' },
    ]);
  });
});
