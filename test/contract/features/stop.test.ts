import { BigNumber } from 'bignumber.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { loadConfig, secretsOf } from '../../../src/config/config.ts';
import { AlertMemory } from '../../../src/features/alert/compare.ts';
import { readSpend } from '../../../src/reporting/spend.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { connectTo } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import type { SeenMessage } from '../../support/world.ts';
import { createHarness, type Seen } from '../app/harness.ts';
import { startBillingClient } from '../platform/billing/support.ts';
import { freshPrefix, listeningLogger } from '../slack/support.ts';

const [BILLING, APPROVALS] = ['C0BILLING', 'C0APPROVE'];
const [ADA, CLEO, DANA] = ['U0ADA', 'U0CLEO', 'U0DANA'];
const CHANNELS = ['C0DEPLOYS', APPROVALS, BILLING, 'C0OPS', 'C0RANDOM', 'C0FINANCE', 'D0ADA'];
const DAY = 86_400_000;

const keyOf = ({ metadata }: Pick<Seen, 'metadata'>): string => metadata?.event_payload.key ?? '';
const isMoney = (key: string): boolean => key.startsWith('@billing/');

/**
 * A bot that looks at money again and again, in the first days of October: all of the month may still be
 * revised. The alert is at an amount from before it began.
 */
async function start(amount: number, changes: Record<string, string> = {}) {
  vi.useFakeTimers({
    toFake: ['Date'],
    now: Date.parse('2026-10-02T20:00:00Z'),
    shouldAdvanceTime: true,
  });
  onTestFinished(() => void vi.useRealTimers());
  const prefix = freshPrefix();
  const harness = await createHarness({ REDIS_PREFIX: prefix, ROLE: 'app' });
  onTestFinished(() => harness.close());
  const { money } = harness;
  const client = startBillingClient(money['BILLING_URL'] ?? '');
  const redis = await connectTo(money['REDIS_URL'] ?? '');
  onTestFinished(() => redis.disconnect());
  const settings = { ...money, BILLING_POLL_SECONDS: '0.2', ROLE: 'all', ...changes };
  await client.createAlert({ amount, enabled: true });
  await harness.restartBot(settings);

  const memory = async (): Promise<AlertMemory | undefined> => {
    const text = await redis.hget(createKeys(prefix).reported, 'alert');
    return text === null ? undefined : AlertMemory.parse(JSON.parse(text));
  };
  const keys = async (channel: string) =>
    (await harness.messages(channel)).map(keyOf).filter(isMoney);
  return {
    ...harness,
    client,
    redis,
    prefix,
    /** One more process of the bot, without a page of Slack. */
    another: async () => {
      const config = loadConfig({ ...settings, REDIS_PREFIX: prefix, ROLE: 'worker' });
      const app = await createApp(config, listeningLogger(secretsOf(config)).logger);
      await app.start();
      onTestFinished(async () => void (await app.stop()));
    },
    /** The last run of the monitor saw the alert at this amount. */
    seen: (expected: number) =>
      until(`a look at the alert at ${expected}`, async () =>
        new BigNumber((await memory())?.alert?.amount ?? 0).eq(expected),
      ),
    /** The alert was looked at so often since now. */
    looked: async (times: number) => {
      const looks = async () =>
        (await harness.platformRequests()).filter(
          ({ method, path }) => method === 'GET' && path.endsWith('/alert'),
        ).length;
      const before = await looks();
      await until(`${times} looks`, async () => (await looks()) >= before + times);
    },
    keys,
    /** The message of a key, waited for. */
    reported: (channel: string, key: string) =>
      until(`${key} in ${channel}`, async () =>
        (await harness.messages(channel)).find((one) => keyOf(one) === key),
      ) as Promise<unknown> as Promise<SeenMessage>,
    /** A person asks for another amount in the console of the platform. */
    set: (to: number) => client.replaceAlert({ amount: to, enabled: true }),
  };
}

