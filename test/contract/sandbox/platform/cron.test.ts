import { expect, test } from 'vitest';
import { FIRST, SHOP, startPlatform } from './support.ts';

test('an execution that runs longer than its deadline is removed', async () => {
  const { act, deployment, wait } = await startPlatform();
  const newest = async () => (await deployment('nightly-report')).status.jobExecutions?.[0];
  await act('cron', { ...SHOP, workload: 'nightly-report', location: FIRST, status: 'active' });

  await wait(599);
  const before = await newest();
  await wait(1);

  expect(before?.status).toBe('active');
  const removed = { name: before?.name, status: 'removed', completionTime: null };
  expect(await newest()).toMatchObject(removed);
});
