import { expect, test } from 'vitest';
import type { Principal } from '../../../../src/access/policy.ts';
import { createChargesSource } from '../../../../src/features/reports/charges.ts';
import {
  addSaved,
  changeSaved,
  removeSaved,
  scheduleOf,
  type Saved,
} from '../../../../src/features/reports/saved.ts';
import { createSavedJobs } from '../../../../src/features/reports/saved-run.ts';
import { createAllowance } from '../../../../src/platform/answer.ts';
import { parseQuery } from '../../../../src/reporting/query.ts';
import { readCompared } from '../../../../src/reporting/spend.ts';
import { resolveRange } from '../../../../src/reporting/range.ts';
import { lastSlot } from '../../../../src/reporting/schedule.ts';
import type { Services } from '../../../../src/services.ts';
import { useRedis } from '../../../support/redis.ts';
import { reportsHere } from '../../../support/reports.ts';
import { gate, until } from '../../../support/until.ts';
import { BILLING, everythingCosts, startTelling } from '../telling.ts';

const server = useRedis();

const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
const READER: Principal = {
  userId: 'U0ADA',
  email: 'ada@acme.example',
  roles: ['billing_viewer'],
};

/** A question without any narrowing, of some range. */
const over = (range: string, amount: string): Saved => ({
  source: 'charges',
  query: { ...parseQuery([]), range, by: ['org'], of: [], items: [], orgs: [], where: {} },
  channel: BILLING,
  by: ADA,
  tells: { kind: 'over', amount },
});

const daily = (range: string, at: string, zone: string, every: 'daily' | 'monthly' = 'daily') =>
  ({ ...over(range, '1'), tells: { kind: 'answer', every, at, zone } }) satisfies Saved;

/** A worker for the saved questions of `/charges`; `meanwhile` happens within each run, before it asks. */
async function start(meanwhile: (services: Services) => Promise<unknown> = async () => undefined) {
  let services: Services | undefined;
  const telling = await startTelling(server.url, (own) => {
    const access = {
      roleRefusal: () => Promise.resolve(undefined),
      principal: async () => {
        await meanwhile(own);
        return READER;
      },
    } as unknown as Services['access'];
    services = {
      ...own,
      access,
      orgs: { known: ['acme'], fallback: 'acme' },
      reports: reportsHere(),
    };
    const allowance = createAllowance(64 * 1024 * 1024);
    return createSavedJobs(createChargesSource(services), { ...services, allowance });
  });
  const own = services;
  if (own === undefined) throw new Error('there are no services');
  const { platform } = telling;
  return {
    ...telling,
    /** Saved on the 15th of October; an amount has told nothing yet. */
    add: (saved: Saved) =>
      addSaved(own, saved, {
        ...(saved.tells.kind === 'answer' && { day: '2026-10-15' }),
        told: [],
      }),
    young: (percent: number | null) =>
      fetch(`${platform.url}/_sandbox/young`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ percent }),
      }),
  };
}

test('two workers that look at the same time tell of it once', async () => {
  const { add, jobs, look, told } = await start();
  await add(over('this month', '1'));

  await Promise.all([...jobs, ...jobs, ...jobs].map((job) => job.run({})));
  await look();

  expect(await told()).toEqual(['@billing/report/1/2026-10']);
});

test('an amount that is crossed, and not any more once the usage is revised, is told once', async () => {
  const { add, client, look, told, young } = await start();
  await young(100);
  const month = resolveRange('this month', Date.parse('2026-10-15T12:00:00Z'));
  const span = { range: month, before: undefined };
  const { total } = await readCompared(client.charges, ['org'], span, 'USD');
  await add(over('this month', total.value.times('0.99').toFixed(2)));

  await look();
  await young(10);
  await look();
  await young(100);
  await look();

  expect(await told()).toEqual(['@billing/report/1/2026-10']);
});

