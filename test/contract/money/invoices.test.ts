import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createSandboxPlatform } from '../../../src/sandbox/platform/server.ts';
import { MAIN } from '../platform/billing-support.ts';
import { readAnswer } from './answer-read.ts';
import type { Shown } from './answer-read.ts';
import { controlsOf, startMoneyBot } from './bot.ts';
import type { MoneyBot, Platform } from './bot.ts';
import { isMoney, isQuantity } from './figures-read.ts';
import { inWords } from './spans.ts';

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

/** An invoice as the platform writes it (spec 2.8). */
interface Written {
  readonly number: BigNumber;
  readonly startTime: string;
  readonly endTime: string;
  readonly status: string;
  readonly totalCharge: BigNumber;
  readonly periods: readonly (Period & { readonly items: readonly Item[] })[];
  readonly credits?: readonly { readonly charge: BigNumber }[];
}
type Period = Pick<Written, 'startTime' | 'endTime' | 'totalCharge' | 'status'>;

interface Item {
  readonly description: string;
  readonly quantity: BigNumber;
  readonly charge: BigNumber;
  readonly org?: string;
}

const STATUSES: Readonly<Record<string, string>> = {
  paid: '✓ paid',
  'pending-payment': '… payment pending',
  'payment-failed': '✗ payment failed',
  'partially-paid': '◐ partly paid',
  'partially-failed': '⊗ partly failed',
};

/** A metric that is counted in the same unit. */
const COUNTED_AS: Readonly<Record<string, string>> = {
  'cores * seconds': 'cpu',
  'bytes * seconds': 'memory',
  bytes: 'egress',
  'gpus * seconds': 'gpu',
  'gibibytes * seconds': 'snapshot-storage',
  'gigabytes * seconds': 'logs-storage',
  seconds: 'load-balancer-seconds',
  samples: 'metrics-samples',
};

describe('the twelve newest invoices', { timeout: 60_000 }, () => {
  test('are shown as the platform wrote them: what is due, each line, and what was charged', async () => {
    const invoices = (await written()).slice(0, 12);
    const problems: string[] = [];
    for (const invoice of invoices) {
      const first = await bot.ask(`/invoices show ${invoice.number.toFixed()}`);
      const pages = [readAnswer(first)];
      for (let page = first; controlsOf(page).some(({ text }) => text?.text === 'Next');) {
        page = await bot.press(page, 'Next');
        pages.push(readAnswer(page));
      }
      problems.push(
        ...headProblems(pages[0]!, invoice),
        ...lineProblems(pages, invoice),
        ...comparisonProblems(pages[0]!, invoice, await chargedIn(invoice)),
      );
    }

    expect(invoices).toHaveLength(12);
    expect(new Set(invoices.map(({ status }) => status)).size).toBe(5);
    expect(problems).toEqual([]);
  });
});

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
        { filterBy: {}, aggregateBy: ['metric', 'locationType', 'performanceClass', 'workload'] },
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

function creditsOf({ credits = [] }: Written): BigNumber {
  return credits.reduce((sum, { charge }) => sum.plus(charge), new BigNumber(0));
}

function dueOf(invoice: Written): BigNumber {
  return BigNumber.max(0, invoice.totalCharge.plus(creditsOf(invoice)));
}

function isCents(text: string | undefined, cents: BigNumber): boolean {
  return text !== undefined && isMoney(text, cents.div(100));
}

