import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import { createDigestJobs } from '../../../../src/features/reports/digest.ts';
import { useRedis } from '../../../support/redis.ts';
import { dollars, signed } from '../../money/invoice-truth.ts';
import { readBooks } from '../../money/ledger.ts';
import type { Question } from '../../money/questions.ts';
import { MAIN } from '../../platform/billing/support.ts';
import {
  buttonsOf,
  costing,
  everythingCosts,
  HOUR,
  startReporting,
  type Reporting,
} from '../reporting.ts';
import { percentWords } from '../../../support/percent.ts';
import type { JobKind } from '../../../../src/jobs/jobs.ts';

const server = useRedis();

/** The bot at noon of Thursday, 15 October 2026, before the first run of its job. */
const start = (every: 'daily' | 'weekly' = 'daily') =>
  startReporting(server.url, createDigestJobs, {
    digest: { every, time: { hour: 9, minute: 0 } },
  });

const day = (date: string) => Date.parse(`${date}T00:00:00Z`);
const cents = (amount: BigNumber) => amount.shiftedBy(2).integerValue(BigNumber.ROUND_HALF_UP);
const change = (value: BigNumber, before: BigNumber) => {
  const percent = value.minus(before).times(100).div(before).toNumber();
  return percentWords(percent);
};
/** "up 17%" */
const moved = (words: string) => words.replace('+', 'up ').replace('−', 'down ');

/** Charges of whole days by the books of the stand-in, the last one included, and those of the days before. */
async function booksOf(
  { platform }: Reporting,
  [first, last]: readonly [string, string],
  by: readonly string[] = ['org'],
) {
  const question: Question = {
    command: '/charges',
    span: { start: day(first), end: day(last) + 24 * HOUR * 1_000 },
    isCounted: false,
    by,
    of: [],
    items: [],
    where: [],
    orgs: [],
    step: undefined,
    line: '',
  };
  const books = await readBooks(platform, question, platform.clock.now());
  if ('keptSince' in books) throw new Error('the books do not reach back so far');
  const sum = (of: 'value' | 'before') =>
    books.entries.reduce((all, entry) => all.plus(entry[of]), new BigNumber(0));
  return { entries: books.entries, value: sum('value'), before: sum('before') };
}

type Books = Awaited<ReturnType<typeof booksOf>>;

const sums = ({ value, before }: Pick<Books, 'value' | 'before'>) =>
  [dollars(cents(value)), change(value, before)] as const;

/** The largest changes of at least 1 % of the day, whichever way, as the digest writes them. */
function moversOf({ entries, value: total }: Books): string[] {
  return entries
    .map(({ labels, value, before }) => ({ labels, value, before, by: value.minus(before) }))
    .filter(({ by }) => by.abs().gte(total.div(100)))
    .toSorted((a, b) => b.by.abs().comparedTo(a.by.abs())!)
    .slice(0, 5)
    .map(
      ({ labels: { org, gvc, workload }, value, before, by }) =>
        `${[gvc, workload].filter(Boolean).join('/')} (${org}): ${signed(cents(by))} (${change(value, before)})`,
    );
}

/** The points of the chart of 14 days of October, to the cent. */
async function pointsOf(
  bot: Reporting,
  last: number,
): Promise<readonly (readonly [string, string])[]> {
  const points: (readonly [string, string])[] = [];
  for (let date = last - 13; date <= last; date += 1) {
    const day = `2026-10-${String(date).padStart(2, '0')}`;
    points.push([`${date} Oct`, (await booksOf(bot, [day, day])).value.toFixed(2)]);
  }
  return points;
}

/** Those that a message shows. */
function drawnIn(blocks: unknown): [string, string][] {
  const points = JSON.stringify(blocks).matchAll(/\{"label":"([^"]+)","value":([^}]+)\}/g);
  return [...points].map(([, label = '', value = '']) => [label, Number(value).toFixed(2)]);
}

const linesOf = async (bot: Reporting, key: string) => (await bot.post(key)).text.split('\n');

