import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { startRedis } from '../../src/sandbox/redis.ts';
import { type Trouble, BY_ENVIRONMENT } from '../support/doctor-setups.ts';
import { BY_OTHERS } from '../support/doctor-setups-outside.ts';
import { openWorld, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';
import { userOf } from '../support/user.ts';

const BROKEN_SET_UPS = [...BY_ENVIRONMENT, ...BY_OTHERS];

let world: World;
let bot: RunningBot | undefined;
let bots = 0;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await bot?.kill();
});

/** Bots of one test know nothing of those before. */
async function startBot(environment: Record<string, string> = {}): Promise<void> {
  bots += 1;
  const own = { REDIS_PREFIX: `doctor-${bots}`, WATCH_PATIENCE: '1' };
  bot = await world.startBot({ environment: { ...own, ...environment } });
}

/** The doctor's answer, with the findings behind its "Show all" button. */
async function askDoctor(): Promise<string> {
  const answer = await world.command('U0ADA', 'C0OPS', '/purser doctor');
  const said = linesOf(answer.blocks);
  const more = said.find((text) => /^Show all \(\d+\)$/.test(text));
  if (more === undefined) return said.join('\n');
  const { view } = await userOf(world, 'U0ADA').openBy(answer, more);
  return [...said, ...linesOf(view.blocks)].join('\n');
}

/** The text of blocks, a line for each finding and its fix, without backticks. */
function linesOf(blocks: readonly unknown[]): string[] {
  const texts = JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g);
  return [...texts].flatMap(([, text = '']) =>
    (JSON.parse(`"${text}"`) as string).replaceAll('`', '').split('\n'),
  );
}

function finds({ what, says, fix }: Trouble): RegExp {
  return new RegExp(`^:\\w+: \\*[^*]*(?:${what})[^*]*\\* – .*(?:${says}).*\n→ .*${fix}`, 'm');
}

/** Whatever opens something, here or anywhere. */
const SECRETS = new RegExp(
  [
    ...Object.values(CREDENTIALS),
    'sandbox-(?:key|readusage|user|workload)-\\w+',
    'svc-bsat-\\w+',
  ].join('|'),
);

test('all is well but for a Redis that writes nothing down', async () => {
  await startBot();
  const answer = await askDoctor();

  // Beside other tests Redis can be slow, which the doctor says as well.
  const isSlow = /Redis: Server\* – it takes/.test(answer);
  expect(answer).toContain(isSlow ? '*2 things are doubtful*' : '*1 thing is doubtful*');
  expect(answer).toMatch(/Append-only file\* – AOF is off.*\n→ CONFIG SET appendonly yes/);
  expect(answer).not.toMatch(SECRETS);
});

for (const setUp of BROKEN_SET_UPS) {
  test(`the doctor finds ${setUp.name}`, async () => {
    await startBot(setUp.environment?.(world));
    const mend = await setUp.meanwhile?.(world);
    const answer = await askDoctor();
    await mend?.();

    const missed = setUp.troubles.filter((trouble) => !finds(trouble).test(answer));
    expect({ missed, answer }).toStrictEqual({ missed: [], answer });
    expect(answer).not.toMatch(SECRETS);
  });
}

test('the doctor finds a Redis that evicts keys', async () => {
  const redis = await startRedis();
  const admin = new Redis(redis.url);
  // BullMQ logs a warning about this policy at the start, so it is set while the bot runs.
  await startBot({ REDIS_URL: redis.url });
  await admin.config('SET', 'maxmemory', '100mb');
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  const answer = await askDoctor();
  await bot?.kill();
  admin.disconnect();
  await redis.close();

  expect(answer).toMatch(
    /maxmemory-policy\* – it is allkeys-lru: Redis throws keys away when it is full.*\n→ CONFIG SET maxmemory-policy noeviction/,
  );
});

test('the set-ups have more than 20 different troubles', () => {
  const names = BROKEN_SET_UPS.flatMap(({ troubles }) => troubles.map(({ broken }) => broken));

  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(20);
});
