import { describe, expect, it } from 'vitest';
import { EMPTY_GVC, type GvcState } from '../../../../src/rollouts/watch/advance.ts';
import { EMPTY_ORG, type Member } from '../../../../src/rollouts/watch/group.ts';
import type { Location } from '../../../../src/rollouts/watch/location.ts';
import type { Workload } from '../../../../src/rollouts/watch/workload.ts';
import { END_WATCHES_ACTION } from '../../../../src/rollouts/outages/outage-view.ts';
import { CARD_ACTIONS } from '../../../../src/rollouts/render/parts.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { NOON } from '../../rollouts/platform-json.ts';
import { spoken } from '../../../support/answer.ts';
import { createDeployments, noneMay, OPS, wordsOf, headOf } from './harness.ts';

const ADOPTED: GvcState = { ...EMPTY_GVC, meta: { adoptedAt: NOON } };

/** The stored state of workloads at version 12, as far as it matters here. */
function known(workloads: Record<string, Partial<Workload>>): GvcState {
  const location: Location = {
    state: 'ready',
    since: NOON,
    version: 12,
    gvc: 4,
    have: 2,
    fresh: 2,
    wanted: 2,
    wasReady: true,
    served: true,
  };
  const usual: Workload = {
    version: 12,
    gvc: 4,
    startedAt: NOON - 60_000,
    ends: {},
    numbers: {},
    locations: { lima: location, oslo: { ...location, state: 'deploying' } },
  };
  const entries = Object.entries(workloads).map(([name, one]) => [name, { ...usual, ...one }]);
  return { ...ADOPTED, workloads: Object.fromEntries(entries) as GvcState['workloads'] };
}

const MOVING = known({ cart: { card: 1 } });
const CONFIGURED: Watch = {
  org: 'acme',
  gvc: 'shop',
  channel: OPS,
  quiet: false,
  configured: true,
};

describe('a card that is no longer updated', () => {
  it('says so in a last edit, without buttons', async () => {
    const harness = createDeployments({ state: MOVING });
    await harness.type('watch shop');

    await harness.type('unwatch shop');

    const key = 'acme/shop/cart/12/card';
    expect(harness.reported).toMatchObject([{ channel: OPS, key, editOnly: true }]);
    expect(harness.reported[0]?.text).toContain(
      'shop/cart v12\nno longer watched here · last seen deploying, <!date^',
    );
    expect(JSON.stringify(harness.reported)).not.toContain('"actions"');
    expect(harness.asked.at(-1)).toBe(`wake ${OPS}`);
  });

  it('is closed before the watch goes and while no poll runs, so that none opens it again', async () => {
    const steps: string[] = [];
    const harness = createDeployments({
      state: MOVING,
      async onLock(when, name) {
        const { length } = await harness.watches.all();
        steps.push(`${name} ${when}: ${length} watches, ${harness.reported.length} closed`);
      },
    });
    await harness.type('watch shop');

    await harness.type('unwatch');

    expect(steps).toEqual([
      'poll:acme/shop taken: 1 watches, 0 closed',
      'poll:acme/shop released: 0 watches, 1 closed',
    ]);
  });

  it('leaves the watch to be ended again where it could not be closed', async () => {
    let isAway = false;
    const harness = createDeployments({ state: MOVING, isAway: () => isAway });
    await harness.type('watch shop');
    isAway = true;

    await expect(harness.type('unwatch')).rejects.toThrow('Redis is away');

    expect(await harness.watches.all()).toHaveLength(1);
  });

  it('has its own number where the version came again', async () => {
    const harness = createDeployments({ state: known({ cart: { card: 2 } }) });
    await harness.type('watch shop');

    await harness.type('unwatch');

    expect(harness.reported.map(({ key }) => key)).toEqual(['acme/shop/cart/12/card/2']);
  });

  it.each([
    ['one that has ended', known({ cart: { card: 1, ends: { ready: 1 } } })],
    ['one that was never opened', known({ cart: {} })],
    ['one of before, as long as nothing was read anew', { ...MOVING, meta: undefined }],
  ])('is not %s', async (_, state) => {
    const harness = createDeployments({ state });
    await harness.type('watch shop');

    await harness.type('unwatch');

    expect(harness.reported).toEqual([]);
  });

  it('is not one that another watch of the channel still covers', async () => {
    const state = known({ cart: { card: 1 }, web: { card: 1 } });
    const harness = createDeployments({ state });
    await harness.type('watch shop');
    await harness.type('watch shop/cart');

    await harness.type('unwatch shop');

    expect(harness.reported.map(({ key }) => key)).toEqual(['acme/shop/web/12/card']);
  });

  it('is not one that a watch of WATCHES still covers', async () => {
    const harness = createDeployments({ configured: [CONFIGURED], state: MOVING });
    await harness.type('watch shop');

    await harness.type('unwatch shop');

    expect(await harness.watches.all()).toEqual([CONFIGURED]);
    expect(harness.reported).toEqual([]);
  });

  it('is that of the whole GVC, too, once none of its workloads is watched', async () => {
    const version = { ...GROUP, kind: 'gvc', name: 'shop', word: 'card', n: 3 } as const;
    const shared = { ...EMPTY_ORG, groups: { 'gvc/shop': version } };
    const harness = createDeployments({ state: ADOPTED, shared });
    await harness.type('watch shop');
    await harness.type('watch shop/cart');

    await harness.type('unwatch shop');
    expect(harness.reported).toEqual([]);
    await harness.type('unwatch shop/cart');

    expect(harness.reported.map(({ key }) => key)).toEqual(['acme/shop/@gvc/3/card']);
    expect(harness.reported[0]?.text).toContain('shop GVC v3\nno longer watched here');
  });

  it('is the message of a location, once none of its workloads is watched', async () => {
    const members = { 'shop/cart': MEMBER, 'data/etl': MEMBER };
    const place = { kind: 'trouble', name: 'oslo', word: 'unhealthy', n: 2 } as const;
    const shared = { ...EMPTY_ORG, groups: { 'trouble/oslo': { ...GROUP, ...place, members } } };
    const harness = createDeployments({ state: ADOPTED, shared });
    await harness.type('watch shop');
    await harness.type('watch data');

    await harness.type('unwatch shop');
    expect(harness.reported).toEqual([]);
    await harness.type('unwatch data');

    expect(harness.reported.map(({ key }) => key)).toEqual(['acme/@location/oslo/unhealthy/2']);
    expect(harness.reported[0]?.text).toContain('oslo 2 workloads\nno longer watched here');
  });
});

