import { describe, expect, it } from 'vitest';
import { CARD_ACTIONS } from '../../../../src/rollouts/render/parts.ts';
import type { Watch } from '../../../../src/rollouts/watches.ts';
import { NOON } from '../../rollouts/platform-json.ts';
import { createDeployments, noneMay, OPS, wordsOf } from './harness.ts';
import { controlOf, spoken, stepOf, tableOf } from '../../../support/answer.ts';

const SHOP: Watch = { org: 'acme', gvc: 'shop', channel: OPS, quiet: false, configured: true };
const CART: Watch = { ...SHOP, workload: 'cart' };
const HOUR = 3_600_000;
const EIGHT = `<!date^${(NOON + 8 * HOUR) / 1_000}^`;

describe('/deployments mute', () => {
  it('silences a workload for a while and says how to end that', async () => {
    const harness = createDeployments({ configured: [SHOP] });

    const answer = await harness.type('mute 8h shop/cart');

    expect(spoken(answer)).toContain(`Muted in <#C0OPS>\nacme/shop/cart until ${EIGHT}`);
    expect(wordsOf(answer)).toContain('come in one message afterwards');
    expect(controlOf(answer, 'Unmute').value).toBe('/deployments mute off shop/cart');
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

  it('of another org or channel is ended there by its button', async () => {
    const watch = { ...SHOP, org: 'beta', channel: 'C0TEAM' };
    const harness = createDeployments({ configured: [watch] });
    const answer = await harness.type('mute 2d shop org beta in <#C0TEAM|team>');
    expect(controlOf(answer, 'Unmute').value).toBe(
      '/deployments mute off shop org beta in <#C0TEAM>',
    );
  });

  it('says that something wider is silent for longer', async () => {
    const harness = createDeployments({ configured: [SHOP] });
    await harness.type('mute 8h');
    expect(wordsOf(await harness.type('mute 1h shop/cart'))).toContain(
      `It stays muted for longer: everything until ${EIGHT}`,
    );
  });

  it('says of a channel without watches that it watches nothing', async () => {
    expect(spoken(await createDeployments().type('mute 8h'))).toContain('watches nothing');
  });

  it.each(['mute 8h data', 'mute 8h shop/web', 'mute 8h org beta'])(
    'where nothing is watched names the next step: %s',
    async (text) => {
      const harness = createDeployments({ configured: [CART] });

      const answer = await harness.type(text);

      expect(spoken(answer)).toContain('There is nothing to mute');
      expect(spoken(answer)).toContain('`/deployments watch');
      expect(await harness.mutes.all(NOON)).toEqual([]);
    },
  );

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

  it('off is no answer to a mute that has run out', async () => {
    const harness = createDeployments({ configured: [SHOP] });
    await harness.type('mute 1h shop');
    harness.pass(HOUR);

    expect(spoken(await harness.type('mute off shop'))).toContain('Nothing was muted by that name');
  });

  it('omits a mute around it that ends sooner', async () => {
    const harness = createDeployments({ configured: [SHOP] });
    await harness.type('mute 1h');
    expect(wordsOf(await harness.type('mute 8h shop/cart'))).not.toContain('muted for longer');
  });

  it('off names the mute that stays in effect', async () => {
    const harness = createDeployments({ configured: [SHOP] });
    await harness.type('mute 8h');
    await harness.type('mute 1h shop');

    const answer = await harness.type('mute off shop');

    expect(spoken(answer)).toMatch(
      /^The mute of acme\/shop in <#C0OPS> is over, and a wider one goes on\.\nIt stays muted with everything until /,
    );
    expect(controlOf(answer, 'Unmute').value).toBe('/deployments mute off');
  });

  it('is reported when something is watched that is muted already', async () => {
    const harness = createDeployments({ configured: [CART] });
    await harness.type('mute 8h');
    expect(wordsOf(await harness.type('watch shop'))).toContain('For now it is muted');
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
