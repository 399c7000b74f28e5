import { expect, it } from 'vitest';
import { createAlertJobs } from '../../../src/features/alert/watch.ts';
import { useRedis } from '../../support/redis.ts';
import { ADMIN, MAIN, VIEWER } from '../platform/billing/support.ts';
import { everythingCosts, startReporting, type Reporting } from './reporting.ts';

const server = useRedis();
const ALERT = `account/${MAIN}/alert`;

const start = (token = ADMIN) =>
  startReporting(server.url, createAlertJobs, { paceSteps: [50, 75, 90, 100] }, { token });

/** An admin sets the alert on the platform, whatever was there. */
async function set(bot: Reporting, amount: number): Promise<void> {
  await bot.raw('DELETE', ALERT);
  const text = JSON.stringify({ alert: { amount, enabled: true } });
  const headers = { 'content-type': 'application/json' };
  await bot.raw('POST', ALERT, { text, headers });
}

it('a token of a billing_viewer, which may not read the alert, gets its steps and its firing', async () => {
  const bot = await start(VIEWER);
  await set(bot, 500);
  await everythingCosts(bot, '100');
  await bot.look();
  await everythingCosts(bot, '260');
  await bot.look();
  await bot.control('alert/fire', {});
  await bot.look();

  expect(await bot.reported()).toEqual([
    '@billing/alert/2026-10/50',
    '@billing/alert/2026-10/fired',
  ]);
});

it('while the alert alone fails, its steps and changes are those of the account', async () => {
  const bot = await start();
  await set(bot, 500);
  await everythingCosts(bot, '100');
  await bot.look();
  await everythingCosts(bot, '260', 'USD', { method: 'GET', path: '/alert', status: 503 });
  await bot.look();
  await set(bot, 520);
  await bot.look();

  expect(await bot.reported()).toEqual([
    '@billing/alert/2026-10/50',
    '@billing/alert/2026-10/changed',
  ]);
});
