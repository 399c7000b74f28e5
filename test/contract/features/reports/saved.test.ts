import { describe, expect, test } from 'vitest';
import type { Principal } from '../../../../src/access/policy.ts';
import { removeSaved, replaceSaved, type Saved } from '../../../../src/features/reports/saved.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { CannotSee } from '../../../../src/monitors/monitor.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { readCompared } from '../../../../src/reporting/spend.ts';
import { resolveRange } from '../../../../src/reporting/range.ts';
import type { Services } from '../../../../src/services.ts';
import { useRedis } from '../../../support/redis.ts';
import { gate, until } from '../../../support/until.ts';
import { BILLING, buttonsOf, everythingCosts } from '../reporting.ts';
import { daily, over, READER, startSaved } from './saved-support.ts';

const server = useRedis();

const start = (world?: Parameters<typeof startSaved>[1]) => startSaved(server.url, world);

test('two workers that run at the same time post one message', async () => {
  const { add, jobs, look, reported } = await start();
  await add(over('this month', '1'));

  await Promise.all([...jobs, ...jobs, ...jobs].map((job) => job.run({})));
  await look();

  expect(await reported()).toEqual(['@billing/report/1/2026-10']);
});

test('a message carries the time at which its question was saved, also after a change', async () => {
  const { add, at, look, services } = await start();
  const savedAt = services.clock.now();
  await add(over('this month', '99000000'));
  await at('2026-10-16T12:00');
  await replaceSaved(services, '1', over('this month', '1'));
  await look();

  const record = services.keys.message(BILLING, '@billing/report/1/2026-10');
  expect(await services.redis.hget(record, 'body')).toContain(`"madeAt":${savedAt}`);
});

test('an amount that is crossed, and no longer is after a revision of the usage, is reported once', async () => {
  const { add, client, look, reported, platform } = await start();
  const young = (percent: number) =>
    fetch(`${platform.url}/_sandbox/young`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ percent }),
    });
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

  expect(await reported()).toEqual(['@billing/report/1/2026-10']);
});

test.each([
  ['changed', (services: Services) => replaceSaved(services, '1', over('this month', '99000000'))],
  ['stopped', (services: Services) => removeSaved(services, '1', 'U0ADA')],
])('a question that is %s while it runs posts nothing of its old content', async (_, edit) => {
  const { add, look, reported } = await start({ meanwhile: edit });
  await add(over('this month', '1'));

  await look();
  await look();

  expect(await reported()).toEqual([]);
});

test('an answer that is asked for at another time while it runs comes at that time alone', async () => {
  let edits = 0;
  const { add, at, look, reported } = await start({
    async meanwhile(services) {
      edits += 1;
      if (edits > 1) return;
      await replaceSaved(services, '1', daily('yesterday', '20:00', 'UTC'));
    },
  });
  await add(daily('yesterday', '13:00', 'UTC'));

  await at('2026-10-16T13:00');
  await look();
  await look();
  expect([edits, await reported()]).toEqual([1, []]);
  await at('2026-10-16T20:00');
  await look();
  await look();

  expect(await reported()).toEqual(['@billing/report/1/2026-10-16']);
});

test('the first of a month is the one of the zone, also on the day when its clocks go back; ranges are of UTC', async () => {
  const { add, at, look, post, reported } = await start();
  await add(daily('last month', '00:30', 'Europe/Berlin', 'monthly'));
  // In New York it is half past one twice on the 1st of November, and three comes an hour later.
  await add(daily('last month', '01:30', 'America/New_York', 'monthly'));
  await add(daily('last month', '03:00', 'America/New_York', 'monthly'));
  const [berlin, half, three] = ['1', '2', '3'].map((n) => `@billing/report/${n}/2026-11-01`);

  const heard: [string, string[]][] = [];
  for (const moment of [
    '2026-10-31T23:30',
    '2026-11-01T00:00',
    '2026-11-01T05:29',
    '2026-11-01T05:30',
    '2026-11-01T06:30',
    '2026-11-01T07:59',
    '2026-11-01T08:00',
  ]) {
    const before = await reported();
    await at(moment);
    await look();
    const fresh = (await reported()).filter((key) => !before.includes(key));
    if (fresh.length > 0) heard.push([moment, fresh]);
  }

  expect(heard).toEqual([
    // Half past midnight there, when October is not over in UTC.
    ['2026-11-01T00:00', [berlin]],
    ['2026-11-01T05:30', [half]],
    ['2026-11-01T08:00', [three]],
  ]);
  expect((await post(berlin ?? '')).text).toContain('October 2026');
  expect((await post(three ?? '')).text).toContain('October 2026');
});

