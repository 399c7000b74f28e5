import { expect, test } from 'vitest';
import { FIRST, SHOP, startPlatform } from './support.ts';

const REPORT = { ...SHOP, workload: 'nightly-report' };
const DAY = 86_400;

async function startCron() {
  const driver = await startPlatform();
  return {
    ...driver,
    runs: async (location: string = FIRST) =>
      (await driver.deployment('nightly-report', location)).status.jobExecutions ?? [],
  };
}

test('the history has the last five nights, newest first', async () => {
  const { runs, deployment } = await startCron();

  const history = await runs();

  expect(history.map(({ startTime }) => startTime?.slice(0, 13))).toEqual(
    ['05', '04', '03', '02', '01'].map((day) => `2026-10-${day}T02`),
  );
  expect(history.every(({ status }) => status === 'successful')).toBe(true);
  expect((await deployment('payments')).status).not.toHaveProperty('jobExecutions');
});

test('a nightly run is due without a status, then active, then successful', async () => {
  const { runs, wait } = await startCron();

  await wait(14 * 3600);
  const due = (await runs())[0];
  await wait(10);
  const active = (await runs())[0];
  await wait(120);
  const done = (await runs())[0];

  expect(due).toMatchObject({ status: '', completionTime: null });
  expect(due).not.toHaveProperty('replica');
  expect(active).toMatchObject({ name: due?.name, status: 'active', completionTime: null });
  expect(active?.startTime).toBe('2026-10-06T02:00:05.000Z');
  expect(done).toMatchObject({ name: due?.name, status: 'successful' });
  expect(done?.completionTime).toBe('2026-10-06T02:01:40.000Z');
});

test.each([
  ['pending', { started: false, completed: false }],
  ['active', { started: true, completed: false }],
  ['successful', { started: true, completed: true }],
  ['failed', { started: true, completed: true }],
  ['invalid', { started: false, completed: true }],
  ['removed', { started: true, completed: false }],
])('an execution can be %s', async (status, { started, completed }) => {
  const { act, runs } = await startCron();

  await act('cron', { ...REPORT, location: FIRST, status });
  const [run] = await runs();

  expect(run?.status).toBe(status);
  expect(run?.startTime !== undefined).toBe(started);
  expect(run?.replica !== undefined).toBe(started);
  expect(run?.completionTime !== null).toBe(completed);
  expect(await runs('azure-eastus2')).toHaveLength(5);
  expect((await runs('azure-eastus2'))[0]?.status).toBe('successful');
});

test.each([
  ['successful', { type: 'Complete', reason: '' }],
  ['failed', { type: 'Failed', reason: 'BackoffLimitExceeded' }],
  ['invalid', { type: 'Failed', reason: 'InvalidSchedule' }],
])('an execution that is %s has the condition of that', async (status, condition) => {
  const { act, runs } = await startCron();

  await act('cron', { ...REPORT, location: FIRST, status });

  expect((await runs())[0]?.conditions).toEqual([
    expect.objectContaining({ ...condition, status: 'True' }),
  ]);
});

test('an execution has the fields of the specification', async () => {
  const { act, runs } = await startCron();

  await act('cron', { ...REPORT, status: 'failed' });
  const [run] = await runs();

  expect(run).toEqual({
    name: expect.stringMatching(/^nightly-report-\d+$/),
    replica: expect.stringMatching(/^nightly-report-\d+-\w+$/),
    status: 'failed',
    workloadVersion: 3,
    startTime: '2026-10-05T11:58:25.000Z',
    completionTime: '2026-10-05T12:00:00.000Z',
    conditions: [
      {
        type: 'Failed',
        status: 'True',
        reason: 'BackoffLimitExceeded',
        message: expect.stringContaining('exited with code 1'),
        lastDetectionTime: '2026-10-05T12:00:00.000Z',
        lastTransitionTime: '2026-10-05T12:00:00.000Z',
      },
    ],
    containers: {
      'nightly-report': {
        name: 'nightly-report',
        image: 'registry.example.com/acme/nightly-report:v1.3.0',
        ready: false,
        message: '',
        resources: { replicas: 0, replicasReady: 0, cpu: 1000, memory: 2048 },
        restarts: {
          count: 1,
          exitCode: 1,
          reason: 'Error',
          lastRestartTime: '2026-10-05T11:58:25.000Z',
        },
      },
    },
    message: expect.stringContaining('; '),
  });
});

test('an execution that runs longer than its deadline is removed', async () => {
  const { act, runs, wait } = await startCron();
  await act('cron', { ...REPORT, location: FIRST, status: 'active' });

  await wait(599);
  const before = (await runs())[0];
  await wait(1);
  const after = (await runs())[0];

  expect(before?.status).toBe('active');
  expect(after).toMatchObject({ name: before?.name, status: 'removed', completionTime: null });
});

test('a failed execution says why', async () => {
  const { act, runs } = await startCron();

  await act('cron', { ...REPORT, status: 'failed' });
  const [run] = await runs();

  expect(run?.message).toBe(
    'Container nightly-report exited with code 1; Job has reached the specified backoff limit',
  );
  expect(run?.conditions).toMatchObject([{ type: 'Failed', status: 'True' }]);
});

test('the next run removes one that is not finished', async () => {
  const { act, runs, wait } = await startCron();
  await act('cron', { ...REPORT, status: 'active' });

  await wait(DAY);
  const [nightly, replaced] = await runs();

  expect(nightly?.status).toBe('successful');
  expect(replaced).toMatchObject({ status: 'removed', completionTime: null });
});

test('only cron workloads have executions', async () => {
  const { control } = await startCron();

  expect(await control('cron', { ...SHOP, workload: 'cart', status: 'failed' })).toEqual({
    status: 400,
    body: { error: 'the workload cart is not of type cron' },
  });
});

test('a cron workload lists its executions from its first report on', async () => {
  const { act, wait, deployment } = await startCron();
  await act('create', { ...SHOP, workload: 'purge', type: 'cron', seconds: 100 });
  await wait(4);

  const { status } = await deployment('purge');

  expect(status).toMatchObject({ expectedDeploymentVersion: 1, jobExecutions: [] });
});
