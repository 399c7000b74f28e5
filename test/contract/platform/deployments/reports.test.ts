import { describe, expect, test } from 'vitest';
import {
  FIRST,
  HOUR,
  LOCATIONS,
  MINUTE,
  NOON,
  pathTo,
  PAYMENTS,
  SECOND,
  startReading,
} from './support.ts';

/** Spec 3 and 8: locations that are switched off, and reports that stop. */

const STALE = /^Status details are stale/;

describe('a location that is switched off', () => {
  test('is not ready, and says that suspend is set to true', async () => {
    const { read } = await startReading();

    const { ready, deploying, message } = await read('recommendations', 'azure-eastus2');

    expect({ ready, deploying }).toEqual({ ready: false, deploying: false });
    expect(message).toMatch(/deactivated because suspend is set to true/);
    expect(await read('recommendations')).toMatchObject({ ready: true, message: '' });
  });

  test('is as it should be, not failed', async () => {
    const { act, poll } = await startReading();
    await poll();
    await act('suspend', { ...PAYMENTS, location: FIRST, suspend: true });

    const { state, cause } = await poll();

    expect([state('payments'), cause('payments')]).toEqual(['suspended', '']);
    expect(state('payments', SECOND)).toBe('ready');
  });
});

describe('a workload that is suspended', () => {
  test('stops at once in every location, as if scaled to nothing', async () => {
    const { act, client } = await startReading();
    await act('suspend', { ...PAYMENTS, suspend: true });

    const { deployments } = await client.listWorkload('acme', 'shop', 'payments');

    expect(deployments).toMatchObject(
      LOCATIONS.map(() => ({ ready: false, deploying: false, desiredScale: 0 })),
    );
  });

  test('resumes with the newest version when suspend is set to false', async () => {
    const { act, wait, read } = await startReading();
    await act('suspend', { ...PAYMENTS, suspend: true });
    await act('rollout', PAYMENTS);
    await wait(30);
    await act('suspend', { ...PAYMENTS, suspend: false });

    const waking = await read('payments');
    await wait(30);
    const awake = await read('payments');

    expect(waking).toMatchObject({ ready: false, expectedDeploymentVersion: 20 });
    expect(awake).toMatchObject({ ready: true, message: '', lastProcessedVersion: 20 });
    expect(awake.versions.map(({ workload }) => workload)).toEqual([20]);
  });
});

describe('a report that is overdue', () => {
  const startSilent = async () => {
    const reading = await startReading();
    await reading.poll();
    await reading.act('stale', { ...PAYMENTS, location: FIRST, stale: true, overdue: false });
    return reading;
  };

  test('by 45 minutes is late, by more is stale; all but the message stays as it was', async () => {
    const { wait, read } = await startSilent();

    await wait(45 * MINUTE);
    const late = await read('payments');
    await wait(1);
    const stale = await read('payments');

    expect(late.message).toBe('');
    expect(stale.message).toMatch(STALE);
    expect({ ...stale, message: '' }).toEqual(late);
    expect(stale.lastModified).toBe(NOON);
    expect((await read('payments', SECOND)).message).toBe('');
  });

  test('is stale, which is a state of its own and no failure', async () => {
    const { wait, poll } = await startSilent();
    await wait(46 * MINUTE);

    const { state, cause } = await poll();

    expect([state('payments'), cause('payments')]).toEqual(['stale', '']);
    expect(state('payments', SECOND)).toBe('ready');
  });

  test('of a suspended location is not stale', async () => {
    const reading = await startReading();
    await reading.act('suspend', { ...PAYMENTS, location: FIRST, suspend: true });
    await reading.act('stale', { ...PAYMENTS, location: FIRST, stale: true, overdue: false });

    await reading.wait(23 * HOUR);

    expect((await reading.read('payments')).message).toMatch(/suspend is set to true/);
    expect((await reading.poll()).state('payments')).toBe('suspended');
  });

  test('for 24 hours drops the record from the lists, until the next report', async () => {
    const { act, wait, api, locationsOf, ofShop } = await startSilent();

    await wait(24 * HOUR - 1);
    const before = await locationsOf('payments');
    await wait(1);
    const after = await locationsOf('payments');
    const ofGvc = (await ofShop()).deployments.filter(({ workload }) => workload === 'payments');
    const alone = await api(pathTo('payments', FIRST));
    await act('stale', { ...PAYMENTS, location: FIRST, stale: false });

    expect(before).toEqual(LOCATIONS);
    expect(after).toEqual(LOCATIONS.slice(1));
    expect(ofGvc.map(({ location }) => location)).toEqual(after);
    expect(alone.status).toBe(404);
    expect(await locationsOf('payments')).toEqual(LOCATIONS);
  });
});