test('nine on the 1st of November in Sydney is of October, when that is over in UTC', async () => {
  const { add, at, look, post, reported } = await start();
  await add(daily('last month', '09:00', 'Australia/Sydney', 'monthly'));

  await at('2026-10-31T22:00');
  await look();
  expect(await reported()).toEqual([]);
  await at('2026-11-01T00:00');
  await look();

  const { text, blocks } = await post('@billing/report/1/2026-11-01');
  expect(text).toContain('October 2026 (UTC)');
  expect(text).toContain('provisional until 3 November');
  expect(JSON.stringify(blocks)).toContain('It waited for the end of October 2026 in UTC.');
});

test('a figure that is final is not called provisional', async () => {
  const { add, at, look, post } = await start();
  await add(daily('last month', '06:00', 'UTC'));

  await at('2026-11-03T06:00');
  await look();

  expect((await post('@billing/report/1/2026-11-03')).text).not.toContain('provisional');
});

test('a rolling range is posted again only after it was not over for as long as its step', async () => {
  const bot = await start();
  await bot.add(over('last 24 hours', '300'));
  const cost = async (total: string, moments: string[]) => {
    await bot.fault();
    await everythingCosts(bot, total);
    for (const moment of moments) {
      await bot.at(moment);
      await bot.look();
    }
    return bot.reported();
  };
  const [first, second] = ['14T12-to-2026-10-15T12', '14T20-to-2026-10-15T20'].map(
    (period) => `@billing/report/1/2026-10-${period}`,
  );

  expect(await cost('400', ['2026-10-15T12:10', '2026-10-15T15:00'])).toEqual([first]);
  expect(await cost('200', ['2026-10-15T16:00', '2026-10-15T16:50'])).toEqual([first]);
  expect(await cost('400', ['2026-10-15T17:00', '2026-10-15T18:00'])).toEqual([first]);
  expect(await cost('300', ['2026-10-15T18:30', '2026-10-15T19:30'])).toEqual([first]);
  expect(await cost('400', ['2026-10-15T20:00', '2026-10-15T21:00'])).toEqual([first, second]);
});

test('a platform that does not answer posts nothing, and the answer comes when it does', async () => {
  const { add, at, fault, look, reported } = await start();
  await add(daily('yesterday', '13:00', 'UTC'));
  await fault({ path: 'charges/-query', status: 500 });

  for (const moment of ['2026-10-16T13:00', '2026-10-16T15:00']) {
    await at(moment);
    await expect(look()).rejects.toThrow(PlatformError);
  }
  expect(await reported()).toEqual([]);
  await fault();
  await at('2026-10-16T16:00');
  await look();

  expect(await reported()).toEqual(['@billing/report/1/2026-10-16']);
});

test.each([
  ['a query', { status: 400, body: { error: 'no such tag' } }, 'no such tag'],
  ['a right that the token lacks', { status: 401 }, 'The platform refuses Purser’s key'],
])(
  '%s that the platform refuses is posted as not answered after an hour',
  async (_, said, text) => {
    const { add, at, fault, look, post } = await start();
    await add(daily('yesterday', '13:00', 'UTC'));
    await fault({ path: 'charges/-query', ...said });

    for (const moment of ['2026-10-16T13:00', '2026-10-16T14:00']) {
      await at(moment);
      await look();
    }

    expect((await post('@billing/report/1/failed/2026-10-16')).text).toContain(text);
  },
);

