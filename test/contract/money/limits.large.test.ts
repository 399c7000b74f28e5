import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';

import type { KnownBlock } from '@slack/types';
import { denseUsage, heavyUsage } from '../../support/heavy-usage.ts';
import { readAnswer } from './answer-read.ts';
import { controlsOf, startMoneyBot, type Message, type MoneyBot } from './bot.ts';
import { messageProblems } from './slack-invariants.ts';
import { startVastPlatform, type Answers } from './vast-platform.ts';

const MB = 1024 * 1024;
const startBetween = async (answers: Answers, environment?: Record<string, string>) =>
  startMoneyBot(await startVastPlatform(answers), environment);

/** 200 hostile characters, and a number that makes each text unique. */
function nameOf(at: number): string {
  const weapons = '<!channel>`*&lt;\u202E\u200B"<@U0BEN>|';
  return `=${String(at).padStart(6, '0')}${weapons.repeat(10)}`.slice(0, 200);
}

/** The numbers of the names in a column. */
function numbersIn(rows: readonly (readonly string[])[], column: number): number[] {
  return rows.map((row) => Number(/=(?<number>\d{6})/.exec(row[column] ?? '')?.groups?.['number']));
}

const MONTH = { startTime: '2026-10-01T00:00:00Z', endTime: '2026-11-01T00:00:00Z' };

function invoiceOf(items: readonly object[], totalCharge: number) {
  const whole = { ...MONTH, totalCharge, status: 'paid' };
  return { ...whole, id: 'in_1', number: 1, orgNames: ['acme'], periods: [{ ...whole, items }] };
}

/** The paging of a message: its buttons, and the shown rows. */
function placeOf(message: Message) {
  const turns = controlsOf(message).flatMap(({ text }) =>
    text && ['Next', 'Previous'].includes(text.text) ? [text.text] : [],
  );
  const place = /Rows \d+ to \d+ of [\d,]+/.exec(readAnswer(message).words)?.[0];
  return { place, turns, problems: problemsOf(message) };
}

function problemsOf({ text, blocks }: Message): string[] {
  return messageProblems(text, blocks as unknown as KnownBlock[]);
}

describe('a platform that answers with very much', { timeout: 400_000 }, () => {
  const vast = {
    charges: Array.from({ length: 10_000 }, (_, at) => ({ key: nameOf(at), total: `${at}.25` })),
    usage: Array.from({ length: 10_000 }, (_, at) => ({
      key: nameOf(at),
      value: String(at * 3_600),
    })),
    tagValues: Array.from({ length: 5_000 }, (_, at) => nameOf(at)),
    items: Array.from({ length: 20_000 }, (_, at) => ({
      id: `item-${at}`,
      name: nameOf(at),
      description: nameOf(at),
      consumptionTags: { feature: 'workloads', metric: 'cpu', locationType: nameOf(at) },
      unit: 'bytes * seconds',
    })),
    invoice: invoiceOf(
      Array.from({ length: 10_000 }, (_, at) => ({
        description: `acme: ${nameOf(at)}, Quantity: ${at}, Rate: 1`,
        quantity: at,
        charge: at,
        org: 'acme',
      })),
      49_995_000,
    ),
  };

  /** The numbers in a column of the first two pages, which are as full as Slack takes them. */
  async function leaf(bot: MoneyBot, line: string, all: number, column = 0): Promise<number[]> {
    const first = await bot.ask(line);
    const { length } = readAnswer(first).rows;
    const of = `of ${all.toLocaleString('en-US')}`;
    expect(placeOf(first)).toEqual({
      place: `Rows 1 to ${length} ${of}`,
      turns: ['Next'],
      problems: [],
    });
    expect(length).toBeGreaterThan(50);
    const second = await bot.press(first, 'Next');
    const { rows } = readAnswer(second);
    expect(placeOf(second)).toEqual({
      place: `Rows ${length + 1} to ${length + rows.length} ${of}`,
      turns: ['Previous', 'Next'],
      problems: [],
    });
    return [first, second].flatMap((page) => numbersIn(readAnswer(page).rows, column));
  }

  test.each(['/charges last month by workload', '/usage last month by workload org acme'])(
    '%s shows 10,000 groups, the largest first',
    async (line) => {
      const shown = await leaf(await startBetween(vast), line, 10_000);
      expect(shown).toEqual(count(9_999, -shown.length));
    },
  );

  test('/charges items lists 20,000, by name', async () => {
    const shown = await leaf(await startBetween(vast), '/charges items', 20_000);
    expect(shown).toEqual(count(0, shown.length));
  });

  test('/invoices show has 10,000 lines, the largest first', async () => {
    const shown = await leaf(await startBetween(vast), '/invoices show 1', 10_000, 1);
    expect(shown).toEqual(count(9_999, -shown.length));
  });

  test('/charges tags shows 5,000 values, and each of 500 once, page by page', async () => {
    const bot = await startBetween(vast);
    await leaf(bot, '/charges tags workload last month', 5_000);
    const small = await startBetween({ tagValues: vast.tagValues.slice(0, 500) });
    let page = await small.ask('/charges tags workload last month');
    const reported: number[] = [];
    for (;;) {
      expect(problemsOf(page)).toEqual([]);
      reported.push(...numbersIn(readAnswer(page).rows, 0));
      if (!placeOf(page).turns.includes('Next')) break;
      page = await small.press(page, 'Next');
    }

    expect(reported).toEqual(count(0, 500));
  });

  test('the file of 10,000 groups has them all, and no name in it runs', async () => {
    const bot = await startBetween(vast);
    await bot.press(await bot.ask('/charges last month by workload'), 'CSV');
    const rows = parse<Record<string, string>>((await bot.file()).text, { columns: true });

    expect(new Set(rows.map(({ workload }) => workload)).size).toBe(10_000);
    expect(rows.every(({ workload }) => workload?.startsWith("'=") === true)).toBe(true);
    expect(rows.reduce((sum, { total }) => sum.plus(total ?? 0), new BigNumber(0)).toFixed()).toBe(
      '49997500',
    );
  });
});

