import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { readAnswer } from './answer-read.ts';
import { startMoneyBot } from './bot.ts';
import { startVastPlatform } from './vast-platform.ts';
import type { Answers } from './vast-platform.ts';

const startBot = async (answers: Answers) => startMoneyBot(await startVastPlatform(answers));

/** A chargeable item, which prices a metric that Purser has never heard of. */
function item(metric: string, unit: string) {
  const consumptionTags = { feature: 'workloads', metric, locationType: 'hosted' };
  return { id: `item-${metric}`, name: metric, description: '', consumptionTags, unit };
}

describe('a metric that only the chargeable items know', () => {
  const usage = [{ key: 'web', value: '4500000', metric: 'disk-held' }];

  test('is told in the unit that they state, and its file says which', async () => {
    const bot = await startBot({ usage, items: [item('disk-held', 'gigabytes * seconds')] });

    const answer = await bot.ask('/usage last month by workload');
    await bot.press(answer, 'CSV');

    expect(readAnswer(answer).rows[0]).toEqual(['web', '1,250 GB-hours', '100 %', 'no change']);
    const [heads = '', row = ''] = (await bot.file()).text.trim().split(/\r?\n/);
    expect(row.split(',')[heads.split(',').indexOf('unit')]).toBe('gigabytes * seconds');
  });

  test('is the raw number where two of them state different units', async () => {
    const items = ['gigabytes * seconds', 'bytes * seconds'].map((unit) => item('disk-held', unit));
    const bot = await startBot({ usage, items });

    const answer = await bot.ask('/usage last month by workload');

    expect(readAnswer(answer).rows[0]?.[1]).toBe('4,500,000');
  });
});

describe('usage that nothing prices', () => {
  const FULL = 'ℹ Not priced, so counted as 0: `cpu`. `/charges items` lists what has a price.';
  const SHORT = 'ℹ 1 kind of usage is not priced: `/charges items` lists what is.';
  const MORNING = Date.parse('2026-11-20T09:00:00Z');
  const NIGHT = Date.parse('2026-11-21T00:00:00Z');

  test('is told in full once a day, in UTC, and short in between', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: MORNING });
    onTestFinished(() => void vi.useRealTimers());
    const items = [item('egress', 'bytes')];
    const bot = await startBot({ charges: [{ key: 'web', total: '0' }], items });
    const said = async (line: string) => readAnswer(await bot.ask(line)).words;

    const first = await bot.ask('/charges last month by workload');
    const pressed = await bot.press(first, 'By gvc');
    const again = await said('/charges this month');
    vi.setSystemTime(NIGHT - 1);
    const late = await said('/charges last month');
    vi.setSystemTime(NIGHT);
    // A file says nothing of it.
    await bot.press(pressed, 'CSV');
    const tomorrow = await said('/charges last month');

    expect(readAnswer(first).words).toContain(FULL);
    expect([readAnswer(pressed).words, again, late].map((words) => words.includes(SHORT))).toEqual([
      true,
      true,
      true,
    ]);
    expect(tomorrow).toContain(FULL);
  });
});
