import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createSandboxPlatform } from '../../../src/sandbox/platform/server.ts';
import { MAIN } from '../platform/billing/support.ts';
import { readAnswer } from './answer-read.ts';
import type { Shown } from './answer-read.ts';
import { controlsOf, startMoneyBot } from './bot.ts';
import type { MoneyBot, Platform } from './bot.ts';
import { fileProblems, listProblems, showProblems } from './invoice-compare.ts';
import type { Written } from './invoice-truth.ts';
import { oddities } from './oddities.ts';
import type { Patch } from './oddities.ts';

const NOW = Date.parse('2026-10-15T12:34:56.789Z');
const TOKEN = 'svc-bsat-sandbox-all';

const opened: { close(): Promise<void> }[] = [];
let platform: Platform;
let bot: MoneyBot;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const standing = createSandboxPlatform();
  await standing.listen();
  opened.push(standing);
  platform = standing;
  bot = await startMoneyBot(platform);
  opened.push(bot);
});

afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
  vi.useRealTimers();
});

describe('the twelve newest invoices', { timeout: 60_000 }, () => {
  test('are shown as the platform wrote them: what is due, each line, and what was charged', async () => {
    const invoices = (await written()).slice(0, 12);
    const problems: string[] = [];
    for (const invoice of invoices) {
      problems.push(...showProblems(await pagesOf(invoice), invoice, await chargedIn(invoice)));
    }

    expect(invoices).toHaveLength(12);
    expect(new Set(invoices.map(({ status }) => status)).size).toBe(5);
    expect(problems).toEqual([]);
  });
});

describe('accounts with odd invoices', { timeout: 120_000 }, () => {
  test('are listed, shown and sent as files, to the cent, odder from round to round', async () => {
    const charged = new Map<string, BigNumber>();
    for (const invoice of await written()) charged.set(invoice.id, await chargedIn(invoice));
    const problems: string[] = [];
    const said: string[] = [];
    for (const round of [1, 2, 3, 4]) {
      for (const [at, { id }] of (await written()).entries()) {
        for (const patch of oddities(round * 100 + at)) await says(id, patch);
      }
      const invoices = await written();
      await restartBot();

      const list = readAnswer(await bot.ask('/invoices list last 13 months'));
      problems.push(...listProblems(list, invoices));
      said.push(...list.head, ...list.rows.flat());
      for (const invoice of invoices) {
        const pages = await pagesOf(invoice);
        problems.push(...showProblems(pages, invoice, charged.get(invoice.id)!));
        said.push(...pages.flatMap(({ head, words, rows }) => [...head, words, ...rows.flat()]));
        await bot.press(await bot.ask(`/invoices show ${invoice.number.toFixed()}`), 'CSV');
        problems.push(...fileProblems(await bot.file(), invoice));
      }
    }

    expect(problems).toEqual([]);
    const all = said.join('\n');
    expect(EVERYTHING.filter((words) => !words.test(all))).toEqual([]);
    expect(all).not.toMatch(/\$0\.00\*? due|due \*?\$0\.00/);
  });
});

/** What accounts that are odd enough are told; otherwise they would prove little. */
const EVERYTHING = [
  /^at most \$/m,
  /^not known$/m,
  /^not readable$/m,
  /^nothing$/m,
  /^⚠ The periods add up to/m,
  /^⚠ The lines of \w+ \d+ add up to/m,
  /^⚠ All lines together add up to/m,
  /^⚠ The charge of \d+ lines? is not readable/m,
  /a total that cannot be read/,
  /a status that Purser does not know/,
  /^Paid .* before credits/m,
  /^Nothing to pay: credits cover it/m,
  /unexplained [+-]\$/,
  /before credits; difference|on the invoice before credits|invoice before credits: /,
  /, \d+ lines together$/m,
  /^Nothing to pay: the total is -\$/m,
  /^\(not said\)$/m,
  / \+ \(not said\) -?\$/,
  /rest [+-]\$\S+ \(surcharges that are not readable/,
];

/** Nothing of what a bot remembers is of before. */
async function restartBot(): Promise<void> {
  await opened.pop()?.close();
  bot = await startMoneyBot(platform);
  opened.push(bot);
}

/** An invoice on all its pages. */
async function pagesOf({ number }: Written): Promise<Shown[]> {
  const first = await bot.ask(`/invoices show ${number.toFixed()}`);
  const pages = [readAnswer(first)];
  for (let page = first; controlsOf(page).some(({ text }) => text?.text === 'Next');) {
    page = await bot.press(page, 'Next');
    pages.push(readAnswer(page));
  }
  return pages;
}

/** From now on the platform says something else of an invoice. */
async function says(id: string, patch: Patch): Promise<void> {
  const answer = await fetch(`${platform.url}/_sandbox/invoices/patch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, ...patch }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function written(): Promise<Written[]> {
  const range = 'start=2024-01-01T00:00:00Z&end=2027-01-01T00:00:00Z';
  const url = `${platform.billingUrl}/account/${MAIN}/charges/invoices?${range}`;
  return ((await read(url)) as { invoices: Written[] }).invoices;
}

/** What the charge query says of an invoice's periods, in cents, each rounded as money is. */
async function chargedIn({ periods }: Written): Promise<BigNumber> {
  let cents = new BigNumber(0);
  for (const { startTime, endTime } of periods) {
    const body = {
      startTime,
      endTime,
      timeStep: 'month',
      groupBy: [],
      consumptionQueries: [
        {
          filterBy: {},
          aggregateBy: ['metric', 'locationType', 'performanceClass', 'gpuModel', 'workload'],
        },
      ],
    };
    const answer = await read(`${platform.billingUrl}/account/${MAIN}/charges/-query`, body);
    const totals = findAll(answer, 'total') as BigNumber[];
    const sum = totals.reduce((whole, total) => whole.plus(total), new BigNumber(0));
    cents = cents.plus(sum.times(100).integerValue(BigNumber.ROUND_HALF_UP));
  }
  return cents;
}

async function read(url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return parse(await response.text(), null, (digits) => new BigNumber(digits));
}

function findAll(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === name ? [member] : findAll(member, name),
  );
}
