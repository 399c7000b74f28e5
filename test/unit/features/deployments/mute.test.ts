import { describe, expect, it } from 'vitest';
import { CARD_ACTIONS } from '../../../../src/rollouts/render/parts.ts';
import { NOON } from '../../rollouts/platform-json.ts';
import { createDeployments, noneMay, OPS, SHOP, wordsOf } from './harness.ts';
import { spoken, stepOf, tableOf } from '../../../support/answer.ts';

const CART = { ...SHOP, workload: 'cart' };
const HOUR = 3_600_000;

describe('/deployments mute', () => {
  it('silences a workload for a while', async () => {
    const harness = createDeployments({ configured: [SHOP] });

    await harness.type('mute 8h shop/cart');

    expect(await harness.mutes.all(NOON)).toEqual([
      {
        org: 'acme',
        gvc: 'shop',
        workload: 'cart',
        channel: OPS,
        since: NOON,
        until: NOON + 8 * HOUR,
        by: 'U0ADA',
      },
    ]);
  });

  it('without a name silences everything of the channel, of whatever org', async () => {
    const harness = createDeployments({ configured: [{ ...SHOP, org: 'beta' }] });

    expect(spoken(await harness.type('mute 30m'))).toContain('everything until');
    const [mute] = await harness.mutes.all(NOON);
    expect(mute?.org).toBeUndefined();
  });

  it('alone lists the mutes of the channel and how long they last', async () => {
    const harness = createDeployments({ configured: [SHOP, { ...SHOP, channel: 'C0TEAM' }] });
    expect(spoken(await harness.type('mute'))).toContain('Nothing is muted in <#C0OPS>');
    await harness.type('mute 8h shop/cart');
    await harness.type('mute 2d shop/web in <#C0TEAM|>');

    const listed = await harness.type('mute');

    expect(tableOf(listed).slice(1)).toEqual([['acme/shop/cart', '', '<@U0ADA>', '[Unmute]']]);
    expect(wordsOf(listed)).toContain(`"timestamp":${(NOON + 8 * HOUR) / 1_000}`);
    expect(stepOf(listed, 'acme/shop/cart').value).toBe('/deployments mute off shop/cart');
    harness.pass(8 * HOUR);
    expect(spoken(await harness.type('mute'))).toContain('Nothing is muted');
  });

  it('off ends it, with the mutes inside, and names the messages that follow', async () => {
    const harness = createDeployments({ configured: [SHOP] });
    await harness.type('mute 8h shop/cart');

    const answer = await harness.type('mute off shop');

    expect(spoken(answer)).toContain('No longer muted in <#C0OPS>: acme/shop');
    expect(spoken(answer)).toContain('Muted messages, if any, follow');
    expect(await harness.mutes.all(NOON)).toEqual([]);
    expect(spoken(await harness.type('mute off shop'))).toContain('Nothing was muted by that name');
  });

  it('off without a name ends all of the channel, and says so', async () => {
    const harness = createDeployments({ configured: [SHOP, { ...SHOP, channel: 'C0TEAM' }] });
    await harness.type('mute 8h shop/cart');
    await harness.type('mute 8h', 'C0TEAM');

    expect(spoken(await harness.type('mute off'))).toContain('Nothing is muted now in <#C0OPS>.');
    expect(await harness.mutes.all(NOON)).toMatchObject([{ channel: 'C0TEAM' }]);
    expect(spoken(await harness.type('mute off'))).toBe('Nothing was muted in <#C0OPS>.');
  });

  it('omits a mute around it that ends sooner', async () => {
    const harness = createDeployments({ configured: [SHOP] });
    await harness.type('mute 1h');
    expect(wordsOf(await harness.type('mute 8h shop/cart'))).not.toContain('muted for longer');
  });
});

describe('the Mute buttons of a card', () => {
  it.each([
    [CARD_ACTIONS.muteOneHour, 1],
    [CARD_ACTIONS.muteEightHours, 8],
  ])('%s silences the workload in the channel of the click', async (action, hours) => {
    const harness = createDeployments({ configured: [SHOP] });
    expect(spoken((await harness.click(action, 'acme/shop/cart'))!)).toContain('Muted in <#C0OPS>');
    expect(await harness.mutes.all(NOON)).toMatchObject([
      { workload: 'cart', channel: OPS, until: NOON + hours * HOUR },
    ]);
  });

  it('silence a whole GVC below its card', async () => {
    const harness = createDeployments({ configured: [CART] });

    await harness.click(CARD_ACTIONS.muteOneHour, 'acme/shop');

    const [mute] = await harness.mutes.all(NOON);
    expect(mute).toMatchObject({ org: 'acme', gvc: 'shop' });
    expect(mute?.workload).toBeUndefined();
  });

  it.each([
    ['acme', 'names no place'],
    [undefined, 'names no place'],
    ['gamma/shop', 'no key for org gamma'],
    ['acme/<!channel>', 'names no place'],
  ])('refuse a value that is not one of theirs: %s', async (value, words) => {
    const harness = createDeployments({ configured: [SHOP] });
    for (const action of Object.values(CARD_ACTIONS).slice(1)) {
      await expect(harness.click(action, value)).rejects.toThrow(words);
    }
  });

  it('ask for the right at each click', async () => {
    const harness = createDeployments({ configured: [SHOP], over: noneMay });
    for (const action of Object.values(CARD_ACTIONS).slice(1)) {
      await expect(harness.click(action, 'acme/shop')).rejects.toThrow('one user group only');
    }
    expect(await harness.mutes.all(NOON)).toEqual([]);
  });
});