test('in the morning the day before is posted to the cent of the books, and two days after its end made final once', async () => {
  const bot = await start();
  const FIRST = '@billing/digest/2026-10-16';
  await bot.look();
  await bot.at('2026-10-16T08:59');
  await bot.look();
  expect(await bot.reported()).toEqual([]);

  await bot.at('2026-10-16T09:00');
  await bot.look();
  await bot.look();
  expect(await bot.reported()).toEqual([FIRST]);
  const TAGS = ['org', 'gvc', 'workload'];
  const reported = await booksOf(bot, ['2026-10-15', '2026-10-15'], TAGS);
  // The running month is compared with as many days of the month before.
  const month = await booksOf(bot, ['2026-10-01', '2026-10-15']);
  const earlier = await booksOf(bot, ['2026-09-01', '2026-09-15']);
  const [total, move] = sums(reported);
  const [toDate, monthMove] = sums({ value: month.value, before: earlier.value });
  const movers = moversOf(reported);
  expect(await linesOf(bot, FIRST)).toEqual([
    `Spend yesterday (15 October): ${total}, ${moved(move)} · provisional until 18 October`,
    `October so far: ${toDate}, ${moved(monthMove)} vs 1-15 September`,
    expect.stringMatching(
      /^Heading for about \$7,\d\d0 by 31 October · no spend alert is on: `\/alert set` opens the form for one$/,
    ),
    ...(movers.length === 0
      ? ['No notable changes against the day before']
      : ['Largest changes against the day before:', ...movers]),
    'ℹ Some usage has no price yet, so it counts as 0',
    'Spend per day (USD)',
    expect.stringMatching(/^Spend: 2 Oct [\d.]+, 15 Oct [\d.]+, highest \d+ Oct [\d.]+$/),
  ]);
  expect(drawnIn((await bot.post(FIRST)).blocks)).toEqual(await pointsOf(bot, 15));
  expect(buttonsOf(await bot.post(FIRST))).toMatchObject({
    Details: '/charges 2026-10-15..2026-10-15 by metric',
  });

  // It shows its morning: later events of that day do not edit it.
  for (const later of ['2026-10-16T21:00', '2026-10-18T05:59']) {
    await bot.at(later);
    await bot.look();
    expect(await bot.post(FIRST)).toMatchObject({ edit_count: 0 });
  }
  // Two days, and six hours of margin.
  await bot.at('2026-10-18T06:00');
  await bot.look();
  const final = await booksOf(bot, ['2026-10-15', '2026-10-15']);
  const [head] = await linesOf(bot, FIRST);
  expect(head).toBe(
    `Spend yesterday (15 October): ${sums(final)[0]}, ${moved(sums(final)[1])} · corrected from ${total}`,
  );
  // It moved by less than 1%, so no one is called to it.
  await bot.look();
  await bot.at('2026-10-18T08:59');
  await bot.look();
  expect(await bot.post(FIRST)).toMatchObject({ edit_count: 1 });
  expect(await bot.reported()).toEqual([FIRST, '@billing/digest/2026-10-17']);
});

test('a day that was revised by a tenth is corrected in place, and said so once in its thread', async () => {
  const bot = await start();
  await bot.look();
  await bot.control('young', { percent: 90 });
  await bot.at('2026-10-16T09:00');
  await bot.look();
  const KEY = '@billing/digest/2026-10-16';
  const [was] = sums(await booksOf(bot, ['2026-10-15', '2026-10-15']));

  await bot.at('2026-10-18T06:00');
  for (let looks = 0; looks < 3; looks += 1) await bot.look();

  const final = await booksOf(bot, ['2026-10-15', '2026-10-15']);
  const [now] = sums(final);
  const root = await bot.post(KEY);
  expect(root.text).toContain(`Spend yesterday (15 October): ${now},`);
  expect(root.text).toContain(`corrected from ${was}`);
  const reply = await bot.post(`${KEY}/corrected`);
  expect(reply).toMatchObject({ thread_ts: root.ts, broadcast: false, edit_count: 0 });
  expect(reply.text).toMatch(/^Corrected: 15 October 2026 cost /);
  expect(reply.text).toContain(` ${now}, and not ${was} (+$`);
  expect(await bot.reported()).toEqual([KEY, `${KEY}/corrected`, '@billing/digest/2026-10-17']);
});

test.each([
  ['100', false, ''],
  // Less than a cent is not worth a word.
  ['100.004', false, ''],
  ['101', false, ' · corrected from $100.00'],
  ['101.01', true, ' · corrected from $100.00'],
  ['99', false, ' · corrected from $100.00'],
  ['98.99', true, ' · corrected from $100.00'],
])(
  '$100.00 that became $%s is reported in the thread: %s',
  async (total, isReported, corrected) => {
    const bot = await start();
    await bot.look();
    await everythingCosts(bot, '100');
    await bot.at('2026-10-16T09:00');
    await bot.look();
    await everythingCosts(bot, total);
    await bot.at('2026-10-18T06:00');
    await bot.look();

    expect((await bot.reported()).includes('@billing/digest/2026-10-16/corrected')).toBe(
      isReported,
    );
    expect((await linesOf(bot, '@billing/digest/2026-10-16'))[0]).toBe(
      `Spend yesterday (15 October): $${Number(total).toFixed(2)}, no change${corrected}`,
    );
  },
);

