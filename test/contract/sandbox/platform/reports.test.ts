import { describe, expect, test } from 'vitest';
import { FIRST, LOCATIONS, SHOP, startPlatform } from './support.ts';

const PAYMENTS = { ...SHOP, workload: 'payments' };
const MINUTES = 60;
const STALE = /^Status details are stale/;

describe('reports that stop', () => {
  test('45 minutes are late, more than 45 are stale; the last report stays', async () => {
    const { act, wait, deployment } = await startPlatform();
    await act('stale', { ...PAYMENTS, location: FIRST, stale: true, overdue: false });

    await wait(45 * MINUTES);
    const late = await deployment('payments');
    await wait(1);
    const stale = await deployment('payments');
    const other = await deployment('payments', LOCATIONS[1]);

    expect(late.status.message).toBe('');
    expect(stale.status.message).toMatch(STALE);
    expect(stale.status.ready).toBe(true);
    expect(stale.lastModified).toBe('2026-10-05T12:00:00.000Z');
    expect(other.status.message).toBe('');
  });

  test('the panel makes a whole location stale at once, and lets it report again', async () => {
    const { act, page } = await startPlatform();
    const list = async () => (await page('/org/acme/gvc/shop/workload/-deployment')).items;

    await act('stale', { ...SHOP, location: 'azure-eastus2', stale: true });
    const stale = (await list()).filter(({ status }) => STALE.test(status.message ?? ''));
    await act('stale', { ...SHOP, location: 'azure-eastus2', stale: false });
    const back = (await list()).filter(({ status }) => STALE.test(status.message ?? ''));

    expect(new Set(stale.map(({ name }) => name))).toEqual(new Set(['azure-eastus2']));
    expect(stale).toHaveLength(9);
    expect(back).toEqual([]);
  });

  test('a suspended location is exempt', async () => {
    const { act, wait, deployment } = await startPlatform();
    await act('suspend', { ...PAYMENTS, location: FIRST, suspend: true });
    await act('stale', { ...PAYMENTS, location: FIRST, stale: true, overdue: false });

    await wait(60 * MINUTES);

    expect((await deployment('payments')).status.message).toMatch(/suspend is set to true/);
  });

  test('a record that nothing touched for 24 hours is dropped, and returns with the next report', async () => {
    const { act, wait, names, api } = await startPlatform();
    await act('stale', { ...PAYMENTS, location: FIRST, stale: true, overdue: false });

    await wait(24 * 60 * MINUTES - 1);
    const before = await names('payments');
    await wait(1);
    const after = await names('payments');
    const single = await api(`/org/acme/gvc/shop/workload/payments/deployment/${FIRST}`);
    await act('stale', { ...PAYMENTS, location: FIRST, stale: false });

    expect(before).toEqual(LOCATIONS);
    expect(after).toEqual(LOCATIONS.slice(1));
    expect(single.status).toBe(404);
    expect(await names('payments')).toEqual(LOCATIONS);
  });

  test('what happens meanwhile is told when the reports come back', async () => {
    const { act, wait, deployment } = await startPlatform();
    await act('stale', { ...PAYMENTS, stale: true });
    await act('rollout', PAYMENTS);
    await wait(60);

    const silent = await deployment('payments');
    await act('stale', { ...PAYMENTS, stale: false });
    const back = await deployment('payments');

    expect(silent.status.expectedDeploymentVersion).toBe(19);
    expect(back.status).toMatchObject({ expectedDeploymentVersion: 20, ready: true });
  });
});

describe('suspend', () => {
  test('the seed has one location of one workload suspended, and says so', async () => {
    const { deployment, state } = await startPlatform();

    const { status } = await deployment('recommendations', 'azure-eastus2');
    const shop = (await state()).orgs[0]?.gvcs[0]?.workloads ?? [];

    expect(status.message).toMatch(/deactivated because suspend is set to true/);
    expect(status).not.toHaveProperty('ready');
    expect(status.versions?.[0]?.containers?.['recommendations']).not.toHaveProperty('restarts');
    expect(shop.find(({ name }) => name === 'recommendations')).toMatchObject({
      suspended: false,
      locations: [{ ready: true }, { ready: true }, { ready: false, scenario: 'suspended' }],
    });
  });

  test('it stops at once, holds new versions back, and resumes with the newest', async () => {
    const { act, wait, deployment } = await startPlatform();

    await act('suspend', { ...PAYMENTS, suspend: true });
    const off = (await deployment('payments')).status;
    await act('rollout', PAYMENTS);
    await wait(30);
    const held = (await deployment('payments')).status;
    await act('suspend', { ...PAYMENTS, suspend: false });
    const waking = (await deployment('payments')).status;
    await wait(30);
    const on = (await deployment('payments')).status;

    expect(off).toMatchObject({ ready: false, deploying: false, desiredScale: 0 });
    expect(held).toMatchObject({ lastProcessedVersion: 20, expectedDeploymentVersion: 19 });
    expect(waking).toMatchObject({ ready: false, expectedDeploymentVersion: 20 });
    expect(on).toMatchObject({ ready: true, message: '', lastProcessedVersion: 20 });
  });
});

test('a location that is switched off after a rollout still has the version it ran', async () => {
  const { act, wait, deployment } = await startPlatform();
  await act('rollout', PAYMENTS);
  await wait(30);

  await act('suspend', { ...PAYMENTS, suspend: true });

  const { versions } = (await deployment('payments')).status;
  expect(versions?.map(({ workload }) => workload)).toEqual([20]);
});

describe('patches', () => {
  test('raw fields lie over the status until they are cleared; null takes a field away', async () => {
    const { act, deployment } = await startPlatform();

    await act('patch', { ...PAYMENTS, status: { ready: null, internal: { a: 1 }, odd: ['x'] } });
    await act('patch', { ...PAYMENTS, location: LOCATIONS[1], status: { message: 'patched' } });
    const patched = (await deployment('payments')).status;
    const both = (await deployment('payments', LOCATIONS[1])).status;
    await act('patch/clear', {});
    const cleared = (await deployment('payments')).status;

    expect(patched).toMatchObject({ internal: { a: 1 }, odd: ['x'], message: '' });
    expect(patched).not.toHaveProperty('ready');
    expect(both).toMatchObject({ odd: ['x'], message: 'patched' });
    expect(cleared).toMatchObject({ ready: true });
    expect(cleared).not.toHaveProperty('odd');
  });

  test('the whole status can be taken away', async () => {
    const { act, deployment } = await startPlatform();

    await act('patch', { ...PAYMENTS, status: null });

    expect(await deployment('payments')).not.toHaveProperty('status');
  });
});
