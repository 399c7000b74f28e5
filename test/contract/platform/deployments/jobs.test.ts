import { describe, expect, test } from 'vitest';
import { FIRST, HOUR, LOCATIONS, NOON, SECOND, SHOP, startReading } from './support.ts';

/** Spec 2.12, 3 and 8: the runs of a cron workload. */

const REPORT = { ...SHOP, workload: 'nightly-report' };
/** `job.historyLimit` of the seeded cron workloads. */
const LIMIT = 5;
const DUE = Date.UTC(2026, 9, 6, 2);

async function startCron() {
  const reading = await startReading();
  return {
    ...reading,
    runs: async (location: string = FIRST) =>
      (await reading.read('nightly-report', location)).jobExecutions ?? [],
  };
}

describe('the history', () => {
  test('has the last runs, newest first, up to the limit of the workload', async () => {
    const { runs } = await startCron();

    const started = (await runs()).map(({ startTime }) => new Date(startTime ?? Number.NaN));

    expect(started.map((at) => at.toISOString().slice(0, 13))).toEqual(
      ['05', '04', '03', '02', '01'].map((day) => `2026-10-${day}T02`),
    );
  });

  test('drops the oldest for a new one, and is never longer than the limit', async () => {
    const { act, wait, runs } = await startCron();
    const names = async () => (await runs()).map(({ name }) => name);
    const before = await names();

    await act('cron', { ...REPORT, status: 'failed' });
    const after = await names();
    await wait(30 * 24 * HOUR);

    expect(before).toHaveLength(LIMIT);
    expect(after.slice(1)).toEqual(before.slice(0, LIMIT - 1));
    expect(before).not.toContain(after[0]);
    expect(await names()).toHaveLength(LIMIT);
  });

  test('is of cron workloads only, and of each location by itself', async () => {
    const { act, ofShop, runs } = await startCron();
    await act('cron', { ...REPORT, location: FIRST, status: 'failed' });

    const { deployments } = await ofShop();

    const cron = deployments.filter(({ jobExecutions }) => jobExecutions !== undefined);
    expect(cron.map(({ workload, location }) => [workload, location])).toEqual(
      LOCATIONS.map((location) => ['nightly-report', location]),
    );
    expect((await runs())[0]?.status).toBe('failed');
    expect((await runs(SECOND))[0]?.status).toBe('successful');
  });
});

describe('a run', () => {
  test('is pending when it is due, active from its start, and successful in the end', async () => {
    const { wait, runs } = await startCron();

    await wait((DUE - NOON) / 1000);
    const [due] = await runs();
    await wait(10);
    const [active] = await runs();
    await wait(120);
    const [done] = await runs();

    expect(due).toMatchObject({ status: 'pending', startTime: undefined, replica: undefined });
    expect(active).toMatchObject({ status: 'active', startTime: DUE + 5_000 });
    expect(active?.completionTime).toBeUndefined();
    expect(done).toMatchObject({
      status: 'successful',
      startTime: DUE + 5_000,
      completionTime: DUE + 100_000,
    });
    expect(new Set([due?.name, active?.name, done?.name]).size).toBe(1);
  });

  test.each([
    ['pending', { started: false, completed: false }],
    ['active', { started: true, completed: false }],
    ['successful', { started: true, completed: true }],
    ['failed', { started: true, completed: true }],
    ['invalid', { started: false, completed: true }],
    ['removed', { started: true, completed: false }],
  ])('can be %s', async (status, { started, completed }) => {
    const { act, runs } = await startCron();
    await act('cron', { ...REPORT, status });

    const [run] = await runs();

    expect(run?.status).toBe(status);
    expect(run?.workloadVersion).toBe(3);
    expect(run?.startTime !== undefined).toBe(started);
    expect(run?.completionTime !== undefined).toBe(completed);
    // A run that never started has no replica, and so no logs.
    expect(run?.replica?.startsWith(run.name) ?? false).toBe(started);
  });

  test('that fails is read with every field of the specification', async () => {
    const { act, runs } = await startCron();
    await act('cron', { ...REPORT, status: 'failed' });

    const [run] = await runs();

    const message =
      'Container nightly-report exited with code 1; Job has reached the specified backoff limit';
    expect(run).toEqual({
      name: expect.stringMatching(/^nightly-report-\d+$/),
      replica: expect.stringMatching(/^nightly-report-\d+-\w+$/),
      status: 'failed',
      workloadVersion: 3,
      startTime: NOON - 95_000,
      completionTime: NOON,
      conditions: [
        {
          type: 'Failed',
          status: 'True',
          reason: 'BackoffLimitExceeded',
          message,
          lastDetectionTime: NOON,
          lastTransitionTime: NOON,
        },
      ],
      containers: [
        expect.objectContaining({
          name: 'nightly-report',
          image: 'registry.example.com/acme/nightly-report:v1.3.0',
          cpu: 1000,
          memory: 2048,
          restarts: { count: 1, exitCode: 1, reason: 'Error', lastRestartTime: NOON - 95_000 },
        }),
      ],
      message,
    });
  });

  test.each(['pending', 'active'])('still %s is removed when the next one is due', async (open) => {
    const { act, wait, runs } = await startCron();
    await act('cron', { ...REPORT, status: open });
    const [unfinished] = await runs();

    await wait(24 * HOUR);
    const [next, before] = await runs();

    expect(next?.status).toBe('successful');
    expect(before).toMatchObject({ name: unfinished?.name, status: 'removed' });
    expect(before?.completionTime).toBeUndefined();
  });
});