/** Number, span, status, and what is due of it; the periods beside it. */
function headProblems({ head, words }: Shown, invoice: Written): string[] {
  const { number, status, totalCharge, periods } = invoice;
  const span = inWords({ start: Date.parse(invoice.startTime), end: Date.parse(invoice.endTime) });
  const [title = '', due = ''] = head;
  const { amount, total, credits } =
    /^Amount due \*(?<amount>[^*]+)\*(?:, no credits| = (?<total>\S+) before credits, credits (?<credits>\S+))$/.exec(
      due,
    )?.groups ?? {};
  const hasCredits = !creditsOf(invoice).isZero();
  const isRight =
    title.startsWith(`*Invoice ${number.toFixed()}* · `) &&
    title.endsWith(` (${span}) · ${STATUSES[status]}`) &&
    isCents(amount, dueOf(invoice)) &&
    (credits !== undefined) === hasCredits &&
    (!hasCredits || (isCents(total, totalCharge) && isCents(credits, creditsOf(invoice))));
  const shown = [...words.matchAll(/^• Period [^:]+: (?<charge>\S+), (?<state>.+)$/gm)];
  const isWhole =
    shown.length === periods.length &&
    periods.every(
      (period, at) =>
        isCents(shown[at]?.groups?.['charge'], period.totalCharge) &&
        shown[at]?.groups?.['state'] === STATUSES[period.status],
    );
  return isRight && isWhole
    ? []
    : [`${head.join(' / ')} ${words} is not invoice ${number.toFixed()}`];
}

/** Each line is the sum of the tiers of one org and item, and no line is missing. */
function lineProblems(pages: readonly Shown[], { number, periods }: Written): string[] {
  const sums = new Map<string, { unit: string; quantity: BigNumber; charge: BigNumber }>();
  for (const { description, org = '', quantity, charge } of periods.flatMap(({ items }) => items)) {
    const { item = '', unit = '' } =
      /^(?:[\w-]+: )?(?<item>[\w-]+) \((?<unit>[^)]+)\)/.exec(description)?.groups ?? {};
    const key = `${org} ${item || description}`;
    const known = sums.get(key);
    sums.set(key, {
      unit,
      quantity: quantity.plus(known?.quantity ?? 0),
      charge: charge.plus(known?.charge ?? 0),
    });
  }
  const rows = pages.flatMap((page) => page.rows);
  const problems = rows.flatMap(([org = '', item = '', quantity = '', charge = '']) => {
    const line = sums.get(`${org} ${item}`);
    const isRight =
      line !== undefined &&
      isQuantity(quantity, line.quantity, COUNTED_AS[line.unit] ?? '') &&
      isCents(charge, line.charge);
    return isRight
      ? []
      : [`invoice ${number.toFixed()}: ${org} | ${item} | ${quantity} | ${charge}`];
  });
  return rows.length === sums.size
    ? problems
    : [...problems, `${rows.length} of ${sums.size} lines`];
}

/** The charges of the same months, and a difference that is explained to the cent. */
function comparisonProblems({ words }: Shown, invoice: Written, charged: BigNumber): string[] {
  const due = dueOf(invoice);
  const { amount, rest = '' } =
    /^Charges of the same months: (?<amount>\$[\d,]+\.\d\d)(?<rest>.*)$/m.exec(words)?.groups ?? {};
  const problem = [`"${rest}" beside ${charged.toFixed()} charged and ${due.toFixed()} due`];
  if (!isCents(amount, charged)) return problem;
  if (due.eq(charged)) return rest === ', exactly what is on the invoice' ? [] : problem;

  const {
    owed,
    difference,
    reasons = '',
  } = /^; invoice: (?<owed>[^;]+); difference \+?(?<difference>[^:]+): (?<reasons>.*)$/.exec(rest)
    ?.groups ?? {};
  const explained = [...reasons.matchAll(/(?<sign>[+-])\$(?<figure>[\d,]+\.\d\d)/g)].reduce(
    (sum, { groups }) => sum.plus(`${groups?.['sign']}${groups?.['figure']?.replaceAll(',', '')}`),
    new BigNumber(0),
  );
  const credits = due.minus(invoice.totalCharge);
  const isRight =
    isCents(owed, due) &&
    isCents(difference, due.minus(charged)) &&
    explained.times(100).eq(due.minus(charged)) &&
    (credits.isZero() || isCents(/credits (?<credits>\S+?),?(?: |$)/.exec(reasons)?.[1], credits));
  return isRight ? [] : problem;
}
