import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { openWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

const CHANNEL = 'C0DEPLOYS';
const OPS = 'C0OPS';
const PROD = { org: 'globex', gvc: 'prod' };
const WORKLOADS = ['api', 'gateway', 'mailer', 'postgres', 'worker'];
const keysIn = async (channel: string): Promise<string[]> =>
  (await world.told(channel)).map(({ key }) => key);

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world?.close());

it('what is found in the middle of a rollout is known; what comes of it is told', async () => {
  const { version } = await world.platform('rollout', {
    ...PROD,
    workload: 'gateway',
    location: 'aws-ap-southeast-1',
    outcome: 'image-pull',
    seconds: 0.01,
  });
  const starting = { workload: 64, gvc: 7, message: 'Replica(s) Initializing...' };
  const status = { ready: false, deploying: true, versions: [starting] };
  await world.platform('patch', { ...PROD, workload: 'api', status });
  await world.startBot({ environment: { WATCHES: 'globex/prod;globex/staging' } });
  await world.calm(2);
  expect(await keysIn(CHANNEL)).toEqual([]);

  const api = 'globex/prod/api/64';
  await world.platform('patch/clear', PROD);
  await world.message(CHANNEL, `${api}/ready`);
  await world.calm();

  expect(await keysIn(CHANNEL)).toEqual([`${api}/card`, `${api}/ready`]);
  // It was found failed, so nobody is called for it; that it is well is news.
  await world.platform('rollout', { ...PROD, workload: 'gateway', seconds: 1 });
  const gateway = `globex/prod/gateway/${Number(version) + 1}`;
  await world.message(CHANNEL, `${gateway}/ready`);
  await world.calm();
  expect((await keysIn(CHANNEL)).slice(2)).toEqual([`${gateway}/card`, `${gateway}/ready`]);
});

it('a change of the GVC rolls every workload, and is one card and one ready', async () => {
  const before = (await keysIn(CHANNEL)).length;
  const { version } = await world.platform('gvc-rollout', { ...PROD, seconds: 5 });
  const key = `globex/prod/@gvc/${String(version)}`;

  const card = await world.message(CHANNEL, `${key}/card`);
  const ready = await world.message(CHANNEL, `${key}/ready`);
  await world.calm();

  expect(ready).toMatchObject({ thread_ts: card.ts, broadcast: true });
  expect(ready.text).toMatch(/^prod GVC v8 ready in 5 workloads after \d+ s$/);
  expect((await keysIn(CHANNEL)).slice(before)).toEqual([`${key}/card`, `${key}/ready`]);
  const ended = await world.message(CHANNEL, `${key}/card`, ({ text }) => text.includes('place'));
  expect(ended.edits.map(({ text }) => text).join('\n')).toContain('deploying');
});

it('a list that is empty for a moment, and an answer that is none, tell nothing', async () => {
  const before = await keysIn(CHANNEL);
  for (const fault of [
    { kind: 'empty-list', times: 3 },
    { kind: 'malformed', times: 2 },
  ]) {
    await world.platform('faults', { faults: [{ path: '/gvc/prod/', ...fault }] });
    await world.calm();
  }
  await world.calm();

  expect(await keysIn(CHANNEL)).toEqual(before);
  expect(await keysIn(OPS)).toEqual([]);
});

it('a platform that does not answer is one message in the ops channel, and one when it does', async () => {
  const told = await keysIn(CHANNEL);
  await world.platform('faults', { faults: [{ path: '/org/globex/', status: 503 }] });
  const both = ['globex/prod', 'globex/staging'];
  const down = await until('both to be told', async () =>
    (await world.told(OPS)).find(({ text }) => both.every((gvc) => text.includes(gvc))),
  );
  await world.platform('faults', { faults: [] });
  const { key: first, covers: others } = down;
  const up = await world.message(OPS, first.replace('down', 'up'));
  await world.calm();

  expect([first, ...others].toSorted()).toEqual(both.map((gvc) => `${gvc}/@api/down/1`));
  expect(up.text).toContain('2 GVCs can be read again');
  expect(await world.told(OPS)).toMatchObject([
    { key: first, covers: others },
    { covers: others.map((key) => key.replace('down', 'up')), under: first, broadcast: true },
  ]);
  expect(await keysIn(CHANNEL)).toEqual(told);
});

it('what happened meanwhile is told when it is back', async () => {
  await world.platform('faults', { faults: [{ path: '/gvc/prod/', status: 503, times: 2 }] });
  await world.platform('sicken', { ...PROD, workload: 'mailer', seconds: 600 });

  const told = await world.message(CHANNEL, 'globex/prod/mailer/13/unhealthy');

  expect(told.text).toContain('Readiness probe failed');
});

it('a whole location that is ill is one message, with the workloads that are', async () => {
  const location = 'azure-southeastasia';
  await world.platform('sicken', { ...PROD, location, seconds: 600 });
  const key = `globex/prod/@location/${location}/unhealthy/1`;
  const told = await world.message(CHANNEL, key);
  await world.calm();

  expect(told.text).toContain('5 workloads unhealthy');
  // The mailer was ill before, and that was told.
  const covered = WORKLOADS.filter((name) => name !== 'mailer');
  const [last] = (await world.told(CHANNEL)).slice(-1);
  expect(last).toMatchObject({ key });
  expect(last?.covers.map((one) => one.split('/')[2])).toEqual(covered);
});
