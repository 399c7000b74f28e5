import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { derivedKeys } from '../../../../src/lib/derived-key.ts';
import { Secret } from '../../../../src/lib/secret.ts';
import { createKeys } from '../../../../src/store/redis.ts';
import { connectTo } from '../../../support/redis.ts';
import { until } from '../../../support/until.ts';
import type { SeenMessage } from '../../../support/world.ts';
import { createHarness, type Harness } from '../../app/harness.ts';
import { freshPrefix } from '../../slack/support.ts';

const ADDRESS = 'finance@acme.example';
const REPORTED = '@billing/delivery/';
const CHANNELS = ['C0BILLING', 'C0APPROVE', 'C0DEPLOYS', 'C0OPS'];
const HOUR = 3_600;
const FAILED = 'permanently_failed';

let harness: Harness;
/** The environment of the bot. */
let current: Record<string, string>;
/** Waits until nothing is to be posted. */
let allPosted: () => Promise<void>;

beforeAll(async () => {
  harness = await createHarness({ ROLE: 'app' });
});
afterAll(() => harness.close());

/** Ada and Ben are its admins and have a confirmed address; nothing fails. */
async function reset(): Promise<void> {
  await harness.platform('faults', { faults: [] });
  await harness.platform('users', { email: 'ada@acme.example', roles: ['billing_admin'] });
  await harness.slack('email-confirmed', { user: 'U0BEN', confirmed: true });
}

/** The bot starts with an empty Redis and runs its monitors several times a second; they ran at least once. */
async function restart(): Promise<void> {
  const prefix = freshPrefix();
  current = { ...harness.money, ROLE: 'all', REDIS_PREFIX: prefix, BILLING_POLL_SECONDS: '0.3' };
  await harness.restartBot(current);
  await looked();
  // The first run posts failures of earlier tests.
  allPosted = async () => {
    const redis = await connectTo(harness.money['REDIS_URL'] ?? '');
    const waiting = createKeys(prefix).outboxChannels;
    await until('all posts', async () => (await redis.scard(waiting)) === 0);
    redis.disconnect();
  };
  await allPosted();
}
beforeEach(async () => {
  await reset();
  await restart();
});

/** A new invoice. In the first hour of a month there is nothing to bill yet. */
async function issued(): Promise<{ id: string }> {
  const issue = () => harness.platform('invoices/issue', {}) as Promise<{ id: string }>;
  try {
    return await issue();
  } catch {
    await harness.platform('clock', { advanceSeconds: HOUR });
    return issue();
  }
}

/** The deliveries were looked at, from the beginning to the end, since now. */
async function looked(): Promise<void> {
  const looks = async () =>
    (await harness.platformRequests()).filter(({ path }) =>
      /\/deliveries(?!.*invoiceId)/.test(path),
    ).length;
  const before = await looks();
  await until('two more looks at the deliveries', async () => (await looks()) >= before + 2);
}

/** An invoice is e-mailed to an address that takes no mail, which is given up after two hours. */
async function mailFails(): Promise<void> {
  await harness.platform('deliveries/refuse', { email: ADDRESS, refused: true });
  await harness.platform('clock', { advanceSeconds: HOUR });
  await issued();
  await harness.platform('clock', { advanceSeconds: 3 * HOUR });
}

/** Messages about deliveries in a channel, or to a person. */
const saidIn = async (channel: string): Promise<SeenMessage[]> =>
  ((await harness.messages(channel)) as unknown as SeenMessage[]).filter(({ metadata }) =>
    metadata?.event_payload.key.startsWith(REPORTED),
  );

