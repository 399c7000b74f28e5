import { expect, test } from 'vitest';
import {
  ADMINS,
  everything,
  MAIN,
  OCTOBER,
  startWithoutAlert,
  sumOf,
  TIME,
} from './spec-support.ts';

const TEN_MINUTES = 600;
const DAY = 86_400;
const FIRED = ['alertedTimes', 'lastTriggered'];

interface Alert {
  lastTriggered?: string;
  alertedTimes?: unknown;
}

async function startAlert(options: Parameters<typeof startWithoutAlert>[0] = {}) {
  const apis = await startWithoutAlert(options);
  const alert = async () => (await apis.account<Alert>('GET', '/alert')).body;
  return {
    ...apis,
    alert,
    create: (amount: number, enabled = true) =>
      apis.ok(apis.account('POST', '/alert', { body: { alert: { amount, enabled } } })),
    isFired: async () => 'lastTriggered' in (await alert()),
    told: async () =>
      (await apis.emails()).filter(({ kind }) => kind === 'spend-alert').map(({ to }) => to),
    /** What the account was charged for the current month, in whole units. */
    spent: async () => {
      const consumptionQueries = everything(await apis.catalogue());
      return Number(sumOf(await apis.charges({ ...OCTOBER, consumptionQueries }), 'total'));
    },
  };
}

test('armed: lastTriggered and alertedTimes are absent', async () => {
  const { create, alert } = await startAlert();

  await create(1);

  for (const member of FIRED) expect(await alert()).not.toHaveProperty(member);
});

test('charges of the month reach the amount: fired at the ten-minute check, and both appear', async () => {
  const { create, alert, wait } = await startAlert();
  await create(1);

  await wait(TEN_MINUTES);

  expect(await alert()).toEqual({
    kind: 'alert',
    accountUUID: MAIN,
    amount: 1,
    enabled: true,
    created: expect.stringMatching(TIME),
    lastModified: expect.stringMatching(TIME),
    lastTriggered: expect.stringMatching(/^2026-10-05T12:(0\d|10)/),
    alertedTimes: expect.anything(),
  });
});

test('the checks are ten minutes apart from the start on, over the end of a month, too', async () => {
  const now = Date.parse('2026-10-05T12:03:20Z');
  const { create, alert, isFired, wait } = await startAlert({ now: () => now });
  await create(1);

  await wait(TEN_MINUTES - 1);
  expect(await isFired()).toBe(false);
  await wait(1);
  expect((await alert()).lastTriggered).toBe('2026-10-05T12:13:20.000Z');

  await wait(28 * DAY);
  expect((await alert()).lastTriggered).toMatch(/^2026-11-01T\d\d:\d3:20/);
});

test('the alert fires when the charges reach amount, and not below', async () => {
  const { create, account, isFired, wait, spent } = await startAlert();
  const charged = await spent();

  await create(charged * 1.2);
  await wait(TEN_MINUTES);
  const above = await isFired();
  await account('PUT', '/alert', { body: { alert: { amount: charged * 0.99, enabled: true } } });
  await wait(TEN_MINUTES);

  expect({ above, below: await isFired() }).toEqual({ above: false, below: true });
});

test('it fires later, when the month has reached the amount', async () => {
  const { create, isFired, wait, spent } = await startAlert();
  await create((await spent()) * 1.5);

  await wait(DAY);
  const early = await isFired();
  await wait(4 * DAY);

  expect({ early, late: await isFired() }).toEqual({ early: false, late: true });
});

test('a disabled alert does not fire', async () => {
  const { create, isFired, told, wait } = await startAlert();
  await create(1, false);

  await wait(2 * TEN_MINUTES);

  expect(await isFired()).toBe(false);
  expect(await told()).toEqual([]);
});

test('every billing_admin is e-mailed, once', async () => {
  const { create, told, wait, alert } = await startAlert();
  await create(1);

  await wait(TEN_MINUTES);
  await alert();

  expect((await told()).toSorted()).toEqual(ADMINS);
});

test('quiet until the next month', async () => {
  const { create, told, wait, alert } = await startAlert();
  await create(1);
  await wait(TEN_MINUTES);
  const fired = await alert();

  for (let day = 0; day < 5; day += 1) {
    await wait(5 * DAY);
    expect(await alert()).toEqual(fired);
  }

  expect(await told()).toHaveLength(ADMINS.length);
});

test('the start of a new calendar month arms it again', async () => {
  const { create, told, wait, alert } = await startAlert();
  await create(1);
  await wait(TEN_MINUTES);
  const fired = await alert();

  await wait(28 * DAY);
  const again = await alert();

  expect(again.lastTriggered).toMatch(/^2026-11-01T/);
  expect(again.lastTriggered).not.toBe(fired.lastTriggered);
  expect(await told()).toHaveLength(2 * ADMINS.length);
});

test('PUT replaces amount and enabled and arms a fired alert again', async () => {
  const { create, account, told, wait, alert } = await startAlert();
  await create(1);
  await wait(TEN_MINUTES);
  await alert();

  await account('PUT', '/alert', { body: { alert: { amount: 2, enabled: true } } });
  await wait(TEN_MINUTES);

  expect(await alert()).toMatchObject({
    amount: 2,
    lastTriggered: expect.stringMatching(/^2026-10-05T12:(1[1-9]|20)/),
  });
  expect(await told()).toHaveLength(2 * ADMINS.length);
});

test('a fired alert that is replaced by one out of reach stays quiet', async () => {
  const { create, account, told, wait, alert, spent } = await startAlert();
  await create(1);
  await wait(TEN_MINUTES);
  await alert();

  const amount = (await spent()) * 10;
  await account('PUT', '/alert', { body: { alert: { amount, enabled: true } } });
  await wait(2 * TEN_MINUTES);
  await alert();

  expect(await told()).toHaveLength(ADMINS.length);
});
