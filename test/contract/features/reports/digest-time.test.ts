import { expect, test } from 'vitest';
import { createDigestJobs } from '../../../../src/features/reports/digest.ts';
import type { JobKind } from '../../../../src/jobs/jobs.ts';
import { useRedis } from '../../../support/redis.ts';
import { everythingCosts, startReporting } from '../reporting.ts';

const server = useRedis();

test('a digest that is put on a later time of the day on which the bot began comes on that day', async () => {
  let later: JobKind[] = [];
  const bot = await startReporting(server.url, (services) => {
    const { config } = services;
    const digest = { every: 'daily', time: { hour: 15, minute: 0 } } as const;
    later = createDigestJobs({ ...services, config: { ...config, digest } });
    return createDigestJobs(services);
  });
  // It began at noon, when nine was over.
  await bot.look();
  await later[0]?.run({});
  await bot.look();
  expect(await bot.reported()).toEqual([]);

  await bot.at('2026-10-15T15:00');
  await later[0]?.run({});
  await bot.look();
  expect(await bot.reported()).toEqual(['@billing/digest/2026-10-15']);
});

test('charges in another currency are not counted, and a note says so', async () => {
  const bot = await startReporting(server.url, createDigestJobs);
  await bot.look();
  await everythingCosts(bot, '100', 'EUR');
  await bot.at('2026-10-16T09:00');
  await bot.look();

  const { text } = await bot.post('@billing/digest/2026-10-16');
  expect(text).toContain('Spend yesterday (15 October): $0.00,');
  expect(text).toContain('⚠ Charges in EUR are not counted');
});