it('messages about the alert can be stopped by an admin, and started again, and the channel and the audit say who did', async () => {
  const { user, reported, seen, set, keys, messages, lines, redis, prefix } =
    await start(1_000_000);
  await seen(1_000_000);
  await set(2_000_000);
  const change = await reported(BILLING, '@billing/alert/2026-10/changed');
  expect(change.text).toContain('$1,000,000 → $2,000,000');

  const STOP = 'Stop messages about the spend alert';
  // Cleo may read the alert, and Dana has no role at all.
  for (const id of [DANA, CLEO]) {
    const person = user(id);
    const refused = await person.answer(() => person.press(change, STOP));
    expect(refused.text).toMatch(/You need the role billing_admin/);
  }
  await set(3_000_000);
  await reported(BILLING, '@billing/alert/2026-10/changed/2');

  const ada = user(ADA);
  const stopped = await ada.answer(() => ada.press(change, STOP));
  expect(stopped.text).toContain('Stopped: messages about the spend alert');
  await set(4_000_000);
  await seen(4_000_000);

  const started = await ada.answer(() => ada.press(stopped, 'Start again'));
  expect(started.text).toContain('Started again');
  await set(5_000_000);
  await reported(BILLING, '@billing/alert/2026-10/changed/4');

  const alertKeys = (await keys(BILLING)).filter((key) => key.startsWith('@billing/alert/'));
  expect(alertKeys.map((key) => key.split('/').slice(3).join('/'))).toEqual([
    'changed',
    'changed/2',
    'changed/4',
  ]);
  // Commands and their answers are private.
  const isPublic = (one: Seen) => one.ephemeral_to === null && !isMoney(keyOf(one));
  expect((await messages(BILLING)).filter(isPublic)).toEqual([]);
  const said = (await messages(BILLING)).filter((one) => /@billing\/st(op|art)\//.test(keyOf(one)));
  expect(said.map(({ text }) => text)).toEqual([
    `<@${ADA}> stopped: messages about the spend alert`,
    `<@${ADA}> started again: messages about the spend alert`,
  ]);

  const entries = await redis.xrange(createKeys(prefix).audit, '-', '+');
  const stored = entries.map(([, fields]) => JSON.parse(fields[1] ?? '') as object);
  const done = ['stop', 'start'].map((what) => ({
    event: `notices.${what}`,
    by: ADA,
    what: 'alert',
  }));
  const refused = [DANA, CLEO].map((by) => ({ event: 'refused', by, why: 'role' }));
  const audit = [...refused, ...done];
  expect(stored).toMatchObject(audit);
  const logged = lines()
    .split('\n')
    .filter((line) => line.includes('"audit":true'))
    .map((line) => JSON.parse(line) as object);
  expect(logged).toMatchObject(audit.map((line) => ({ level: 'info', audit: true, ...line })));
});

it('a change that was asked for here is not reported as one from outside', async () => {
  const { user, seen, set, reported, keys } = await start(1_000_000, { APPROVALS: 'off' });
  await seen(1_000_000);

  const ada = user(ADA);
  expect(await ada.submit(await ada.open('/alert set 1500000'))).toEqual({});
  await seen(1_500_000);
  await set(2_000_000);

  const change = await reported(BILLING, '@billing/alert/2026-10/changed');
  expect(change.text).toContain('$1,500,000 → $2,000,000');

  // Another person sets the same amount again, as it was set here.
  vi.setSystemTime(Date.now() + 6 * 60_000);
  await set(1_500_000);
  const back = await reported(BILLING, '@billing/alert/2026-10/changed/2');
  expect(back.text).toContain('$2,000,000 → $1,500,000');
  expect((await keys(BILLING)).filter((key) => key.includes('/alert/'))).toHaveLength(2);
});

it('without a channel for money only tokens are reported, in the channel for approvals', async () => {
  const { client, keys, set, reported } = await start(1_000_000, { BILLING_CHANNEL: '' });
  const name = 'the token of the nightly export';
  const expiresAt = new Date(Date.now() + 2 * DAY).toISOString();
  const token = await client.createToken({ name, roles: ['billing_viewer'], expiresAt });

  const key = `@billing/token/${token.id}/3`;
  const notice = await reported(APPROVALS, key);
  await set(2_000_000);
  await client.removeToken(token.id);
  const next = await client.createToken({ name, roles: ['billing_viewer'], expiresAt });
  await reported(APPROVALS, `@billing/token/${next.id}/3`);

  expect(JSON.stringify(notice)).not.toContain(name);
  const places = await Promise.all(
    CHANNELS.map(async (channel) => [channel, await keys(channel)] as const),
  );
  expect(Object.fromEntries(places.filter(([, { length }]) => length > 0))).toEqual({
    [APPROVALS]: [key, `@billing/token/${next.id}/3`],
  });
});

it('a step that is crossed again and again while the platform revises is reported once, by whichever bot', async () => {
  const young = (percent: number) => platform('young', { percent });
  const { another, client, platform, seen, looked, reported, keys, messages } =
    await start(1_000_000);
  await young(100);
  const { total } = await readSpend(client.charges, 'USD', Date.now(), { fresh: true });
  // The total is a little above the amount.
  const amount = total.times(0.99).decimalPlaces(2).toNumber();
  await young(40);
  await client.replaceAlert({ amount, enabled: true });
  await seen(amount);
  await another();
  // Looks take longer than it is from one to the next, so that several are under way at once.
  await platform('faults', { faults: [{ path: 'charges/-query', delayMs: 300 }] });

  const key = (step: string) => `@billing/alert/2026-10/${step}`;
  for (const [percent, step] of [
    [80, '75'],
    [95, '90'],
    [100, '100'],
  ] as const) {
    await young(percent);
    await reported(BILLING, key(step));
    for (const revised of [45, percent]) {
      await young(revised);
      await looked(4);
    }
  }

  const steps = (await keys(BILLING)).filter(
    (one) => !one.includes('changed') && one.includes('/alert/'),
  );
  expect(steps).toEqual(['75', '90', '100'].map(key));
  const edited = (await messages(BILLING)).filter(({ edit_count: edits }) => edits > 0);
  expect(edited.map(keyOf).filter((one) => steps.includes(one))).toEqual([]);
});
