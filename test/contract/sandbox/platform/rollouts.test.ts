import { describe, expect, test } from 'vitest';
import { FIRST, LOCATIONS, SHOP, startPlatform, watch, type Driver } from './support.ts';

const CATALOG = { ...SHOP, workload: 'catalog' };
const PAYMENTS = { ...SHOP, workload: 'payments' };
const LIST = '/org/acme/gvc/shop/workload/-deployment';
const LAST = LOCATIONS[2];

const statusOf = async (driver: Driver, location?: string) =>
  (await driver.deployment('payments', location)).status;

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

  test.each([
    [1, [10, 20, 70]],
    [10, [1, 2, 7]],
  ])('the locations follow one another, at speed %i after %j seconds', async (speed, waits) => {
    const { act, wait, page } = await startPlatform({ speed });
    await act('rollout', { ...CATALOG, seconds: 100 });
    const processed = async () =>
      (await page('/org/acme/gvc/shop/workload/catalog/deployment')).items.map(
        ({ status }) => status.lastProcessedVersion,
      );

    const seen = [await processed()];
    for (const seconds of waits) {
      await wait(seconds);
      seen.push(await processed());
    }

    expect(seen).toEqual([
      [27, 27, 27],
      [28, 27, 27],
      [28, 28, 27],
      [28, 28, 28],
    ]);
  });

  test('a newer rollout takes over; the last good version serves', async () => {
    const driver = await startPlatform();
    for (let count = 0; count < 2; count += 1) {
      await driver.act('rollout', PAYMENTS);
      await driver.wait(5);
    }

    const { versions } = await statusOf(driver);

    expect(versions).toMatchObject([
      { workload: 21, ready: false },
      { workload: 19, ready: true },
    ]);
  });
});

describe('a rollout that fails', () => {
  const settled = async (outcome: string) => {
    const driver = await startPlatform();
    await driver.act('rollout', { ...PAYMENTS, outcome });
    await driver.wait(30);
    const container = async () => (await statusOf(driver)).versions?.[0]?.containers?.['payments'];
    return { driver, status: await statusOf(driver), container };
  };

  test.each([
    ['image-pull', /^Back-off pulling image ".+\/payments:v1\.20\.0"/, {}],
    ['oom', /512MiB/, { exitCode: 137, reason: 'OOMKilled' }],
    ['crash-loop', /./, { exitCode: 0, reason: 'Completed' }],
    ['exec-format', /exec format error/, {}],
    ['probe', /^Readiness probe failed/, { count: 0 }],
  ])(
    '%s: deploying falls without ready, the container says %s, and the previous version serves',
    async (outcome, message, restarts) => {
      const { status, container } = await settled(outcome);

      expect(status).toMatchObject({
        ready: false,
        deploying: false,
        lastProcessedVersion: 20,
        versions: [
          { workload: 20, ready: false },
          { workload: 19, ready: true },
        ],
      });
      const { message: shown, restarts: counted = {}, resources } = (await container()) ?? {};
      expect(shown).toMatch(message);
      expect(counted).toMatchObject(restarts);
      expect(resources?.replicasReady).toBeLessThan(resources?.replicas ?? 0);
    },
  );

  test('missing-secret: the version alone says so', async () => {
    const { status } = await settled('missing-secret');

    const [incoming, outgoing] = status.versions ?? [];
    expect(status).toMatchObject({ ready: false, deploying: false, message: '' });
    expect(incoming?.message).toMatch(
      /^The secret \S+ no longer exists\. Workload updates are paused until /,
    );
    for (const member of ['containers', 'desiredScale'])
      expect(incoming).not.toHaveProperty(member);
    expect(outgoing).toMatchObject({ workload: 19, ready: true });
  });

  test.each([
    ['oom', 60, 1],
    ['exec-format', 60, 1],
    ['crash-loop', 3600, 10],
  ])('%s: in %i seconds the restarts climb by %i at least', async (outcome, seconds, climb) => {
    const { driver, container } = await settled(outcome);
    const before = (await container())?.restarts;

    await driver.wait(seconds);

    const after = (await container())?.restarts;
    expect(after?.count).toBeGreaterThanOrEqual((before?.count ?? Number.NaN) + climb);
    expect(Date.parse(after?.lastRestartTime ?? '')).toBeGreaterThan(
      Date.parse(before?.lastRestartTime ?? ''),
    );
  });

  test('hang: deploying for ever', async () => {
    const { driver } = await settled('hang');

    await driver.wait(24 * 3600);

    expect(await statusOf(driver)).toMatchObject({ ready: false, deploying: true });
  });

  test('lag: the location keeps its version while the others become ready', async () => {
    const driver = await startPlatform();
    await driver.act('rollout', { ...PAYMENTS, outcome: 'lag', location: LAST });
    await driver.wait(24 * 3600);

    expect(await statusOf(driver)).toMatchObject({ ready: true, lastProcessedVersion: 20 });
    expect(await statusOf(driver, LAST)).toMatchObject({
      lastProcessedVersion: 19,
      expectedDeploymentVersion: 20,
      versions: [{ workload: 19, ready: true }],
    });
  });

  test('in one location only: the others become ready', async () => {
    const driver = await startPlatform();
    await driver.act('rollout', { ...PAYMENTS, outcome: 'oom', location: LAST });
    await driver.wait(30);

    const ready = [await statusOf(driver), await statusOf(driver, LAST)].map((one) => one.ready);
    expect(ready).toEqual([true, false]);
  });
});

