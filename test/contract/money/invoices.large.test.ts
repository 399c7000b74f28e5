import { BigNumber } from 'bignumber.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { MAIN } from '../platform/billing/support.ts';
import { post } from '../../support/http.ts';
import { readAnswer, type Shown } from './answer-read.ts';
import { controlsOf, startMoneyBot, startPlatformAt, type MoneyBot, type Platform } from './bot.ts';
import { filedOf, listedOf, shownOf, type Said } from './invoice-compare.ts';
import type { Written } from './invoice-truth.ts';
import { askPlatform, chargesUrl, readRows, type Answer } from './ledger.ts';
import { oddities } from './oddities.ts';

let platform: Platform;
let bot: MoneyBot;

beforeEach(async () => {
  platform = await startPlatformAt('2026-10-15T12:34:56.789Z');
  bot = await startMoneyBot(platform);
});

const check = ({ is, should }: Said) => expect(is).toEqual(should);

describe('the twelve newest invoices', { timeout: 60_000 }, () => {
  test('are shown as the platform wrote them: the amount due, each line, and the charges', async () => {
    const invoices = (await written()).slice(0, 12);

    expect(invoices).toHaveLength(12);
    expect(new Set(invoices.map(({ status }) => status)).size).toBe(5);
    for (const invoice of invoices) {
      check(shownOf(await pagesOf(invoice), invoice, await chargedIn(invoice)));
    }
  });
});

describe('accounts with odd invoices', { timeout: 240_000 }, () => {
  test('are listed, shown and sent as files, to the cent, odder from round to round', async () => {
    const charged = new Map<string, BigNumber>();
    for (const invoice of await written()) charged.set(invoice.id, await chargedIn(invoice));
    const said: string[] = [];
    for (const round of [1, 2, 3]) {
      for (const [at, { id }] of (await written()).entries()) {
        // From now on the platform says something else of an invoice.
        for (const patch of oddities(round * 100 + at)) {
          await post(`${platform.url}/_sandbox/invoices/patch`, { id, ...patch });
        }
      }
      const invoices = await written();
      await bot.restart();

      const list = readAnswer(await bot.ask('/invoices list last 13 months'));
      check(listedOf(list, invoices));
      said.push(...list.head, ...list.rows.flat());
      for (const invoice of invoices) {
        const pages = await pagesOf(invoice);
        check(shownOf(pages, invoice, charged.get(invoice.id)!));
        said.push(...pages.flatMap(({ head, words, rows }) => [...head, words, ...rows.flat()]));
        await bot.press(await bot.ask(`/invoices show ${invoice.number.toFixed()}`), 'CSV');
        check(filedOf(await bot.file(), invoice));
      }
    }

    const all = said.join('\n');
    expect(EVERYTHING.filter((words) => !words.test(all))).toEqual([]);
    expect(all).not.toMatch(/\$0\.00\*? due|due \*?\$0\.00/);
  });
});

/** Words that the generated accounts must produce; otherwise they are not odd enough to prove much. */
const EVERYTHING = [
  /^at most \$/m,
  /^not known$/m,
  /^not readable$/m,
  /^nothing$/m,
  /^⚠ The periods add up to/m,
  /^⚠ The lines of \w+ \d+ add up to/m,
  /^⚠ All lines together add up to/m,
  /^⚠ The charge of \d+ lines? is not readable/m,
  /an amount that cannot be read/,
  /a status that Purser does not know/,
  /^\S+ \*Paid\*: .*\n.* before credits/m,
  /^\S+ \*Nothing to pay\*: credits cover it/m,
  /unexplained/,
  /before credits; difference|on the invoice before credits|invoice before credits: /,
  /, \d+ lines together$/m,
  /\*: the total is −\$/,
  /^\(not reported\)$/m,
  / \+ \(not reported\) −?\$/,
  /perhaps unreadable surcharges/,
];

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

async function written(): Promise<Written[]> {
  const range = 'start=2024-01-01T00:00:00Z&end=2027-01-01T00:00:00Z';
  const url = `${platform.billingUrl}/account/${MAIN}/charges/invoices?${range}`;
  return (await askPlatform<{ invoices: Written[] }>(url)).invoices;
}

/** The charges of an invoice's periods by the charge query, in cents, each rounded as money is. */
async function chargedIn({ periods }: Written): Promise<BigNumber> {
  const tags = ['metric', 'locationType', 'performanceClass', 'gpuModel', 'workload'];
  const consumptionQueries = [{ filterBy: {}, aggregateBy: tags }];
  let cents = new BigNumber(0);
  for (const { startTime, endTime } of periods) {
    const query = { startTime, endTime, timeStep: 'month', groupBy: [], consumptionQueries };
    const rows = readRows(await askPlatform<Answer>(chargesUrl(platform), query));
    const sum = rows.reduce((sum, { value }) => sum.plus(value), new BigNumber(0));
    cents = cents.plus(sum.times(100).integerValue(BigNumber.ROUND_HALF_UP));
  }
  return cents;
}