test.each([
  [
    'changed',
    (services: Services) =>
      changeSaved(services, '1', over('this month', '99000000'), (memory) => memory),
  ],
  ['stopped', (services: Services) => removeSaved(services, '1')],
])('a question that is %s while it runs tells nothing of what it was', async (_, edit) => {
  const { add, look, told } = await start(edit);
  await add(over('this month', '1'));

  await look();
  await look();

  expect(await told()).toEqual([]);
});

test('an answer that is asked for at another time while it runs comes at that time alone', async () => {
  let edits = 0;
  const { add, at, look, told } = await start(async (services) => {
    edits += 1;
    if (edits > 1) return;
    const later = daily('yesterday', '20:00', 'UTC');
    const { day } = lastSlot(scheduleOf(later.tells), services.clock.now());
    await changeSaved(services, '1', later, () => ({ told: [], day }));
  });
  await add(daily('yesterday', '13:00', 'UTC'));

  await at('2026-10-16T13:00');
  await look();
  await look();
  expect([edits, await told()]).toEqual([1, []]);
  await at('2026-10-16T20:00');
  await look();
  await look();

  expect(await told()).toEqual(['@billing/report/1/2026-10-16']);
});

test('the first of a month is the one of the zone, also on the day when its clocks go back; ranges are of UTC', async () => {
  const { add, at, look, post, told } = await start();
  await add(daily('last month', '00:30', 'Europe/Berlin', 'monthly'));
  // In New York it is half past one twice on the 1st of November, and three comes an hour later.
  await add(daily('last month', '01:30', 'America/New_York', 'monthly'));
  await add(daily('last month', '03:00', 'America/New_York', 'monthly'));
  const [berlin, half, three] = ['1', '2', '3'].map((n) => `@billing/report/${n}/2026-11-01`);

  const heard: [string, string[]][] = [];
  for (const moment of [
    '2026-10-31T23:29',
    '2026-10-31T23:30',
    '2026-11-01T05:29',
    '2026-11-01T05:30',
    '2026-11-01T06:30',
    '2026-11-01T07:59',
    '2026-11-01T08:00',
  ]) {
    const before = await told();
    await at(moment);
    await look();
    const fresh = (await told()).filter((key) => !before.includes(key));
    if (fresh.length > 0) heard.push([moment, fresh]);
  }

  expect(heard).toEqual([
    ['2026-10-31T23:30', [berlin]],
    ['2026-11-01T05:30', [half]],
    ['2026-11-01T08:00', [three]],
  ]);
  // Half past midnight in Berlin is October by UTC, so that the last month is September.
  expect((await post(berlin ?? '')).text).toContain('September 2026');
  expect((await post(three ?? '')).text).toContain('October 2026');
});

test('an amount in one currency is no limit of charges in another one, which is told after an hour', async () => {
  const bot = await start();
  await bot.add(over('this month', '1'));
  await everythingCosts(bot, '100', 'EUR');

  await bot.look();
  expect(await bot.told()).toEqual([]);
  await bot.at('2026-10-15T13:01');
  await bot.look();

  expect(await bot.told()).toEqual(['@billing/report/1/failed/2026-10-15']);
  const { text } = await bot.post('@billing/report/1/failed/2026-10-15');
  expect(text).toContain('Its charges are in another currency than USD');
});

test('a run that hangs is not begun once more, so that it takes one place of the queue', async () => {
  const held = gate();
  let asked = 0;
  const { add, at, jobs, look, told } = await start(async () => {
    asked += 1;
    await held.passed;
  });
  await add(daily('yesterday', '13:00', 'UTC'));
  await at('2026-10-16T13:00');
  const [schedules] = jobs;
  const hanging = schedules?.run({});
  await until('it to be asked', () => asked > 0);

  await schedules?.run({});
  expect(asked).toBe(1);

  held.open();
  await hanging;
  await look();
  expect(await told()).toEqual(['@billing/report/1/2026-10-16']);
});
