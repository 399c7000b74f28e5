import { expect, test } from 'vitest';
import { createTokenJobs } from '../../../src/features/billing/token-watch.ts';
import { createDigestJobs } from '../../../src/features/reports/digest.ts';
import { useRedis } from '../../support/redis.ts';
import { EXPIRED, VIEWER } from '../platform/billing/support.ts';
import { BILLING, OPS, startReporting, type Reporting } from '../features/reporting.ts';

const server = useRedis();
const DOWN = { status: 500 };
const down = (number: number) => `@billing/down/${number}`;
const up = (number: number) => `@billing/up/${number}`;

/** The digest and the tokens, every ten minutes from noon of 15 October 2026 on. */
const start = (token?: string): Promise<Reporting> =>
  startReporting(
    server.url,
    (services) => [...createDigestJobs(services), ...createTokenJobs(services)],
    {},
    token === undefined ? {} : { token },
  );

/** Each job runs at this time, whether it fails or not. */
async function run(bot: Reporting, moment: string): Promise<void> {
  await bot.at(moment);
  for (const job of bot.jobs) await job.run({}).catch(() => undefined);
  await bot.deliver();
}

test('a third failure in a row is posted to operators, and after an hour to those who read about money', async () => {
  const bot = await start();
  await run(bot, '2026-10-16T08:50');
  await bot.fault(DOWN);
  for (const minute of ['00', '10']) await run(bot, `2026-10-16T09:${minute}`);
  expect(await bot.reported(OPS)).toEqual([]);

  await run(bot, '2026-10-16T09:20');
  expect(await bot.reported(OPS)).toEqual([down(1)]);
  const { text } = await bot.post(down(1), OPS);
  expect(text).toMatch(
    /^⚪ The platform’s billing API answers with errors · since .*\nNot reported meanwhile: /,
  );
  expect(text).toContain(
    'the digest and billing tokens.\nPurser goes on asking.\nNext: If this lasts, ask your Purser admin',
  );

  await run(bot, '2026-10-16T09:50');
  expect(await bot.reported(BILLING)).toEqual([]);
  await run(bot, '2026-10-16T10:00');
  expect(await bot.reported(BILLING)).toEqual([down(1)]);
  expect((await bot.post(down(1))).text).toBe(text);
  // Once is enough.
  for (const hour of ['11', '14']) await run(bot, `2026-10-16T${hour}:00`);
  expect(await bot.reported(BILLING)).toEqual([down(1)]);
  expect(await bot.post(down(1), OPS)).toMatchObject({ edit_count: 0 });
});

test('when it can be read again, each channel hears it in the thread, with the changes where money is read', async () => {
  const bot = await start();
  await run(bot, '2026-10-16T08:50');
  await bot.fault(DOWN);
  for (const time of ['09:00', '09:10', '09:20', '10:00']) await run(bot, `2026-10-16T${time}`);
  await bot.fault();
  await run(bot, '2026-10-16T11:00');

  expect(await bot.reported(OPS)).toEqual([down(1), up(1)]);
  const [root, reply] = [await bot.post(down(1)), await bot.post(up(1))];
  expect(root.text).toBe('✅ Over after 2 h. The platform’s billing API answered with errors');
  expect(reply).toMatchObject({ thread_ts: root.ts, broadcast: true });
  expect(reply.text).toMatch(/^✅ Purser can read money again after 2 h: the digest and billing /);
  expect(reply.text).toMatch(/\nWhat changed meanwhile:\nSpend yesterday \(15 October\): \$/);
  // Figures are not for operators.
  const { text } = await bot.post(up(1), OPS);
  expect(text).toContain('1 message followed in <#C0BILLING>.');
  expect(text).not.toContain('$');
  expect(await bot.reported()).toEqual([down(1), '@billing/digest/2026-10-16', up(1)]);
});

test('the next outage has the next number', async () => {
  const bot = await start();
  for (const [number, day] of [
    [1, '16'],
    [2, '17'],
  ] as const) {
    await run(bot, `2026-10-${day}T11:50`);
    await bot.fault(DOWN);
    for (const minute of ['00', '10', '20']) await run(bot, `2026-10-${day}T12:${minute}`);
    await bot.fault();
    await run(bot, `2026-10-${day}T12:40`);
    expect((await bot.reported(OPS)).slice(-2)).toEqual([down(number), up(number)]);
  }
  expect((await bot.post(up(2), OPS)).text).toContain(
    'Nothing that is reported changed meanwhile.',
  );
});

test('a token that the platform refuses everywhere is reported as the cause', async () => {
  const bot = await start(EXPIRED);
  // Two questions were refused, so it is posted at once.
  await run(bot, '2026-10-16T12:00');
  const { text } = await bot.post(down(1), OPS);
  expect(text).toMatch(
    /^⚪ The platform refuses Purser’s billing token · since .*\nNot reported meanwhile: /,
  );
  expect(text).toContain('Have a billing_admin make a new one');
});

test('a right that the token lacks is no outage: a viewer may not list tokens', async () => {
  const bot = await start(VIEWER);
  await bot.look();
  for (const time of ['09:00', '09:10', '09:20', '11:00']) {
    await bot.at(`2026-10-16T${time}`);
    // It does not fail either.
    await bot.look();
  }
  expect(await bot.reported(OPS)).toEqual([]);
  expect(await bot.reported()).toEqual(['@billing/digest/2026-10-16']);
});
