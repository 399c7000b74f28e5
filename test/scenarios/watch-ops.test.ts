import { afterAll, beforeAll, expect, it } from 'vitest';
import { get } from '../support/http.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const CHANNEL = 'C0APPROVE';
const ANOTHER = 'C0DEPLOYS';
const ARCHIVED = 'C0OLDIES';
const OPS = 'C0OPS';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  const watches = [`acme/tools=${CHANNEL}`, `acme/tools=${ARCHIVED}`, `acme/data=${ANOTHER}`];
  await world.startBot({ environment: { WATCHES: watches.join(';') } });
  await world.calm(2);
});

afterAll(() => world?.close());

/** @returns the keys of the card and of its outcome */
async function rollOut(place: string): Promise<string[]> {
  const [gvc, workload] = place.split('/');
  const { version } = await world.platform('rollout', { org: 'acme', gvc, workload, seconds: 1 });
  return ['card', 'ready'].map((word) => `acme/${place}/${String(version)}/${word}`);
}
const keysIn = async (channel: string): Promise<string[]> =>
  (await world.reported(channel)).map(({ key }) => key);
/** Waits until Slack was asked to post the message with this key. */
const tried = (key: string) =>
  until(`a try to post ${key}`, async () =>
    JSON.stringify(await get(`${world.slackUrl}/_sandbox/requests`)).includes(key),
  );
const opsReported = (words: string) =>
  until(`ops to be reported "${words}"`, async () =>
    (await world.reported(OPS)).find(({ text }) => text.includes(words)),
  );

it('an archived channel is reported once, and holds no other channel back', async () => {
  const before = (await keysIn(OPS)).length;
  const keys = [...(await rollOut('tools/wiki')), ...(await rollOut('tools/grafana'))];

  const reported = await opsReported('the channel is archived');
  await until('the other channel', async () => (await keysIn(CHANNEL)).length === keys.length);
  await world.calm();

  expect((await keysIn(CHANNEL)).toSorted()).toEqual(keys.toSorted());
  expect(reported.text).toContain('<#C0OLDIES>');
  expect(reported.text).toContain('Next: Unarchive it and invite Purser');
  expect((await keysIn(OPS)).slice(before)).toEqual([reported.key]);
  expect(await keysIn(ARCHIVED)).toEqual([]);
});

it('a channel that the bot was taken out of gets one message about that time when it is back', async () => {
  const before = (await keysIn(OPS)).length;
  await world.slack('leave', { channel: ANOTHER });
  const missed = await rollOut('data/ingest');
  const out = await opsReported('it is not a member');
  missed.push(...(await rollOut('data/dashboard')));
  for (const key of missed) await tried(key);
  await world.calm();
  expect((await keysIn(OPS)).slice(before)).toEqual([out.key]);
  expect(out.text).toContain('/invite');

  await world.slack('join', { channel: ANOTHER });
  const keys = await rollOut('data/warehouse');
  const back = await opsReported('takes messages again after');
  const summary = await world.message(ANOTHER, '@mute/1');
  await world.calm();

  expect(back.key).toBe(out.key);
  expect((await keysIn(ANOTHER)).toSorted()).toEqual([...keys, '@mute/1'].toSorted());
  expect(summary.text).toMatch(/^✅ While I could not post here: 4 messages · Nothing is hurt now/);
  const { covers = '' } = summary.metadata?.event_payload ?? {};
  expect(covers.split(' ').toSorted()).toEqual(missed.toSorted());
  expect((await keysIn(OPS)).slice(before)).toEqual([out.key]);
});
