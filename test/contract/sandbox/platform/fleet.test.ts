import { expect, test } from 'vitest';
import { startPlatform, type Deployment, type Page } from './support.ts';

async function startFleet() {
  let now = Date.UTC(2026, 9, 5, 12);
  const fleet = { gvcs: 2, workloads: 10, locations: 3 };
  const driver = await startPlatform({ fleet, now: () => (now += 1_000) });
  const read = async <T>(path: string) => {
    const answer = await driver.api(
      `/org/fleet/gvc/${path}`,
      `Bearer ${driver.platform.tokens['fleet']}`,
    );
    return (await answer.json()) as T;
  };
  return {
    read,
    list: async (gvc: string) => (await read<Page>(`${gvc}/workload/-deployment`)).items,
    change: async (body: object) =>
      (await driver.act('fleet/change', body))['changed'] as { workload: string }[],
  };
}

test('a fleet lists every workload in every location, ready and as large as real ones', async () => {
  const { list, read } = await startFleet();

  const items = await list('g001');
  const one = await read<Deployment>('g000/workload/w0003/deployment/aws-us-west-2');
  const some = await read<Page>('g000/workload/w0003/deployment');

  expect(items).toHaveLength(30);
  expect(new Set(items.map(({ links }) => links[0]?.href)).size).toBe(30);
  expect(items.every(({ status }) => status.ready)).toBe(true);
  expect(JSON.stringify(items).length / items.length).toBeGreaterThan(2_000);
  expect(one).toMatchObject({ name: 'aws-us-west-2', status: { expectedDeploymentVersion: 10 } });
  expect(some.items).toHaveLength(3);
});

test('shares go round: those that did not change for the longest time are next', async () => {
  const { change, list } = await startFleet();

  const first = await change({ share: 0.1, state: 'ready' });
  const second = await change({ share: 0.1, state: 'failed' });
  const failed = (await list('g000')).filter(({ status }) => status.ready !== true);

  expect(first).toEqual([
    { gvc: 'g000', workload: 'w0000', version: 11 },
    { gvc: 'g000', workload: 'w0001', version: 11 },
  ]);
  expect(second.map(({ workload }) => workload)).toEqual(['w0002', 'w0003']);
  expect(failed).toHaveLength(6);
  // The version before goes on serving.
  expect(failed[0]?.status.versions?.map(({ workload, ready }) => [workload, ready])).toEqual([
    [11, false],
    [10, true],
  ]);
});

test('without a share the last ones go on at their version', async () => {
  const { change, list } = await startFleet();

  await change({ share: 1, state: 'deploying' });
  const deploying = await list('g001');
  await change({ state: 'ready' });
  const ready = await list('g001');
  await change({ state: 'failed' });
  const unhealthy = await list('g001');

  expect(deploying.every(({ status }) => status.deploying)).toBe(true);
  expect(ready.every(({ status }) => status.ready)).toBe(true);
  for (const { status } of unhealthy) {
    expect(status).toMatchObject({ ready: false, expectedDeploymentVersion: 11 });
    expect(status.versions?.map(({ workload }) => workload)).toEqual([11]);
  }
});

test('two answers without a change differ in times and bookkeeping alone', async () => {
  const { list } = await startFleet();
  const bare = (items: Deployment[]) =>
    items.map(({ lastModified: _when, status: { internal: _notes, ...status }, ...rest }) => ({
      ...rest,
      status,
    }));

  const [before, after] = [await list('g000'), await list('g000')];

  after.forEach((item, place) => {
    expect(item.lastModified).not.toBe(before[place]?.lastModified);
    expect(item.status.internal).not.toEqual(before[place]?.status.internal);
  });
  expect(bare(after)).toEqual(bare(before));
});
