import { describe, expect, it } from 'vitest';
import { EMPTY_ORG, type Group } from '../../../../src/rollouts/watch/group.ts';
import { END_WATCHES_ACTION } from '../../../../src/rollouts/outages/outage-view.ts';
import { CARD_ACTIONS } from '../../../../src/rollouts/render/parts.ts';
import { NOON, polled, ready, rolling } from '../../rollouts/platform-json.ts';
import { spoken } from '../../../support/answer.ts';
import { createDeployments, noneMay, OPS, SHOP, wordsOf, headOf } from './harness.ts';

const BEFORE = { 'cart/oslo': ready(11) };
const ROLLS = { 'cart/oslo': rolling(12) };
const ADOPTED = polled([BEFORE]).state;
const MOVING = polled([BEFORE, ROLLS]).state;

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
    const harness = createDeployments({ state: polled([BEFORE, ROLLS, BEFORE, ROLLS]).state });
    await harness.type('watch shop');

    await harness.type('unwatch');

    expect(harness.reported.map(({ key }) => key)).toEqual(['acme/shop/cart/12/card/2']);
  });

  it.each([
    ['one that has ended', polled([BEFORE, ROLLS, { 'cart/oslo': ready(12) }]).state],
    ['one that was never opened', polled([ROLLS]).state],
    ['one of before, as long as nothing was read anew', { ...MOVING, meta: undefined }],
  ])('is not %s', async (_, state) => {
    const harness = createDeployments({ state });
    await harness.type('watch shop');

    await harness.type('unwatch');

    expect(harness.reported).toEqual([]);
  });

  it('is not one that another watch of the channel still covers', async () => {
    const both = { ...ROLLS, 'web/oslo': rolling(12) };
    const { state } = polled([{ ...BEFORE, 'web/oslo': ready(11) }, both]);
    const harness = createDeployments({ state });
    await harness.type('watch shop');
    await harness.type('watch shop/cart');

    await harness.type('unwatch shop');

    expect(harness.reported.map(({ key }) => key)).toEqual(['acme/shop/web/12/card']);
  });

  it('is not one that a watch of WATCHES still covers', async () => {
    const harness = createDeployments({ configured: [SHOP], state: MOVING });
    await harness.type('watch shop');

    await harness.type('unwatch shop');

    expect(await harness.watches.all()).toEqual([SHOP]);
    expect(harness.reported).toEqual([]);
  });

  it.each<[string, string, Partial<Group>, string, string]>([
    [
      'the whole GVC',
      'shop/cart',
      { kind: 'gvc', name: 'shop', word: 'card', n: 3 },
      'shop/@gvc/3/card',
      'shop GVC v3',
    ],
    [
      'a location',
      'data',
      { kind: 'trouble', name: 'oslo', word: 'unhealthy', n: 2 },
      '@location/oslo/unhealthy/2',
      'oslo 2 workloads',
    ],
  ])(
    'is that of %s, too, once none of its workloads is watched',
    async (_, other, of, key, name) => {
      const group = { ...of, openedAt: NOON, members: { 'shop/cart': {}, 'data/etl': {} } };
      const shared = { ...EMPTY_ORG, groups: { one: group as unknown as Group } };
      const harness = createDeployments({ state: ADOPTED, shared });
      await harness.type('watch shop');
      await harness.type(`watch ${other}`);

      await harness.type('unwatch shop');
      expect(harness.reported).toEqual([]);
      await harness.type(`unwatch ${other}`);

      expect(harness.reported).toMatchObject([{ key: `acme/${key}` }]);
      expect(harness.reported[0]?.text).toContain(`${name}\nno longer watched here`);
    },
  );
});

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
  expect(await harness.watches.all()).toHaveLength(1);
  expect(harness.reported).toEqual([]);

  await harness.press(asked!, 'Unwatch');
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
