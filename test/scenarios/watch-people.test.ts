import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { choose, press, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';

const CHANNEL = 'C0DEPLOYS';
const OTHER = 'C0BILLING';

describe.runIf(hasBrowser())('people and their watches', () => {
  let world: World;
  let dana: Visitor;

  beforeAll(async () => {
    // Another channel shows what a mute holds back here; and a rollout that waits for the clock is not stuck.
    const environment = { WATCHES: `acme/shop/catalog=${OTHER}`, WATCH_PATIENCE: '0.03' };
    world = await openWorld({ bot: environment });
    dana = await world.visit('U0DANA', CHANNEL);
  });

  afterAll(() => world?.close());

  async function rollOut(workload: string, seconds: number): Promise<string> {
    const place = { org: 'acme', gvc: 'shop', workload };
    const { version } = await world.platform('rollout', { ...place, seconds });
    return `acme/shop/${workload}/${String(version)}`;
  }
  const later = (seconds: number) => world.platform('clock', { advanceSeconds: seconds });
  /** Types the command, and waits until the first poll is done. @returns the answer */
  async function watch(what: string): Promise<string> {
    const answer = await dana.ask(`/deployments watch shop/${what}`);
    const said = await answer.innerText();
    await world.calm();
    return said;
  }
  const listed = async (where = ''): Promise<string> =>
    (await dana.ask(`/deployments watches${where}`)).innerText();
  const keys = async (beginning: string): Promise<string[]> =>
    (await world.reported(CHANNEL, beginning)).map(({ key }) => key);
  const seen = (key: string, words = '') =>
    world.message(CHANNEL, key, ({ text }) => text.includes(words));
  const versionOf = (key: string): string => `v${key.split('/').at(-1)}`;

  it('watches a workload, reads in the card how it goes, and looks at the details from there', async () => {
    expect(await watch('web')).toContain('Watching acme/shop/web in #deployments');

    const key = await rollOut('web', 600);
    const card = dana.message(`shop/web ${versionOf(key)}`).first();
    await seen(`${key}/card`, 'pending · No impact');
    await card.getByText('18 of 18 serve').waitFor();
    await world.calm();
    await later(200);
    await seen(`${key}/card`, 'deploying · No impact');
    await card.getByRole('cell', { name: 'deploying' }).first().waitFor();
    await world.calm();
    await later(400);
    await seen(`${key}/card`, 'ready · No impact');
    await dana.message('Ready · No impact · shop/web v59 in aws-us-west-2').first().waitFor();

    await choose(card, 'Details');
    await dana.modal.getByText('shop/web in org acme').waitFor();
    const said = await dana.modal.innerText();
    expect(said).toContain('Deployment details');
    expect(said).toMatch(/web in aws-us-west-2 – ready/);
    expect(said).toMatch(
      /registry\.example\.com\/acme\/web:\S+ 6\/6 ready, 250 millicores, 256 MiB/,
    );
    await dana.page.keyboard.press('Escape');
    await dana.modal.waitFor({ state: 'detached' });
  });

  it('mutes it from the menu: the card is still updated, and one message lists the muted updates', async () => {
    await watch('payments');
    const key = await rollOut('payments', 600);
    const card = dana.message(`shop/payments ${versionOf(key)}`).first();
    const answer = await dana.newAnswer(() => choose(card, 'Mute 1 h'));
    expect(await answer.innerText()).toMatch(/Muted in #deployments · acme\/shop\/payments until /);
    await later(600);
    await seen(`${key}/card`, 'ready · No impact');
    await world.calm();
    expect(await keys(key)).toEqual([`${key}/card`]);

    const before = (await world.reported(CHANNEL)).length;
    await dana.ask('/deployments mute off shop/payments');
    const summary = dana
      .message('While acme/shop/payments was muted')
      .filter({ hasText: `Ready · No impact · shop/payments ${versionOf(key)} in ` });
    await summary.waitFor();
    await world.calm();

    expect(await keys(key)).toEqual([`${key}/card`]);
    expect((await world.reported(CHANNEL)).slice(before)).toMatchObject([
      { key: expect.stringMatching(/^@mute\/\d+$/), covers: [`${key}/ready`] },
    ]);
  });

  it('mutes everything by command: not even a card comes, and later one message for it', async () => {
    await watch('catalog');
    const before = (await world.reported(CHANNEL)).length;
    const answer = await dana.ask('/deployments mute 30m');
    expect(await answer.innerText()).toMatch(/Muted in #deployments · everything until /);
    const place = { org: 'acme', gvc: 'shop', workload: 'catalog' };
    await world.platform('sicken', { ...place, seconds: 600 });
    const ill = 'acme/shop/catalog/27/unhealthy';
    await world.message(OTHER, ill);
    const key = await rollOut('catalog', 0.01);
    await world.message(OTHER, `${key}/ready`);
    await world.calm();
    expect((await world.reported(CHANNEL)).slice(before)).toEqual([]);
    expect(await listed()).toMatch(/shop\/catalog[^]*until/);

    await dana.ask('/deployments mute off');
    await dana.message('While muted').filter({ hasText: 'shop/catalog' }).waitFor();
    await world.calm();

    const reported = (await world.reported(CHANNEL)).slice(before);
    expect(reported.map(({ covers }) => covers)).toEqual([
      // The version was ready when it was first seen, so its one message is its card, too.
      [ill, `${key}/ready`, `${key}/card`],
    ]);
  });

  it('ends the watch from the menu, which asks first: the card says so, and nothing more comes', async () => {
    // A minute may turn meanwhile.
    const withoutTimes = (text: string): string =>
      text.replace(/\d{1,2}:\d{2} [AP]M/, '').replaceAll(/read [^·]*/g, '');
    const before = withoutTimes(await listed());
    await watch('checkout');
    const key = await rollOut('checkout', 600);
    const card = dana.message(`shop/checkout ${versionOf(key)}`).first();
    const answer = await dana.newAnswer(() => choose(card, 'Unwatch'));
    expect(await answer.innerText()).toContain(
      'This ends the watch of shop/checkout in #deployments, for everyone in it.',
    );
    await press(answer, 'Unwatch');

    await answer.getByText('No longer watching acme/shop/checkout').waitFor();
    await card.getByText('no longer watched here · last seen').waitFor();
    expect(await card.getByRole('button', { name: 'More actions' }).count()).toBe(0);
    expect(await keys(key)).toEqual([`${key}/card`]);
    expect(withoutTimes(await listed())).toBe(before);
  });

  it('a quiet watch calls no one: the outcome stays in the thread', async () => {
    await watch('cart quiet');
    const key = await rollOut('cart', 2);
    await seen(`${key}/ready`);
    await world.calm();

    expect(await world.reported(CHANNEL, key)).toMatchObject([
      { key: `${key}/card` },
      { key: `${key}/ready`, under: `${key}/card`, broadcast: false },
    ]);
    const card = dana.message(`shop/cart ${versionOf(key)}`);
    await card.getByText('1 reply').waitFor();
    expect(await card.count()).toBe(1);
  });

  it('a watch with a filter holds the card back until one of its outcomes comes', async () => {
    await watch('search only failed');
    const well = await rollOut('search', 1);
    await world.calm();
    await world.calm();
    const place = { org: 'acme', gvc: 'shop', workload: 'search', outcome: 'image-pull' };
    const { version } = await world.platform('rollout', { ...place, seconds: 1 });
    const ill = `acme/shop/search/${String(version)}`;
    await seen(`${ill}/failed`);
    await world.calm();

    expect(await keys(well)).toEqual([]);
    // Without a card the call serves as one.
    expect(await keys(ill)).toEqual([`${ill}/failed`]);
  });

  it('in a channel without the bot, a watch is refused with the next step', async () => {
    const answer = await dana.ask('/deployments watch shop/web in #random');

    expect(await answer.innerText()).toContain('type "/invite @Purser" in the channel');
    expect(await listed(' in #random')).toContain('Nothing is watched in #random');
  });
});
