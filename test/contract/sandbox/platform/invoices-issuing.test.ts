import { describe, expect, test } from 'vitest';
import { createMailbox } from '../../../../src/sandbox/platform/billing/mailbox.ts';
import type { Account } from '../../../../src/sandbox/platform/billing/model.ts';
import { createSandboxClock } from '../../../../src/sandbox/platform/clock.ts';
import { accrue } from '../../../../src/sandbox/platform/invoices/accrual.ts';
import { createInvoices } from '../../../../src/sandbox/platform/invoices/invoices.ts';
import type { Invoice } from '../../../../src/sandbox/platform/invoices/model.ts';
import type { BookLine } from '../../../../src/sandbox/platform/metering/books.ts';
import * as fc from '../../../support/fast-check.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 9, 5, 12);
const FIRST_MONTH = Date.UTC(2025, 8);
const CENT = 10n ** 16n;
/** One and a half cents for every hour of the month. */
const HOURLY = (CENT * 3n) / 2n;

describe('issuing', () => {
  test('the seed has thirteen months on twelve invoices, the first of them with two', () => {
    const { invoices, main } = open();

    const list = invoices.list(main);

    expect(list.map(({ number }) => number)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(list.map(({ periods }) => periods.length)).toEqual([...Array(11).fill(1), 2]);
    expect(day(list[0]?.startTime)).toBe('2026-09-01');
    expect(day(list.at(-1)?.startTime)).toBe('2025-09-01');
    expect(new Set(list.map(({ status }) => status)).size).toBe(5);
    expect(new Set(list.at(-1)?.periods.map(({ status }) => status)).size).toBe(2);
  });

  test('a month is billed two days after its end, a leap of the clock bills each at its time, and enabled recipients get a mail', () => {
    const { invoices, clock, mailbox, main } = open();

    clock.advance(28 * DAY + 12 * HOUR - 1);
    invoices.catchUp();
    const pending = invoices.pending(main, { inFull: false }).map(spanOf);
    const early = mailbox.all();
    clock.advance(1);
    invoices.catchUp();
    const first = mailbox.all();
    clock.advance(72 * DAY);
    invoices.catchUp();

    expect(pending).toEqual(['2026-11-01 2026-12-01', '2026-10-01 2026-11-01']);
    expect(early).toEqual([]);
    expect(first).toMatchObject([
      { to: 'finance@acme.example', at: Date.UTC(2026, 10, 3), subject: 'Invoice 13 of Acme' },
    ]);
    const days = mailbox.all().map(({ at }) => day(at));
    expect(days).toEqual(['2026-11-03', '2026-12-03', '2027-01-03']);
    expect(invoices.list(main)[0]?.number).toBe(15);
  });

  test('an account without charges gets no invoice, unless it is issued by hand', () => {
    const { invoices, clock, second } = open();
    clock.advance(90 * DAY);

    expect(invoices.list(second)).toEqual([]);
    expect(invoices.pending(second, { inFull: true })).toEqual([]);
    expect(invoices.issueNow(second.id)).toMatchObject({ number: 1, totalCharge: 0n });
  });
});

describe('amounts', () => {
  test('lines add up to the exact month rounded once, and each is within a cent', () => {
    fc.assert(
      fc.property(fc.array(amount()), (amounts) => {
        const { totalCharge, items } = accrue(amounts.map(lineOf), []);
        const exact = total(amounts);

        expect(totalCharge).toBe((exact + CENT / 2n) / CENT);
        expect(total(items.map(({ charge }) => charge))).toBe(totalCharge);
        for (const [index, { charge }] of items.entries())
          expect(distance(charge * CENT, amounts[index] ?? 0n)).toBeLessThan(CENT);
      }),
    );
  });

  test('an early invoice and the rest of the month make the month together', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(amount(), amount())), (months) => {
        const early = months.map(([first]) => first).map(lineOf);
        const whole = months.map(([first, second]) => first + second).map(lineOf);
        const rest = accrue(whole, early);

        const billed = accrue(early, []).totalCharge + rest.totalCharge;
        expect(billed).toBe(accrue(whole, []).totalCharge);
        expect(total(rest.items.map(({ charge }) => charge))).toBe(rest.totalCharge);
      }),
    );
  });

  test('a line has quantity and rate in plain digits', () => {
    const line = { ...lineOf(1n), units: 13_950_729_216_000_250n };

    expect(accrue([line], []).items).toMatchObject([
      {
        description:
          'acme: memory (bytes * seconds), Quantity: 13950729216000.25, Rate: 0.0000000000068',
        quantity: '13950729216000.25',
      },
    ]);
  });

  test('a surcharge begins with the month after the seed; pending shows it only in full', () => {
    const { invoices, clock, main } = open();
    const surcharges = (list: readonly Invoice[]) =>
      list.flatMap(({ periods }) => periods.flatMap(({ items }) => items.filter(isSurcharge)));
    const seeded = surcharges(invoices.pending(main, { inFull: true }));
    clock.advance(50 * DAY);

    const plain = surcharges(invoices.pending(main, { inFull: false }));
    const full = surcharges(invoices.pending(main, { inFull: true }));
    clock.advance(10 * DAY);
    const issued = surcharges(invoices.list(main));

    expect([seeded, plain]).toEqual([[], []]);
    expect(full).toMatchObject([{ description: 'Support surcharge, 3 %', org: '' }]);
    // Three per cent of the 1080 cents of November.
    expect(issued.map(({ charge }) => charge)).toEqual([32n]);
  });
});

/** Invoices over books that charge acme one and a half cents an hour, in two tiers. */
function open() {
  const clock = createSandboxClock(() => NOON);
  const mailbox = createMailbox();
  const main = accountOf('5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482', 'Acme');
  const second = accountOf('b2e4a6c8-1d3f-4a5b-8c7d-9e0f1a2b3c4d', 'Second');
  const books = {
    firstMonth: FIRST_MONTH,
    monthLines(account: Account, month: number) {
      const date = new Date(month);
      const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
      const hours = BigInt(Math.floor((Math.min(end, clock.now()) - month) / HOUR));
      return account === main ? [lineOf(hours * HOURLY)] : [];
    },
  };
  const accounts = () => [main, second];
  const invoices = createInvoices({ accounts, books, clock, mailbox });
  return { invoices, clock, mailbox, main, second };
}

function accountOf(id: string, fullName: string): Account {
  return {
    id,
    accountId: `cus_${fullName}`,
    fullName,
    email: 'finance@acme.example',
    address: {},
    orgQuota: 5,
    enabled: true,
    tou: true,
    paymentMethods: [],
    orgs: new Map(),
    users: new Map(),
    tokens: [],
    recipients: [
      { id: 'r1', email: 'finance@acme.example', enabled: true },
      { id: 'r2', email: 'archive@acme.example', enabled: false },
    ],
    alert: undefined,
  };
}

function lineOf(amount: bigint, index = 0): BookLine {
  return {
    org: 'acme',
    item: {
      id: `item-${index}`,
      name: 'memory',
      description: '',
      consumptionTags: {},
      unit: 'bytes * seconds',
    },
    tier: { from: 0n, to: undefined, rate: 6800n },
    units: amount,
    amount,
  };
}

const amount = () => fc.bigInt({ min: 1n, max: 10n ** 24n });
const total = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);
const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a);
const day = (ms = Number.NaN) => new Date(ms).toISOString().slice(0, 10);
const spanOf = ({ startTime, endTime }: Invoice) => `${day(startTime)} ${day(endTime)}`;
const isSurcharge = ({ description }: { description: string }) => /surcharge/i.test(description);
