import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type SeenMessage, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';
import { userOf } from '../support/user.ts';

const CHANNEL = 'C0DEPLOYS';
const SHOP = { org: 'acme', gvc: 'shop' };

let world: World;
let bot: RunningBot;

beforeAll(async () => {
  world = await openWorld();
  bot = await startBot();
  await world.polled();
});

afterAll(() => world?.close());

const startBot = (): Promise<RunningBot> =>
  world.startBot({ environment: { WATCHES: 'acme/shop' } });

/** All messages about a version of a workload, once no more are to come. */
async function reportedOf(version: string): Promise<string[]> {
  await world.calm();
  return (await world.reported(CHANNEL, `${version}/`)).map(({ key }) => key);
}

describe('someone asks', () => {
  // The others make workloads of the GVC fail, and tests come in any order.
  let well: World;

  beforeAll(async () => {
    well = await openWorld({ bot: { WATCHES: 'acme/shop' } });
    await well.polled();
  });

  afterAll(() => well?.close());

  it('/deployments shop says that all is well, and of one workload every location', async () => {
    const answer = await well.command('U0DANA', CHANNEL, '/deployments shop');

    expect(answer.text).toMatch(/shop: \d+ ready/);
    const one = await well.command('U0DANA', CHANNEL, '/deployments shop/payments');
    const rows = tableRows(one.blocks);
    expect(rows[0]?.slice(0, 4)).toEqual(['Location', 'State', 'Ready', 'Version']);
    expect(rows.slice(1)).toHaveLength(3);
  });

  it('every workload of the GVC is in a table, with its locations', async () => {
    const dana = userOf(well, 'U0DANA');
    const answer = await dana.ask('/deployments shop', CHANNEL);
    // "8 ready, 1 idle, 1 on a schedule"
    const counts = [...answer.text.matchAll(/(\d+) (?:ready|idle|on a schedule)\b/g)];
    const count = counts.reduce((sum, [, number]) => sum + Number(number), 0);

    const rows = tableRows(answer.blocks);
    expect(rows[0]?.slice(0, 5)).toEqual(['Workload', 'State', 'Ready', 'Version', 'Locations']);
    // One that is not in the same state everywhere has several.
    expect(new Set(rows.slice(1).map(([workload]) => workload)).size).toBe(count);
    expect(rows.find(([workload]) => workload === 'payments')?.at(4)).toBe('all 3');
  });

  it('a guest is refused in one sentence', async () => {
    const answer = await well.command('U0EVE', CHANNEL, '/deployments shop');

    expect(answer.text).toContain('guests');
  });

  it('answers a mistyped command with the likely one', async () => {
    const answer = await well.command('U0DANA', CHANNEL, '/deployments wach shop');

    expect(answer.text).toContain('/deployments watch shop');
  });
});

describe('a rollout that goes well', () => {
  it('is one card that moves, and one reply when it is ready', async () => {
    const place = { ...SHOP, workload: 'payments' };
    const { version } = await world.platform('rollout', { ...place, seconds: 3_000 });
    const key = `acme/shop/payments/${String(version)}`;

    await world.message(CHANNEL, `${key}/card`, (one) => one.text.includes('pending'));
    await world.platform('clock', { advanceSeconds: 1_500 });
    await world.message(CHANNEL, `${key}/card`, (one) => one.text.includes('deploying'));
    await world.platform('clock', { advanceSeconds: 1_500 });
    const reply = await world.message(CHANNEL, `${key}/ready`);
    const card = await world.message(CHANNEL, `${key}/card`, (one) => one.text.includes('ready'));

    expect(card.text).toMatch(/^ready · No impact · shop\/payments v\d+ · live in/);
    expect(card.edit_count).toBeGreaterThan(1);
    expect(card.edits.map((edit) => edit.text).join('\n')).toContain('deploying');
    expect(reply.thread_ts).toBe(card.ts);
    expect(reply.broadcast).toBe(true);
    expect(reply.text).toContain(
      `✅ Ready · No impact · shop/payments v${String(version)} in aws-us-west-2, azure-eastus2`,
    );
    expect(await reportedOf(key)).toEqual([`${key}/card`, `${key}/ready`]);
  });
});

describe('a rollout that fails says why', () => {
  it.each([
    { workload: 'search', outcome: 'image-pull', cause: /image/i },
    { workload: 'web', outcome: 'oom', cause: /Out of memory .*memory limit of \d+MiB/ },
    { workload: 'checkout', outcome: 'missing-secret', cause: /The secret .* no longer exists/ },
  ])('$outcome', async ({ workload, outcome, cause }) => {
    const { version } = await world.platform('rollout', { ...SHOP, workload, outcome, seconds: 5 });
    const key = `acme/shop/${workload}/${String(version)}`;

    const reply = await world.message(CHANNEL, `${key}/failed`);

    // The version before serves on.
    expect(reply.text).toContain(
      `🟠 No impact · shop/${workload} v${String(version)} rollout failed in `,
    );
    expect(reply.text).toMatch(cause);
    const card = await world.message(CHANNEL, `${key}/card`, (one) => one.text.includes('failed'));
    expect(reply.thread_ts).toBe(card.ts);
    // Restarts may be a crash loop, too, in the thread: every message went out exactly once.
    const reported = await reportedOf(key);
    expect(reported).toEqual([...new Set(reported)]);
  });
});

describe('a location that stops reporting', () => {
  it('is stale, which is not failed, and is reported again when it reports', async () => {
    const place = { ...SHOP, workload: 'catalog', location: 'aws-us-west-2' };
    const key = 'acme/shop/catalog/27';
    await world.platform('stale', { ...place, stale: true });
    const stale = await world.message(CHANNEL, `${key}/stale`);

    expect(stale.text).toContain('No impact · shop/catalog v27 no report (stale) in aws-us-west-2');
    expect(stale.text).not.toContain('failed');

    await world.platform('stale', { ...place, stale: false });
    const recovered = await world.message(CHANNEL, `${key}/recovered`);

    expect(recovered.text).toContain('shop/catalog v27 reports again in aws-us-west-2');
    expect(await reportedOf(key)).toEqual(['stale', 'recovered'].map((one) => `${key}/${one}`));
    // Without a card it is a post that serves as one.
    const [post, end] = await world.reported(CHANNEL, key);
    expect(post?.under).toBeUndefined();
    expect(end).toMatchObject({ under: `${key}/stale`, broadcast: true });
  });
});

it('SIGTERM ends the bot with exit code 0', async () => {
  expect(await bot.stop()).toBe(0);

  bot = await startBot();
});

function tableRows(blocks: SeenMessage['blocks']): string[][] {
  const table = blocks.find((block) => /^(?:data_)?table$/.test(String(block['type']))) as
    { rows: { text?: string }[][] } | undefined;
  return table?.rows.map((row) => row.map(({ text = '' }) => text)) ?? [];
}
