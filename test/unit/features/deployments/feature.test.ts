import { describe, expect, it } from 'vitest';
import { broken, deployment, ready } from '../../rollouts/platform-json.ts';
import { createDeployments, noneMay, SHOP, wordsOf } from './harness.ts';
import { buttonsOf, controlOf, spoken } from '../../../support/answer.ts';

const EMPTY_LIST = { deployments: [], unreadable: [], unidentified: 0 };

describe('/deployments', () => {
  it('polls a new watch at once, so that its current state is known', async () => {
    const harness = createDeployments();

    await harness.type('watch shop/cart');

    expect(harness.asked).toEqual(['changed', 'poll acme/shop']);
    expect(await harness.watches.all()).toMatchObject([{ gvc: 'shop', workload: 'cart' }]);
  });

  it('names the trouble of a new watch, and keeps the group to notify', async () => {
    const deployments = [
      deployment(broken(12), { workload: 'cart' }),
      deployment(ready(3), { workload: 'web' }),
    ];
    const harness = createDeployments({ deployments });

    const answer = await harness.type('watch shop notify <!subteam^S0ONCALL|@oncall>');

    expect(spoken(answer)).toContain('I start from here: cart Outage (failed).');
    expect(await harness.watches.all()).toMatchObject([{ notify: '<!subteam^S0ONCALL>' }]);
    expect(wordsOf(await harness.type('watches'))).toContain('"usergroup_id":"S0ONCALL"');
  });

  it('shows what a watch posted before it was replaced, so that no mention gets lost unseen', async () => {
    const harness = createDeployments();
    await harness.type('watch shop only failed notify <!subteam^S0ONCALL|@oncall>');

    expect(spoken(await harness.type('watch shop'))).toContain(
      'Before: only failed; <!subteam^S0ONCALL> is notified of a partial outage or worse',
    );
    expect(spoken(await harness.type('watch shop'))).not.toContain('Before');
    expect(spoken(await harness.type('watch shop quiet'))).toContain('Before: all outcomes');
  });

  it('writes @channel as text, also of the watch before: a shared answer mentions no whole channel', async () => {
    const harness = createDeployments();

    const first = await harness.type('watch shop notify <!channel>');
    const then = await harness.type('watch shop notify <!here>');

    expect(spoken(first)).toContain('(@channel is notified of a partial outage or worse)');
    expect(spoken(then)).toContain('Before: @channel is notified');
    expect(`${wordsOf(first)} ${wordsOf(then)}`).not.toMatch(/<!(?:channel|here)>/);
  });

  /** A platform whose GVC shop has a workload `cart`, and nothing else. */
  const cartAlone = () => {
    const list = { ...EMPTY_LIST, deployments: [deployment(ready(12))] };
    const listGvc = async (_org: string, gvc: string) => (gvc === 'shop' ? list : EMPTY_LIST);
    const listWorkload = async (_org: string, _gvc: string, workload: string) =>
      workload === 'cart' ? list : EMPTY_LIST;
    return createDeployments({ over: { deployments: { listGvc, listWorkload } as never } });
  };

  it.each([
    'shop',
    'jobs shop/cart/oslo',
    'watch shop only failed quiet',
    'unwatch shop',
    'mute 8h shop/cart',
    'mute off shop',
  ])('asks which org is meant, with a button for each: %s', async (line) => {
    const orgs = { known: ['acme', 'beta', 'c', 'd', 'e'], fallback: undefined };
    const harness = createDeployments({ over: { orgs } });
    const answer = await harness.type(line);

    expect(spoken(answer)).toBe(`Which org? For example: \`/deployments ${line} org acme\``);
    expect(buttonsOf(answer)).toEqual(['acme', 'beta', 'c', 'd']);
    expect(controlOf(answer, 'beta').value).toBe(`/deployments ${line} org beta`);
    expect(await harness.watches.all()).toEqual([]);
  });

  it('offers the form where nothing is watched, and not for another channel', async () => {
    const harness = createDeployments();
    expect(wordsOf(await harness.type('watches'))).toContain('"Watch a GVC..."');
    expect(wordsOf(await harness.type('watches in <#C0FINANCE|>'))).not.toContain('Watch a GVC');
  });

  it.each(['watch shop/zzz', 'watch data'])(
    'watches a name that does not exist yet: %s',
    async (text) => {
      const harness = cartAlone();
      expect(wordsOf(await harness.type(text))).toContain('Nothing is listed under that name yet.');
      expect(await harness.watches.all()).toHaveLength(1);
    },
  );

  it.each([
    ['watch shop/crat', '/deployments watch shop/cart'],
    ['watch shop/crat in <#C0TEAM|> quiet', '/deployments watch shop/cart in <#C0TEAM> quiet'],
  ])('asks before it watches a name that is close to another one: %s', async (text, meant) => {
    const harness = cartAlone();
    const asked = await harness.type(text);

    expect(spoken(asked)).toContain('Did you mean shop/cart?');
    expect(controlOf(asked, 'Watch shop/cart').value).toBe(meant);
    expect(await harness.watches.all()).toEqual([]);

    const made = await harness.press(asked, 'Watch shop/crat anyway');
    expect(spoken(made)).toContain('/shop/crat in <#');
    expect(await harness.watches.all()).toMatchObject([{ workload: 'crat' }]);
  });

  it.each(['shop', 'shop/cart', 'shop/cart/oslo', 'watch shop', 'jobs shop/cart'])(
    'ends its calls to the platform when Purser stops: %s',
    async (text) => {
      const harness = createDeployments({ deployments: [deployment(ready(12))] });
      await harness.type(text);
      expect(harness.signals).toEqual([harness.stopping]);
    },
  );

  it.each([
    '',
    'shop',
    'jobs shop/cart',
    'watch shop',
    'watches',
    'unwatch',
    'mute 8h',
    'mute',
    'mute off',
  ])('is for people with the right only: %s', async (text) => {
    const harness = createDeployments({ over: noneMay });
    await expect(harness.type(text)).rejects.toThrow('one user group only');
    expect(harness.signals).toEqual([]);
  });
});

