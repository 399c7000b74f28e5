import { describe, expect, test } from 'vitest';

import { readAnswer } from './answer-read.ts';
import { startMoneyBot } from './bot.ts';
import { startVastPlatform, type Answers } from './vast-platform.ts';

const startBot = async (answers: Answers) => startMoneyBot(await startVastPlatform(answers));

/** A chargeable item, which prices a metric that Purser does not know. */
function item(metric: string, unit: string) {
  const consumptionTags = { feature: 'workloads', metric, locationType: 'hosted' };
  return { id: `item-${metric}`, name: metric, description: '', consumptionTags, unit };
}

describe('a metric that only the chargeable items know', () => {
  const usage = [{ key: 'web', value: '4500000', metric: 'disk-held' }];

  test('is shown in the unit that they state, and its file says which', async () => {
    const bot = await startBot({ usage, items: [item('disk-held', 'gigabytes * seconds')] });

    const answer = await bot.ask('/usage last month by workload');
    await bot.press(answer, 'CSV');

    expect(readAnswer(answer).rows[0]).toEqual([
      'web',
      '1,250 GB-hours',
      'no change',
      '100%',
      '[Open]',
    ]);
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

describe('usage without a price', () => {
  const FULL = 'ℹ Not priced, so counted as 0: `cpu`. What has a price: `/charges items`.';

  test('is in the notes of each answer, and of no file', async () => {
    const items = [item('egress', 'bytes')];
    const bot = await startBot({ charges: [{ key: 'web', total: '0' }], items });

    const first = await bot.ask('/charges last month by workload');
    const pressed = await bot.press(first, 'By GVC');
    await bot.press(pressed, 'CSV');

    for (const answer of [first, pressed]) expect(readAnswer(answer).words).toContain(FULL);
  });
});
