import { BigNumber } from 'bignumber.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AlertMemory } from '../../../src/features/alert/compare.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { connectTo } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import type { SeenMessage } from '../../support/world.ts';
import { createHarness, type Seen } from '../app/harness.ts';
import { startBillingClient } from '../platform/billing/support.ts';
import { freshPrefix } from '../slack/support.ts';

const BILLING = 'C0BILLING';
const [ADA, CLEO, DANA] = ['U0ADA', 'U0CLEO', 'U0DANA'];

const keyOf = ({ metadata }: Pick<Seen, 'metadata'>): string => metadata?.event_payload.key ?? '';
const isMoney = (key: string): boolean => key.startsWith('@billing/');

/**
 * A bot that looks at money again and again, in the first days of October: all of the month may still be
 * revised. The alert is at an amount from before it began.
 */
async function start(changes: Record<string, string> = {}) {
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
  await client.createAlert({ amount: 1_000_000, enabled: true });
  await harness.restartBot(settings);

  return {
    ...harness,
    redis,
    prefix,
    /** The last run of the monitor saw the alert at this amount. */
    seen: (expected: number) =>
      until(`a look at the alert at ${expected}`, async () => {
        const text = await redis.hget(createKeys(prefix).reported, 'alert');
        const seen = text === null ? undefined : AlertMemory.parse(JSON.parse(text));
        return new BigNumber(seen?.alert?.amount ?? 0).eq(expected);
      }),
    keys: async () => (await harness.messages(BILLING)).map(keyOf).filter(isMoney),
    /** The message of a key, waited for. */
    reported: (key: string) =>
      until(`${key} in ${BILLING}`, async () =>
        (await harness.messages(BILLING)).find((one) => keyOf(one) === key),
      ) as Promise<unknown> as Promise<SeenMessage>,
    /** A person asks for another amount in the console of the platform. */
    set: (amount: number) => client.replaceAlert({ amount, enabled: true }),
  };
}

it('messages about the alert can be stopped by an admin, and started again, and the channel and the audit say who did', async () => {
  const { user, reported, seen, set, keys, messages, lines, redis, prefix } = await start();
  await seen(1_000_000);
  await set(2_000_000);
  const change = await reported('@billing/alert/2026-10/changed');
  expect(change.text).toContain('$1,000,000 → $2,000,000');

  const STOP = 'Stop messages about the spend alert';
  // Cleo may read the alert, and Dana has no role at all.
  for (const id of [DANA, CLEO]) {
    const person = user(id);
    const refused = await person.answer(() => person.press(change, STOP));
    expect(refused.text).toMatch(/You need the role billing_admin/);
  }
  await set(3_000_000);
  await reported('@billing/alert/2026-10/changed/2');

  const ada = user(ADA);
  const stopped = await ada.answer(() => ada.press(change, STOP));
  expect(stopped.text).toContain('Stopped: messages about the spend alert');
  await set(4_000_000);
  await seen(4_000_000);

  const started = await ada.answer(() => ada.press(stopped, 'Start again'));
  expect(started.text).toContain('Started again');
  await set(5_000_000);
  await reported('@billing/alert/2026-10/changed/4');

  const alertKeys = (await keys()).filter((key) => key.startsWith('@billing/alert/'));
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
  const { user, seen, set, reported, keys } = await start({ APPROVALS: 'off' });
  await seen(1_000_000);

  const ada = user(ADA);
  expect(await ada.submit(await ada.open('/alert set 1500000'))).toEqual({});
  await seen(1_500_000);
  await set(2_000_000);

  const change = await reported('@billing/alert/2026-10/changed');
  expect(change.text).toContain('$1,500,000 → $2,000,000');

  // Another person sets the same amount again, as it was set here.
  vi.setSystemTime(Date.now() + 6 * 60_000);
  await set(1_500_000);
  const back = await reported('@billing/alert/2026-10/changed/2');
  expect(back.text).toContain('$2,000,000 → $1,500,000');
  expect((await keys()).filter((key) => key.includes('/alert/'))).toHaveLength(2);
});
