import { describe, expect, it } from 'vitest';
import type { Watch } from '../../../src/rollouts/watches.ts';
import { deployment, ready } from '../rollouts/platform-json.ts';
import { createDeployments, nobodyMay, wordsOf } from './deployments-house.ts';

const EMPTY_LIST = { deployments: [], unreadable: [], unidentified: 0 };
const LOUD: Watch = { org: 'acme', gvc: 'shop', channel: 'C0OPS', quiet: false, configured: true };

describe('/deployments', () => {
  it('polls what is watched from now on at once, so that what is there now is known', async () => {
    const house = createDeployments();

    await house.type('watch shop/cart');

    expect(house.asked).toEqual(['changed', 'poll acme/shop']);
    expect(await house.watches.all()).toMatchObject([{ gvc: 'shop', workload: 'cart' }]);
  });

  it.each([
    ['a workload that is new', 'watch shop/zzz', undefined],
    ['a mistyped one', 'watch shop/crat', '`/deployments watch shop/cart`'],
    ['one of another org', 'watch shop/crat org beta', '`/deployments watch shop/cart org beta`'],
    ['an empty GVC', 'watch data', undefined],
  ])('watches %s, and says that nothing is listed there yet', async (_, text, meant) => {
    const cart = deployment(ready(12));
    const listGvc = (_org: string, gvc: string) =>
      Promise.resolve({ ...EMPTY_LIST, deployments: gvc === 'shop' ? [cart] : [] });
    const listWorkload = () => Promise.resolve(EMPTY_LIST);
    const house = createDeployments({ over: { client: { listGvc, listWorkload } as never } });

    const words = wordsOf(await house.type(text));

    expect(words).toContain('Nothing is listed under that name yet.');
    expect(/Did you mean (`[^`]*`)/.exec(words)?.[1]).toBe(meant);
    expect(await house.watches.all()).toHaveLength(1);
  });

  it('says nothing of that where something is listed', async () => {
    const house = createDeployments({ deployments: [deployment(ready(12))] });

    expect(wordsOf(await house.type('watch shop/cart'))).not.toContain('Nothing is listed');
  });

  it('says of a narrow watch that a wider one makes it idle', async () => {
    const beside = async (...configured: Watch[]): Promise<string> =>
      wordsOf(await createDeployments({ configured }).type('watch shop only failed'));

    expect(await beside(LOUD)).toContain('holds nothing back: acme/shop (from WATCHES)');
    expect(await beside({ ...LOUD, channel: 'C2' })).not.toContain('holds nothing back');
  });

  it.each(['shop', 'shop/cart', 'watch shop', 'jobs shop/cart'])(
    'ends its calls to the platform when Purser stops: %s',
    async (text) => {
      const house = createDeployments();

      await house.type(text);

      expect(house.signals).toEqual([house.stopping]);
    },
  );

  it('also that for a single location', async () => {
    const house = createDeployments();

    // What the pretended platform gives is no deployment; that it was asked is enough.
    await house.type('shop/cart/lima').catch(() => undefined);

    expect(house.signals).toEqual([house.stopping]);
  });

  it.each([
    'shop',
    'jobs shop/cart',
    'watch shop',
    'watches',
    'unwatch',
    'mute 8h',
    'mute',
    'mute off',
  ])('is for people with the right only: %s', async (text) => {
    const house = createDeployments({ over: nobodyMay });

    await expect(house.type(text)).rejects.toThrow('one user group only');
    expect(house.signals).toEqual([]);
  });
});

describe('aiming at another channel', () => {
  it.each(['watch shop', 'unwatch', 'mute 8h', 'mute off'])(
    'takes being in it: %s',
    async (text) => {
      const house = createDeployments({
        configured: [{ ...LOUD, channel: 'C0FINANCE' }],
        over: { hasMember: () => Promise.resolve(false) },
      });

      await expect(house.type(`${text} in <#C0FINANCE|>`)).rejects.toThrow('not in that channel');
      await expect(house.type(text, 'C0FINANCE')).resolves.toBeDefined();
    },
  );

  it.each(['watch shop', 'unwatch', 'mute 8h', 'mute off'])(
    'is refused where Slack does not say who is in it: %s',
    async (text) => {
      const house = createDeployments({
        configured: [{ ...LOUD, channel: 'C0FINANCE' }],
        over: { hasMember: () => Promise.resolve(undefined) },
      });

      await expect(house.type(`${text} in <#C0FINANCE|>`)).rejects.toThrow(
        'Slack does not say whether you are in that channel, so nothing was done',
      );
      expect(house.signals).toEqual([]);
      await expect(house.type(text, 'C0FINANCE')).resolves.toBeDefined();
    },
  );

  it('is never a direct message of somebody else', async () => {
    const house = createDeployments();

    await expect(house.type('watch shop in D0BENSOWN')).rejects.toThrow('not in that channel');
  });

  it('takes the bot being in it', async () => {
    const house = createDeployments({ over: { isMember: () => Promise.resolve(false) } });

    await expect(house.type('watch shop')).rejects.toThrow('/invite @Purser');
    expect(await house.watches.all()).toEqual([]);
  });
});

describe('the Details button', () => {
  it('opens what the command would show', async () => {
    const house = createDeployments({ deployments: [deployment(ready(12))] });

    expect(JSON.stringify((await house.open('acme/shop/cart'))?.blocks)).toContain('*cart*');
  });

  it.each([undefined, '', 'shop', '/shop', 'acme/', 'acme/../shop', 'acme/shop/cart/oslo/more'])(
    'with a value that is none is refused: %s',
    async (value) => {
      const house = createDeployments();

      await expect(house.open(value)).rejects.toThrow('names no place');
      expect(house.signals).toEqual([]);
    },
  );

  it('asks for the right at each click, and tells nothing before', async () => {
    const house = createDeployments({ over: nobodyMay });

    await expect(house.open('strange/shop')).rejects.toThrow('one user group only');
  });
});