describe('the right of the owner', () => {
  const LOST = '@billing/report/1/ended/2026-10-15';
  const unread: [string, Principal | PlatformError | Error][] = [
    ['Slack gives no e-mail address', { userId: 'U0ADA', email: undefined, roles: undefined }],
    [
      'another account of theirs waits to be confirmed',
      {
        ...READER,
        roles: undefined,
        rolesRefusal: 'In use by another account.',
        rolesWhy: 'identity',
      },
    ],
    ['the platform does not answer', new PlatformError('unavailable', 'down')],
    ['a user cannot be read', new Error('1 users not readable')],
  ];

  test.each(unread)('that cannot be read postpones the answer: %s', async (_, what) => {
    let isKnown = false;
    const { add, at, look, reported } = await start({
      principal() {
        if (isKnown) return READER;
        if (what instanceof Error) throw new Refusal('not now', what);
        return what;
      },
    });
    await add(daily('yesterday', '13:00', 'UTC'));

    await at('2026-10-16T13:00');
    const error = what instanceof PlatformError ? PlatformError : CannotSee;
    await expect(look()).rejects.toThrow(error);
    await at('2026-10-16T15:00');
    await expect(look()).rejects.toThrow(error);
    expect(await reported()).toEqual([]);
    isKnown = true;
    await at('2026-10-16T16:00');
    await look();

    expect(await reported()).toEqual(['@billing/report/1/2026-10-16']);
  });

  test.each<[string, Partial<Principal>]>([
    ['has no role', { roles: [] }],
    ['is no user of the account', { roles: undefined }],
    ['has left Slack', { refusal: 'This Slack account is deactivated.' }],
  ])('that is lost pauses the question for 30 days: the owner %s', async (_, lost) => {
    const { add, at, look, post, saved, reported } = await start({
      principal: () => ({ ...READER, ...lost }),
    });
    await add(over('this month', '1'));

    await look();
    expect(await reported()).toEqual([LOST]);
    expect(buttonsOf(await post(LOST))).toEqual({ Resume: '1' });
    await at('2026-11-14T11:00');
    await look();
    expect(await saved()).toMatchObject([{ endedAt: Date.parse('2026-10-15T12:00:00Z') }]);
    await at('2026-11-14T12:00');
    await look();

    expect([await saved(), await reported()]).toEqual([[], [LOST]]);
  });
});

describe('a sum of which a part cannot be read', () => {
  const PERIOD = '@billing/report/1/2026-10';
  const row = (total: unknown, currency = 'USD') => ({ tags: {}, value: 1, total, currency });
  const rows = (bot: Awaited<ReturnType<typeof start>>, ...consumptions: object[]) =>
    bot.fault({
      path: 'charges/-query',
      body: {
        results: {
          periods: [
            {
              startTime: '2026-10-01T00:00:00Z',
              endTime: '2026-11-01T00:00:00Z',
              groups: [{ key: { org: 'acme' }, consumptions }],
            },
          ],
        },
      },
    });

  test('says so when it is over the amount', async () => {
    const bot = await start();
    await bot.add(over('this month', '300'));
    await rows(bot, row(400), row('much'));

    await bot.look();

    const { text, blocks } = await bot.post(PERIOD);
    expect(text).toContain('Spend is over budget: $400 of $300 (133%)');
    expect(JSON.stringify(blocks)).toContain('⚠ 1 row could not be read, so no change is shown');
  });

  test.each([
    ['300', 300.4, '$300.40 of $300 (100%)'],
    ['300.30', 300.4, '$300.40 of $300.30 (100%)'],
    ['300.30', 300.6, '$301 of $300.30 (100%)'],
  ])('is over %s in the figures, too, with %d', async (amount, total, figures) => {
    const bot = await start();
    await bot.add(over('this month', amount));
    await rows(bot, row(total));

    await bot.look();

    expect((await bot.post(PERIOD)).text).toContain(`Spend is over budget: ${figures}`);
  });

  test.each([
    ['a row', row('much'), 'could not be read'],
    ['another currency', row(9_000, 'EUR'), 'Without €9,000.00'],
  ])('cannot be judged when it is not over it: %s', async (_, more, sentence) => {
    const bot = await start();
    await bot.add(over('this month', '500'));
    await rows(bot, row(400), more);

    for (const moment of ['2026-10-15T12:10', '2026-10-15T13:00']) {
      await bot.at(moment);
      await bot.look();
      expect(await bot.reported()).toEqual([]);
    }
    for (const moment of ['2026-10-15T13:10', '2026-10-15T16:00']) {
      await bot.at(moment);
      await bot.look();
    }
    expect(await bot.reported()).toEqual([`${PERIOD}/unclear`]);
    const unclear = await bot.post(`${PERIOD}/unclear`);
    expect(unclear.text).toContain('Spend cannot be judged: $400 of $500');
    expect(JSON.stringify(unclear.blocks)).toContain(sentence);
    expect(unclear.text).toContain('If it goes over $500, that is still posted.');

    await bot.fault();
    await rows(bot, row(410));
    await bot.look();
    expect((await bot.post(`${PERIOD}/unclear`)).text).toContain(
      'Spend can be judged again: $410 of $500 (82%)',
    );
  });
});