test('a figure of which a part cannot be read is no correction, and has no change', async () => {
  const bot = await start();
  const KEY = '@billing/digest/2026-10-16';
  await bot.look();
  await everythingCosts(bot, '100');
  await bot.at('2026-10-16T09:00');
  await bot.look();
  await bot.fault(costing('60', 'USD', [{}]));
  await bot.at('2026-10-18T06:00');
  await bot.look().catch(() => undefined);
  expect(await bot.post(KEY)).toMatchObject({ edit_count: 0 });

  await bot.at('2026-10-18T09:00');
  await bot.look().catch(() => undefined);
  const [head, month, ...others] = await linesOf(bot, '@billing/digest/2026-10-18');
  expect(head).toBe('Spend yesterday (17 October): at least $60.00 · provisional until 20 October');
  expect(month).toBe('October so far: at least $60.00');
  expect(others).toContain('⚠ 1 row could not be read: the sums are too low');
  expect(others.join()).toContain('What changed most cannot be shown');

  await everythingCosts(bot, '99.5');
  await bot.at('2026-10-18T12:00');
  await bot.look();
  expect((await linesOf(bot, KEY))[0]).toContain('$99.50, no change · corrected from $100.00');
});

test('a digest that was due while nothing ran is posted once afterwards, for the last morning only', async () => {
  const bot = await start();
  await bot.look();
  await bot.at('2026-10-19T15:30');
  await bot.look();
  await bot.look();
  expect(await bot.reported()).toEqual(['@billing/digest/2026-10-19']);
  expect((await linesOf(bot, '@billing/digest/2026-10-19'))[0]).toContain('(18 October)');
});

test('a platform that does not answer postpones the digest to the next run', async () => {
  const bot = await start();
  await bot.look();
  await bot.at('2026-10-16T09:00');
  await bot.fault({ path: 'charges/-query', status: 500 });
  await expect(bot.look()).rejects.toThrow('a fault that was asked for');
  expect(await bot.reported()).toEqual([]);

  await bot.fault();
  // It is not asked again at once.
  await bot.at('2026-10-16T09:01');
  await bot.look();
  expect(await bot.reported()).toEqual([]);
  await bot.at('2026-10-16T09:05');
  await bot.look();
  expect(await bot.reported()).toEqual(['@billing/digest/2026-10-16']);
});

test('weekly it comes on Monday, with the last week against the week before', async () => {
  const bot = await start('weekly');
  await bot.look();
  await bot.at('2026-10-19T08:59');
  await bot.look();
  expect(await bot.reported()).toEqual([]);
  await bot.at('2026-10-19T09:00');
  await bot.look();
  await bot.at('2026-10-20T09:00');
  await bot.look();

  expect(await bot.reported()).toEqual(['@billing/digest/2026-10-19']);
  const [total, move] = sums(await booksOf(bot, ['2026-10-12', '2026-10-18']));
  const said = await linesOf(bot, '@billing/digest/2026-10-19');
  expect(said[0]).toMatch(
    /^Spend last week \(12-18 October 2026\): \$[\d,.]+, (?:up|down) \S+% · provisional until 21 October$/,
  );
  expect(said[1]).toMatch(/^October so far: \$[\d,.]+, (?:up|down) \S+% vs 1-18 September$/);
  expect(said).toContain('Largest changes against the week before:');

  await bot.at('2026-10-21T06:00');
  await bot.look();
  const final = await booksOf(bot, ['2026-10-12', '2026-10-18']);
  expect([total, move]).not.toEqual(sums(final));
  expect((await linesOf(bot, '@billing/digest/2026-10-19'))[0]).toMatch(
    new RegExp(`: \\${sums(final)[0]}, .* · corrected from`),
  );
});

