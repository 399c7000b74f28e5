import { describe, expect, test } from 'vitest';
import { MAIN, startWithoutAlert, TIME } from './spec-support.ts';

/** An alert that has not fired has these members and no others. */
const ARMED = {
  kind: 'alert',
  accountUUID: MAIN,
  amount: 250.5,
  enabled: true,
  created: expect.stringMatching(TIME),
  lastModified: expect.stringMatching(TIME),
};
const BODY = { body: { alert: { amount: 250.5, enabled: true } } };

describe('POST', () => {
  test('201 with the alert, which then is read with 200', async () => {
    const { account } = await startWithoutAlert();

    const created = await account('POST', '/alert', BODY);
    const read = await account('GET', '/alert');

    expect([created.status, created.body]).toEqual([201, ARMED]);
    expect([read.status, read.body]).toEqual([200, created.body]);
  });

  test('an account has at most one alert: a second create gives 409', async () => {
    const { account } = await startWithoutAlert();
    await account('POST', '/alert', BODY);

    const { status, body } = await account('POST', '/alert', {
      body: { alert: { amount: 1, enabled: false } },
    });

    expect(status).toBe(409);
    expect(body).toEqual({ code: 409, error: expect.any(String) });
    expect((await account('GET', '/alert')).body).toMatchObject({ amount: 250.5 });
  });

  test('enabled defaults to false', async () => {
    const { account } = await startWithoutAlert();

    const { status, body } = await account('POST', '/alert', { body: { alert: { amount: 10 } } });

    expect(status).toBe(201);
    expect(body).toMatchObject({ amount: 10, enabled: false });
  });

  test('an amount of 0 is allowed', async () => {
    const { account } = await startWithoutAlert();

    const { status } = await account('POST', '/alert', { body: { alert: { amount: 0 } } });

    expect(status).toBe(201);
  });
});

describe('PUT', () => {
  test('replaces amount and enabled: 200 with the alert', async () => {
    const { account, wait } = await startWithoutAlert();
    const { body: before } = await account('POST', '/alert', BODY);
    await wait(60);

    const { status, body } = await account('PUT', '/alert', {
      body: { alert: { amount: 900, enabled: false } },
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      amount: 900,
      enabled: false,
      lastModified: expect.stringMatching(/^2026-10-05T12:01:00/),
    });
    expect((await account('GET', '/alert')).body).toEqual(body);
  });

  test('omitted enabled turns the alert off', async () => {
    const { account } = await startWithoutAlert();
    await account('POST', '/alert', BODY);

    const { body } = await account('PUT', '/alert', { body: { alert: { amount: 900 } } });

    expect(body).toMatchObject({ amount: 900, enabled: false });
  });

  test('omitted amount becomes 0', async () => {
    const { account } = await startWithoutAlert();
    await account('POST', '/alert', BODY);

    const { body } = await account('PUT', '/alert', { body: { alert: { enabled: true } } });

    expect(body).toMatchObject({ amount: 0, enabled: true });
  });
});

describe('none', () => {
  test('GET gives 404 when none exists', async () => {
    const { account } = await startWithoutAlert();

    const { status, body } = await account('GET', '/alert');

    expect(status).toBe(404);
    expect(body).toEqual({ code: 404, error: expect.any(String) });
  });

  test('DELETE gives 500 when none exists', async () => {
    const { account } = await startWithoutAlert();

    const { status, body } = await account('DELETE', '/alert');

    expect(status).toBe(500);
    expect(body).toEqual({ code: 500, error: expect.any(String) });
  });

  test('DELETE removes with 200, and the account has none', async () => {
    const { account } = await startWithoutAlert();
    await account('POST', '/alert', BODY);

    expect((await account('DELETE', '/alert')).status).toBe(200);
    expect((await account('GET', '/alert')).status).toBe(404);
    expect((await account('DELETE', '/alert')).status).toBe(500);
  });

  test('the alert is on the account object only if it is set', async () => {
    const { account } = await startWithoutAlert();

    expect((await account('GET', '')).body).not.toHaveProperty('alert');
    await account('POST', '/alert', BODY);
    expect((await account('GET', '')).body).toMatchObject({ alert: { amount: 250.5 } });
  });
});

describe.each(['POST', 'PUT'] as const)('%s refuses with 400', (method) => {
  test.each([
    ['an amount below 0', { alert: { amount: -0.01, enabled: true } }],
    ['an amount that is no number', { alert: { amount: '250', enabled: true } }],
    ['enabled that is no boolean', { alert: { amount: 1, enabled: 'yes' } }],
    ['an unknown field of the alert', { alert: { amount: 1, enabled: true, currency: 'USD' } }],
    ['a server-side field', { alert: { amount: 1, enabled: true, kind: 'alert' } }],
    ['an unknown field beside it', { alert: { amount: 1, enabled: true }, note: '' }],
    ['an alert that is not wrapped', { amount: 1, enabled: true }],
    ['an alert that is no object', { alert: 5 }],
  ])('%s', async (_what, body) => {
    const { account } = await startWithoutAlert();
    if (method === 'PUT') await account('POST', '/alert', BODY);

    const answer = await account(method, '/alert', { body });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ code: 400, error: expect.any(String) });
    const after = await account('GET', '/alert');
    expect(after.status).toBe(method === 'PUT' ? 200 : 404);
  });
});
