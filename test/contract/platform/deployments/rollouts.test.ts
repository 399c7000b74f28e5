import { describe, expect, test } from 'vitest';
import {
  FIRST,
  LOCATIONS,
  MINUTE,
  PAYMENTS,
  SECOND,
  SHOP,
  startReading,
  THIRD,
  type Reading,
} from './support.ts';

/** Spec 3: the phases of deployments, and their readings. */

describe('a rollout that becomes ready', () => {
  test('is expected, then applied and deploying until all is up, DNS included', async () => {
    const reading = await startReading();
    await reading.act('rollout', { ...PAYMENTS, seconds: 100 });

    const seen = await watch(reading, SECOND, 100);

    // Waiting for DNS is the second to last: all replicas are ready, the deployment is not.
    expect(seen).toEqual([
      '19/20 ready | v19 ready 2/2',
      '20/20 deploying | v20 0/1, v19 ready 2/2',
      '20/20 deploying | v20 1/2, v19 ready 1/1',
      '20/20 deploying | v20 2/2, v19 ready 1/1',
      '20/20 ready | v20 ready 2/2',
    ]);
  });

  test('comes to one location after the other', async () => {
    const { act, wait, client } = await startReading();
    await act('rollout', { ...PAYMENTS, seconds: 100 });
    const processed = async () => {
      const { deployments } = await client.listWorkload('acme', 'shop', 'payments');
      return deployments.map(({ lastProcessedVersion }) => lastProcessedVersion);
    };

    const before = await processed();
    await wait(10);
    const first = await processed();
    await wait(90);

    expect(before).toEqual([19, 19, 19]);
    expect(first).toEqual([20, 19, 19]);
    expect(await processed()).toEqual([20, 20, 20]);
  });
});

describe('a rollout that fails', () => {
  test.each([
    ['image-pull', /Back-off pulling image ".+\/payments:v1\.20\.0"/],
    ['oom', /^Container payments exceeded its memory limit of 512MiB/],
    ['missing-secret', /^The secret \S+ no longer exists/],
    ['crash-loop', /^Back-off restarting failed container payments/],
    ['probe', /^Readiness probe failed/],
  ])('by %s stops deploying, says why, and leaves the old one serving', async (outcome, cause) => {
    const { act, wait, read, poll } = await startReading();
    await poll();
    await act('rollout', { ...PAYMENTS, outcome });
    await wait(30);

    const { ready, deploying, versions } = await read('payments');
    const polled = await poll();

    expect({ ready, deploying }).toEqual({ ready: false, deploying: false });
    expect(versions).toMatchObject([
      { workload: 20, ready: false },
      { workload: 19, ready: true },
    ]);
    expect(polled.state('payments')).toBe('failed');
    expect(polled.cause('payments')).toMatch(cause);
  });

  test('says so in the message of the status too, where the platform gives one', async () => {
    const { act, wait, read } = await startReading();
    await act('rollout', { ...PAYMENTS, outcome: 'image-pull' });
    await wait(30);

    expect((await read('payments')).message).toBe('One or more images could not be pulled.');
  });

  test('is fixed by the next good one', async () => {
    const { act, wait, read } = await startReading();
    await act('rollout', { ...PAYMENTS, outcome: 'oom' });
    await wait(30);
    await act('rollout', PAYMENTS);
    await wait(30);

    expect(await read('payments')).toMatchObject({
      ready: true,
      deploying: false,
      message: '',
      versions: [{ workload: 21 }],
    });
  });
});

describe('reading a rollout', () => {
  test('converged and serving: both versions equal, and ready', async () => {
    const { poll } = await startReading();

    expect((await poll()).state('payments')).toBe('ready');
  });

  test('not here yet: processed below expected', async () => {
    const { act, read, poll } = await startReading();
    await poll();
    await act('rollout', PAYMENTS);

    expect(await read('payments', THIRD)).toMatchObject({
      lastProcessedVersion: 19,
      expectedDeploymentVersion: 20,
    });
    expect((await poll()).state('payments', THIRD)).toBe('pending');
  });

  test('in progress: deploying', async () => {
    const { act, wait, read, poll } = await startReading();
    await poll();
    await act('rollout', { ...PAYMENTS, outcome: 'hang' });
    await wait(24 * 3600);

    expect(await read('payments')).toMatchObject({ ready: false, deploying: true });
    expect((await poll()).state('payments')).toBe('deploying');
  });

  test('stopped without success: neither deploying nor ready', async () => {
    const { act, wait, poll } = await startReading();
    await poll();
    await act('rollout', { ...PAYMENTS, outcome: 'probe', location: THIRD });
    await wait(30);

    const { state } = await poll();

    expect(LOCATIONS.map((where) => state('payments', where))).toEqual([
      'ready',
      'ready',
      'failed',
    ]);
  });

  test('not converging: processed above expected', async () => {
    const { act, wait, poll } = await startReading();
    await act('patch', { ...PAYMENTS, status: { lastProcessedVersion: 20 } });
    await poll();
    await wait(10 * MINUTE);

    const { state, diverged } = await poll();

    expect([state('payments'), diverged('payments')]).toEqual(['ready', 20]);
  });

  test('a suspended location that does not converge is suspended, not failed', async () => {
    const { act, wait, read, poll } = await startReading();
    await act('suspend', { ...PAYMENTS, location: FIRST, suspend: true });
    await act('rollout', PAYMENTS);
    await wait(30);

    expect(await read('payments')).toMatchObject({
      lastProcessedVersion: 20,
      expectedDeploymentVersion: 19,
    });
    const { state } = await poll();
    expect([state('payments'), state('payments', SECOND)]).toEqual(['suspended', 'ready']);
  });
});

test('a workload that is created lists nothing until the first reports arrive', async () => {
  const { act, wait, locationsOf, read } = await startReading();
  await act('create', { ...SHOP, workload: 'mint', seconds: 100 });

  const none = await locationsOf('mint');
  await wait(4);
  const one = await locationsOf('mint');
  await wait(96);

  expect(none).toEqual([]);
  expect(one).toEqual([FIRST]);
  expect(await locationsOf('mint')).toEqual(LOCATIONS);
  expect(await read('mint')).toMatchObject({ ready: true, expectedDeploymentVersion: 1 });
});

/** The states of payments in a location while the clock moves on second by second, without repetitions. */
async function watch(
  { read, wait }: Reading,
  location: string,
  seconds: number,
): Promise<string[]> {
  const seen: string[] = [];
  for (let second = 0; second <= seconds; second += 1) {
    const deployment = await read('payments', location);
    const { lastProcessedVersion, expectedDeploymentVersion, ready, deploying } = deployment;
    const flags = [ready ? ' ready' : '', deploying ? ' deploying' : ''].join('');
    const versions = deployment.versions.map((version) => {
      const [container] = version.containers;
      const serves = version.ready ? ' ready' : '';
      return `v${version.workload}${serves} ${container?.replicasReady}/${container?.replicas}`;
    });
    const said = `${lastProcessedVersion}/${expectedDeploymentVersion}${flags} | ${versions.join(', ')}`;
    if (seen.at(-1) !== said) seen.push(said);
    await wait(1);
  }
  return seen;
}
