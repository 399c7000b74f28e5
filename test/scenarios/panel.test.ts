import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { hasBrowser } from '../support/browser.ts';
import { openPlace, type Visitor } from '../support/page.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const CHANNEL = 'C0DEPLOYS';
const WEST = 'aws-us-west-2';
const MIDDLE = 'gcp-europe-west4';
const EAST = 'azure-eastus2';
const ASIA = 'aws-ap-southeast-1';

describe.runIf(hasBrowser())('a person who presses the stories of the panel', () => {
  let world: World;
  let dana: Visitor;
  let panel: Locator;
  let stories: Locator;
  /** How many messages #deployments had before the test. */
  let known: number;

  beforeAll(async () => {
    // Automatic events happen eight times as fast; the others wait until the test moves the clock.
    world = await openWorld({
      platform: { speed: 8 },
      bot: { WATCHES: 'acme/shop;acme/data;globex/prod;globex/staging' },
    });
    await world.calm(4);
    dana = await world.visit('U0DANA', CHANNEL);
    panel = dana.page.getByTestId('panel');
    stories = panel.getByRole('region', { name: 'Stories' });
    await stories.getByRole('button', { name: 'More', exact: true }).click();
  });

  beforeEach(async () => {
    await goTo('deployments');
    known = (await world.reported(CHANNEL)).length;
  });

  afterAll(() => world?.close());

  async function choosePlace(place: string, location = ''): Promise<void> {
    const [workload = '', gvc = '', org = 'acme'] = place.split('/').toReversed();
    const choose = (name: string, value: string) =>
      panel.getByRole('combobox', { name }).selectOption(value);
    await openPlace(panel);
    await choose('Org', org);
    await choose('GVC', gvc);
    await choose('Workload', workload);
    await choose('Location', location);
  }

  /** Chooses a place and presses a button. @returns the panel's announcement */
  async function play(button: string, place: string, location = ''): Promise<string> {
    await choosePlace(place, location);
    // While it is empty it is not shown.
    const line = stories.getByRole('status', { includeHidden: true });
    const before = await line.textContent();
    await stories.getByRole('button', { name: button, exact: true }).click();
    return until(`the line of the panel about "${button}"`, async () => {
      const said = (await line.textContent()) ?? '';
      return said !== before && said;
    });
  }

  const message = (words: string | RegExp) =>
    dana.page.locator('[data-ts]:not([data-kind="ephemeral"])').filter({ hasText: words });
  const readInChannel = (words: string | RegExp) => message(words).first().waitFor();

  /** Opens the thread of a card, and waits for these words in it. */
  async function readInThread(card: string, ...words: string[]): Promise<void> {
    const thread = dana.page.getByTestId('thread');
    await message(card)
      .getByText(/\d (reply|replies)/)
      .first()
      .click();
    for (const each of words) {
      await thread.locator('[data-ts]').filter({ hasText: each }).first().waitFor();
    }
    await dana.page.getByRole('button', { name: 'Close thread' }).click();
  }

  /** Waits until a card shows a location so. */
  const readInRow = (card: string, location: string, words: string | RegExp) =>
    message(card)
      .getByRole('row')
      .filter({ hasText: location })
      .filter({ hasText: words })
      .first()
      .waitFor();

  const later = (seconds: number) => world.platform('clock', { advanceSeconds: seconds });
  /** Messages in #deployments since the test began. */
  const posted = async () => (await world.reported(CHANNEL)).slice(known);
  /** The same once everything that happened is posted. */
  const postedAtLast = async () => {
    await world.calm();
    return posted();
  };
  const keysOf = (messages: readonly { key: string }[]) => messages.map(({ key }) => key);

  it('Rollout becomes ready, Workload is suspended, Workload is not listed: a card, that it is ready, the rest in its thread and its rows', async () => {
    const said = await play('Rollout becomes ready', 'shop/payments');
    await readInChannel(/ready · No impact · shop\/payments v20 · live in \d+ s/);
    await readInChannel(/Ready · No impact · shop\/payments v20 in aws-.* · live in \d+ s/);
    expect(said).toBe('payments v20: ready in all locations within 20 s');

    await play('Workload is suspended', 'shop/payments');
    await readInThread('shop/payments v20', 'No longer serving: suspended', 'resumed in');

    await play('Workload is not listed', 'shop/payments', WEST);
    await readInRow('shop/payments v20', WEST, 'gone');
    await later(15);
    await readInRow('shop/payments v20', WEST, 'ready');
    expect(keysOf(await postedAtLast())).toEqual(
      ['card', 'ready', 'suspended', 'resumed'].map((word) => `acme/shop/payments/20/${word}`),
    );
  });

  it('Workload is scaled to 0: no message, neither for that nor for the way back', async () => {
    await play('Workload is scaled to 0', 'data/warehouse');
    await readInTable('scaled to zero');
    await readInTable('scaled to zero', 'detached');

    expect(await postedAtLast()).toEqual([]);
  });

  // How the other causes read is tested in page.test.ts.
  it('Rollout fails: the cause in plain words', async () => {
    const causes = [
      { cause: 'Wrong architecture', name: 'orders-db v9', words: 'Wrong CPU architecture' },
      { cause: 'Failing probe', name: 'checkout v43', words: 'The readiness check fails' },
      { cause: 'Crash loop', name: 'search v15', words: 'A container keeps stopping' },
    ];
    for (const { cause, name } of causes) {
      const [workload = ''] = name.split(' ');
      await choosePlace(`shop/${workload}`, MIDDLE);
      await stories.getByLabel('Cause').selectOption({ label: cause });
      const said = await play('Rollout fails', `shop/${workload}`, MIDDLE);
      expect(said).toBe(`${name}: failed in ${MIDDLE} within 20 s`);
    }
    for (const { name, words } of causes) {
      const outcome = message(`No impact · shop/${name} rollout failed in ${MIDDLE}`);
      await outcome.filter({ hasText: words }).first().waitFor();
    }
    await readInThread('shop/search v15', 'keeps crashing in');
    const failed = (await postedAtLast()).filter(({ key }) => key.endsWith('/failed'));
    expect(failed).toHaveLength(causes.length);
  });

  it('Rollout gets stuck, One location keeps its version: the card waits until it is stuck, and the version before is superseded', async () => {
    await play('Rollout gets stuck', 'shop/web');
    await readInChannel(/deploying · No impact · shop\/web v59/);
    await readInRow('shop/web v59', WEST, /deploying\s*0\/6\s*v58 6\/6/);
    await readInChannel('No impact · shop/web v59 rollout stuck in');

    await play('One location keeps its version', 'shop/web', WEST);
    await readInChannel(/superseded by v60 · No impact · shop\/web v59/);
    await readInChannel(`No impact · shop/web v60 rollout stuck in ${WEST}`);
    await readInChannel(/pending · No impact · shop\/web v60/);
    await readInRow('shop/web v60', WEST, /pending\s*0\/6\s*v58 6\/6/);
    await readInRow('shop/web v60', EAST, /ready\s*6\/6/);
    expect(keysOf(await postedAtLast())).toEqual(
      ['59/card', '59/stuck', '60/card', '60/stuck'].map((key) => `acme/shop/web/${key}`),
    );
  });

  it('A newer version overtakes it: the newer version is the one that is ready', async () => {
    await play('A newer version overtakes it', 'data/dashboard');

    await readInChannel(/superseded by v11 · No impact · data\/dashboard v10/);
    await readInChannel('Ready · No impact · data/dashboard v11 in');
    expect(keysOf(await postedAtLast())).not.toContain('acme/data/dashboard/10/ready');
  });

  it('One location is late, One location is ahead: the card waits for a location, then remarks that it is ahead, and no call', async () => {
    await play('One location is late', 'shop/catalog', WEST);
    await readInRow('shop/catalog v28', WEST, /ready\s*–\s*v27 4\/4/);
    await readInChannel(/pending · No impact · shop\/catalog v28/);
    await readInChannel('Ready · No impact · shop/catalog v28 in');

    const before = await postedAtLast();
    await play('One location is ahead', 'shop/catalog', WEST);
    const remark = `${WEST} diverged: it reports v29, v28 is expected`;
    await message(/ready · No impact · shop\/catalog v28/)
      .getByText(remark)
      .waitFor();
    expect(keysOf(await postedAtLast())).toEqual(keysOf(before));
  });

  it('Workload comes and goes: the third call says so', async () => {
    await play('Workload comes and goes', 'data/ingest');
    let turnedAt = Date.now();
    const seen = (word: string) => world.message(CHANNEL, `acme/data/ingest/23/${word}`);
    /** It changes every 25 seconds of the clock, which runs meanwhile. */
    const turn = async (): Promise<void> => {
      await later(Math.max(0, 25 - (Date.now() - turnedAt) / 1_000));
      turnedAt = Date.now();
    };
    for (const word of ['unhealthy', 'recovered', 'unhealthy/2', 'recovered/2']) {
      await seen(word);
      await turn();
    }
    await readInChannel(/Outage · data\/ingest v23 unhealthy in .* flapping: 3 times in an hour/);
    await turn();
    await seen('recovered/3');
    const calls = (await postedAtLast()).filter(({ key }) => key.includes('/unhealthy'));
    expect(calls).toHaveLength(3);
  });

  // In orgs of their own, so that neither is taken for the other.
  it.each([
    {
      button: 'A location goes silent',
      place: 'acme/shop/web',
      location: EAST,
      state: 'stale',
      happened: 'stopped reporting',
      back: `${EAST} reports again after`,
    },
    {
      button: 'A location fails',
      place: 'globex/prod/api',
      location: ASIA,
      state: 'unhealthy',
      happened: 'unhealthy',
      back: `recovered in ${ASIA} after`,
    },
  ])('$button: one message for all workloads, and one when it is over', async (story) => {
    const { button, place, location, state, happened, back } = story;
    await play(button, place, location);
    await readInChannel(new RegExp(`${location} ${happened}: \\d+ workloads`));
    await later(30);
    await readInChannel(back);

    const first = `${place.split('/')[0]}/@location/${location}`;
    const over = new RegExp(`over after \\d+ s · ${location} ${happened}: \\d+ workloads`);
    expect(await postedAtLast()).toMatchObject([
      { key: `${first}/${state}/1`, text: expect.stringMatching(over) },
      { key: `${first}/recovered/1`, under: `${first}/${state}/1`, broadcast: true },
    ]);
  });

  it('All workloads roll again: one card and one ready for all workloads', async () => {
    await play('All workloads roll again', 'globex/prod/api');

    await readInChannel(/Ready · prod GVC v8 in 5 workloads · live in/);
    expect(keysOf(await postedAtLast())).toEqual(
      ['card', 'ready'].map((word) => `globex/prod/@gvc/8/${word}`),
    );
  });

  it('A cron run fails: the run is a message of its own', async () => {
    await play('A cron run fails', 'shop/web', WEST);

    await readInChannel(/shop\/nightly-report run \d+ failed in aws-us-west-2/);
    await readInChannel('reached the specified backoff limit');
    expect(await postedAtLast()).toHaveLength(1);
  });

  it('A list is suddenly empty, The list is back: a message in #ops, and none in the channel', async () => {
    await play('A list is suddenly empty', 'globex/prod/api');
    await goTo('ops');
    await readInChannel('The list of prod in globex is suddenly empty');
    await play('The list is back', 'globex/prod/api');
    await readInChannel('prod in globex can be read in full again');

    expect(await postedAtLast()).toEqual([]);
  });

  it('A GVC is deleted: a message for each workload says so', async () => {
    await play('A GVC is deleted', 'globex/staging/api');

    const workloads = ['api/71', 'gateway/24', 'worker/38'];
    for (const one of workloads) {
      const name = `staging/${one.replace('/', ' v')}`;
      await readInChannel(`Nothing to serve · ${name} No longer serving: deleted`);
    }
    expect(keysOf(await postedAtLast()).toSorted()).toEqual(
      workloads.map((one) => `globex/staging/${one}/gone`),
    );
  });

  it('Rollout waits for a secret: the card says why while it goes on, and then that it is stuck', async () => {
    await play('Rollout waits for a secret', 'shop/recommendations');

    const name = 'shop/recommendations v32';
    const card = message(new RegExp(`deploying · No impact · ${name}`));
    await card.filter({ hasText: 'A secret is missing' }).first().waitFor();
    await readInChannel(new RegExp(`No impact · ${name} rollout stuck in .*A secret is missing`));
    expect(keysOf(await postedAtLast())).toEqual(
      ['card', 'stuck'].map((word) => `acme/shop/recommendations/32/${word}`),
    );
  });

  it('The platform is down: a message in #ops, and none in the channel', async () => {
    const { requests } = await world.platformRequests();
    const lists = requests.map(({ path }) => path).filter((path) => path.includes('-deployment'));
    await play('The platform is down', 'shop/web');
    await goTo('ops');
    await readInChannel(`${new Set(lists).size} GVCs cannot be read`);
    await later(30);
    await readInChannel('can be read again');

    expect(await postedAtLast()).toEqual([]);
  });

  it('Rollout in a muted channel: nothing comes, and afterwards one message for everything', async () => {
    const command = '/deployments mute 5m';
    await dana.ask(command);
    expect(await play('Rollout in a muted channel', 'data/stream-processor')).toContain(command);
    await readInTable('deploying');
    await readInTable(/deploying|pending/, 'detached');
    expect(await postedAtLast()).toEqual([]);

    await dana.ask('/deployments mute off');
    const summary = message('While muted').filter({
      hasText: 'Ready · No impact · data/stream-processor v18 in',
    });
    await summary.first().waitFor();
    expect(await postedAtLast()).toHaveLength(1);
  });

  it('Rollout in a quiet watch: the outcome stays in the thread of the card', async () => {
    const command = '/deployments watch shop/cart in #approvals quiet';
    await dana.ask(command);
    await world.calm();
    expect(await play('Rollout in a quiet watch', 'shop/cart')).toContain(command);
    await goTo('approvals');
    await readInChannel(/ready · No impact · shop\/cart v12 · live in/);
    await readInThread('shop/cart v12', 'Ready · No impact · shop/cart v12 in');
    await world.calm();

    const quiet = await world.reported('C0APPROVE');
    expect(quiet.map(({ broadcast }) => broadcast)).toEqual([false, false]);
  });

  it('A new watch finds trouble: an existing outage is listed without a call, and its end is posted', async () => {
    const command = '/deployments watch tools';
    expect(await play('A new watch finds trouble', 'tools/wiki')).toContain(command);
    const answer = await dana.ask(command);
    expect(await answer.innerText()).toContain('I start from here: wiki Outage');
    await readInChannel('I start from here: wiki Outage');
    await world.calm(5);
    const adopted = 'acme/tools/@gvc/adopted';
    expect(keysOf(await posted())).toEqual([adopted]);
    await later(45);

    await readInChannel('Ready, recovered · No impact · tools/wiki v2 in');
    expect(keysOf(await postedAtLast())).toEqual([adopted, 'acme/tools/wiki/2/ready']);
  });

  const goTo = (channel: string) =>
    dana.page
      .getByRole('navigation', { name: 'Workspace' })
      .getByText(channel, { exact: true })
      .click();

  /** Waits until the panel shows the chosen workload so, or so no longer. */
  const readInTable = (words: string | RegExp, state: 'visible' | 'detached' = 'visible') =>
    dana.page
      .getByRole('table', { name: /^Locations of/ })
      .getByText(words)
      .first()
      .waitFor({ state });
});
