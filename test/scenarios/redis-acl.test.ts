import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRedis, type SandboxRedis } from '../../src/sandbox/redis.ts';
import { createKeys, type Keys } from '../../src/store/redis.ts';
import { makeDocumentedUser, refusedByAcl } from '../support/acl-line.ts';
import { cardOf, decide, isEndOf, request } from '../support/approvals.ts';
import { createDurableRedis, type DurableRedis } from '../support/durable-redis.ts';
import { stateCommand } from '../support/state-command.ts';
import { until } from '../support/until.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

let primary: DurableRedis;
let replica: SandboxRedis;
let admin: Redis;
let world: World;
let prefix: string;
let keys: Keys;
let environment: Record<string, string>;
/** A second user with the rights of the first, for the commands that are refused. */
let visitor: string;

beforeAll(async () => {
  [primary, replica, world] = await Promise.all([
    createDurableRedis('no'),
    startRedis(),
    openWorld(),
  ]);
  admin = new Redis(primary.url);
  const follower = new Redis(replica.url);
  await follower.call('REPLICAOF', '127.0.0.1', String(primary.port));
  await until('the replica to follow', async () =>
    (await follower.info('replication')).includes('master_link_status:up'),
  );
  follower.disconnect();
  prefix = world.environment({ port: 0, opsPort: 0 })['REDIS_PREFIX'] ?? '';
  keys = createKeys(prefix);
  visitor = await makeDocumentedUser(admin, prefix, { name: 'visitor' });
  const login = await makeDocumentedUser(admin, prefix);
  environment = {
    REDIS_URL: `redis://${login}@127.0.0.1:${primary.port}`,
    OPS_HOST: '127.0.0.1',
    BILLING_POLL_SECONDS: '0.5',
    WATCHES: 'acme/shop',
  };
  await world.startBot({ environment: { ...environment, ROLE: 'worker' } });
});
afterAll(async () => {
  await world?.close();
  admin?.disconnect();
  await primary?.close();
  await replica?.close();
});

/** All that the server has on its disk. */
async function written(): Promise<string> {
  const all = await readdir(primary.folder, { recursive: true, withFileTypes: true });
  const files = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  // A file of a rewrite in progress can be gone by then.
  const texts = files.map((path) => readFile(path, 'latin1').catch(() => ''));
  return (await Promise.all(texts)).join('');
}

/** Private commands that read and write all that a person may. */
const COMMANDS = [
  '/charges last month',
  '/charges watch last month weekly',
  '/charges watches',
  '/charges unwatch 1',
  '/deployments watch data',
  '/deployments mute 30m shop/web',
  '/deployments mute off',
  '/deployments watches',
  '/deployments unwatch data',
  '/workload tags',
  '/invoices',
  '/usage',
  '/purser help',
  '/changes',
];

it('the user of docs/operating.md may do all that Purser does', async () => {
  const app = await world.startBot({ environment: { ...environment, ROLE: 'app' } });
  const ada = userOf(world, 'U0ADA');
  for (const command of COMMANDS) {
    expect((await ada.ask(command)).text).not.toMatch(/please try again|store takes|own store/);
  }
  const sealed = await sealedAndRevealed();
  const place = { org: 'acme', gvc: 'shop', workload: 'payments' };
  const { version } = await world.platform('rollout', { ...place, seconds: 3_000 });
  await world.message('C0DEPLOYS', `acme/shop/payments/${String(version)}/card`);
  expect(JSON.stringify((await ada.ask('/purser doctor')).blocks)).not.toMatch(/Redis: (?!Server)/);
  const own = { ...world.environment({ port: 1, opsPort: 2 }), ...environment };
  const { said } = await stateCommand(['identity', 'list'], own);
  expect(said).toContain('ada@acme.example');
  // OPS_HOST is one of the addresses of this machine.
  await expect(fetch(`http://127.0.0.2:${app.opsPort}/healthz`)).rejects.toThrow('fetch failed');

  expect(await written()).toContain(sealed);
  // A day has passed.
  await admin.del(keys.rewritten);
  await runRewrite();
  await until('the sealed secret to be gone', async () => !(await written()).includes(sealed));

  expect(await refusedByAcl(admin)).toEqual([]);
  for (const command of ['wait', 'info', 'evalsha', 'time', 'bgrewriteaof']) {
    expect(await calls(command)).toBeGreaterThan(0);
  }
});

it.each([
  ['another key', ['GET', 'other']],
  ['what concerns all of Redis', ['FLUSHALL']],
  ['the settings', ['CONFIG', 'GET', '*']],
  ['users', ['ACL', 'LIST']],
])('the documented user may not touch %s', async (_, [command = '', ...words]) => {
  const user = new Redis(`redis://${visitor}@127.0.0.1:${primary.port}`);
  await expect(user.call(command, ...words)).rejects.toThrow('NOPERM');
  user.disconnect();
});

/** A token goes from the request to its reveal; gives its sealed text. */
async function sealedAndRevealed(): Promise<string> {
  const [ada, ben] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
  const id = await request(world, ada, {
    command: '/billing tokens create',
    entries: { Name: 'reporting', Roles: ['billing_viewer'] },
  });
  await decide(world, ben, { id, decision: 'Approve' });
  await cardOf(world, id, 'succeeded');
  const sealed = await admin.get(keys.secret(id));
  const reported = await until('the offer to reveal', async () =>
    (await ada.direct()).find((one) => isEndOf(one, id)),
  );
  const form = await ada.openBy(reported, 'Reveal');
  expect(form.text).toMatch(/svc-bsat-\w+/);
  expect(await admin.exists(keys.secret(id))).toBe(0);
  return sealed ?? '';
}

/** As an hour that has passed does it. */
async function runRewrite(): Promise<void> {
  const schedule = `${keys.queuePrefix}:notifications:repeat:every:rewrite@3600000`;
  expect(await admin.hget(schedule, 'every')).toBe('3600000');
  const connection = new Redis(primary.port, { maxRetriesPerRequest: null });
  const queue = new Queue('notifications', { connection, prefix: keys.queuePrefix });
  await queue.add('rewrite', {});
  await queue.close();
  connection.disconnect();
}

async function calls(command: string): Promise<number> {
  const stats = await admin.info('commandstats');
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}
