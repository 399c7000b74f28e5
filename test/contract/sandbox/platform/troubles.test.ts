import { describe, expect, test } from 'vitest';
import { FIRST, LOCATIONS, SHOP, startPlatform, watch, type Driver } from './support.ts';

const LIST = '/org/acme/gvc/shop/workload/-deployment';
const LAST = 'azure-eastus2';
const PAYMENTS = { ...SHOP, workload: 'payments' };

describe('what befalls a location without a rollout', () => {
  test('sick: not ready as often and as long as asked, with a probe that fails', async () => {
    const driver = await startPlatform();
    await driver.act('sicken', { ...PAYMENTS, location: FIRST, times: 2, seconds: 5 });

    const during = (await driver.deployment('payments')).status;
    const seen = await watch(driver, 'payments', FIRST, 30);

    expect(during.versions?.[0]?.containers?.['payments']?.message).toMatch(/^Readiness probe/);
    expect(seen).toEqual([
      '19/19 | v19@4-0/2',
      '19/19 ready | v19@4+2/2',
      '19/19 | v19@4-0/2',
      '19/19 ready | v19@4+2/2',
    ]);
  });

  test('a whole location at once: five workloads or more, and the others go on', async () => {
    const driver = await startPlatform();
    await driver.act('sicken', { ...SHOP, location: LAST, seconds: 60 });

    const ill = await illIn(driver);
    await driver.wait(61);

    expect(ill[LAST]).toBeGreaterThanOrEqual(5);
    expect(ill[FIRST]).toBe(0);
    expect((await illIn(driver))[LAST]).toBe(0);
  });

  test('a good rollout ends it', async () => {
    const driver = await startPlatform();
    await driver.act('sicken', { ...PAYMENTS, seconds: 3600 });
    await driver.act('rollout', PAYMENTS);
    await driver.wait(30);

    expect((await driver.deployment('payments')).status.ready).toBe(true);
  });

  test('vanished: for some seconds, or until it is brought back', async () => {
    const driver = await startPlatform();

    await driver.act('vanish', { ...PAYMENTS, location: FIRST, vanished: true, seconds: 10 });
    const without = await driver.names('payments');
    await driver.wait(10);
    const again = await driver.names('payments');
    await driver.act('vanish', { ...SHOP, vanished: true });
    const none = (await driver.page(LIST)).items;
    await driver.act('vanish', { ...SHOP, vanished: false });

    expect(without).toEqual(LOCATIONS.slice(1));
    expect(again).toEqual(LOCATIONS);
    expect(none).toEqual([]);
    expect((await driver.page(LIST)).items.length).toBeGreaterThan(20);
  });

  test('diverged: more is processed than is expected, until the next rollout', async () => {
    const driver = await startPlatform();
    await driver.act('diverge', { ...PAYMENTS, location: FIRST, diverged: true });

    const { status } = await driver.deployment('payments');
    await driver.act('rollout', PAYMENTS);
    await driver.wait(30);

    expect(status).toMatchObject({ lastProcessedVersion: 20, expectedDeploymentVersion: 19 });
    expect((await driver.deployment('payments')).status.lastProcessedVersion).toBe(20);
  });
});

describe('rollouts that do not come to an end', () => {
  test('lag: the location keeps its version while the others become ready', async () => {
    const driver = await startPlatform();
    await driver.act('rollout', { ...PAYMENTS, outcome: 'lag', location: LAST });
    await driver.wait(24 * 3600);

    const { status } = await driver.deployment('payments', LAST);

    expect((await driver.deployment('payments')).status.lastProcessedVersion).toBe(20);
    expect(status).toMatchObject({ lastProcessedVersion: 19, expectedDeploymentVersion: 20 });
    expect(status.versions?.map(({ workload, ready }) => [workload, ready])).toEqual([[19, true]]);
  });

  test('exec-format: the container says so, and restarts climb', async () => {
    const driver = await startPlatform();
    await driver.act('rollout', { ...PAYMENTS, outcome: 'exec-format' });
    await driver.wait(60);

    const { status } = await driver.deployment('payments');
    const container = status.versions?.[0]?.containers?.['payments'];

    expect(status).toMatchObject({ ready: false, deploying: false });
    expect(container?.message).toContain('exec format error');
    expect(container?.restarts?.count).toBeGreaterThan(2);
  });
});

/** Location -> workloads that should be ready there and are not. */
async function illIn(driver: Driver): Promise<Record<string, number>> {
  const { items } = await driver.page(LIST);
  return Object.fromEntries(
    LOCATIONS.map((where) => [
      where,
      items.filter(
        ({ name, status }) =>
          name === where && status.ready !== true && (status.desiredScale ?? 0) > 0,
      ).length,
    ]),
  );
}
