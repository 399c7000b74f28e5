import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRedis, type SandboxRedis } from '../../src/sandbox/redis.ts';
import { stateCommand } from '../support/state-command.ts';
import { saveQuestion } from '../support/save-question.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

const CHANNEL = 'C0DEPLOYS';
const CHANNELS = [CHANNEL, 'C0BILLING', 'C0OPS', 'C0APPROVE', 'D0ADA', 'D0DANA'];

let world: World;
let fresh: SandboxRedis;

beforeAll(async () => {
  world = await openWorld();
  fresh = await startRedis();
});

afterAll(async () => {
  await world?.close();
  await fresh?.close();
});

/** Everything that the channels have. */
const posted = async (): Promise<string[]> =>
  (await Promise.all(CHANNELS.map((channel) => world.messages(channel))))
    .flat()
    .filter(({ ephemeral_to: to }) => to === null)
    .map(({ channel, ts, text, edit_count: edits }) => `${channel} ${ts} ${edits} ${text}`);

/** The lists that people see. */
async function shown(): Promise<string[]> {
  const [ada, dana] = [userOf(world, 'U0ADA'), userOf(world, 'U0DANA')];
  const answers = [
    await dana.ask('/deployments watches', CHANNEL),
    await dana.ask('/deployments mute', CHANNEL),
    await ada.ask('/charges watches', 'C0BILLING'),
  ];
  return answers.map(({ blocks }) =>
    // Moments of polls and ids differ.
    JSON.stringify(blocks).replaceAll(/polled[^"]*?ago|"block_id":"[^"]*"|[0-9a-f-]{36}/g, ''),
  );
}

it('watches, mutes, saved questions and the audit are in a fresh Redis after a restore, and the import posts nothing', async () => {
  // Figures of money are posted anew by a bot without memory.
  const quiet = { BILLING_CHANNEL: '' };
  const first = await world.startBot({ environment: quiet });
  const [ada, dana] = [userOf(world, 'U0ADA'), userOf(world, 'U0DANA')];
  await dana.ask('/deployments watch shop quiet', CHANNEL);
  await dana.ask('/deployments watch shop/web', 'C0OPS');
  await dana.ask('/deployments mute 8h shop/cart', CHANNEL);
  await saveQuestion(world, ada, '/charges watch last month weekly');
  await saveQuestion(world, ada, '/charges watch this month over 900000');
  await ada.ask('/charges unwatch 2');
  await world.calm();
  const before = await shown();
  expect(await first.stop()).toBe(0);

  const environment = world.environment({ port: 1, opsPort: 2 });
  const old = await stateCommand(['export'], environment);
  expect(old.code).toBe(0);
  const kinds = old.said
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds.filter((kind) => kind === 'watch')).toHaveLength(2);
  expect(new Set(kinds)).toEqual(
    new Set(['purser-state', 'watch', 'mute', 'question', 'identity', 'audit', 'end']),
  );
  for (const name of ['SLACK_BOT_TOKEN', 'BILLING_TOKEN', 'SECRET_KEY']) {
    expect(old.said).not.toContain(environment[name]);
  }

  const said = await posted();
  const elsewhere = { ...environment, REDIS_URL: fresh.url };
  const count = kinds.length - 2;
  const audited = kinds.filter((kind) => kind === 'audit').length;
  const restored = await stateCommand(['import'], elsewhere, old.said);
  expect(restored).toMatchObject({ code: 0, complained: '' });
  expect(restored.said).toContain(`${count} lines were written, and 0 were in Redis already.`);
  const again = await stateCommand(['import', '-'], elsewhere, old.said);
  expect(again).toMatchObject({ code: 0, complained: '' });
  expect(again.said).toContain(`0 lines were written, and ${count} were in Redis already.`);
  const copy = await stateCommand(['export'], elsewhere);
  expect(copy.said.split('\n').slice(1)).toEqual(old.said.split('\n').slice(1));

  expect(await posted()).toEqual(said);
  await world.startBot({ environment: { ...quiet, REDIS_URL: fresh.url } });
  await world.polled();
  expect(await shown()).toEqual(before);
  expect(await posted()).toEqual(said);

  // The chain goes on.
  await dana.ask('/deployments watch shop/cart', CHANNEL);
  const { said: longer } = await stateCommand(['export'], elsewhere);
  const verified = await stateCommand(['audit', '--verify', '-'], {}, longer);
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.said).toMatch(new RegExp(`^${audited + 1} of`));
}, 300_000);
