import { describe, expect, test } from 'vitest';
import { ADMINS, everything, MAIN, OCTOBER, startApis, sumOf, TIME } from './spec-support.ts';

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
    /** Plays requests one after the other. @returns their statuses, and the last body */
    play: async (...requests: (readonly [string, unknown?])[]) => {
      const answers = [];
      for (const [request, body] of requests) answers.push(await apis.ask(request, body));
      return { statuses: answers.map(({ status }) => status), last: answers.at(-1)?.body };
    },
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

describe('the endpoint (spec 2.3 and 4.1)', () => {
  const CREATED = ['POST /alert', of(250.5)] as const;

  test.each<[string, (readonly [string, unknown?])[], number[]]>([
    ['creates with 201, and then reads with 200', [CREATED, ['GET /alert']], [201, 200]],
    ['refuses a second one with 409', [CREATED, ['POST /alert', of(1)]], [201, 409]],
    ['allows an amount of 0', [['POST /alert', of(0)]], [201]],
    ['reads, and deletes, none with 404 and 500', [['GET /alert'], ['DELETE /alert']], [404, 500]],
    ['replaces with 200', [CREATED, ['PUT /alert', of(9)]], [201, 200]],
    ['replaces none with 404', [['PUT /alert', of(9)]], [404]],
    ['deletes with 200', [CREATED, ['DELETE /alert'], ['GET /alert']], [201, 200, 404]],
  ])('%s', async (_rule, requests, statuses) => {
    const { play } = await startAlert();

    expect(await play(...requests)).toMatchObject({ statuses });
  });

  test.each<[string, (readonly [string, unknown?])[], object]>([
    [
      'POST without enabled leaves it off',
      [['POST /alert', { alert: { amount: 10 } }]],
      { amount: 10, enabled: false },
    ],
    [
      'PUT without enabled turns it off',
      [CREATED, ['PUT /alert', { alert: { amount: 900 } }]],
      { amount: 900, enabled: false },
    ],
    [
      'PUT without amount makes it 0',
      [CREATED, ['PUT /alert', { alert: { enabled: true } }]],
      { amount: 0, enabled: true },
    ],
    [
      'a second one changes nothing',
      [CREATED, ['POST /alert', of(1)], ['GET /alert']],
      { amount: 250.5 },
    ],
  ])('%s', async (_rule, requests, last) => {
    const { play } = await startAlert();

    expect(await play(...requests)).toMatchObject({ last });
  });

  test('an alert that has not fired has these members and no others, on the account as well', async () => {
    const { create, alert, ask, wait } = await startAlert();
    expect((await ask('GET ')).body).not.toHaveProperty('alert');

    const created = await create(250.5);
    await wait(60);
    const { body: replaced } = await ask('PUT /alert', of(900, false));

    const common = { kind: 'alert', accountUUID: MAIN };
    const time = expect.stringMatching(TIME) as string;
    const times = { created: time, lastModified: time };
    expect(created).toEqual({ ...common, amount: 250.5, enabled: true, ...times });
    expect(replaced).toEqual({
      ...created,
      amount: 900,
      enabled: false,
      lastModified: expect.stringMatching(/^2026-10-05T12:01:00/),
    });
    expect(await alert()).toEqual(replaced);
    expect((await ask('GET ')).body).toMatchObject({ alert: { amount: 900 } });
  });
});

describe('firing (spec 2.3 and 5)', () => {
  test('at the ten-minute check once the charges reach the amount: every admin is e-mailed once', async () => {
    const { create, alert, wait, mailed } = await startAlert();
    const created = await create(1);

    await wait(TEN_MINUTES);

    expect(await alert()).toEqual({
      ...created,
      lastModified: expect.stringMatching(TIME),
      lastTriggered: expect.stringMatching(/^2026-10-05T12:(0\d|10)/),
      alertedTimes: expect.anything(),
    });
    expect((await mailed()).toSorted()).toEqual(ADMINS);
  });

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

  test('a disabled alert does not fire', async () => {
    const { create, isFired, mailed, wait } = await startAlert();
    await create(1, false);

    await wait(2 * TEN_MINUTES);

    expect([await isFired(), await mailed()]).toEqual([false, []]);
  });

  test('it is quiet until the next month, which arms it again', async () => {
    const { create, mailed, wait, alert } = await startAlert();
    await create(1);
    await wait(TEN_MINUTES);
    const fired = await alert();

    await wait(25 * DAY);
    expect(await alert()).toEqual(fired);
    await wait(3 * DAY);

    expect((await alert())['lastTriggered']).toMatch(/^2026-11-01T/);
    expect(await mailed()).toHaveLength(2 * ADMINS.length);
  });

  test.each([
    ['PUT arms a fired alert again', 2, 2],
    ['one that is replaced by one out of reach stays quiet', 1_000_000_000, 1],
  ])('%s', async (_rule, amount, times) => {
    const { create, ask, mailed, wait } = await startAlert();
    await create(1);
    await wait(TEN_MINUTES);

    await ask('PUT /alert', of(amount));
    await wait(2 * TEN_MINUTES);

    expect(await mailed()).toHaveLength(times * ADMINS.length);
  });

  test('a jump over months fires in each of them, at its time', async () => {
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