test('writes to each admin about a failed delivery, with a button that disables the address', async () => {
  // Failures long before the first run are not posted, even if a list was empty in between.
  const before = { D0ADA: await saidIn('D0ADA'), D0BEN: await saidIn('D0BEN') };
  await harness.platform('faults', { faults: [{ path: '/deliveries', kind: 'empty-list' }] });
  await looked();
  await harness.platform('faults', { faults: [] });
  await looked();
  const fresh = async (person: 'D0ADA' | 'D0BEN') =>
    (await saidIn(person)).slice(before[person].length);
  for (const person of ['D0ADA', 'D0BEN'] as const) {
    expect(await fresh(person)).toEqual([]);
    expect(JSON.stringify(before[person])).not.toContain('bounced@');
  }

  await mailFails();
  for (const [person, user] of [
    ['D0ADA', 'U0ADA'],
    ['D0BEN', 'U0BEN'],
  ] as const) {
    const [reported] = await until(`a message to ${user}`, async () => {
      const all = await fresh(person);
      return all.length > 0 && all;
    });
    expect(reported!.metadata?.event_payload.key).toMatch(
      new RegExp(`^${REPORTED}[\\da-f-]{36}/${user}$`),
    );
    expect(reported!.text.split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^🟠 Invoice e-mail failed for good after 5 attempts: Invoice \\d+ did not reach .${ADDRESS}.$`,
        ),
      ),
      expect.stringMatching(/^Because: `550 5\.1\.1 .*rejected`$/),
      expect.stringMatching(/^Next: Add the right address and disable this one/),
      expect.stringMatching(/^Sent to each billing_admin in private/),
    ]);
  }
  await looked();
  for (const person of ['D0ADA', 'D0BEN'] as const) expect(await fresh(person)).toHaveLength(1);
  // Cleo may read invoices, and no recipients; Gus has the role, and has left Slack.
  for (const place of ['D0CLEO', 'D0DANA', 'D0GUS', ...CHANNELS]) {
    expect(JSON.stringify(await harness.messages(place))).not.toContain(ADDRESS);
  }

  const ada = harness.user('U0ADA');
  const [reported] = await fresh('D0ADA');
  const form = await ada.openBy(reported!, 'Disable');
  expect(form.view).toMatchObject({ title: 'Disable a recipient' });
  expect(form.fields).toMatchObject({ 'E-mail': ADDRESS });
  expect(await ada.submit(form)).toEqual({});
  await until('the request', async () =>
    (await harness.messages('C0APPROVE')).find(({ text }) => text.includes('isable')),
  );
});

test('posts to the billing channel, without the address, if no admin can be written to', async () => {
  await harness.platform('users', { email: 'ada@acme.example', roles: ['billing_viewer'] });
  // A person who has not proven to be Ben does not learn the rights of Ben.
  await harness.slack('email-confirmed', { user: 'U0BEN', confirmed: false });
  const before = (await saidIn('D0BEN')).length;
  const earlier = (await saidIn('C0BILLING')).length;
  await mailFails();
  const [reported, ...more] = await until('a message in the billing channel', async () => {
    const all = (await saidIn('C0BILLING')).slice(earlier);
    return all.length > 0 && all;
  });
  expect(more).toEqual([]);
  for (const channel of ['C0APPROVE', 'C0DEPLOYS']) expect(await saidIn(channel)).toEqual([]);
  expect(reported!.text).toContain('Invoice e-mail failed for good, and no billing_admin');
  expect(reported!.text).toContain('`/invoices deliveries`');
  expect(JSON.stringify(reported)).not.toContain(ADDRESS);
  expect(await saidIn('D0BEN')).toHaveLength(before);
});

test('a failed lookup of one admin does not stop the others', async () => {
  const heard = async () => {
    const both = await Promise.all(['D0ADA', 'D0BEN'].map(saidIn));
    return both.map(({ length }) => length);
  };
  const [ada = 0, ben = 0] = await heard();
  await harness.slack('faults', {
    faults: [{ method: 'users.lookupByEmail', kind: 'error', error: 'fatal_error', times: 1 }],
  });
  await mailFails();
  await until('a message to one of them', async () => {
    const now = await heard();
    return (now[0] ?? 0) + (now[1] ?? 0) > ada + ben;
  });
  await looked();
  const now = await heard();
  expect((now[0] ?? 0) + (now[1] ?? 0)).toBe(ada + ben + 1);

  // When every lookup in Slack fails, the next run asks again: no other person is notified instead.
  const fallbacks = (await saidIn('C0BILLING')).length;
  await harness.slack('faults', {
    faults: [{ method: 'users.lookupByEmail', kind: 'error', error: 'fatal_error' }],
  });
  await mailFails();
  await looked();
  await harness.slack('faults', { faults: [] });
  await until('a message to both of them', async () => {
    const both = await heard();
    return (both[0] ?? 0) + (both[1] ?? 0) === ada + ben + 3;
  });
  expect(await saidIn('C0BILLING')).toHaveLength(fallbacks);
});

test('posts one message per admin for e-mails of one invoice that failed together', async () => {
  const before = await saidIn('D0ADA');
  const { id: invoiceId } = await issued();
  const items = ['a', 'b', 'c'].map((name) => ({
    id: `delivery-${name}`,
    invoiceId,
    recipientEmail: `${name}@acme.example`,
    status: 'permanently_failed',
    attemptCount: 5,
    errorMessages: ['550 no such user'],
  }));
  await harness.platform('faults', { faults: [{ path: '/deliveries', body: { items } }] });
  const [reported, ...more] = await until('a message to an admin', async () => {
    const fresh = (await saidIn('D0ADA')).slice(before.length);
    return fresh.length > 0 && fresh;
  });
  await harness.platform('faults', { faults: [] });
  expect(more).toEqual([]);
  expect(reported!.metadata?.event_payload).toMatchObject({
    key: '@billing/delivery/delivery-a/U0ADA',
    covers: '@billing/delivery/delivery-b/U0ADA @billing/delivery/delivery-c/U0ADA',
  });
  expect(reported!.text).toMatch(/^\S+ 3 invoice e-mails failed for good: Invoice \d+\n`a@acme/);
});

test('a delivery without an id stays known when SECRET_KEY is rotated, then alone', async () => {
  const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const environment = (key: string) => ({ ...current, SECRET_KEY: key });
  await harness.restartBot(environment(first!));
  await looked();
  await allPosted();
  await harness.platform('clock', { advanceSeconds: HOUR });
  const { id: invoiceId } = await issued();
  const item = { id: '', invoiceId, recipientEmail: 'Lost@acme.example', status: FAILED };
  const faults = [{ path: '/deliveries', body: { items: [item] } }];
  const before = (await saidIn('D0ADA')).length;
  await harness.platform('faults', { faults });
  await until('a message to an admin', async () => (await saidIn('D0ADA')).length > before);

  // Its key has no part of the bot token, which may be replaced.
  const config = { secretKey: new Secret(first!), slack: { botToken: new Secret('xoxb-new') } };
  const [key] = derivedKeys(config, 'delivery')();
  const hash = createHmac('sha256', key).update('lost@acme.example').digest('hex').slice(0, 12);
  const [reported] = (await saidIn('D0ADA')).slice(before);
  expect(reported!.metadata?.event_payload.key).toBe(`${REPORTED}${invoiceId}-${hash}/U0ADA`);

  for (const key of [`${second},${first}`, second!]) {
    await harness.restartBot(environment(key));
    await looked();
    await allPosted();
  }
  await harness.platform('faults', { faults: [] });
  expect(await saidIn('D0ADA')).toHaveLength(before + 1);
});

test('posts once, at its first run, the failures of the last days', async () => {
  await mailFails();
  await mailFails();
  await looked();
  await allPosted();
  const before = await saidIn('D0ADA');
  await restart();
  const [reported, ...more] = (await saidIn('D0ADA')).slice(before.length);
  expect(more).toEqual([]);
  expect(reported!.text).toContain('invoice e-mails failed for good: ');
  expect(reported!.text).not.toContain('bounced@');
});

test('logs that it waits where neither an admin nor APPROVALS_CHANNEL is there', async () => {
  await harness.platform('users', { email: 'ada@acme.example', roles: ['billing_viewer'] });
  await harness.slack('email-confirmed', { user: 'U0BEN', confirmed: false });
  await harness.restartBot({ ...current, APPROVALS_CHANNEL: '' });
  const waiting = (): number =>
    harness.lines().match(/"waits":"failed invoice e-mails".*set APPROVALS_CHANNEL/g)?.length ?? 0;

  await mailFails();
  await until('the line', () => waiting() > 0);
  await looked();
  expect(waiting()).toBe(1);
});
