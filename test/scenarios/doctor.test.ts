import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { startRedis } from '../../src/sandbox/redis.ts';
import { openWorld, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';
import { userOf } from '../support/user.ts';

const MAIN = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const SECOND = 'b2e4a6c8-1d3f-4a5b-8c7d-9e0f1a2b3c4d';
const CARD = { last4: '4242', brand: 'visa' };

const keys = (changed: Record<string, string>): Record<string, string> => ({
  ORG_TOKENS: JSON.stringify({
    acme: 'sandbox-key-acme',
    globex: 'sandbox-key-globex',
    initech: 'sandbox-key-initech',
    ...changed,
  }),
});

/** Of the three admins, Ada stays one. */
async function giveRole(role: string): Promise<void> {
  for (const email of ['ben@acme.example', 'gus@acme.example']) {
    await world.platform('users', { email, roles: [role] });
  }
}

interface BrokenSetUp {
  readonly name: string;
  readonly environment?: () => Record<string, string>;
  /** Breaks something outside of the bot, and returns the function that repairs it. */
  readonly meanwhile?: () => Promise<() => Promise<unknown>>;
  /** Parts of a line and of its fix: "the bold beginning: the problem → what to do". */
  readonly troubles: readonly string[];
}

/** Troubles of one set-up have nothing to do with each other. */
const BROKEN_SET_UPS: readonly BrokenSetUp[] = [
  {
    name: 'an unknown account id, and channels that take no posts',
    environment: () => ({
      APPROVALS_CHANNEL: 'C0RANDOM',
      BILLING_CHANNEL: 'C0OLDIES',
      OPS_CHANNEL: 'C0NOWHERE',
      BILLING_ACCOUNT_ID: '11111111-2222-4333-8444-555555555555',
    }),
    troubles: [
      `BILLING_ACCOUNT_ID: BILLING_TOKEN is valid, but this account refuses it → set it to ${MAIN}, which pays for org acme`,
      '#random: Purser is not in it → /invite @Purser in it, or set another one in APPROVALS_CHANNEL',
      '#old-project: it is archived → unarchive it and type /invite @Purser, or set another one in BILLING_CHANNEL',
      'C0NOWHERE: there is no such channel → check the id; .*OPS_CHANNEL',
    ],
  },
  {
    name: 'the id of another account, and keys of the wrong kind',
    environment: () => ({
      BILLING_ACCOUNT_ID: SECOND,
      ...keys({ acme: 'svc-bsat-sandbox-all', initech: 'sandbox-workload-x' }),
    }),
    troubles: [
      `BILLING_ACCOUNT_ID: belongs to another account → set it to ${MAIN}, which pays for org`,
      'Org acme, key: billing service account token .* opens no org → put the key of a service account of org acme into ORG_TOKENS',
      'Org initech, deployments: the platform refuses it \\(status 403\\) → service account of org initech',
    ],
  },
  {
    name: 'an org’s key as billing token, and keys that do not fit',
    environment: () => ({
      BILLING_TOKEN: 'sandbox-key-initech',
      ...keys({ acme: 'sandbox-readusage-acme', globex: 'sandbox-key-acme' }),
    }),
    troubles: [
      'BILLING_TOKEN: it is the key of an org \\(initech\\) → have a billing_admin create a billing service account token, and set BILLING_TOKEN to it',
      'Org acme, usage: lacks readMetrics \\(readUsage does not grant it\\) → put the key of a service account of org acme into ORG_TOKENS, and give that readMetrics',
      'Org globex, deployments: org globex refuses it: it belongs to another org → put the key of a service account of org globex into ORG_TOKENS',
    ],
  },
  {
    name: 'a person’s token as billing token, and a watch of nothing',
    environment: () => ({
      BILLING_TOKEN: 'sandbox-user-ben',
      WATCHES: 'acme/nowhere;acme/shop/absent',
      ...keys({ globex: 'sandbox-key-unknown' }),
    }),
    troubles: [
      'BILLING_TOKEN: it is the token of a person → create a billing service account token',
      'Org globex, deployments: the platform refuses the key everywhere → put the key of a service account of org globex into ORG_TOKENS',
      'Watch of acme/nowhere: there is no GVC nowhere in org acme → correct the name in WATCHES',
      'Watch of acme/shop/absent: no location reports this workload → check the name in the watch',
    ],
  },
  {
    name: 'an expired billing token, and a usage API without a listener',
    environment: () => ({
      BILLING_TOKEN: 'svc-bsat-sandbox-expired',
      USAGE_URL: 'http://127.0.0.1:1/usage',
    }),
    troubles: [
      'BILLING_TOKEN: the platform refuses it everywhere: it is mistyped, expired or deleted → set BILLING_TOKEN to it; changes take up to 5 minutes',
      'USAGE_URL: nothing listens at 127.0.0.1:1 → check the host and the port in USAGE_URL',
    ],
  },
  {
    name: 'a viewer’s token, and a user token that is dead',
    environment: () => ({
      BILLING_TOKEN: 'svc-bsat-sandbox-viewer',
      BILLING_USER_TOKEN: 'sandbox-user-long-gone',
    }),
    troubles: [
      'BILLING_TOKEN: it has billing_viewer, not billing_admin → have a token created with billing_admin',
      'BILLING_USER_TOKEN: the platform refuses it: it is mistyped or expired → log in with the platform’s CLI as a billing user',
    ],
  },
  {
    name: 'a token that only creates orgs, and no one who works',
    environment: () => ({ BILLING_TOKEN: 'svc-bsat-sandbox-creator', ROLE: 'app' }),
    troubles: [
      'BILLING_TOKEN: it has only org_creator → have a token created with billing_admin, or at least billing_viewer',
      'Worker: none has reported within 30 s → start a process with ROLE=worker',
    ],
  },
  {
    name: 'a wrong path to billing, and an API without a listener',
    environment: () => ({
      BILLING_URL: `${world.billingUrl}-v2`,
      API_URL: 'http://127.0.0.1:1',
    }),
    troubles: [
      'BILLING_URL: knows no such path → check what follows the host in BILLING_URL',
      'API_URL: nothing listens at 127.0.0.1:1 → check the host and the port in API_URL, and that the platform is up',
    ],
  },
  {
    name: 'an account that cannot grow, with one admin, and an app without its scopes',
    meanwhile: async () => {
      await world.platform('account', { enabled: false, paymentMethods: [] });
      await giveRole('billing_viewer');
      await world.slack('scopes', { without: ['files:write', 'users:read.email'] });
      return async () => {
        await world.platform('account', { enabled: true, paymentMethods: [CARD] });
        await giveRole('billing_admin');
        await world.slack('scopes', {});
      };
    },
    troubles: [
      'Billing account: it is disabled, so no org can be created → ask the operator of the platform to enable it',
      'Billing users: only one person has billing_admin → have a second person made billing_admin, or set ALLOW_SELF_APPROVAL=true',
      'Scope files:write: it is missing → add it under OAuth &amp; Permissions and reinstall the app',
      'Scope users:read.email: it is missing → add it under OAuth &amp; Permissions and reinstall the app',
    ],
  },
  {
    name: 'a clock that is off, and a platform that fails',
    meanwhile: async () => {
      await world.slack('date', { aheadSeconds: 400 });
      await world.platform('date', { aheadSeconds: 400 });
      await world.platform('faults', { faults: [{ status: 500 }] });
      return async () => {
        await world.slack('date', {});
        await world.platform('date', { aheadSeconds: 0 });
        await world.platform('faults', { faults: [] });
      };
    },
    troubles: [
      'Clock: Purser’s is 6 min .*behind → let NTP set the clock',
      'API_URL: the platform fails \\(status 500\\) → run /purser doctor again in a minute',
    ],
  },
];

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

function finds(trouble: string): RegExp {
  const [, what, says, fix] = /^(.*?): (.*) → (.*)$/.exec(trouble) ?? [];
  return new RegExp(`^:\\w+: \\*[^*]*${what}[^*]*\\* – .*${says}.*\n→ .*${fix}`, 'm');
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
    await startBot(setUp.environment?.());
    const mend = await setUp.meanwhile?.();
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
  const troubles = BROKEN_SET_UPS.flatMap((setUp) => setUp.troubles);

  expect(new Set(troubles).size).toBe(troubles.length);
  expect(troubles.length).toBeGreaterThan(20);
});
