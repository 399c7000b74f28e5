import { expect, test } from 'vitest';
import type { Saved } from '../../../../src/features/reports/saved.ts';
import { CannotSee } from '../../../../src/monitors/monitor.ts';
import { useRedis } from '../../../support/redis.ts';
import { BILLING, buttonsOf } from '../reporting.ts';
import { daily, over, startSaved } from './saved-support.ts';

const server = useRedis();
const DIRECT = 'D0ADA';
const HELD = '@billing/report/1/held/2026-10-16T13:00';
const ANSWER = '@billing/report/1/2026-10-16';
const budget = over('this month', '1');

/** Ada's question is due at 13:00 of the 16th. */
async function start(saved: Saved = daily('yesterday', '13:00', 'UTC'), world = {}) {
  const bot = await startSaved(server.url, world);
  await bot.add(saved);
  return {
    ...bot,
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
  const usage = { source: { name: 'usage' }, reports: { run: async () => report } };
  const { look, share, reported } = await start({ ...budget, source: 'usage' }, usage);
  await share('external');

  await look('2026-10-15T12:10');

  expect(await reported()).toEqual(['@billing/report/1/2026-10']);
});
