import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import type { Visitor } from '../support/page.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const WEST = 'aws-us-west-2';
const MIDDLE = 'gcp-europe-west4';
const EAST = 'azure-eastus2';
const ASIA = 'aws-ap-southeast-1';

// Its words are those of the former watch; the stories are played again once they are rewritten.
describe.runIf(process.env['PANEL_STORIES'] !== undefined)(
  'a person who presses the stories of the panel',
  () => {
    let world: World;
    let dana: Visitor;
    let stories: Locator;
    /** How many messages #deployments had before the test. */
    let known: number;

    beforeAll(async () => {
      // What happens by itself happens eight times as fast; the rest waits for the clock.
      world = await openWorld({
        platform: { speed: 8 },
        bot: { WATCHES: 'acme/shop;acme/data;globex/prod;globex/staging' },
      });
      await world.calm(3);
      dana = await world.visit('U0DANA', 'C0DEPLOYS');
      stories = dana.page.getByTestId('panel').getByRole('region', { name: 'Stories' });
    });

    beforeEach(async () => {
      await goTo('deployments');
      known = (await allTold()).length;
    });

    afterAll(() => world?.close());

    async function choosePlace(place: string, location = ''): Promise<void> {
      const [workload = '', gvc = '', org = 'acme'] = place.split('/').toReversed();
      const choose = (name: string, value: string) =>
        dana.page.getByTestId('panel').getByRole('combobox', { name }).selectOption(value);
      await choose('Org', org);
      await choose('GVC', gvc);
      await choose('Workload', workload);
      await choose('Location', location);
    }

    /** Chooses a place and presses a button. @returns what the panel says will happen */
    async function play(button: string, place: string, location = ''): Promise<string> {
      await choosePlace(place, location);
      // While it says nothing it is not shown.
      const line = stories.getByRole('status', { includeHidden: true });
      const before = await line.textContent();
      await stories.getByRole('button', { name: button, exact: true }).click();
      return until(`the panel to tell of "${button}"`, async () => {
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

    const later = (seconds: number) => world.platform('clock', { advanceSeconds: seconds });
    /** All that #deployments was told, as a telephone shows it. */
    const allTold = async () => (await world.told('C0DEPLOYS')).map(({ text }) => text);
    /** The same once everything that happened is told. */
    const toldAtLast = async () => {
      await world.calm();
      return allTold();
    };
    /** What of it was told in this test. */
    const toldOf = async (words = '') =>
      (await allTold()).slice(known).filter((text) => text.includes(words));

    it('Start a rollout, Suspended, Vanishes: a card, that it is ready, and the rest in its thread', async () => {
      const said = await play('Start a rollout', 'shop/payments');
      await readInChannel(/shop\/payments v20\W+ready · live in/);
      await readInChannel(/shop\/payments v20 ready in all 3 locations · live in \d+ s/);
      expect(said).toBe('payments v20: ready in all locations within 20 s');

      await play('Suspended', 'shop/payments', WEST);
      await readInThread(
        'payments v20 ready',
        `suspended in ${WEST} · switched off on purpose`,
        `resumed in ${WEST} · serving again`,
      );
      expect(await toldOf()).toHaveLength(4);

      await play('Vanishes', 'shop/payments', WEST);
      await readInThread('payments v20', `gone in ${WEST} · no longer listed`);
      await later(15);
      await world.calm();
      expect((await toldOf()).slice(4)).toEqual([
        `shop/payments v20 gone in ${WEST} · no longer listed`,
      ]);
    });

    it('Scaled to 0: no news, neither that nor the way back', async () => {
      const before = await toldAtLast();
      await play('Scaled to 0', 'data/warehouse');
      await readInTable('scaled to zero');
      await readInTable('scaled to zero', 'detached');

      expect(await toldAtLast()).toEqual(before);
    });

    // How the other causes read is told in page.test.ts.
    it('Start one that fails: the cause in plain words', async () => {
      const causes = [
        { cause: 'Wrong architecture', workload: 'orders-db', words: 'another kind of processor' },
        { cause: 'Failing probe', workload: 'checkout', words: 'the readiness check fails' },
        { cause: 'Crash loop', workload: 'search', words: 'a container keeps stopping' },
      ];
      for (const { cause, workload } of causes) {
        await choosePlace(`shop/${workload}`, MIDDLE);
        await stories.getByLabel('Cause').selectOption({ label: cause });
        await play('Start one that fails', `shop/${workload}`, MIDDLE);
      }
      for (const { workload, words } of causes) {
        const outcome = message('Rollout failed').filter({ hasText: `shop/${workload}` });
        await outcome.filter({ hasText: words }).first().waitFor();
      }
      await readInThread('shop/search', 'keeps crashing in');
      await world.calm();
      expect(await toldOf('Rollout failed')).toHaveLength(causes.length);
    });

    it('Never ready, Lags: the card waits, and the version before is superseded', async () => {
      await play('Never ready', 'shop/web');
      await readInChannel(/shop\/web v59\W+deploying · 0 of 3 locations ready · v58 serves/);
      await play('Lags', 'shop/web', WEST);
      await readInChannel(/shop\/web v59\W+superseded by v60/);
      await readInChannel(/shop\/web v60\W+pending · 2 of 3 locations ready/);

      expect(await rowIn('shop/web v60', WEST)).toMatch(/pending\s+0\/6\s+v58 6\/6/);
      expect(await toldOf('shop/web v60')).toHaveLength(1);
    });

    it('Overtaken: the newer version is the one that is told to be ready', async () => {
      await play('Overtaken', 'data/dashboard');

      await readInChannel(/data\/dashboard v10\W+superseded by v11/);
      await readInChannel(/data\/dashboard v11 ready in all 3 locations/);
      expect(await toldOf()).not.toContainEqual(expect.stringMatching(/v10 ready/));
    });

    it('Versions differ, Diverges: the card waits for a location, says that one is ahead, and nobody is called', async () => {
      await play('Versions differ', 'shop/catalog', WEST);
      await readInChannel(/shop\/catalog v28\W+deploying · 2 of 3 locations ready/);
      expect(await rowIn('shop/catalog v28', WEST)).toMatch(/waiting\s+–\s+v27 4\/4/);
      await readInChannel(/shop\/catalog v28 ready in all 3 locations/);

      const before = await toldOf();
      await play('Diverges', 'shop/catalog', WEST);
      await readInChannel(/shop\/catalog v28\W+diverged · 2 of 3 locations ready/);
      expect(await toldOf()).toHaveLength(before.length);
    });

    it('Flaps: the fourth change is told as flapping, and the rest goes into it', async () => {
      await play('Flaps', 'data/ingest');
      for (const word of ['unhealthy', 'recovered', 'unhealthy/2', 'flapping']) {
        const key = `acme/data/ingest/23/${word}`;
        await until(key, async () => {
          await later(3);
          await world.polled();
          return (await world.told('C0DEPLOYS', key)).length > 0;
        });
      }
      await readInChannel(/ingest v23 flapping in all 3 locations · .*\d+ changes between ready/);
      await later(30);
      await world.calm();
      expect((await toldOf('ingest')).at(-1)).toContain('flapping');
    });

    // In GVCs of their own, so that neither is taken for the other.
    it.each([
      { button: 'Goes stale', place: 'shop/web', location: EAST, state: 'stale' },
      { button: 'Fails', place: 'globex/prod/api', location: ASIA, state: 'unhealthy' },
    ])('$button: one message for all workloads, and one when it is over', async (story) => {
      const { button, place, location, state } = story;
      const where = `${place.split('/').at(-2)} in ${location}`;
      await play(button, place, location);
      await readInChannel(new RegExp(`${where} · \\d workloads ${state}`));
      await later(30);
      await readInChannel(new RegExp(`${where} recovered.*: `));

      expect(await toldOf(location)).toEqual([
        expect.stringMatching(
          state === 'stale'
            ? `^Reports again · \\S+ · ${location} stopped reporting for`
            : `^Recovered · ${where} · \\d workloads were ${state}`,
        ),
        expect.stringMatching(`${where} recovered`),
      ]);
    });

    it('Re-rolls: one card and one ready for all workloads', async () => {
      await play('Re-rolls', 'globex/prod/api');

      await readInChannel(/prod GVC v8 ready in \d+ workloads · live in/);
      await world.calm();
      expect(await toldOf('GVC v8')).toHaveLength(2);
    });

    it('Cron run fails: the run is a message of its own', async () => {
      await play('Cron run fails', 'shop/web', WEST);

      await readInChannel(/shop\/nightly-report run \d+ failed in aws-us-west-2/);
      expect(await toldOf('reached the specified backoff limit')).toHaveLength(1);
    });

    it('List empties, List is back: that is no news', async () => {
      const before = await toldAtLast();
      await play('List empties', 'globex/prod/api');
      await world.calm(3);
      await play('List is back', 'globex/prod/api');

      expect(await toldAtLast()).toEqual(before);
    });

    it('Is deleted: one message says that the GVC is gone', async () => {
      await play('Is deleted', 'globex/staging/api');

      await readInChannel('gone: 3 workloads no longer listed');
      expect(await toldOf('no longer listed')).toHaveLength(1);
    });

    it('Held up: the card says why while it goes on', async () => {
      await play('Held up', 'shop/recommendations');

      await readInChannel(/shop\/recommendations v\d+\W+deploying/);
      await readInChannel('a secret is missing');
      expect((await toldOf('shop/recommendations')).join()).not.toContain('failed');
    });

    it('API is down: the operators are told, and the channel is not', async () => {
      const before = await toldAtLast();
      const { requests } = await world.platformRequests();
      const lists = requests.map(({ path }) => path).filter((path) => path.includes('-deployment'));
      await play('API is down', 'shop/web');
      await goTo('ops');
      await readInChannel(`${new Set(lists).size} GVCs cannot be read`);
      await later(30);
      await readInChannel('can be read again');

      expect(await allTold()).toEqual(before);
    });

    it('While muted: nothing comes, and afterwards one message for all of it', async () => {
      const command = '/deployments mute 5m';
      await dana.ask(command);
      const before = await toldAtLast();
      expect(await play('While muted', 'data/stream-processor')).toContain(command);
      await readInTable('deploying');
      await readInTable(/deploying|pending/, 'detached');
      expect(await toldAtLast()).toEqual(before);

      await dana.ask('/deployments mute off');
      await readInChannel('Held back while this channel was muted');
      await readInChannel('data/stream-processor v18 ready in all 3 locations');
    });

    it('Quiet watch: the outcome stays in the thread of the card', async () => {
      const command = '/deployments watch shop/cart in #approvals quiet';
      await dana.ask(command);
      await world.calm();
      expect(await play('Quiet watch', 'shop/cart')).toContain(command);
      await goTo('approvals');
      await readInChannel(/shop\/cart v12\W+ready · live in/);
      await readInThread('shop/cart v12', 'ready in all 3 locations');
      await world.calm();

      const told = await world.told('C0APPROVE');
      expect(told.map(({ broadcast }) => broadcast)).toEqual([false, false]);
    });

    it('Silent adoption: what is found ill is told when it is well', async () => {
      const command = '/deployments watch tools';
      expect(await play('Silent adoption', 'tools/wiki')).toContain(command);
      await dana.ask(command);
      await world.calm(4);
      expect(await toldOf('tools/')).toEqual([]);
      await later(45);

      await readInChannel('tools/wiki v2 ready in all 3 locations');
      expect(await toldOf('tools/')).toHaveLength(2);
    });

    const goTo = (channel: string) =>
      dana.page
        .getByRole('navigation', { name: 'Workspace' })
        .getByText(channel, { exact: true })
        .click();

    /** Waits until the panel shows the chosen workload so, or so no more. */
    const readInTable = (words: string | RegExp, state: 'visible' | 'detached' = 'visible') =>
      dana.page
        .getByRole('table', { name: /^Locations of/ })
        .getByText(words)
        .first()
        .waitFor({ state });

    /** State and replicas of a location, as a card has them. */
    const rowIn = (card: string, location: string) =>
      message(card).getByRole('row').filter({ hasText: location }).first().innerText();
  },
);
