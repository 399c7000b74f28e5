import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import type { PurserApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { openWorld } from '../../support/world.ts';
import type { SeenMessage, World } from '../../support/world.ts';
import { logger } from './support.ts';

const CHANNEL = 'C0DEPLOYS';
const ELSEWHERE = 'C0APPROVE';
const WEST = 'aws-us-west-2';
/** A little more than the ten minutes of the rules. */
const TEN_MINUTES = 10.1;

let world: World;
let app: PurserApp;
let ahead = 0;

beforeAll(async () => {
  world = await openWorld();
  const environment = world.environment({ port: 0, opsPort: 0 });
  const watches = `acme/shop;acme/data=${ELSEWHERE};globex/staging=${ELSEWHERE}`;
  const clock = { now: () => Date.now() + ahead };
  app = createApp(loadConfig({ ...environment, WATCHES: watches }), logger, { clock });
  await app.start();
  const url = `http://127.0.0.1:${app.ports().slack}/slack/events`;
  await world.slack('request-url', { url });
  await world.calm(3);
}, 30_000);

afterAll(async () => {
  await app?.stop();
  await world?.close();
});

/** The bot's clock and the platform's: neither waits for the time to pass. */
async function later(minutes: number): Promise<void> {
  await world.calm();
  ahead += minutes * 60_000;
  await world.platform('clock', { advanceSeconds: minutes * 60 });
  await world.calm();
}

const act = (path: string, workload: string, more: object = {}) =>
  world.platform(path, { org: 'acme', gvc: 'shop', workload, ...more });
const see = (key: string, fits?: (one: SeenMessage) => boolean) =>
  world.message(CHANNEL, `acme/shop/${key}`, fits);
const told = async (channel: string, beginning: string) => {
  await world.calm();
  return world.told(channel, beginning);
};
const keysOf = (all: readonly { key: string }[]): string[] => all.map(({ key }) => key);

async function deployed(workload: string): Promise<string> {
  const { version } = await act('rollout', workload, { seconds: 0.5 });
  await see(`${workload}/${String(version)}/ready`);
  return `${workload}/${String(version)}`;
}

describe('a mute', () => {
  it('ends by itself, and what it held back is told in one message', async () => {
    // Slack's requests are as old as the real clock says, so this comes before it is moved.
    const line = '/deployments mute 30m shop/checkout';
    const answer = await world.command('U0DANA', CHANNEL, line);
    expect(answer.text).toContain('Muted in');
    const place = { location: WEST, seconds: 60_000 };
    await act('sicken', 'checkout', place);
    await later(20);
    expect(await told(CHANNEL, 'acme/shop/checkout')).toEqual([]);
    await later(11);

    const [summary, ...others] = await told(CHANNEL, '@mute');
    expect(others).toEqual([]);
    expect(summary?.covers).toEqual(['acme/shop/checkout/42/unhealthy']);
    expect(summary?.text).toMatch(
      /Held back while \S+ was muted\nshop\/checkout v42 unhealthy in aws-us-west-2/,
    );
    expect(await told(CHANNEL, 'acme/shop/checkout')).toEqual([]);
  });
});

describe('after ten minutes', () => {
  it('a location that the change has not reached is said to lag, in the thread', async () => {
    const order = { location: WEST, outcome: 'lag', seconds: 0.5 };
    const { version } = await act('rollout', 'cart', order);
    const key = `cart/${String(version)}`;
    await see(`${key}/card`, ({ text }) => text.includes('2 of 3 locations'));
    await later(5);
    expect(keysOf(await told(CHANNEL, 'acme/shop/cart'))).toEqual([`acme/shop/${key}/card`]);
    await later(TEN_MINUTES - 5);

    const lagging = await see(`${key}/lagging`);
    expect(lagging.text).toContain('lagging: change has not reached aws-us-west-2 for 10 min');
    expect(await told(CHANNEL, 'acme/shop/cart')).toMatchObject([
      { key: `acme/shop/${key}/card` },
      { key: `acme/shop/${key}/lagging`, under: `acme/shop/${key}/card`, broadcast: false },
    ]);
  });

  it('one that does not come up, too, once for all locations', async () => {
    const { version } = await act('rollout', 'search', { outcome: 'hang', seconds: 0.5 });
    const key = `acme/shop/search/${String(version)}`;
    await world.message(CHANNEL, `${key}/card`);
    await later(TEN_MINUTES);
    await later(TEN_MINUTES);

    const all = await told(CHANNEL, 'acme/shop/search');
    expect(keysOf(all)).toEqual([`${key}/card`, `${key}/lagging`]);
    expect(all[1]?.text).toMatch(/lagging in all 3 locations: not ready for 10 min/);
  });

  it('a location above its version diverges where there is a card, and is silent where not', async () => {
    const key = await deployed('payments');
    await act('diverge', 'payments', { location: WEST, diverged: true });
    await act('diverge', 'catalog', { location: WEST, diverged: true });
    await later(TEN_MINUTES);

    const diverged = await see(`${key}/diverged`);
    expect(diverged.text).toContain('diverged in aws-us-west-2');
    const all = await told(CHANNEL, 'acme/shop/payments');
    expect(keysOf(all)).toEqual(
      ['card', 'ready', 'diverged'].map((word) => `acme/shop/${key}/${word}`),
    );
    expect(all[2]?.broadcast).toBe(false);
    expect(await told(CHANNEL, 'acme/shop/catalog')).toEqual([]);
  });

  it('flapping that has settled says how, and what holds is told once', async () => {
    const ill = (seconds: number) => act('sicken', 'web', { seconds });
    for (const n of ['', '/2']) {
      await ill(6000);
      await see(`web/58/unhealthy${n}`);
      await ill(0.001);
      await see(n === '' ? 'web/58/recovered' : 'web/58/flapping');
    }
    await later(TEN_MINUTES);

    const flapping = await see('web/58/flapping', ({ text }) => text.includes('settled:'));
    const recovered = await see('web/58/recovered/3');
    expect(flapping.text).toContain('settled: ready for 10 min');
    expect(recovered.broadcast).toBe(true);
    expect(keysOf(await told(CHANNEL, 'acme/shop/web'))).toEqual(
      ['card', 'unhealthy', 'recovered', 'unhealthy/2', 'flapping', 'recovered/3'].map(
        (word) => `acme/shop/web/58/${word}`,
      ),
    );
  });
});

describe('a GVC whose list is empty', () => {
  it('tells nothing when it is back within ten minutes', async () => {
    await world.platform('vanish', { org: 'acme', gvc: 'data', vanished: true });
    await later(9);
    await world.platform('vanish', { org: 'acme', gvc: 'data', vanished: false });
    await later(9);

    expect(await told(ELSEWHERE, 'acme/data')).toEqual([]);
  });

  it('is gone after that, in one message, and comes back in silence', async () => {
    await world.platform('vanish', { org: 'globex', gvc: 'staging', vanished: true });
    await later(TEN_MINUTES);
    await world.message(ELSEWHERE, 'globex/staging/@gvc/9/gone');
    await world.platform('vanish', { org: 'globex', gvc: 'staging', vanished: false });

    const all = await told(ELSEWHERE, 'globex/staging');
    expect(all).toMatchObject([
      {
        key: 'globex/staging/@gvc/9/gone',
        covers: ['api/71', 'gateway/24', 'worker/38'].map((one) => `globex/staging/${one}/gone`),
      },
    ]);
    expect(all[0]?.text).toContain('gone: 3 workloads no longer listed');
  });
});
