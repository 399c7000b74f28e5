import { expect, test } from 'vitest';
import { FIRST, SHOP, startPlatform } from './support.ts';

const REPORT = { ...SHOP, workload: 'nightly-report' };

async function startCron() {
  const driver = await startPlatform();
  return {
    ...driver,
    runs: async (location: string = FIRST) =>
      (await driver.deployment('nightly-report', location)).status.jobExecutions ?? [],
  };
}

test('the history of a cron workload has the last five nights, newest first', async () => {
  const { runs, deployment } = await startCron();

  const history = await runs();

  const nights = ['05', '04', '03', '02', '01'].map((day) => `2026-10-${day}T02`);
  expect(history.map(({ startTime }) => startTime?.slice(0, 13))).toEqual(nights);
  expect(history.every(({ status }) => status === 'successful')).toBe(true);
  expect((await deployment('payments')).status).not.toHaveProperty('jobExecutions');
});

test('a nightly run is due without a status, then active, then successful', async () => {
  const { runs, wait } = await startCron();

  await wait(14 * 3600);
  const [due] = await runs();
  await wait(10);
  const [active] = await runs();
  await wait(120);
  const [done] = await runs();

  expect(due).toMatchObject({ status: '', completionTime: null });
  expect(due).not.toHaveProperty('replica');
  const startTime = '2026-10-06T02:00:05.000Z';
  const running = { name: due?.name, status: 'active', startTime, completionTime: null };
  expect(active).toMatchObject(running);
  const completionTime = '2026-10-06T02:01:40.000Z';
  expect(done).toMatchObject({ name: due?.name, status: 'successful', completionTime });
});

test.each([
  ['pending', { started: false, completed: false }, []],
  ['active', { started: true, completed: false }, []],
  ['successful', { started: true, completed: true }, [{ type: 'Complete', reason: '' }]],
  [
    'failed',
    { started: true, completed: true },
    [{ type: 'Failed', reason: 'BackoffLimitExceeded' }],
  ],
  ['invalid', { started: false, completed: true }, [{ type: 'Failed', reason: 'InvalidSchedule' }]],
  ['removed', { started: true, completed: false }, []],
])('an execution can be %s: %j, in one location alone', async (status, times, condition) => {
  const { act, runs } = await startCron();

  await act('cron', { ...REPORT, location: FIRST, status });
  const [run] = await runs();

  expect(run?.status).toBe(status);
  const started = [run?.startTime, run?.replica].map((value) => value !== undefined);
  expect(started).toEqual([times.started, times.started]);
  expect(run?.completionTime !== null).toBe(times.completed);
  const met = run?.conditions.filter(({ status }) => status === 'True');
  expect(met).toMatchObject(condition);
  expect((await runs('azure-eastus2')).map((other) => other.status)).toEqual(
    Array.from({ length: 5 }, () => 'successful'),
  );
});

test('an execution has the fields of the specification, and a failed one its cause', async () => {
  const { act, runs } = await startCron();

  await act('cron', { ...REPORT, status: 'failed' });
  const [run] = await runs();

  const [started, ended] = ['2026-10-05T11:58:25.000Z', '2026-10-05T12:00:00.000Z'];
  expect(run).toEqual({
    name: expect.stringMatching(/^nightly-report-\d+$/),
    replica: expect.stringMatching(/^nightly-report-\d+-\w+$/),
    status: 'failed',
    workloadVersion: 3,
    startTime: started,
    completionTime: ended,
    conditions: [
      {
        type: 'Failed',
        status: 'True',
        reason: 'BackoffLimitExceeded',
        message: expect.stringContaining('exited with code 1'),
        lastDetectionTime: ended,
        lastTransitionTime: ended,
      },
    ],
    containers: {
      'nightly-report': {
        name: 'nightly-report',
        image: 'registry.example.com/acme/nightly-report:v1.3.0',
        ready: false,
        message: '',
        resources: { replicas: 0, replicasReady: 0, cpu: 1000, memory: 2048 },
        restarts: { count: 1, exitCode: 1, reason: 'Error', lastRestartTime: started },
      },
    },
    message:
      'Container nightly-report exited with code 1; Job has reached the specified backoff limit',
  });
});

test('an execution that runs longer than its deadline is removed', async () => {
  const { act, runs, wait } = await startCron();
  await act('cron', { ...REPORT, location: FIRST, status: 'active' });

  await wait(599);
  const [before] = await runs();
  await wait(1);

  expect(before?.status).toBe('active');
  const removed = { name: before?.name, status: 'removed', completionTime: null };
  expect((await runs())[0]).toMatchObject(removed);
});

test('the next run removes one that is not finished', async () => {
  const { act, runs, wait } = await startCron();
  await act('cron', { ...REPORT, status: 'active' });

  await wait(86_400);

  const removed = { status: 'removed', completionTime: null };
  expect((await runs()).slice(0, 2)).toMatchObject([{ status: 'successful' }, removed]);
});

test('a cron workload lists its executions from its first report on', async () => {
  const { act, wait, deployment } = await startCron();
  await act('create', { ...SHOP, workload: 'purge', type: 'cron', seconds: 100 });
  await wait(4);

  const { status } = await deployment('purge');

  expect(status).toMatchObject({ expectedDeploymentVersion: 1, jobExecutions: [] });
});