describe('a platform that answers with more than is read', { timeout: 240_000 }, () => {
  const LINE = '/usage last 40 days by workload,gvc,metric,volumeIndex step hour';
  const NARROW =
    'That is too much for one answer: ask for a shorter range, a longer step, fewer tags after "by", or a part of it with "where".';
  const [half, all] = [heavyUsage(17 * MB).body, heavyUsage(33 * MB).body];

  test('of one org or of several together, is asked how to narrow, and goes on with less', async () => {
    const bot = await startBetween({ usageBodies: { vast: all, one: half, two: half } });

    for (const orgs of ['vast', 'one,two']) {
      const { head } = readAnswer(await bot.ask(`${LINE} org ${orgs}`));
      expect(head).toEqual([`:warning: ${NARROW}`]);
    }
    expect(readAnswer(await bot.ask(`${LINE} org one`)).head[0]).toContain('*Usage by workload,');
  });

  test('in rows that take more memory than a report may, too, and the bot answers on', async () => {
    const bot = await startBetween({ usageBodies: { dense: denseUsage(30 * MB) } });

    expect(readAnswer(await bot.ask(`${LINE} org dense`)).head).toEqual([`:warning: ${NARROW}`]);
    expect((await bot.ask('/usage last month org acme')).text).toContain('No usage found');
    expect(bot.log()).toContain('A report took more than it may, and its thread ended');
  });
});

/** So many whole numbers; backwards for a negative count. */
function count(from: number, howMany: number): number[] {
  return Array.from({ length: Math.abs(howMany) }, (_, at) => from + Math.sign(howMany) * at);
}

describe('amounts of every size', () => {
  const charges = [
    { key: 'planet', total: '1000000000000000.015' },
    { key: 'speck', total: '1e-9' },
    { key: 'planet', total: '2000000000000000.5', currency: 'EUR' },
    { key: 'temple', total: '1000000000000000', currency: 'JPY' },
    { key: 'speck', total: '0.0005', currency: 'KWD' },
  ];

  test('are shown to the currency’s own minor unit, and never added across currencies', async () => {
    const bot = await startBetween({ charges });
    const answer = await bot.ask('/charges last month by workload');
    const { head, rows } = readAnswer(answer);

    expect(head.slice(1, -1)).toEqual([
      'EUR: *€2,000,000,000,000,000.50*, no change',
      'JPY: *¥1,000,000,000,000,000*, no change',
      'KWD: *KWD 0.001*, no change',
      'USD: *$1,000,000,000,000,000.02*, no change',
    ]);
    expect(rows).toContainEqual(['speck', '<$0.01', 'no change', '<0.1%', '[Open]']);
    expect(rows.map((row) => row[1])).toContain('$1,000,000,000,000,000.02');
    expect(problemsOf(answer)).toEqual([]);
  });

  test('are in the file with every digit', async () => {
    const bot = await startBetween({ charges });
    await bot.press(await bot.ask('/charges last month by workload'), 'CSV');
    const rows = parse<Record<string, string>>((await bot.file()).text, { columns: true });

    expect(rows.map(({ total, currency }) => `${total} ${currency}`)).toEqual([
      '1000000000000000.015 USD',
      '0.000000001 USD',
      '2000000000000000.5 EUR',
      '1000000000000000 JPY',
      '0.0005 KWD',
    ]);
  });
});
