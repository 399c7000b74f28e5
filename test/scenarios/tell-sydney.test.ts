import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRandom, seedOf } from '../chaos/random.ts';
import { dayWords, invoiceOf } from '../support/billing-books.ts';
import { someRestarts } from '../support/hour-by-hour.ts';
import {
  correctedOf,
  DAY_MS,
  daysFrom,
  LOOKS,
  openStage,
  playMoney,
} from '../support/money-play.ts';
import { dayOf } from '../support/noted-books.ts';
import { byChannel, digestSaid, doubled, messageWith, saidOf } from '../support/told.ts';

/** Eight days over the turn of a month, in an account that is charged in yen, for a member in Sydney. */
const START = '2026-10-27T00:20:00Z';
const END = '11-04T01';
const AMOUNT = 5_700;
const RESTARTS = 3;
const seed = seedOf(20_261_102);

let stage: Awaited<ReturnType<typeof openStage>>;
let played: Awaited<ReturnType<typeof playMoney>>;
/** By how many yen the total of the invoice of August is off, because each of its lines is rounded. */
let rounding = 0;

const DIGEST_DAYS = daysFrom('2026-10-27', 8);
/** Local days; each day in UTC is over two hours after nine o'clock there. */
const SYDNEY_DAYS = daysFrom('2026-10-28', 8);
const [OCTOBER, NOVEMBER] = [Date.UTC(2026, 9), Date.UTC(2026, 10)] as const;
const SPANS = [
  ...SYDNEY_DAYS.map((day) => {
    const endMs = Date.parse(day);
    return { at: `${day.slice(5)}T00`, name: day, startMs: endMs - DAY_MS, endMs };
  }),
  { at: '11-01T00', name: 'October', startMs: OCTOBER, endMs: NOVEMBER },
  { at: '11-03T00', name: 'invoiced', startMs: OCTOBER, endMs: NOVEMBER },
  { at: '11-03T06', name: 'final', startMs: OCTOBER, endMs: NOVEMBER },
];

const TOLD: Readonly<Record<string, readonly string[]>> = {
  C0BILLING: [
    ...DIGEST_DAYS.map((day) => `digest/${day}`),
    'alert/2026-10/90',
    'alert/2026-10/fired + alert/2026-10/100',
    ...['card', 'payment-failed', 'reconciliation'].map((what) => `invoice/11/${what}`),
    ...['card', 'reconciliation', 'deliveries'].map((what) => `invoice/13/${what}`),
  ],
  C0FINANCE: ['report/1/2026-11-01', ...SYDNEY_DAYS.map((day) => `report/2/${day}`)],
};

beforeAll(async () => {
  stage = await openStage(START, 'sydney', {
    currency: 'JPY',
    environment: { CURRENCY: 'JPY' },
    platform: { currency: { code: 'JPY', digits: 0 } },
  });
  await stage.hours.house.slack('zone', { user: 'U0ADA', zone: 'Australia/Sydney' });
  await stage.call('POST', '/alert', { alert: { amount: AMOUNT, enabled: true } });
  const { id, periods, totalCharge } = await invoiceOf(stage.asked, 11);
  rounding = Math.floor(periods.flatMap(({ items }) => items).length / 2);
  await stage.platform('invoices/patch', {
    id,
    at: ['totalCharge'],
    value: totalCharge - rounding,
  });
  await stage.hours.restart();
  await stage.save(
    '/charges watch last month monthly in C0FINANCE',
    '/charges watch yesterday daily at 09:00 in C0FINANCE',
  );
  const restarts = someRestarts(createRandom(seed), RESTARTS, {
    startMs: Date.parse(START) + DAY_MS,
    length: 6 * 24,
    not: () => false,
  });
  const course = { story: {}, kinds: () => LOOKS, restarts, end: END };
  played = await playMoney(stage, course, DIGEST_DAYS, SPANS);
}, 600_000);
// Runs last, also where nothing was opened: other files of this process want the time as it is.
afterAll(() => void vi.unstubAllGlobals());
afterAll(() => stage.close());

const messageOf = (key: string) => messageWith(played.messages, key);

describe(`Sydney, in yen (CHAOS_SEED=${seed})`, () => {
  it('post each message once, in its channel, and nothing anywhere else', () => {
    expect(byChannel(played.messages)).toEqual(
      Object.fromEntries(Object.entries(TOLD).map(([name, keys]) => [name, keys.toSorted()])),
    );
    expect(doubled(played.messages)).toEqual([]);
  });

  it.each(DIGEST_DAYS)('post the digest of %s as the books have it', (day) => {
    const said = digestSaid(messageOf(`digest/${day}`));
    expect(said).toHaveLength(correctedOf(DIGEST_DAYS).includes(day) ? 2 : 1);
    expect(said).toEqual(played.books.ofDay(day));
  });

  it('answer in the evening of the 31st in UTC with October, once that is over there', () => {
    const message = messageOf('report/1/2026-11-01');
    // 09:00 in Sydney is 22:00 of the day before.
    expect(new Date(Number(message.ts) * 1_000).toISOString()).toMatch(/^2026-11-01T/);
    expect(message.text).toContain('· October 2026 (UTC)');
    expect(message.text).toContain(`*${played.books.ofSpan('October')}*`);
    expect(JSON.stringify(message.blocks)).toContain(
      'at 09:00 (Australia/Sydney). It waited for the end of October 2026 in UTC.',
    );
  });

  it.each(SYDNEY_DAYS)('answer on %s in Sydney with the day that is over in UTC', (day) => {
    const message = messageOf(`report/2/${day}`);
    expect(dayOf(Number(message.ts) * 1_000)).toBe(day);
    expect(message.text).toContain(`· ${dayWords(Date.parse(day) - DAY_MS)} 2026 (UTC)`);
    expect(message.text).toContain(`*${played.books.ofSpan(day)}*`);
  });

  it('post the alert of yen when the books come to it', () => {
    for (const [key, share] of [
      ['90', 0.9],
      ['fired', 1],
    ] as const) {
      const { text } = messageOf(`alert/2026-10/${key}`);
      expect(text).toContain('¥5,700');
      // An hour before, the month may have come to as much as the alert.
      const { sum } = played.books.namedIn(text.replaceAll('¥5,700', ''));
      expect(sum?.gte(AMOUNT * share)).toBe(true);
    }
  });

  it('find that invoices add up where each line is rounded to a yen', () => {
    const { text } = messageOf('invoice/11/reconciliation');
    expect(rounding).toBeGreaterThan(5);
    expect(text).toContain('*Reconciliation adds up* · Invoice 11 (final)');
    expect(text).toContain(`difference −¥${rounding}: rounding or later revisions`);
    const said = saidOf(messageOf('invoice/13/reconciliation'));
    expect(said.at(-1)).toContain('*Reconciliation adds up* · Invoice 13 (final)');
    expect(said.at(-1)).toContain(`Charges of the same months: ${played.books.ofSpan('final')};`);
    expect(messageOf('invoice/13/card').text).toContain(
      `${played.books.ofSpan('invoiced')} before credits`,
    );
  });

  it('name no amount in anything but yen', () => {
    const all = played.messages.map(({ text, edits }) => [text, ...edits.map((edit) => edit.text)]);
    expect(all.flat().filter((text) => /[$]|¥[\d,]*\.\d/.test(text))).toEqual([]);
  });
});
