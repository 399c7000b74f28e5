import { describe, expect, test } from 'vitest';
import { ADMINS, everything, OCTOBER, startApis, sumOf } from './spec-support.ts';

const TEN_MINUTES = 600;
const DAY = 86_400;
const of = (amount: number, enabled = true) => ({ alert: { amount, enabled } });

async function startAlert(options: Parameters<typeof startApis>[0] = {}) {
  const apis = await startApis(options);
  await apis.ask('DELETE /alert');
  const alert = async () => (await apis.ask('GET /alert')).body;
  return {
    ...apis,
    alert,
    create: (amount: number, enabled?: boolean) =>
      apis.ok(apis.ask('POST /alert', of(amount, enabled))),
    isFired: async () => 'lastTriggered' in (await alert()),
    mailed: async () =>
      (await apis.emails()).filter(({ kind }) => kind === 'spend-alert').map(({ to }) => to),
    /** The charges of the current month, in whole units. */
    spent: async () => {
      const consumptionQueries = everything(await apis.catalogue());
      return Number(sumOf(await apis.charges({ ...OCTOBER, consumptionQueries }), 'total'));
    },
  };
}

describe('firing (spec 2.3 and 5)', () => {
  test('the checks are ten minutes apart from the start on, over the end of a month, too', async () => {
    const now = Date.parse('2026-10-05T12:03:20Z');
    const { create, alert, isFired, wait } = await startAlert({ now: () => now });
    await create(1);

    await wait(TEN_MINUTES - 1);
    expect(await isFired()).toBe(false);
    await wait(1);
    expect(await alert()).toMatchObject({ lastTriggered: '2026-10-05T12:13:20.000Z' });
    await wait(28 * DAY);
    expect((await alert())['lastTriggered']).toMatch(/^2026-11-01T\d\d:\d3:20/);
  });

  test.each([
    ['below the amount it does not fire', 1.2, TEN_MINUTES, false],
    ['at the amount it does', 0.99, TEN_MINUTES, true],
    ['it waits while the month is below the amount', 1.5, DAY, false],
    ['it fires later, when the month has reached the amount', 1.5, 5 * DAY, true],
  ])('%s', async (_rule, share, seconds, fired) => {
    const { create, isFired, wait, spent } = await startAlert();
    await create((await spent()) * share);

    await wait(seconds);

    expect(await isFired()).toBe(fired);
  });

  test('a jump over months fires in each month, at its time', async () => {
    const { create, emails, wait } = await startAlert();
    await create(1);

    await wait(60 * DAY);

    const times = (await emails()).filter(({ kind }) => kind === 'spend-alert').map(({ at }) => at);
    expect([...new Set(times)]).toEqual([
      '2026-10-05T12:10:00.000Z',
      expect.stringMatching(/^2026-11-01T\d\d:\d0:00/),
      expect.stringMatching(/^2026-12-01T\d\d:\d0:00/),
    ]);
  });
});

describe('the controls', () => {
  test('POST /_sandbox/alert/fire fires an enabled alert now, once a month', async () => {
    const { create, ask, act, mailed, alert } = await startAlert();
    const fire = async () => (await act('alert/fire', {}))['fired'];

    const without = await fire();
    await create(1_000_000_000, false);
    const disabled = await fire();
    await ask('PUT /alert', of(1_000_000_000));

    expect([without, disabled, await fire(), await fire()]).toEqual([false, false, true, false]);
    expect(await mailed()).toEqual(ADMINS);
    const fired = { lastTriggered: '2026-10-05T12:00:00.000Z', alertedTimes: 1 };
    expect(await alert()).toMatchObject(fired);
  });

  test.each([
    ['a second later by default', undefined, '2026-10-05T12:01:01.000Z'],
    ['at once with 0 seconds', { seconds: 0 }, '2026-10-05T12:01:00.000Z'],
    ['a minute later with 60 seconds', { seconds: 60 }, '2026-10-05T12:02:00.000Z'],
    ['never without seconds', {}, '2026-10-05T12:00:00.000Z'],
  ])('firing sets lastModified %s', async (_when, settings, lastModified) => {
    const { create, act, wait, alert } = await startAlert();
    await create(1_000_000_000);
    if (settings !== undefined) await act('alert/stamp', settings);

    await wait(60);
    await act('alert/fire', {});

    const lastTriggered = '2026-10-05T12:01:00.000Z';
    expect(await alert()).toMatchObject({ lastTriggered, lastModified });
  });
});