test('on the 1st it shows the last day of a whole month, and on the 2nd a month of one day', async () => {
  const bot = await start();
  await bot.look();
  await bot.at('2026-11-01T09:00');
  await bot.look();
  const October = await booksOf(bot, ['2026-10-01', '2026-10-31']);
  const first = await linesOf(bot, '@billing/digest/2026-11-01');
  expect(first[0]).toContain(' (31 October): ');
  expect(first[0]).toContain(' · provisional until 3 November');
  expect(first[1]).toBe(`October: ${sums(October)[0]}, ${moved(sums(October)[1])} vs September`);
  expect(first[2]).toContain('November: too early for an estimate');

  await bot.at('2026-11-02T09:00');
  await bot.look();
  const day1 = await booksOf(bot, ['2026-11-01', '2026-11-01']);
  const monthAgo = await booksOf(bot, ['2026-10-01', '2026-10-01']);
  const [total, move] = sums({ value: day1.value, before: monthAgo.value });
  const second = await linesOf(bot, '@billing/digest/2026-11-02');
  expect(second[0]).toContain(
    `Spend yesterday (1 November): ${sums(day1)[0]}, ${moved(sums(day1)[1])}`,
  );
  expect(second[1]).toBe(`November so far: ${total}, ${moved(move)} vs 1 October`);
});

test('it shows the pace against the alert, and since when requests wait', async () => {
  const bot = await start();
  await bot.look();
  await bot.raw('POST', `account/${MAIN}/alert`, {
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify({ alert: { amount: 5_000, enabled: true } }),
  });
  await bot.at('2026-10-16T09:00');
  const now = bot.platform.clock.now();
  const asked = (hours: number, change: Partial<Change>) =>
    ({
      state: 'pending',
      requestedAt: now - hours * HOUR * 1_000,
      expiresAt: now + 1,
      ...change,
    }) as Change;
  // The last two no longer need a decision.
  bot.waiting.push(
    asked(7, {}),
    asked(2, {}),
    asked(9, { expiresAt: now }),
    asked(8, { state: 'approved' }),
  );
  await bot.look();

  const { value } = await booksOf(bot, ['2026-10-01', '2026-10-16']);
  const said = await linesOf(bot, '@billing/digest/2026-10-16');
  expect(said[2]).toMatch(
    new RegExp(
      `^🟠 Heading for about \\$[\\d,]+ by 31 October · by now ${value.div(50).toFixed(0, BigNumber.ROUND_DOWN)}% of the \\$5,000 alert used; on course for \\d+%, over it on \\d+ October$`,
    ),
  );
  expect(said[3]).toBe('2 requests wait for a decision, the oldest for 7 h: `/changes`');

  await bot.at('2026-10-17T09:00');
  await bot.fault({ path: `account/${MAIN}`, method: 'GET', status: 500 });
  bot.waiting.length = 0;
  await bot.look();
  // Whether there is one is not known.
  const next = await linesOf(bot, '@billing/digest/2026-10-17');
  expect(next[2]).toMatch(
    /^Heading for about \$[\d,]+ by 31 October · ⚠ the spend alert cannot be read just now$/,
  );
});

test('an account of 12,000 rows gets its digest, with the changes by GVC', async () => {
  const bot = await start();
  await bot.look();
  await bot.control('idle', { count: 1_500 });
  await bot.control('young', { percent: 60 });
  await bot.at('2026-10-16T09:00');
  await bot.look();
  const reported = await booksOf(bot, ['2026-10-15', '2026-10-15'], ['org', 'gvc']);
  const said = await linesOf(bot, '@billing/digest/2026-10-16');
  expect(said[0]).toContain(`Spend yesterday (15 October): ${sums(reported)[0]},`);
  expect(said).toEqual(expect.arrayContaining(moversOf(reported)));
});

test('a digest that is put on a later time of the day on which the bot began comes on that day', async () => {
  let later: JobKind[] = [];
  const bot = await startReporting(server.url, (services) => {
    const { config } = services;
    const digest = { every: 'daily', time: { hour: 15, minute: 0 } } as const;
    later = createDigestJobs({ ...services, config: { ...config, digest } });
    return createDigestJobs(services);
  });
  // It began at noon, when nine was over.
  await bot.look();
  await later[0]?.run({});
  await bot.look();
  expect(await bot.reported()).toEqual([]);

  await bot.at('2026-10-15T15:00');
  await later[0]?.run({});
  await bot.look();
  expect(await bot.reported()).toEqual(['@billing/digest/2026-10-15']);
});

test('charges in another currency are not counted, and a note says so', async () => {
  const bot = await start();
  await bot.look();
  await everythingCosts(bot, '100', 'EUR');
  await bot.at('2026-10-16T09:00');
  await bot.look();

  const { text } = await bot.post('@billing/digest/2026-10-16');
  expect(text).toContain('Spend yesterday (15 October): $0.00,');
  expect(text).toContain('⚠ Charges in EUR are not counted');
});
