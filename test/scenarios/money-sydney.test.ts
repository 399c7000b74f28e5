import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRandom, seedOf } from '../chaos/random.ts';
import { dayWords, invoiceOf, monthOf } from '../support/billing-books.ts';
import { someRestarts } from '../support/hour-by-hour.ts';
import {
  chargedOn,
  correctedOf,
  DAY_MS,
  daysFrom,
  daysOfPlay,
  endOf,
  invoicedIn,
  keysOfStep,
  LOOKS,
  openStage,
  patienceOf,
  playMoney,
  restartsIn,
  stepsOf,
} from '../support/money-play.ts';
import { dayOf } from '../support/noted-books.ts';
import { byChannel, digestSaid, doubled, messageWith, saidOf } from '../support/reported.ts';

/** Eight days or more over the turn of a month, in an account that is charged in yen, for a member in Sydney. */
const START = '2026-10-27T00:20:00Z';
const DIGEST_DAYS = daysOfPlay('2026-10-27', 8);
const INVOICED = invoicedIn(DIGEST_DAYS);
const AMOUNT = 5_704;
const seed = seedOf(20_261_102);

let stage: Awaited<ReturnType<typeof openStage>>;
let played: Awaited<ReturnType<typeof playMoney>>;
/** By how many yen the total of the invoice of August is off, because each of its lines is rounded. */
let rounding = 0;

/** Local days; each day in UTC is over two hours after nine o'clock there. */
const SYDNEY_DAYS = daysFrom('2026-10-28', DIGEST_DAYS.length);
/** The first local days of months. */
const MONTHLY = SYDNEY_DAYS.filter((day) => day.endsWith('-01'));
const SPANS = [
  ...SYDNEY_DAYS.map((day) => {
    const endMs = Date.parse(day);
    return { at: `${day.slice(5)}T00`, name: day, startMs: endMs - DAY_MS, endMs };
  }),
  ...MONTHLY.map((day) => {
    const endMs = Date.parse(day);
    return { at: `${day.slice(5)}T00`, name: `before ${day}`, startMs: monthOf(endMs, -1), endMs };
  }),
  ...INVOICED.flatMap(({ issued, final }) => [issued, final]),
];

const steps = () => stepsOf(played.books, AMOUNT, '2026-10');

/** The messages of each channel. */
const expected = (): Readonly<Record<string, readonly string[]>> => ({
  C0BILLING: [
    ...DIGEST_DAYS.map((day) => `digest/${day}`),
    ...steps().map(keysOfStep),
    ...['card', 'payment-failed', 'reconciliation'].map((part) => `invoice/11/${part}`),
    ...INVOICED.flatMap(({ number }) =>
      ['card', 'reconciliation', 'deliveries'].map((part) => `invoice/${number}/${part}`),
    ),
  ],
  C0FINANCE: [
    ...MONTHLY.map((day) => `report/1/${day}`),
    ...SYDNEY_DAYS.map((day) => `report/2/${day}`),
  ],
});

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
  const restarts = someRestarts(createRandom(seed), restartsIn(DIGEST_DAYS), {
    startMs: Date.parse(START) + DAY_MS,
    length: (DIGEST_DAYS.length - 2) * 24,
    not: () => false,
  });
  const course = { story: {}, kinds: () => LOOKS, restarts, end: endOf(DIGEST_DAYS) };
  played = await playMoney(stage, course, DIGEST_DAYS, SPANS);
}, patienceOf(DIGEST_DAYS));
// Runs last, also where nothing was opened: other files of this process want the time as it is.
afterAll(() => void vi.unstubAllGlobals());
afterAll(() => stage.close());

const messageOf = (key: string) => messageWith(played.messages, key);

describe(`Sydney, in yen (CHAOS_SEED=${seed})`, () => {
  it('post each message once, in its channel, and nothing anywhere else', () => {
    expect(byChannel(played.messages)).toEqual(
      Object.fromEntries(Object.entries(expected()).map(([name, keys]) => [name, keys.toSorted()])),
    );
    expect(doubled(played.messages)).toEqual([]);
  });

  it.each(DIGEST_DAYS)('post the digest of %s as the books have it', (day) => {
    const said = digestSaid(messageOf(`digest/${day}`));
    expect(said).toHaveLength(correctedOf(DIGEST_DAYS).includes(day) ? 2 : 1);
    expect(said).toEqual(played.books.ofDay(day));
  });

  it.each(MONTHLY)('answer on %s in Sydney with the month, once that is over in UTC', (day) => {
    const message = messageOf(`report/1/${day}`);
    const month = dayWords(monthOf(Date.parse(day), -1)).replace('1 ', '');
    // 09:00 in Sydney is 22:00 of the day before.
    expect(dayOf(Number(message.ts) * 1_000)).toBe(day);
    expect(message.text).toContain(`· ${month} 2026 (UTC)`);
    expect(message.text).toContain(played.books.ofSpan(`before ${day}`));
    expect(JSON.stringify(message.blocks)).toContain(
      `at 09:00 Australia/Sydney. It waited for the end of ${month} 2026 in UTC.`,
    );
  });

  it.each(SYDNEY_DAYS)('answer on %s in Sydney with the day that is over in UTC', (day) => {
    const message = messageOf(`report/2/${day}`);
    expect(dayOf(Number(message.ts) * 1_000)).toBe(day);
    expect(message.text).toContain(`· ${dayWords(Date.parse(day) - DAY_MS)} 2026 (UTC)`);
    expect(message.text).toContain(played.books.ofSpan(day));
  });

  it('post the alert of yen when the books come to it', () => {
    expect(steps().map(({ key }) => key)).toContain('alert/2026-10/fired');
    for (const { key, share } of steps()) {
      const { text } = messageOf(key);
      expect(text).toContain('¥5,704');
      // An hour before, the month may have come to as much as the alert.
      const { sum } = played.books.namedIn(text.replaceAll('¥5,704', ''));
      expect(sum?.gte(AMOUNT * share)).toBe(true);
    }
  });

  it('find that invoices add up where each line is rounded to a yen', () => {
    const { text } = messageOf('invoice/11/reconciliation');
    expect(rounding).toBeGreaterThan(5);
    expect(text).toContain('Reconciliation adds up · Invoice 11 (final)');
    expect(text).toContain(`difference −¥${rounding}: rounding or later revisions`);
    for (const invoice of INVOICED) {
      const { number, final } = invoice;
      const last = saidOf(messageOf(`invoice/${number}/reconciliation`)).at(-1);
      expect(last).toContain(`Reconciliation adds up · Invoice ${number} (final)`);
      expect(last).toContain(`Charges of the same months: ${played.books.ofSpan(final.name)};`);
      const card = messageOf(`invoice/${number}/card`);
      expect(card.text).toContain(chargedOn(played.books, invoice));
    }
  });

  it('name no amount in anything but yen', () => {
    const all = played.messages.map(({ text, edits }) => [text, ...edits.map((edit) => edit.text)]);
    expect(all.flat().filter((text) => /[$]|¥[\d,]*\.\d/.test(text))).toEqual([]);
  });
});
