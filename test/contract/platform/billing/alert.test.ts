import { beforeEach, expect, test } from 'vitest';
import { failureOf } from '../support.ts';
import { ADMINS, DAY, MAIN, MINUTE, NOW, startBilling, type Standing } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

const PATH = `account/${MAIN}/alert`;
const JSON_BODY = { 'content-type': 'application/json' };
/** Far less than the seeded charges of a month, and far more. */
const LITTLE = 10;
const MUCH = 1e9;

const alertNow = async () => (await standing.client().getAlert()).value;
const send = (method: string, body: object) =>
  standing.raw(method, PATH, { headers: JSON_BODY, text: JSON.stringify(body) });
const alertMails = async () => (await standing.mails()).filter(({ kind }) => /alert/.test(kind));

test('an alert is made, read, changed and removed', async () => {
  const client = standing.client();

  await client.createAlert({ amount: MUCH, enabled: true });
  const made = await alertNow();
  await standing.advance(MINUTE);
  await client.replaceAlert({ amount: 750, enabled: false });
  const changed = await alertNow();
  const asSent = await standing.raw('GET', PATH);
  const removal = await client.removeAlert();

  expect(made).toMatchObject({ enabled: true, created: Date.parse(NOW) });
  expect(made?.amount?.toNumber()).toBe(MUCH);
  expect(changed).toMatchObject({
    enabled: false,
    created: Date.parse(NOW),
    lastModified: Date.parse(NOW) + MINUTE * 1000,
  });
  expect(await asSent.json()).toMatchObject({ kind: 'alert', accountUUID: MAIN, amount: 750 });
  expect(removal).toEqual({ removed: true });
  expect(await alertNow()).toBeUndefined();
  const statuses = (await standing.calls()).map(({ method, status }) => `${method} ${status}`);
  expect(statuses).toEqual([
    'POST 201',
    'GET 200',
    'PUT 200',
    'GET 200',
    'GET 200',
    'GET 200',
    'DELETE 200',
    'GET 404',
  ]);
});

test('an amount may be 0 or a fraction; below 0 it is refused before it is sent', async () => {
  const client = standing.client();

  await client.createAlert({ amount: 0, enabled: false });
  const free = await alertNow();
  await client.replaceAlert({ amount: 0.55, enabled: false });
  const fraction = await alertNow();
  const below = await failureOf(client.replaceAlert({ amount: -0.01, enabled: false }));
  const unchecked = await send('PUT', { alert: { amount: -0.01, enabled: false } });

  expect([free, fraction].map((alert) => alert?.amount?.toFixed())).toEqual(['0', '0.55']);
  expect(below).toMatchObject({ reason: 'bad-request', status: undefined });
  expect(unchecked.status).toBe(400);
});

test('an alert that no one switched on is off, and one that is off never fires', async () => {
  await send('POST', { alert: { amount: LITTLE } });

  await standing.advance(DAY);

  expect(await alertNow()).toMatchObject({ enabled: false, lastTriggered: undefined });
  expect(await alertMails()).toEqual([]);
});

test('an alert that has fired says when and how often; one that has not says neither', async () => {
  const client = standing.client();
  await client.createAlert({ amount: LITTLE, enabled: true });
  const before = await alertNow();

  await standing.advance(10 * MINUTE);

  const after = await alertNow();
  expect([before?.lastTriggered, before?.alertedTimes]).toEqual([undefined, undefined]);
  expect(after?.lastTriggered).toBeGreaterThan(Date.parse(NOW));
  expect(after?.lastTriggered).toBeLessThanOrEqual(Date.parse(NOW) + 10 * MINUTE * 1000);
  expect(after?.alertedTimes).toBe(1);
});

test('a second alert is a conflict', async () => {
  const client = standing.client();
  await client.createAlert({ amount: MUCH, enabled: true });

  const failure = await failureOf(client.createAlert({ amount: 5, enabled: true }));

  expect(failure).toMatchObject({ reason: 'conflict', status: 409, retryable: false });
  expect((await alertNow())?.amount?.toNumber()).toBe(MUCH);
});

test('the alert is sent wrapped, and refused when it comes bare or with a field more', async () => {
  const bare = await send('POST', { amount: 5, enabled: true });
  const beside = await send('POST', { alert: { amount: 5 }, note: 'hello' });
  const within = await send('POST', { alert: { amount: 5, currency: 'USD' } });

  await standing.client().createAlert({ amount: 5, enabled: false });

  expect([bare.status, beside.status, within.status]).toEqual([400, 400, 400]);
  expect((await standing.calls()).at(-1)).toMatchObject({
    status: 201,
    body: { alert: { amount: 5, enabled: false } },
  });
});

test('charges of this UTC month that reach the amount fire it once and mail every billing admin', async () => {
  // The charges of two months reach it, those of this one do not until its last days.
  await standing.client().createAlert({ amount: 5_000, enabled: true });

  await standing.advance(10 * MINUTE);
  const atFirst = await alertMails();
  await standing.advance(14 * DAY);

  const mails = await alertMails();
  expect(atFirst).toEqual([]);
  expect(mails.map(({ to }) => to).toSorted()).toEqual(ADMINS);
  expect((await alertNow())?.alertedTimes).toBe(1);
});

test('a fired alert is quiet until the month ends, and armed again in the next', async () => {
  await standing.client().createAlert({ amount: LITTLE, enabled: true });

  await standing.advance(10 * MINUTE);
  await standing.advance(10 * DAY);
  const inOctober = (await alertMails()).length;
  await standing.advance(7 * DAY);

  expect(inOctober).toBe(ADMINS.length);
  expect((await alertMails()).length).toBe(2 * ADMINS.length);
  expect(await alertNow()).toMatchObject({ alertedTimes: 2 });
});

test('a change of any kind arms a fired alert again', async () => {
  const client = standing.client();
  await client.createAlert({ amount: LITTLE, enabled: true });
  await standing.advance(10 * MINUTE);

  await client.replaceAlert({ amount: LITTLE, enabled: true });
  await standing.advance(10 * MINUTE);

  expect((await alertMails()).length).toBe(2 * ADMINS.length);
});

test('a change sends both fields: an omitted enabled would be off, an omitted amount 0', async () => {
  const client = standing.client();
  await client.createAlert({ amount: MUCH, enabled: true });

  await client.replaceAlert({ amount: 500, enabled: true });
  const sent = (await standing.calls()).at(-1);
  await send('PUT', { alert: { amount: 500 } });
  const withoutEnabled = await alertNow();
  await send('PUT', { alert: { enabled: true } });
  const withoutAmount = await alertNow();

  expect(sent?.body).toEqual({ alert: { amount: 500, enabled: true } });
  expect(withoutEnabled?.enabled).toBe(false);
  expect(withoutAmount?.amount?.toNumber()).toBe(0);
});

test('where there is no alert, reading it says so and is no failure', async () => {
  const { value, readAt } = await standing.client().getAlert();

  expect([value, readAt]).toEqual([undefined, Date.parse(NOW)]);
  expect((await standing.calls()).at(-1)?.status).toBe(404);
});

test('removing an alert that is not there is found out before the 500', async () => {
  const removal = await standing.client().removeAlert();
  const methods = (await standing.calls()).map(({ method }) => method);
  const unchecked = await standing.raw('DELETE', PATH);

  expect(removal).toEqual({ removed: false });
  expect(methods).toEqual(['GET']);
  expect(unchecked.status).toBe(500);
});
