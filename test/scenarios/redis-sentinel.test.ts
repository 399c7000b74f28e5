import { afterAll, beforeAll, expect, it } from 'vitest';
import { cardOf, decide, request } from '../support/approvals.ts';
import { createSentinels } from '../support/sentinels.ts';
import { until } from '../support/until.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

let sentinels: Awaited<ReturnType<typeof createSentinels>>;
let world: World;

beforeAll(async () => {
  [sentinels, world] = await Promise.all([createSentinels(), openWorld()]);
});
afterAll(async () => {
  await world?.close();
  await sentinels?.close();
});

it('the bot follows a fail-over, also when the host of the primary closes no connection', async () => {
  const bot = await world.startBot({
    environment: { ...sentinels.environment, WATCHES: 'acme/shop' },
  });
  const [ada, ben] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
  const recipient = (name: string) => ({
    command: '/billing recipients add',
    entries: { 'E-mail': `${name}@acme.example`, Enabled: true },
  });
  const before = await request(world, ada, recipient('before'));
  await world.polled();

  await sentinels.freezePrimary();
  const since = performance.now();
  await bot.ready();
  await world.polled();
  const took = performance.now() - since;

  // The request from before is there, and a new one goes the whole way.
  const after = await request(world, ada, recipient('after'));
  for (const id of [before, after]) {
    await decide(world, ben, { id, decision: 'Approve' });
    await cardOf(world, id, 'succeeded');
  }
  expect(took).toBeLessThan(35_000);
  const prefix = world.environment({ port: 0, opsPort: 0 })['REDIS_PREFIX'];
  expect(await sentinels.second.exists(`{${prefix}}:change:${after}`)).toBe(1);

  await sentinels.thawPrimary();
  expect((await ada.ask('/changes')).text).not.toContain('try again');
  await until('the bot to be ready', () => bot.ready().then(() => true));
});
