import { expect, test } from 'vitest';
import { createChargesSource } from '../../../../src/features/reports/charges.ts';
import { addSaved, readAllSaved, type Saved } from '../../../../src/features/reports/saved.ts';
import { createSavedJobs } from '../../../../src/features/reports/saved-run.ts';
import { CannotSee } from '../../../../src/monitors/monitor.ts';
import { createAllowance } from '../../../../src/platform/answer.ts';
import { parseQuery } from '../../../../src/reporting/query.ts';
import type { Services } from '../../../../src/services.ts';
import { useRedis } from '../../../support/redis.ts';
import { reportsHere } from '../../../support/reports.ts';
import { BILLING, buttonsOf, startReporting } from '../reporting.ts';

const server = useRedis();
const ADA = { userId: 'U0ADA', teamId: 'T0ACME' };
const DIRECT = 'D0ADA';
const HELD = '@billing/report/1/held/2026-10-16T13:00';
const ANSWER = '@billing/report/1/2026-10-16';

const daily: Saved = {
  source: 'charges',
  query: {
    ...parseQuery([]),
    range: 'yesterday',
    by: ['org'],
    of: [],
    items: [],
    orgs: [],
    where: {},
  },
  channel: BILLING,
  by: ADA,
  trigger: { kind: 'answer', every: 'daily', at: '13:00', zone: 'UTC' },
};
const budget: Saved = {
  ...daily,
  query: { ...daily.query, range: 'this month' },
  trigger: { kind: 'over', amount: '1' },
};

/** Ada's question is saved on the 15th of October, and due at 13:00 of the 16th. */
async function start(saved: Saved = daily, source: object = {}) {
  let services: Services | undefined;
  const bot = await startReporting(server.url, (own) => {
    const access = {
      roleRefusal: () => Promise.resolve(undefined),
      principal: async () => ({ ...ADA, email: 'ada@acme.example', roles: ['billing_viewer'] }),
    } as unknown as Services['access'];
    services = {
      ...own,
      access,
      orgs: { known: ['acme'], fallback: 'acme' },
      reports: reportsHere(),
    };
    const allowance = createAllowance(64 * 1024 * 1024);
    const asked = { ...createChargesSource(services), ...source };
    return createSavedJobs(asked, { ...services, allowance });
  });
  const own = services as unknown as Services;
  const memory =
    saved.trigger.kind === 'answer' ? { day: '2026-10-15', reported: [] } : { reported: [] };
  await addSaved(own, saved, memory);
  return {
    ...bot,
    saved: () => readAllSaved(own),
    look: async (moment: string) => {
      await bot.at(moment);
      await bot.look();
    },
    share: (sharing?: string) => bot.workspace('share', { channel: BILLING, sharing }),
  };
}

test.each(['external', 'pending'])(
  'a channel that is shared later (%s) pauses the question, notifies its owner once, and it goes on by itself',
  async (sharing) => {
    const { look, post, saved, share, reported } = await start();
    await share(sharing);

    for (const minute of ['00', '10', '20']) await look(`2026-10-16T13:${minute}`);

    expect([await reported(), await reported(DIRECT)]).toEqual([[], [HELD]]);
    const notice = await post(HELD, DIRECT);
    expect(notice.text).toContain(
      'Paused: `/charges yesterday by org` in <#C0BILLING>, number 1\nThere, people from another company',
    );
    expect(notice.text).toContain('people from another company read the channel');
    expect(JSON.stringify(notice.blocks)).toContain('goes on by itself');
    expect(buttonsOf(notice)).toEqual({ Change: '#1' });
    expect(await saved()).toMatchObject([{ heldSince: Date.parse('2026-10-16T13:00:00Z') }]);

    await share();
    await look('2026-10-16T13:30');

    expect([await reported(), await reported(DIRECT)]).toEqual([[ANSWER], [HELD]]);
    expect((await post(HELD, DIRECT)).text).toContain('Goes on: `/charges yesterday by org`');
    expect((await saved())[0]?.heldSince).toBeUndefined();
  },
);

test('a budget is not posted where another company reads, and is posted once the channel is the company’s own', async () => {
  const { look, share, reported } = await start(budget);
  await share('external');
  await look('2026-10-15T12:10');
  expect([await reported(), (await reported(DIRECT)).length]).toEqual([[], 1]);

  await share();
  await look('2026-10-15T12:20');

  expect(await reported()).toEqual(['@billing/report/1/2026-10']);
});

test('another workspace of the same company may read it', async () => {
  const { look, share, reported } = await start();
  await share('org');

  await look('2026-10-16T13:00');

  expect([await reported(), await reported(DIRECT)]).toEqual([[ANSWER], []]);
});

test('a channel whose readers Slack does not show postpones the answer', async () => {
  const { look, reported, workspace } = await start();
  await workspace('faults', {
    faults: [{ method: 'conversations.info', kind: 'error', error: 'fatal_error' }],
  });

  await expect(look('2026-10-16T13:00')).rejects.toThrow(CannotSee);
  expect([await reported(), await reported(DIRECT)]).toEqual([[], []]);
  await workspace('faults', { faults: [] });
  await look('2026-10-16T14:00');

  expect(await reported()).toEqual([ANSWER]);
});

test('a question of /usage goes on where another company reads', async () => {
  const sum = { measure: { kind: 'quantity', metric: 'cpu', feature: '', unit: 'core-seconds' } };
  const report = {
    kind: 'shown',
    text: '',
    blocks: [],
    notes: [],
    isWhole: true,
    warnings: [],
    page: 1,
    pages: 1,
    hasRows: true,
    sums: [{ ...sum, value: '7200' }],
  };
  let services: Services | undefined;
  const bot = await startReporting(server.url, (own) => {
    services = {
      ...own,
      access: {
        roleRefusal: () => Promise.resolve(undefined),
        principal: async () => ({ ...ADA, email: 'ada@acme.example', roles: ['billing_viewer'] }),
      } as unknown as Services['access'],
      orgs: { known: ['acme'], fallback: 'acme' },
      reports: { run: async () => report } as unknown as Services['reports'],
    };
    const allowance = createAllowance(64 * 1024 * 1024);
    const source = { ...createChargesSource(services), name: 'usage' as const };
    return createSavedJobs(source, { ...services, allowance });
  });
  await addSaved(services as unknown as Services, { ...budget, source: 'usage' }, { reported: [] });
  await bot.workspace('share', { channel: BILLING, sharing: 'external' });

  await bot.look();

  expect(await bot.reported()).toEqual(['@billing/report/1/2026-10']);
});
