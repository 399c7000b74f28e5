import { describe, expect, test } from 'vitest';
import { HOUR, NOON, PAYMENTS, SHOP, startReading, THIRD } from './support.ts';

/** Spec 2.12: the versions that are present in a location, and their containers. */

describe('the versions of a deployment', () => {
  test('are one at rest and two while one replaces the other, each with its own image', async () => {
    const { act, wait, read } = await startReading();
    const images = async () =>
      (await read('payments')).versions.map(({ workload, containers }) => [
        workload,
        containers[0]?.image.split(':').at(-1),
      ]);

    const before = await images();
    await act('rollout', { ...PAYMENTS, seconds: 100 });
    await wait(30);
    const during = await images();
    await wait(70);

    expect(before).toEqual([[19, 'v1.19.0']]);
    expect(during).toEqual([
      [20, 'v1.20.0'],
      [19, 'v1.19.0'],
    ]);
    expect(await images()).toEqual([[20, 'v1.20.0']]);
  });

  test('say when they began in their location, one location after the other', async () => {
    const { act, wait, client } = await startReading();
    await act('rollout', { ...PAYMENTS, seconds: 100 });
    await wait(100);

    const { deployments } = await client.listWorkload('acme', 'shop', 'payments');

    const began = deployments.map(({ versions }) => versions[0]?.created ?? 0);
    expect(began.map((at) => (at - NOON) / 1000)).toEqual([5, 25, 45]);
  });

  test('are ready, or say why they are not', async () => {
    const { act, wait, read } = await startReading();
    await act('rollout', { ...PAYMENTS, outcome: 'missing-secret' });
    await wait(30);

    const { message, versions } = await read('payments');

    expect(message).toBe('');
    expect(versions).toMatchObject([
      { workload: 20, ready: false, message: expect.stringMatching(/^The secret \S+ no longer/) },
      { workload: 19, ready: true, message: '' },
    ]);
  });

  test('carry the version of the GVC: a new one rolls each workload at the version it has', async () => {
    const { act, wait, read } = await startReading();
    await act('gvc-rollout', SHOP);

    await wait(5);
    const during = await read('payments');
    await wait(30);
    const after = await read('payments');

    expect(during.versions.map(({ workload, gvc }) => [workload, gvc])).toEqual([
      [19, 5],
      [19, 4],
    ]);
    expect(after).toMatchObject({ lastProcessedVersion: 19, versions: [{ workload: 19, gvc: 5 }] });
  });

  test('have a zone and a share of the replicas each where the workload has many zones', async () => {
    const { read } = await startReading();

    const { desiredScale, versions } = await read('orders-db');

    expect(desiredScale).toBe(3);
    expect(versions.map((entry) => [entry.workload, entry.zone, entry.desiredScale])).toEqual([
      [8, 'us-west-2a', 2],
      [8, 'us-west-2b', 1],
    ]);
  });

  test('are scaled without a new version, down to nothing and up again', async () => {
    const { act, wait, read } = await startReading();
    const scaled = async () => {
      const { ready, lastProcessedVersion, desiredScale, versions } = await read('payments');
      const { replicas, replicasReady } = versions[0]?.containers[0] ?? {};
      return { ready, lastProcessedVersion, desiredScale, replicas, replicasReady };
    };

    await act('scale', { ...PAYMENTS, replicas: 0 });
    const none = await scaled();
    await act('scale', { ...PAYMENTS, replicas: 5 });
    await wait(30);

    expect(none).toEqual({
      ready: false,
      lastProcessedVersion: 19,
      desiredScale: 0,
      replicas: 0,
      replicasReady: 0,
    });
    expect(await scaled()).toEqual({
      ready: true,
      lastProcessedVersion: 19,
      desiredScale: 5,
      replicas: 5,
      replicasReady: 5,
    });
  });
});

describe('the containers of a version', () => {
  test('are all there by name, each with its image and resources', async () => {
    const { read } = await startReading();

    const containers = (await read('web', THIRD)).versions[0]?.containers ?? [];

    expect(containers.map(({ name, cpu, memory }) => [name, cpu, memory])).toEqual([
      ['web', 250, 256],
      ['metrics-exporter', 50, 64],
    ]);
    expect(containers.every(({ name, image }) => image.includes(`/${name}:`))).toBe(true);
  });

  test('that fail a probe are not ready: fewer replicas ready than there are', async () => {
    const { act, wait, read } = await startReading();
    await act('rollout', { ...PAYMENTS, outcome: 'probe' });
    await wait(30);

    const [container] = (await read('payments')).versions[0]?.containers ?? [];

    expect(container).toMatchObject({
      ready: false,
      message: expect.stringMatching(/^Readiness probe failed/),
      replicas: 2,
      replicasReady: 1,
      restarts: { count: 0 },
    });
  });

  test.each([
    ['oom', 137, 'OOMKilled'],
    ['crash-loop', 0, 'Completed'],
  ])('in %s restart with exit code %i, %s, again and again', async (outcome, exitCode, reason) => {
    const { act, wait, read } = await startReading();
    const restarts = async () => (await read('payments')).versions[0]?.containers[0]?.restarts;
    await act('rollout', { ...PAYMENTS, outcome });

    await wait(30);
    const soon = await restarts();
    await wait(HOUR);
    const later = await restarts();

    expect(soon).toMatchObject({ exitCode, reason });
    expect(soon?.lastRestartTime).toBeGreaterThan(NOON);
    expect(soon?.lastRestartTime).toBeLessThanOrEqual(NOON + 30_000);
    expect(later).toMatchObject({ exitCode, reason });
    expect(later?.count).toBeGreaterThan(soon?.count ?? Number.NaN);
    expect(later?.lastRestartTime).toBeGreaterThan(soon?.lastRestartTime ?? Number.NaN);
  });
});
