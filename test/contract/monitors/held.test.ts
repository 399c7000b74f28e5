import { expect, test } from 'vitest';
import { createAlertJobs } from '../../../src/features/alert/watch.ts';
import { createTokenJobs } from '../../../src/features/billing/token-watch.ts';
import { createDigestJobs } from '../../../src/features/reports/digest.ts';
import { useRedis } from '../../support/redis.ts';
import { BILLING, OPS, startReporting } from '../features/reporting.ts';

const server = useRedis();
const DAY_MS = 86_400_000;

/** One monitor, from noon of 15 October 2026 on. */
async function start(jobsOf: Parameters<typeof startReporting>[1] = createDigestJobs) {
  const bot = await startReporting(server.url, jobsOf, { paceSteps: [50, 75, 90, 100] });
  return {
    ...bot,
    share: (sharing?: string) => bot.workspace('share', { channel: BILLING, sharing }),
    /** Keys in OPS_CHANNEL of channels whose figures are held. */
    held: async () => (await bot.reported(OPS)).filter((key) => key.startsWith('@billing/held/')),
  };
}

test('a digest is not posted while another company reads the channel; operators are notified once', async () => {
  const { at, held, look, post, share, reported } = await start();
  await look();
  await share('external');

  for (const moment of ['2026-10-16T09:00', '2026-10-16T10:00']) {
    await at(moment);
    await look();
  }

  expect(await reported()).toEqual([]);
  const [key = '', ...more] = await held();
  expect([key, more]).toEqual([expect.stringMatching(/^@billing\/held\/C0BILLING\/\w+$/), []]);
  const notice = JSON.stringify((await post(key, OPS)).blocks);
  expect(notice).toContain('people from another company read the channel');
  expect(notice).toContain('`C0BILLING`');

  await share();
  await at('2026-10-16T11:00');
  await look();

  expect(await reported()).toEqual(['@billing/digest/2026-10-16']);
  expect(await held()).toEqual([key]);
  expect((await post(key, OPS)).text).toContain('are posted again');
});

test('news of the alert waits, and another workspace of the company may read it', async () => {
  const { client, held, look, share, reported } = await start(createAlertJobs);
  await client.createAlert({ amount: 1_000_000, enabled: true });
  await look();
  await share('pending');
  await client.replaceAlert({ amount: 2_000_000, enabled: true });
  await look();
  expect([await reported(), (await held()).length]).toEqual([[], 1]);

  await share('org');
  await look();

  expect(await reported()).toEqual(['@billing/alert/2026-10/changed']);
});

test('a channel whose readers Slack does not show gets nothing until it does', async () => {
  const { at, held, look, reported, workspace } = await start();
  await look();
  await at('2026-10-16T09:00');
  await workspace('faults', {
    faults: [{ method: 'conversations.info', kind: 'error', error: 'fatal_error' }],
  });
  await expect(look()).rejects.toThrow('Slack does not show who reads the channel C0BILLING');
  expect([await reported(), await held()]).toEqual([[], []]);

  await workspace('faults', { faults: [] });
  await at('2026-10-16T09:10');
  await look();

  expect(await reported()).toEqual(['@billing/digest/2026-10-16']);
});

test('without a channel for approvals, tokens are posted to each billing admin alone', async () => {
  const teamId = 'T0ACME';
  const bot = await startReporting(
    server.url,
    (services) =>
      createTokenJobs({
        ...services,
        identity: { get: async () => ({ teamId }) } as never,
        access: {
          principal: async ({ userId }: { userId: string }) => ({
            userId,
            email: `${userId}@acme.example`,
            roles: userId === 'U0ADA' ? ['billing_admin'] : [],
          }),
        } as never,
      }),
    { channels: { notify: 'C0DEPLOYS', approvals: 'C0DEPLOYS', billing: BILLING, ops: OPS } },
  );
  const expiresAt = new Date(Date.parse('2026-10-15T12:00:00Z') + 2 * DAY_MS).toISOString();
  const { id } = await bot.client.createToken({
    name: 'nightly export',
    roles: ['billing_viewer'],
    expiresAt,
  });

  await bot.look();
  await bot.look();

  const places = ['C0DEPLOYS', BILLING, OPS, 'D0ADA', 'D0BEN'];
  const all = await Promise.all(places.map((place) => bot.reported(place)));
  expect(all).toEqual([[], [], [], [`@billing/token/${id}/3/U0ADA`], []]);
});
