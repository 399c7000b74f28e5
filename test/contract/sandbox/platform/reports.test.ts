import { describe, expect, test } from 'vitest';
import { FIRST, LOCATIONS, SHOP, startPlatform, type Driver } from './support.ts';

const PAYMENTS = { ...SHOP, workload: 'payments' };
const LAST = LOCATIONS[2];
const MINUTES = 60;
const STALE = /^Status details are stale/;

const statusOf = async (driver: Driver, location?: string) =>
  (await driver.deployment('payments', location)).status;

describe('reports that stop', () => {
  test('45 minutes are late, more than 45 are stale; the last report stays', async () => {
    const driver = await startPlatform();
    const { act, wait, deployment } = driver;
    await act('stale', { ...PAYMENTS, location: FIRST, stale: true, overdue: false });

    await wait(45 * MINUTES);
    const late = await statusOf(driver);
    await wait(1);
    const stale = await deployment('payments');

    expect(late.message).toBe('');
    expect(stale.status).toMatchObject({ ready: true, message: expect.stringMatching(STALE) });
    expect(stale.lastModified).toBe('2026-10-05T12:00:00.000Z');
    expect((await statusOf(driver, LAST)).message).toBe('');
  });

  test('a whole location can be stale at once, until it reports again', async () => {
    const { act, page } = await startPlatform();
    const staleOnes = async () =>
      (await page('/org/acme/gvc/shop/workload/-deployment')).items
        .filter(({ status }) => STALE.test(status.message ?? ''))
        .map(({ name }) => name);

    await act('stale', { ...SHOP, location: LAST, stale: true });
    const before = await staleOnes();
    await act('stale', { ...SHOP, location: LAST, stale: false });

    expect(before).toEqual(Array.from({ length: 9 }, () => LAST));
    expect(await staleOnes()).toEqual([]);
  });

  test('a suspended location is exempt', async () => {
    const driver = await startPlatform();
    await driver.act('suspend', { ...PAYMENTS, location: FIRST, suspend: true });
    await driver.act('stale', { ...PAYMENTS, location: FIRST, stale: true, overdue: false });

    await driver.wait(60 * MINUTES);

    expect((await statusOf(driver)).message).toMatch(/suspend is set to true/);
  });

  test('a record that nothing touched for 24 hours is dropped, and returns with the next report', async () => {
    const { act, wait, names, api } = await startPlatform();
    await act('stale', { ...PAYMENTS, location: FIRST, stale: true, overdue: false });

    await wait(24 * 60 * MINUTES - 1);
    const listed = [await names('payments')];
    await wait(1);
    listed.push(await names('payments'));
    const single = await api(`/org/acme/gvc/shop/workload/payments/deployment/${FIRST}`);
    await act('stale', { ...PAYMENTS, location: FIRST, stale: false });
    listed.push(await names('payments'));

    expect(listed).toEqual([LOCATIONS, LOCATIONS.slice(1), LOCATIONS]);
    expect(single.status).toBe(404);
  });

  test('a rollout meanwhile shows when the reports come back', async () => {
    const driver = await startPlatform();
    await driver.act('stale', { ...PAYMENTS, stale: true });
    await driver.act('rollout', PAYMENTS);
    await driver.wait(60);

    const silent = await statusOf(driver);
    await driver.act('stale', { ...PAYMENTS, stale: false });

    expect(silent.expectedDeploymentVersion).toBe(19);
    expect(await statusOf(driver)).toMatchObject({ expectedDeploymentVersion: 20, ready: true });
  });
});

describe('suspend', () => {
  test('the seed has one location of one workload suspended', async () => {
    const { deployment } = await startPlatform();

    const { status } = await deployment('recommendations', LAST);

    expect(status.message).toMatch(/deactivated because suspend is set to true/);
    expect(status).not.toHaveProperty('ready');
    expect(status.versions?.[0]?.containers?.['recommendations']).not.toHaveProperty('restarts');
  });

  test('it stops at once, holds new versions back, and resumes with the newest', async () => {
    const driver = await startPlatform();
    const after = async (path: string, body: object, seconds = 0) => {
      await driver.act(path, { ...PAYMENTS, ...body });
      await driver.wait(seconds);
      return statusOf(driver);
    };

    const off = await after('suspend', { suspend: true });
    const held = await after('rollout', {}, 30);
    const waking = await after('suspend', { suspend: false });
    const on = await after('suspend', { suspend: false }, 30);

    expect(off).toMatchObject({ ready: false, deploying: false, desiredScale: 0 });
    expect(held).toMatchObject({ lastProcessedVersion: 20, expectedDeploymentVersion: 19 });
    expect(waking).toMatchObject({ ready: false, expectedDeploymentVersion: 20 });
    expect(on).toMatchObject({ ready: true, message: '', lastProcessedVersion: 20 });
  });

  test('a location that is switched off after a rollout keeps the version it ran', async () => {
    const driver = await startPlatform();
    await driver.act('rollout', PAYMENTS);
    await driver.wait(30);

    await driver.act('suspend', { ...PAYMENTS, suspend: true });

    const { versions } = await statusOf(driver);
    expect(versions?.map(({ workload }) => workload)).toEqual([20]);
  });
});

test('patched fields lie over the status until they are cleared; null takes a field away, or the status', async () => {
  const driver = await startPlatform();
  const { act, deployment } = driver;

  await act('patch', { ...PAYMENTS, status: { ready: null, internal: { a: 1 }, odd: ['x'] } });
  await act('patch', { ...PAYMENTS, location: LAST, status: { message: 'patched' } });
  const patched = await statusOf(driver);
  const both = await statusOf(driver, LAST);
  await act('patch', { ...PAYMENTS, status: null });
  const none = await deployment('payments');
  await act('patch/clear', {});
  const cleared = await statusOf(driver);

  expect(patched).toMatchObject({ internal: { a: 1 }, odd: ['x'], message: '' });
  expect(patched).not.toHaveProperty('ready');
  expect(both).toMatchObject({ odd: ['x'], message: 'patched' });
  expect(none).not.toHaveProperty('status');
  expect(cleared).toMatchObject({ ready: true });
  expect(cleared).not.toHaveProperty('odd');
});