describe('versions that do not rise', () => {
  test('a new GVC version rolls every workload again at the version it has', async () => {
    const driver = await startPlatform();
    expect(await driver.act('gvc-rollout', SHOP)).toEqual({ version: 5 });

    await driver.wait(5);
    const during = await statusOf(driver);
    await driver.wait(30);
    const { items } = await driver.page(LIST);

    const versions = [
      { workload: 19, gvc: 5 },
      { workload: 19, gvc: 4 },
    ];
    expect(during).toMatchObject({ deploying: true, versions });
    const awake = items.filter(({ status }) => !status.message?.includes('suspend'));
    const gvcs = awake.flatMap(({ status }) => status.versions ?? []).map(({ gvc }) => gvc);
    expect(new Set(gvcs)).toEqual(new Set([5]));
  });

  test('scaling keeps the version: down to 0/0, and up again replica by replica', async () => {
    const driver = await startPlatform();

    expect(await driver.act('scale', { ...PAYMENTS, replicas: 0 })).toEqual({ version: 19 });
    const zero = await statusOf(driver);
    const down = await watch(driver, 'payments', FIRST, 0);
    await driver.act('scale', { ...PAYMENTS, replicas: 2 });

    const off = { ready: false, deploying: false, message: '', desiredScale: 0 };
    expect(zero).toMatchObject(off);
    expect([...down, ...(await watch(driver, 'payments', FIRST, 10))]).toEqual([
      '19/19 | v19@4-0/0',
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

describe('the first and the last deployment', () => {
  test('nothing is listed until the first reports arrive, one location after the other', async () => {
    const driver = await startPlatform();
    await driver.act('create', { ...SHOP, workload: 'mint', seconds: 100 });

    const listed = [await driver.names('mint')];
    await driver.wait(4);
    listed.push(await driver.names('mint'));
    const seen = await watch(driver, 'mint', FIRST, 100);
    listed.push(await driver.names('mint'));

    expect(listed).toEqual([[], [FIRST], LOCATIONS]);
    expect(seen).toEqual([
      '0/1 | ',
      '1/1 deploying | v1@4-0/1',
      '1/1 deploying | v1@4-1/2',
      '1/1 deploying | v1@4-2/2',
      '1/1 ready | v1@4+2/2',
    ]);
  });

  test('a deleted workload is gone at once', async () => {
    const { act, api } = await startPlatform();

    await act('delete', { ...SHOP, workload: 'cart' });

    expect((await api('/org/acme/gvc/shop/workload/cart/deployment')).status).toBe(404);
  });
});

describe('troubles without a rollout', () => {
  test('sick: not ready as often and as long as asked, with a probe that fails', async () => {
    const driver = await startPlatform();
    await driver.act('sicken', { ...PAYMENTS, location: FIRST, times: 2, seconds: 5 });

    const during = await statusOf(driver);

    expect(during.versions?.[0]?.containers?.['payments']?.message).toMatch(/^Readiness probe/);
    expect(await watch(driver, 'payments', FIRST, 30)).toEqual([
      '19/19 | v19@4-0/2',
      '19/19 ready | v19@4+2/2',
      '19/19 | v19@4-0/2',
      '19/19 ready | v19@4+2/2',
    ]);
  });

  test('a whole location at once: every workload that runs there, and the others go on', async () => {
    const { act, wait, page } = await startPlatform();
    const ill = async (location: string) =>
      (await page(LIST)).items.filter(
        ({ name, status }) =>
          name === location && status.ready !== true && (status.desiredScale ?? 0) > 0,
      ).length;
    await act('sicken', { ...SHOP, location: LAST, seconds: 60 });

    const during = [await ill(LAST), await ill(FIRST)];
    await wait(61);

    expect(during).toEqual([7, 0]);
    expect(await ill(LAST)).toBe(0);
  });

  test('vanished: for some seconds, or until it is brought back', async () => {
    const { act, wait, names } = await startPlatform();

    await act('vanish', { ...PAYMENTS, location: FIRST, vanished: true, seconds: 10 });
    const seen = [await names('payments')];
    await wait(10);
    seen.push(await names('payments'));
    for (const vanished of [true, false]) {
      await act('vanish', { ...SHOP, vanished });
      seen.push(await names('payments'));
    }

    expect(seen).toEqual([LOCATIONS.slice(1), LOCATIONS, [], LOCATIONS]);
  });

  test('diverged: the processed version is ahead of the expected one', async () => {
    const driver = await startPlatform();
    await driver.act('diverge', { ...PAYMENTS, location: FIRST, diverged: true });

    const versions = { lastProcessedVersion: 20, expectedDeploymentVersion: 19 };
    expect(await statusOf(driver)).toMatchObject(versions);
  });

  test.each([
    ['a failed rollout', 'rollout', { outcome: 'oom' }],
    ['a sick workload', 'sicken', { seconds: 3600 }],
    ['a diverged one', 'diverge', { location: FIRST, diverged: true }],
  ])('%s is fixed by the next good rollout', async (_what, path, body) => {
    const driver = await startPlatform();
    await driver.act(path, { ...PAYMENTS, ...body });
    await driver.wait(30);

    const { version } = await driver.act('rollout', PAYMENTS);
    await driver.wait(30);

    const versions = [{ workload: version }];
    expect(await statusOf(driver)).toMatchObject({ ready: true, deploying: false, versions });
    expect((await statusOf(driver)).lastProcessedVersion).toBe(version);
  });
});
