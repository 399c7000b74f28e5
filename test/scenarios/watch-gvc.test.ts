import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const CHANNEL = 'C0DEPLOYS';
/** Hears of the GVC that is found in the middle of something, and of no other. */
const MIDDLE = 'C0BILLING';
const OPS = 'C0OPS';
const MAIN = { org: 'initech', gvc: 'main' };
const PROD = { org: 'globex', gvc: 'prod' };
/** Longer than any story, however far it moves the clock. */
const FOR_GOOD = { seconds: 60_000 };
const keysIn = async (channel: string): Promise<string[]> =>
  (await world.reported(channel)).map(({ key }) => key);

/** Messages about money come there, too. */
const keysInMiddle = async (): Promise<string[]> =>
  (await keysIn(MIDDLE)).filter((key) => !key.startsWith('@'));

let world: World;
/** Version that fails in the GVC that is found in the middle of something. */
let failing: number;

beforeAll(async () => {
  world = await openWorld();
  failing = await rolloutsUnderWay();
  await world.startBot({
    environment: { WATCHES: `initech/main=${MIDDLE};globex/prod;globex/staging;acme/tools` },
  });
  await world.calm(4);
});

afterAll(() => world?.close());

/** Before the bot looks for the first time. @returns the version that fails */
async function rolloutsUnderWay(): Promise<number> {
  const { version } = await world.platform('rollout', {
    ...MAIN,
    workload: 'tps-reports',
    location: 'aws-us-west-2',
    outcome: 'image-pull',
    seconds: 0.01,
  });
  const starting = { workload: 16, gvc: 3, message: 'Replica(s) Initializing...' };
  const status = { ready: false, deploying: true, versions: [starting] };
  await world.platform('patch', { ...MAIN, workload: 'auth', status });
  return Number(version);
}

it('a rollout that is under way at the first poll is listed as such, and its outcome is posted', async () => {
  const adopted = 'initech/main/@gvc/adopted';
  const start = await world.message(MIDDLE, adopted);
  expect(start.text).toMatch(/^I start from here: auth Outage \(deploying\)/);

  const auth = 'initech/main/auth/16';
  await world.platform('patch/clear', MAIN);
  await world.message(MIDDLE, `${auth}/ready`);
  await world.calm();

  // The rollout was under way, so it has no card: its end is a post.
  const known = await keysInMiddle();
  expect(known[0]).toBe(adopted);
  expect(known).not.toContain(`${auth}/card`);
  // It was found failed, so it is no call; that it is ready is news.
  await world.platform('rollout', { ...MAIN, workload: 'tps-reports', seconds: 1 });
  const reports = `initech/main/tps-reports/${failing + 1}`;
  await world.message(MIDDLE, `${reports}/ready`);
  await world.calm();
  const since = (await keysInMiddle()).slice(known.length);
  expect(since).toEqual([`${reports}/card`, `${reports}/ready`]);
});

it('a change of the GVC rolls every workload, and is one card and one ready', async () => {
  const before = (await keysIn(CHANNEL)).length;
  const place = { org: 'globex', gvc: 'staging' };
  const { version } = await world.platform('gvc-rollout', { ...place, seconds: 3_000 });
  const key = `globex/staging/@gvc/${String(version)}`;
  const goOn = () => world.platform('clock', { advanceSeconds: 1_500 });

  await goOn();
  const card = await world.message(CHANNEL, `${key}/card`, ({ text }) =>
    text.includes('deploying'),
  );
  // How long it took is reported from a second on.
  await until('a second of it', () => Date.now() >= Number(card.ts) * 1_000 + 1_000);
  await goOn();
  const ready = await world.message(CHANNEL, `${key}/ready`);
  await world.calm();

  expect(ready).toMatchObject({ thread_ts: card.ts, broadcast: true });
  expect(ready.text).toMatch(/^✅ Ready · staging GVC v10 in 3 workloads · live in \d+ s · /);
  expect((await keysIn(CHANNEL)).slice(before)).toEqual([`${key}/card`, `${key}/ready`]);
  const ended = await world.message(CHANNEL, `${key}/card`, ({ text }) => text.startsWith('ready'));
  expect(ended.text).toContain('ready · No impact · staging GVC v10 · 3 of 3 ready');
  expect(ended.edits.map(({ text }) => text).join('\n')).toContain('deploying');
});

it('a list that is empty for a moment, and an answer that is not one, show nothing', async () => {
  const reported = async () => [await keysIn(CHANNEL), await keysIn(OPS)];
  const before = await reported();
  for (const fault of [
    { kind: 'empty-list', times: 3 },
    { kind: 'malformed', times: 2 },
  ]) {
    await world.platform('faults', { faults: [{ path: '/gvc/prod/', ...fault }] });
    await world.calm();
  }
  await world.calm();

  expect(await reported()).toEqual(before);
});

it('a platform that does not answer is one message in the ops channel, and one when it does', async () => {
  const reported = await keysIn(CHANNEL);
  const before = (await world.reported(OPS)).length;
  await world.platform('faults', { faults: [{ path: '/org/globex/', status: 503 }] });
  const both = ['globex/prod', 'globex/staging'];
  const down = await until('both to be reported', async () =>
    (await world.reported(OPS)).find(({ text }) => both.every((gvc) => text.includes(gvc))),
  );
  await world.platform('faults', { faults: [] });
  const { key: first, covers: others } = down;
  const up = await world.message(OPS, first.replace('down', 'up'));
  await world.calm();

  expect([first, ...others].toSorted()).toEqual(both.map((gvc) => `${gvc}/@api/down/1`));
  expect(up.text).toContain('2 GVCs can be read again');
  expect((await world.reported(OPS)).slice(before)).toMatchObject([
    { key: first, covers: others },
    { covers: others.map((key) => key.replace('down', 'up')), under: first, broadcast: true },
  ]);
  expect(await keysIn(CHANNEL)).toEqual(reported);
});

it('changes during an outage of the platform are posted after it', async () => {
  await world.platform('faults', { faults: [{ path: '/gvc/tools/', status: 503, times: 2 }] });
  await world.platform('sicken', { org: 'acme', gvc: 'tools', workload: 'wiki', ...FOR_GOOD });

  const reported = await world.message(CHANNEL, 'acme/tools/wiki/2/unhealthy');
  await world.calm();

  expect(reported.text).toContain('Readiness probe failed');
});

it('a whole location that is ill is one message, with the workloads that are', async () => {
  await world.platform('sicken', { ...PROD, workload: 'mailer', ...FOR_GOOD });
  await world.message(CHANNEL, 'globex/prod/mailer/13/unhealthy');
  const location = 'azure-southeastasia';
  await world.platform('sicken', { ...PROD, location, ...FOR_GOOD });
  const key = `globex/@location/${location}/unhealthy/1`;
  const reported = await world.message(CHANNEL, key);
  await world.calm();

  expect(reported.text).toContain(`${location} unhealthy: 5 workloads`);
  // The mailer was ill before, and its call was posted.
  const [last] = (await world.reported(CHANNEL)).slice(-1);
  expect(last).toMatchObject({ key });
  expect(last?.covers.map((one) => one.split('/')[2])).toEqual([
    'api',
    'gateway',
    'postgres',
    'worker',
  ]);
});
