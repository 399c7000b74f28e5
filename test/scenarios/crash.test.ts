import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';

const CHANNEL = 'C0DEPLOYS';
const SHOP = { org: 'acme', gvc: 'shop' };
const RESUME_MS = 30_000;
/** A rollout that waits for the clock is not stuck meanwhile. */
const WORKER = { ROLE: 'worker', WATCHES: 'acme/shop', WATCH_PATIENCE: '0.5' };

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

function worker(): Promise<RunningBot> {
  return world.startBot({ environment: WORKER });
}

/** Everything posted, in alphabetical order: of all workloads or of one. */
async function keys(workload?: string): Promise<string[]> {
  const reported = await world.reported(CHANNEL, workload && `acme/shop/${workload}/`);
  return reported.map(({ key }) => key).toSorted();
}

/** Waits until the card says a word, and kills the worker at that moment. */
async function killWhen(bot: RunningBot, key: string, word: string): Promise<void> {
  await world.message(CHANNEL, key, (one) => one.text.includes(word));
  await bot.kill();
}

it('a worker that is killed again and again in a rollout loses and doubles nothing', async () => {
  let bot = await worker();
  await world.polled();
  // The rollout advances only with the clock, so no worker is too slow to see a step.
  const rollout = { ...SHOP, workload: 'payments', seconds: 3_000 };
  const { version } = await world.platform('rollout', rollout);
  const goOn = (seconds: number) => world.platform('clock', { advanceSeconds: seconds });
  const card = `acme/shop/payments/${String(version)}/card`;

  await killWhen(bot, card, 'pending');
  await goOn(1_500);
  bot = await worker();
  await killWhen(bot, card, 'deploying');
  await goOn(600);
  bot = await worker();
  await killWhen(bot, card, ' ready 2 of 2');
  await goOn(600);
  bot = await worker();
  const restarted = Date.now();
  await world.message(CHANNEL, card, ({ text }) => /(?: ready \d.*){2}/.test(text));
  expect(Date.now() - restarted).toBeLessThan(RESUME_MS);

  await goOn(300);
  await world.message(CHANNEL, card.replace('card', 'ready'));
  await bot.stop();
  expect(await keys('payments')).toEqual([card, card.replace('card', 'ready')]);
});

it('a post that Slack took while the worker died is found, not repeated', async () => {
  const first = await worker();
  await world.polled();
  // Slack accepts the card and never says so: the worker is killed while it waits.
  await world.slack('faults', {
    faults: [{ method: 'chat.postMessage', kind: 'delay-after', delayMs: 60_000, times: 1 }],
  });
  const { version } = await world.platform('rollout', { ...SHOP, workload: 'web', seconds: 6 });
  const card = `acme/shop/web/${String(version)}/card`;
  await world.message(CHANNEL, card);
  await first.kill();
  await world.slack('faults', { faults: [] });

  const second = await worker();
  await world.message(CHANNEL, card.replace('card', 'ready'));

  await second.stop();
  expect(await keys('web')).toEqual([card, card.replace('card', 'ready')]);
});

it('an answer that is lost on the way does not double the message', async () => {
  const bot = await worker();
  await world.polled();
  await world.slack('faults', {
    faults: [{ method: 'chat.postMessage', kind: 'reset-after', times: 2 }],
  });
  const { version } = await world.platform('rollout', { ...SHOP, workload: 'catalog', seconds: 5 });
  const card = `acme/shop/catalog/${String(version)}/card`;

  await world.message(CHANNEL, card.replace('card', 'ready'));

  await bot.stop();
  expect(await keys('catalog')).toEqual([card, card.replace('card', 'ready')]);
});

it('a worker that is started again looks at once, however slow the pace', async () => {
  const slow = { ...WORKER, POLL_IDLE_SECONDS: '3600' };
  const looks = await world.polls();
  const first = await world.startBot({ environment: slow });
  await until('the first look', async () => (await world.polls()) > looks);
  await first.kill();

  const before = await world.polls();
  const second = await world.startBot({ environment: slow });
  await until('the look of the second', async () => (await world.polls()) > before);

  expect(await second.stop()).toBe(0);
});

it('a Redis that comes back empty starts a silent baseline, and the watch goes on', async () => {
  const bot = await worker();
  await world.polled();
  const before = await keys();

  await world.loseRedis();
  await world.polled();
  await world.polled();
  const place = { ...SHOP, workload: 'search' };
  const { version } = await world.platform('rollout', { ...place, seconds: 4 });
  const card = `acme/shop/search/${String(version)}/card`;
  await world.message(CHANNEL, card.replace('card', 'ready'));

  await bot.stop();
  expect(await keys()).toEqual([...before, card, card.replace('card', 'ready')].toSorted());
});
