import { describe, expect, test } from 'vitest';
import { FIRST, LOCATIONS, SHOP, startPlatform, watch } from './support.ts';

const CATALOG = { ...SHOP, workload: 'catalog' };
const PAYMENTS = { ...SHOP, workload: 'payments' };

describe('a rollout that becomes ready', () => {
  test('expected first, then applied, replicas batch by batch, DNS, ready; one location', async () => {
    const driver = await startPlatform();
    expect(await driver.act('rollout', { ...CATALOG, seconds: 100 })).toEqual({ version: 28 });

    const seen = await watch(driver, 'catalog', FIRST, 100);

    expect(seen).toEqual([
      '27/28 ready | v27@4+4/4',
      '28/28 ready deploying | v28@4-0/1 v27@4+4/4',
      '28/28 ready deploying | v28@4-1/2 v27@4+3/3',
      '28/28 deploying | v28@4-2/3 v27@4+2/2',
      '28/28 deploying | v28@4-3/4 v27@4+1/1',
      '28/28 deploying | v28@4-4/4 v27@4+1/1',
      '28/28 ready | v28@4+4/4',
    ]);
  });

  test('the locations follow one another', async () => {
    const { act, wait, deployment } = await startPlatform();
    await act('rollout', { ...CATALOG, seconds: 100 });
    const processed = () =>
      Promise.all(
        LOCATIONS.map(
          async (where) => (await deployment('catalog', where)).status.lastProcessedVersion,
        ),
      );

    expect(await processed()).toEqual([27, 27, 27]);
    await wait(10);
    expect(await processed()).toEqual([28, 27, 27]);
    await wait(20);
    expect(await processed()).toEqual([28, 28, 27]);
    await wait(70);
    expect(await processed()).toEqual([28, 28, 28]);
  });

  test('speed makes it shorter', async () => {
    const { act, wait, deployment } = await startPlatform({ speed: 10 });
    await act('rollout', { ...CATALOG, seconds: 100 });

    await wait(10);

    const { status } = await deployment('catalog', 'azure-eastus2');
    expect(status).toMatchObject({ ready: true, deploying: false, lastProcessedVersion: 28 });
  });

  test('a newer rollout takes over; what serves is still the last good version', async () => {
    const { act, wait, deployment } = await startPlatform();
    await act('rollout', CATALOG);
    await wait(5);
    await act('rollout', CATALOG);
    await wait(5);

    const { status } = await deployment('catalog');

    expect(status.versions?.map(({ workload, ready }) => [workload, ready])).toEqual([
      [29, false],
      [27, true],
    ]);
  });
});

describe('a rollout that fails', () => {
  const settled = async (outcome: string) => {
    const driver = await startPlatform();
    await driver.act('rollout', { ...PAYMENTS, outcome });
    await driver.wait(30);
    const { status } = await driver.deployment('payments');
    const [incoming, outgoing] = status.versions ?? [];
    return { driver, status, incoming, outgoing, container: incoming?.containers?.['payments'] };
  };

  test.each(['image-pull', 'oom', 'missing-secret', 'crash-loop', 'probe'])(
    '%s: deploying falls without ready, and the previous version keeps serving',
    async (outcome) => {
      const { status, incoming, outgoing } = await settled(outcome);

      expect(status).toMatchObject({ ready: false, deploying: false, lastProcessedVersion: 20 });
      expect(incoming).toMatchObject({ workload: 20, ready: false });
      expect(outgoing).toMatchObject({ workload: 19, ready: true });
    },
  );

  test('image-pull: the container names the image', async () => {
    const { container } = await settled('image-pull');

    expect(container?.message).toMatch(/^Back-off pulling image ".+\/payments:v1\.20\.0"/);
  });

  test('oom: OOMKilled with exit code 137, the memory, and restarts that climb', async () => {
    const { driver, container } = await settled('oom');

    await driver.wait(60);
    const later = (await driver.deployment('payments')).status.versions?.[0]?.containers?.[
      'payments'
    ];

    expect(container?.message).toContain('512MiB');
    expect(container?.restarts).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
    expect(later?.restarts?.count).toBeGreaterThan(container?.restarts?.count ?? 99);
    expect(Date.parse(later?.restarts?.lastRestartTime ?? '')).toBeGreaterThan(
      Date.parse(container?.restarts?.lastRestartTime ?? ''),
    );
  });

  test('crash-loop: exit code 0, Completed, and restarts that climb', async () => {
    const { driver, container } = await settled('crash-loop');

    await driver.wait(3600);
    const later = (await driver.deployment('payments')).status.versions?.[0]?.containers?.[
      'payments'
    ];

    expect(container?.restarts).toMatchObject({ exitCode: 0, reason: 'Completed' });
    expect(later?.restarts?.count).toBeGreaterThan((container?.restarts?.count ?? 99) + 10);
  });

  test('missing-secret: only the version says so', async () => {
    const { status, incoming } = await settled('missing-secret');

    expect(status.message).toBe('');
    expect(incoming?.message).toMatch(
      /^The secret \S+ no longer exists\. Workload updates are paused until /,
    );
    expect(incoming).not.toHaveProperty('containers');
    expect(incoming).not.toHaveProperty('desiredScale');
  });

  test('probe: fewer replicas ready than there are', async () => {
    const { container } = await settled('probe');

    expect(container?.message).toMatch(/^Readiness probe failed/);
    expect(container?.resources.replicasReady).toBeLessThan(container?.resources.replicas ?? 0);
    expect(container?.restarts?.count).toBe(0);
  });

  test('hang: deploying for ever', async () => {
    const { driver, status } = await settled('hang');

    await driver.wait(24 * 3600);

    expect(status).toMatchObject({ ready: false, deploying: true });
    expect((await driver.deployment('payments')).status.deploying).toBe(true);
  });

  test('in one location only: the others become ready', async () => {
    const { act, wait, deployment } = await startPlatform();
    await act('rollout', { ...PAYMENTS, outcome: 'oom', location: 'azure-eastus2' });
    await wait(30);

    expect((await deployment('payments')).status.ready).toBe(true);
    expect((await deployment('payments', 'azure-eastus2')).status.ready).toBe(false);
  });

  test('the next good rollout mends it', async () => {
    const { driver } = await settled('oom');
    await driver.act('rollout', PAYMENTS);
    await driver.wait(30);

    const { status } = await driver.deployment('payments');

    expect(status).toMatchObject({ ready: true, deploying: false });
    expect(status.versions?.map(({ workload }) => workload)).toEqual([21]);
  });
});

