import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDocumentedUser, refusedByAcl } from '../support/acl-line.ts';
import { cardOf, decide, request } from '../support/approvals.ts';
import { createTlsCluster } from '../support/tls-cluster.ts';
import { until } from '../support/until.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

let cluster: Awaited<ReturnType<typeof createTlsCluster>>;
let world: World;
let environment: Record<string, string>;

beforeAll(async () => {
  [cluster, world] = await Promise.all([createTlsCluster(), openWorld()]);
  const prefix = world.environment({ port: 0, opsPort: 0 })['REDIS_PREFIX'] ?? '';
  const [login] = await Promise.all(
    cluster.admins.map((admin) => makeDocumentedUser(admin, prefix, { isCluster: true })),
  );
  environment = {
    // One configuration endpoint, by the name that the certificate is for.
    REDIS_URL: `rediss://${login}@localhost:${cluster.port}`,
    REDIS_CLUSTER: 'true',
    WATCHES: 'acme/shop',
    NODE_EXTRA_CA_CERTS: cluster.caFile,
  };
});
afterAll(async () => {
  await world?.close();
  await cluster?.close();
});

it('a cluster by name, over TLS, with the authority of NODE_EXTRA_CA_CERTS and the documented user', async () => {
  await world.startBot({ environment });
  const [ada, ben] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
  expect((await ada.ask('/charges')).text).toContain('$');
  await world.polled();

  const id = await request(world, ada, {
    command: '/billing tokens create',
    entries: { Name: 'reporting', Roles: ['billing_viewer'] },
  });
  await decide(world, ben, { id, decision: 'Approve' });
  await cardOf(world, id, 'succeeded');

  // Before the token was asked for, the replica had the claim: WAIT reached the node by its name.
  const stats = await cluster.admins[0].info('commandstats');
  expect(stats).toMatch(/cmdstat_wait(?:aof)?:calls=[1-9]/);
  const doctor = await ada.ask('/purser doctor');
  expect(JSON.stringify(doctor.blocks)).not.toMatch(/Redis: (?!Server)/);
  expect(await refusedByAcl(cluster.admins[0])).toEqual([]);
  expect(await refusedByAcl(cluster.admins[1])).toEqual([]);
});

it('a certificate of an unknown authority is not taken', async () => {
  const { NODE_EXTRA_CA_CERTS: _, ...unknown } = environment;
  const bot = await world.startBot({
    environment: { ...unknown, ROLE: 'worker' },
    until: 'healthz',
  });

  await until('the log to say so', () => bot.log().includes('Redis cannot be reached'));
  const ready = await fetch(`http://127.0.0.1:${bot.opsPort}/readyz`);
  expect(ready.status).toBe(503);
});