const GROUP = {
  openedAt: NOON,
  loudAt: NOON,
  top: 0,
  openedBy: [],
  members: {},
  covers: [],
} as const;
const MEMBER: Member = {
  version: 12,
  word: 'unhealthy',
  n: 1,
  posted: 3,
  level: 3,
  have: 0,
  wanted: 2,
  cause: '',
  where: ['oslo'],
  at: NOON,
  isIll: true,
};

describe('mutes after the watch has ended', () => {
  it('go with the watch', async () => {
    const harness = createDeployments();
    await harness.type('watch shop');
    await harness.type('mute 8h shop/cart');

    await harness.type('unwatch');

    expect(await harness.mutes.all(NOON)).toEqual([]);
  });

  it('stay where another watch needs them', async () => {
    const harness = createDeployments();
    await harness.type('watch shop');
    await harness.type('watch shop/cart');
    await harness.type('mute 8h shop/cart');
    await harness.type('mute 8h shop/web');

    await harness.type('unwatch shop');

    expect(await harness.mutes.all(NOON)).toMatchObject([{ workload: 'cart' }]);
  });
});

it('Unwatch in the menu of a card asks first, and ends nothing by itself', async () => {
  const harness = createDeployments({ state: MOVING });
  await harness.type('watch shop/cart');

  const asked = await harness.click(CARD_ACTIONS.unwatchAsk, 'acme/shop/cart');

  expect(headOf(asked!)).toBe('This ends the watch of shop/cart in <#C0OPS>, for everyone in it.');
  expect(asked?.buttons).toMatchObject([
    {
      text: { text: 'Unwatch' },
      style: 'danger',
      action_id: CARD_ACTIONS.unwatch,
      value: 'acme/shop/cart',
    },
  ]);
  expect(await harness.watches.all()).toHaveLength(1);
  expect(harness.reported).toEqual([]);

  expect(headOf(await harness.press(asked!, 'Unwatch'))).toContain('No longer watching');
  expect(await harness.watches.all()).toEqual([]);
});

describe('the Unwatch button', () => {
  it('ends the watch of its workload, in the channel of the click alone', async () => {
    const harness = createDeployments({ state: MOVING });
    await harness.type('watch shop/cart');
    await harness.type('watch shop/cart', 'C0TEAM');

    const answer = await harness.click(CARD_ACTIONS.unwatch, 'acme/shop/cart');

    expect(headOf(answer!)).toBe('No longer watching acme/shop/cart in <#C0OPS>.');
    expect(wordsOf(answer)).not.toContain('whole GVC');
    expect(await harness.watches.all()).toMatchObject([{ channel: 'C0TEAM' }]);
    expect(harness.reported).toHaveLength(1);
  });

  it('ends every watch of a GVC below its card', async () => {
    const harness = createDeployments();
    await harness.type('watch shop');
    await harness.type('watch shop/cart');
    await harness.type('watch data');

    await harness.click(CARD_ACTIONS.unwatch, 'acme/shop');

    expect(await harness.watches.all()).toMatchObject([{ gvc: 'data' }]);
  });
});

describe('the button of a message about GVCs that are not found', () => {
  const MISSING = ['acme/shop', 'acme/blog'];
  const end = (harness: ReturnType<typeof createDeployments>, key = 'acme/shop/@api/down/1') =>
    harness.click(END_WATCHES_ACTION, key, 'C0OTHER');

  it('ends their watches in all channels that the person is in', async () => {
    const harness = createDeployments({ missing: MISSING });
    await harness.type('watch shop');
    await harness.type('watch blog', 'C0OTHER');
    await harness.type('watch data');

    const answer = await end(harness);

    expect(headOf(answer!)).toBe('2 watches ended in <#C0OPS>, <#C0OTHER>.');
    expect((await harness.watches.all()).map(({ gvc }) => gvc)).toEqual(['data']);
  });

  it('leaves those of other channels, and says so', async () => {
    const harness = createDeployments({ missing: MISSING, channels: { hasPerson: false } });
    await harness.type('watch shop');
    await harness.type('watch blog', 'C0OTHER');

    const answer = await end(harness);

    expect(spoken(answer!)).toBe(
      '1 watch ended in <#C0OTHER>.\nacme/shop: watched in channels where Slack does not confirm you as a member. Ask someone there to type `/deployments unwatch`.',
    );
    expect(await harness.watches.all()).toHaveLength(1);
  });

  it('ends nothing once the GVCs can be read again', async () => {
    const harness = createDeployments({ missing: [] });
    await harness.type('watch shop');

    expect(spoken((await end(harness))!)).toBe(
      'No watch was ended.\nThese GVCs can be read again, or no watch is left.',
    );
    expect(await harness.watches.all()).toHaveLength(1);
  });

  it('is refused to a member without access to the orgs', async () => {
    const harness = createDeployments({ missing: MISSING, over: noneMay });

    await expect(end(harness)).rejects.toThrow('open to one user group');
  });
});