describe('versions that do not rise', () => {
  test('a new GVC version rolls every workload again at the version it has', async () => {
    const driver = await startPlatform();
    expect(await driver.act('gvc-rollout', SHOP)).toEqual({ version: 5 });

    await driver.wait(5);
    const during = (await driver.deployment('payments')).status;
    await driver.wait(30);
    const after = (await driver.page('/org/acme/gvc/shop/workload/-deployment')).items;

    expect(during.deploying).toBe(true);
    expect(during.versions?.map(({ workload, gvc }) => [workload, gvc])).toEqual([
      [19, 5],
      [19, 4],
    ]);
    const awake = after.filter(({ status }) => !status.message?.includes('suspend'));
    expect(awake.flatMap(({ status }) => status.versions ?? []).every(({ gvc }) => gvc === 5)).toBe(
      true,
    );
  });

  test('scaling keeps the version: down to 0/0, and up again replica by replica', async () => {
    const driver = await startPlatform();

    expect(await driver.act('scale', { ...PAYMENTS, replicas: 0 })).toEqual({ version: 19 });
    const zero = (await driver.deployment('payments')).status;
    await driver.act('scale', { ...PAYMENTS, replicas: 2 });
    const seen = await watch(driver, 'payments', FIRST, 10);

    expect(zero).toMatchObject({ ready: false, deploying: false, message: '', desiredScale: 0 });
    expect(zero.versions?.[0]?.containers?.['payments']?.resources).toMatchObject({
      replicas: 0,
      replicasReady: 0,
    });
    expect(seen).toEqual([
      '19/19 | v19@4-0/2',
      '19/19 ready | v19@4+1/2',
      '19/19 ready | v19@4+2/2',
    ]);
  });

  test('a rollout of a workload that is scaled to zero is in place without deploying', async () => {
    const driver = await startPlatform();
    await driver.act('rollout', { ...SHOP, workload: 'coupons' });

    const seen = await watch(driver, 'coupons', FIRST, 30);

    expect(seen).toEqual(['6/7 | v6@4-0/0', '7/7 | v7@4-0/0']);
  });
});

describe('a first deployment', () => {
  test('nothing is listed until the first reports arrive, one location after the other', async () => {
    const driver = await startPlatform();
    const mint = { ...SHOP, workload: 'mint' };
    await driver.act('create', { ...mint, seconds: 100 });

    const none = await driver.names('mint');
    await driver.wait(4);
    const one = await driver.names('mint');
    const seen = await watch(driver, 'mint', FIRST, 100);

    expect(none).toEqual([]);
    expect(one).toEqual([FIRST]);
    expect(seen).toEqual([
      '0/1 | ',
      '1/1 deploying | v1@4-0/1',
      '1/1 deploying | v1@4-1/2',
      '1/1 deploying | v1@4-2/2',
      '1/1 ready | v1@4+2/2',
    ]);
    expect(await driver.names('mint')).toEqual(LOCATIONS);
    expect(await driver.control('create', mint)).toMatchObject({ status: 409 });
  });

  test('a deleted workload is gone at once', async () => {
    const { act, api } = await startPlatform();

    await act('delete', { ...SHOP, workload: 'cart' });

    expect((await api('/org/acme/gvc/shop/workload/cart/deployment')).status).toBe(404);
  });
});