describe('aiming at another channel', () => {
  it.each(
    ['watch shop', 'unwatch', 'mute 8h', 'mute off'].flatMap((text) => [
      [text, false, 'You can only change watches in channels that you are a member of'] as const,
      [
        text,
        undefined,
        'Slack cannot confirm that you are in that channel, so nothing was done',
      ] as const,
    ]),
  )('takes being in it, as Slack confirms: %s, %s', async (text, hasPerson, refusal) => {
    const configured = [{ ...SHOP, channel: 'C0FINANCE' }];
    const harness = createDeployments({ configured, channels: { hasPerson } });

    await expect(harness.type(`${text} in <#C0FINANCE|>`)).rejects.toThrow(refusal);
    expect(harness.signals).toEqual([]);
    await expect(harness.type(text, 'C0FINANCE')).resolves.toBeDefined();
  });

  it('is never a direct message of another person', async () => {
    const harness = createDeployments();
    await expect(harness.type('watch shop in D0BENSOWN')).rejects.toThrow(
      'own messages with Purser',
    );
  });

  it('takes the bot being in it', async () => {
    const harness = createDeployments({ channels: { hasBot: false } });
    await expect(harness.type('watch shop')).rejects.toThrow('/invite @Purser');
    expect(await harness.watches.all()).toEqual([]);
  });
});

describe('the Details button', () => {
  it('opens the same answer as the command', async () => {
    const harness = createDeployments({ deployments: [deployment(ready(12))] });
    expect(JSON.stringify((await harness.open('acme/shop/cart'))?.blocks)).toContain('*cart*');
  });

  it.each([undefined, '', 'shop', '/shop', 'acme/', 'acme/../shop', 'acme/shop/cart/oslo/more'])(
    'with an unknown value is refused: %s',
    async (value) => {
      const harness = createDeployments();
      await expect(harness.open(value)).rejects.toThrow('names no place');
      expect(harness.signals).toEqual([]);
    },
  );

  it('asks for the right at each click, and shows nothing before', async () => {
    const harness = createDeployments({ over: noneMay });
    await expect(harness.open('strange/shop')).rejects.toThrow('one user group only');
  });
});
