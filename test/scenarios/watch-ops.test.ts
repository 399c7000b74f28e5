import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { openWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

const CHANNEL = 'C0APPROVE';
const ARCHIVED = 'C0OLDIES';
const OPS = 'C0OPS';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  const watches = [CHANNEL, ARCHIVED].map((channel) => `acme/tools=${channel}`);
  await world.startBot({ environment: { WATCHES: watches.join(';') } });
  await world.calm();
});

afterAll(() => world?.close());

/** @returns keys of the card and of what came of it */
async function rollOut(workload: string): Promise<string[]> {
  const place = { org: 'acme', gvc: 'tools', workload };
  const { version } = await world.platform('rollout', { ...place, seconds: 1 });
  return ['card', 'ready'].map((word) => `acme/tools/${workload}/${String(version)}/${word}`);
}
const keysIn = async (channel: string): Promise<string[]> =>
  (await world.told(channel)).map(({ key }) => key);
const opsTold = (words: string) =>
  until(`ops to be told "${words}"`, async () =>
    (await world.told(OPS)).find(({ text }) => text.includes(words)),
  );

it('an archived channel is told of once, and holds no other channel back', async () => {
  const keys = [...(await rollOut('wiki')), ...(await rollOut('grafana'))];

  const told = await opsTold('the channel is archived');
  await until('the other channel', async () => (await keysIn(CHANNEL)).length === keys.length);
  await world.calm();

  expect((await keysIn(CHANNEL)).toSorted()).toEqual(keys.toSorted());
  expect(told.text).toContain('<#C0OLDIES>');
  expect(told.text).toContain('Unarchive it and invite Purser');
  expect(await keysIn(OPS)).toHaveLength(1);
  expect(await keysIn(ARCHIVED)).toEqual([]);
});

it('so is a channel that the bot was taken out of, and that it is back there', async () => {
  await world.slack('leave', { channel: CHANNEL });
  await rollOut('wiki');
  const out = await opsTold('it is not a member');
  await rollOut('grafana');
  await world.calm();
  expect(await keysIn(OPS)).toHaveLength(2);
  expect(out.text).toContain('/invite');

  const before = (await keysIn(CHANNEL)).length;
  await world.slack('join', { channel: CHANNEL });
  const keys = await rollOut('vault');
  const back = await opsTold('Mended after');
  await world.calm();

  expect(back.key).toBe(out.key);
  expect((await keysIn(CHANNEL)).slice(before)).toEqual(keys);
  expect(await keysIn(OPS)).toHaveLength(2);
});