test('an answer of today that has not come yet comes at once when it is moved to an earlier time', async () => {
  const { add, at, look, services, reported } = await start();
  await add(daily('yesterday', '18:00', 'UTC'));

  await at('2026-10-16T12:00');
  const { day } = await replaceSaved(services, '1', daily('yesterday', '09:00', 'UTC'));
  await look();
  expect([day, await reported()]).toEqual(['2026-10-15', ['@billing/report/1/2026-10-16']]);
  await replaceSaved(services, '1', daily('yesterday', '08:00', 'UTC'));
  await look();

  expect(await reported()).toEqual(['@billing/report/1/2026-10-16']);
});

test('an amount of usage whose unit was unknown is of raw units, also once that is known', async () => {
  const sum = { measure: { kind: 'quantity', metric: 'a', feature: '', unit: 'byte-seconds' } };
  const report = { kind: 'shown', blocks: [], notes: [], warnings: [], page: 1, pages: 1 };
  const sums = [{ ...sum, value: '7200' }];
  const run = async () => ({ ...report, hasRows: true, isWhole: true, sums });
  const { add, look, post, reported } = await start({
    source: { name: 'usage' },
    reports: { run },
  });
  const usage = (amount: string, unit?: object) =>
    ({
      ...over('this month', amount),
      source: 'usage',
      trigger: { kind: 'over', amount, ...unit },
    }) satisfies Saved;
  await add(usage('7000'));
  await add(usage('7000', { unit: 'GiB-hours', size: '3865470566400' }));

  await look();

  expect(await reported()).toEqual(['@billing/report/1/2026-10']);
  expect((await post('@billing/report/1/2026-10')).text).toContain('7,200 of 7,000 (102%)');
});

test('an amount in one currency is no limit of charges in another one, which is reported after an hour', async () => {
  const bot = await start();
  await bot.add(over('this month', '1'));
  await everythingCosts(bot, '100', 'EUR');

  await bot.look();
  expect(await bot.reported()).toEqual([]);
  await bot.at('2026-10-15T13:01');
  await bot.look();

  expect(await bot.reported()).toEqual(['@billing/report/1/failed/2026-10-15']);
  const { text } = await bot.post('@billing/report/1/failed/2026-10-15');
  expect(text).toContain('Its charges are in another currency than USD');
});

test('a run that hangs is not begun once more, so that it takes one place of the queue', async () => {
  const held = gate();
  let asked = 0;
  const { add, at, jobs, look, reported } = await start({
    async meanwhile() {
      asked += 1;
      await held.passed;
    },
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
  expect(await reported()).toEqual(['@billing/report/1/2026-10-16']);
});
