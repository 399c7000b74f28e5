import { BigNumber } from 'bignumber.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { createRandom, seedOf } from '../chaos/random.ts';
import { dayWords, deliveriesOf, invoiceOf, usd, type Asked } from '../support/billing-books.ts';
import { callPlatform } from '../support/changes-raw.ts';
import {
  HOUR_MS,
  openHours,
  playHours,
  someRestarts,
  type Hours,
} from '../support/hour-by-hour.ts';
import { get } from '../support/http.ts';
import { dayOf, noteBooks } from '../support/noted-books.ts';
import { saveQuestion } from '../support/save-question.ts';
import { byChannel, doubled, keysOf, movesIn, saidOf } from '../support/told.ts';
import type { SeenMessage } from '../support/world.ts';

/**
 * Six weeks in steps of an hour, over the end of October and the Sunday on which Europe sets its clocks back.
 * What happens in them is `STORY`, what is told of it in all is `told`, and what it costs is asked of the
 * stand-in hour by hour. Another kind of notice has its place in each: its look in `LOOKS`, what makes it come
 * in `STORY`, its keys in `told`, and a test of its figures.
 */
const START = '2026-10-05T00:20:00Z';
const END = '11-16T01';
const DAY_MS = 24 * HOUR_MS;
/** From the second day on: a bot that has no such channel tells nobody of money. */
const CHANNEL_FROM = '10-06T01';
/** What the bot looks at by itself. */
const WITHOUT_CHANNEL = ['tokens', 'charges-schedules', 'charges-thresholds'];
const LOOKS = ['digest', 'alert', 'invoices', 'deliveries', ...WITHOUT_CHANNEL];
/** Ada's, in whose zone the clocks go back, in a channel that she chooses; and a budget. */
const SAVED = [
  '/charges watch yesterday daily at 10:00 in C0FINANCE',
  '/charges watch this month over 3,000',
];

const AWAY = { from: '10-29T07', until: '10-29T10' };
const RESTARTS = 12;
const seed = seedOf(20_261_025);

const RECIPIENT = 'finance@acme.example';
const TOKEN = { name: 'short-lived', roles: ['billing_viewer'] };
const UNUSED_TOKEN = 'dddddddd-0000-4000-a000-000000000002';

/** An invoice is issued early, for the month up to then; the next one is for the rest of it. */
const OCTOBER = Date.UTC(2026, 9);
const EARLY = Date.UTC(2026, 9, 28, 9);
const NOVEMBER = Date.UTC(2026, 10);

let hours: Hours;
let asked: Asked;
let kinds = WITHOUT_CHANNEL;
let messages: SeenMessage[];
let shortToken = '';
let failedDelivery = '';

const platform = (path: string, body: object) => hours.house.platform(path, body);
const putAlert = (amount: number, enabled = true) =>
  callPlatform(asked, 'PUT', '/alert', { alert: { amount, enabled } });
const setStatus = (...[number, status]: [number, string]) =>
  platform('invoices/status', { number, status });

/** What happens in the hour before a time: "10-15T10" is 10:20 of the 15th of October. */
const STORY: Readonly<Record<string, () => Promise<unknown>>> = {
  [CHANNEL_FROM]: async () => {
    kinds = LOOKS;
    await hours.restart();
  },
  '10-06T02': async () => {
    for (const line of SAVED) await saveQuestion(hours.house, hours.house.user('U0ADA'), line);
  },
  // The amount is raised by somebody who does not use Purser, after it was reached; then it is only saved again.
  '10-15T10': () => putAlert(4_000),
  '10-20T12': async () => {
    await putAlert(4_000);
    // Somebody looks before the platform checks it and it fires again.
    await hours.looks.over([await hours.looks.wake('alert')]);
  },
  '11-14T10': () => putAlert(4_000, false),
  '11-15T10': () => callPlatform(asked, 'DELETE', '/alert'),
  // An invoice that was there before turns bad, and two new ones go their ways.
  '10-12T15': () => setStatus(12, 'payment-failed'),
  '10-28T10': () => platform('invoices/issue', {}),
  [AWAY.from]: () => setStatus(13, 'payment-failed'),
  '10-31T09': () => setStatus(13, 'paid'),
  '11-02T12': () => platform('deliveries/refuse', { email: RECIPIENT, refused: true }),
  '11-05T10': async () => {
    const { id, totalCharge } = await invoiceOf(asked, 14);
    await platform('invoices/patch', { id, at: ['totalCharge'], value: totalCharge + 12_345 });
  },
  '11-06T10': () => setStatus(14, 'partially-paid'),
  '11-08T10': () => setStatus(14, 'paid'),
  // For an hour the platform knows only a part of the last days: that of the digest of the 21st.
  '10-21T09': () => platform('young', { percent: 60 }),
  '10-21T10': () => platform('young', { percent: null }),
};

/** The days of the digests: from the first one that was due with a channel. */
const DIGEST_DAYS = Array.from({ length: 41 }, (_, at) =>
  dayOf(Date.UTC(2026, 9, 6) + at * DAY_MS),
);

/** What each channel is told in all, with what a message stands for besides. */
const told = (): Record<string, string[]> => ({
  C0BILLING: [
    ...DIGEST_DAYS.map((day) => `digest/${day}`),
    'digest/2026-10-21/corrected',
    'alert/2026-10/50',
    'alert/2026-10/75',
    'alert/2026-10/90',
    'alert/2026-10/fired + alert/2026-10/100',
    'alert/2026-10/changed + alert/2026-10/armed',
    'alert/2026-10/90/2',
    'alert/2026-10/fired/2 + alert/2026-10/100/2',
    'alert/2026-10/armed/2',
    'alert/2026-10/fired/3',
    'alert/2026-11/50',
    'alert/2026-11/75',
    'alert/2026-11/changed',
    'alert/2026-11/changed/2',
    // The payment of number 11 had failed before the first run.
    ...[11, 12].flatMap((number) =>
      ['card', 'payment-failed', 'reconciliation'].map((what) => `invoice/${number}/${what}`),
    ),
    ...['card', 'payment-failed', 'paid', 'reconciliation', 'deliveries'].map(
      (what) => `invoice/13/${what}`,
    ),
    ...['card', 'revised', 'partially-paid', 'paid', 'reconciliation', 'deliveries'].map(
      (what) => `invoice/14/${what}`,
    ),
    'invoice/14/reconciliation/final',
    'report/2/2026-10',
    'report/2/2026-11',
  ],
  C0FINANCE: DIGEST_DAYS.map((day) => `report/1/${day}`),
  C0APPROVE: [
    `token/${UNUSED_TOKEN}/unused`,
    ...[14, 3, 1].map((days) => `token/${shortToken}/${days}`),
  ],
  D0ADA: [`delivery/${failedDelivery}/U0ADA`],
  D0BEN: [`delivery/${failedDelivery}/U0BEN`],
});

const books = noteBooks(() => asked, DIGEST_DAYS, [
  // What is billed early is what was known when it was issued, and not an hour later.
  { at: '10-28T09', name: 'early', startMs: OCTOBER, endMs: EARLY },
  { at: '10-28T10', name: 'early, provisional', startMs: OCTOBER, endMs: EARLY },
  { at: '10-30T09', name: 'early, final', startMs: OCTOBER, endMs: EARLY },
  { at: '11-03T00', name: 'rest', startMs: EARLY, endMs: NOVEMBER },
  { at: '11-03T00', name: 'October', startMs: OCTOBER, endMs: NOVEMBER },
]);

beforeAll(async () => {
  hours = await openHours(START, 'six-weeks');
  const { money } = hours.house;
  asked = { billingUrl: money['BILLING_URL'] ?? '', environment: () => money };
  await callPlatform(asked, 'POST', '/alert', { alert: { amount: 2_800, enabled: true } });
  const { id } = await callPlatform<{ id: string }>(asked, 'POST', '/service-account-token', {
    ...TOKEN,
    expiresAt: '2026-10-30T12:00:00Z',
  });
  shortToken = id;
  await platform('token', { id: UNUSED_TOKEN, lastUsedAt: '2026-08-16T12:00:00Z' });
  await hours.restart({ BILLING_CHANNEL: '' });
  const restarts = someRestarts(createRandom(seed), RESTARTS, {
    startMs: Date.parse(START) + 2 * DAY_MS,
    length: 39 * 24,
    not: (name) => name >= AWAY.from && name <= AWAY.until,
  });
  const course = { story: STORY, kinds: () => kinds, restarts, away: AWAY, end: END };
  await playHours(hours, { ...course, note: (now) => books.note(now) });
  const { id: lastInvoice } = await invoiceOf(asked, 14);
  failedDelivery = (await deliveriesOf(asked, lastInvoice))[0] ?? '';
  messages = await everything();
}, 900_000);
// Runs last, also where nothing was opened: other files of this process want the time as it is.
afterAll(() => void vi.unstubAllGlobals());
afterAll(() => hours.close());

/** All that the workspace has of every channel; private answers are nobody's else. */
async function everything(): Promise<SeenMessage[]> {
  const url = `${hours.house.slackUrl}/_sandbox/messages`;
  const { messages: all } = await get<{ messages: SeenMessage[] }>(url);
  return all.filter(({ ephemeral_to: to }) => to === null);
}

/** The one message of a key. */
function messageOf(key: string): SeenMessage {
  const found = messages.find((one) => keysOf(one)[0] === key);
  if (found === undefined) throw new Error(`${key} was not told`);
  return found;
}

/** The day on which a message was posted, as "2026-10-15". */
const dayOfPost = ({ ts }: SeenMessage): string => dayOf(Number(ts) * 1_000);

/** What each step is of, and the amount that the alert had. */
const REACHED: readonly (readonly [key: string, amount: number, share: number])[] = [
  ['2026-10/50', 2_800, 0.5],
  ['2026-10/75', 2_800, 0.75],
  ['2026-10/90', 2_800, 0.9],
  ['2026-10/fired', 2_800, 1],
  ['2026-10/90/2', 4_000, 0.9],
  ['2026-10/fired/2', 4_000, 1],
  ['2026-11/50', 4_000, 0.5],
  ['2026-11/75', 4_000, 0.75],
];

/** Changes in another way, and in which hour they were seen. */
const CHANGED = [
  ['2026-10/changed', '10-15T10'],
  ['2026-10/armed/2', '10-20T11'],
  ['2026-11/changed', '11-14T10'],
  ['2026-11/changed/2', '11-15T10'],
] as const;

describe(`six weeks of what Purser tells by itself (CHAOS_SEED=${seed})`, () => {
  it('tell each message once, in its channel, and nothing anywhere else', () => {
    expect(byChannel(messages)).toEqual(
      Object.fromEntries(Object.entries(told()).map(([name, keys]) => [name, keys.sort()])),
    );
    expect(doubled(messages)).toEqual([]);
  });

  it('would count one that is told twice', async () => {
    const { channel, text, metadata } = messageOf('alert/2026-10/75');
    const answer = await fetch(`${hours.house.slackUrl}/api/chat.postMessage`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${CREDENTIALS.botToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ channel, text, metadata }),
    });
    expect(await answer.json()).toMatchObject({ ok: true });

    const all = await everything();
    expect(doubled(all)).toEqual(['C0BILLING alert/2026-10/75']);
    expect(byChannel(all)).not.toEqual(byChannel(messages));
  });

  it('tell nobody of money while there is no channel for it', () => {
    expect(messages.map(dayOfPost).toSorted()[0]).toBe(DIGEST_DAYS[0]);
  });

  it.each(DIGEST_DAYS)('tell the digest of %s as the books have it', (day) => {
    const message = messageOf(`digest/${day}`);
    expect(dayOfPost(message)).toBe(day);
    const said = saidOf(message);
    // The last one is still provisional.
    expect(said).toHaveLength(day === DIGEST_DAYS.at(-1) ? 1 : 2);
    const all = books.ofDay(day);
    expect(all).toHaveLength(said.length);

    const provisional = ` · _provisional until ${dayWords(Date.parse(day) + 2 * DAY_MS)}_`;
    const corrected = ` · corrected from ${usd(all[0]?.total ?? new BigNumber(0))}`;
    for (const [at, { headline, toDate, moves }] of all.entries()) {
      const lines = said[at]?.split('\n') ?? [];
      expect(lines[0]).toBe(headline + (at === 0 ? provisional : corrected));
      expect(lines[1]).toContain(toDate);
      expect(movesIn(lines)).toEqual(moves);
    }
  });

  it.each(DIGEST_DAYS)('ask what was saved on %s at ten in London', (day) => {
    const message = messageOf(`report/1/${day}`);
    // Never before; as time runs here, Slack may take it some hours later.
    const hour = day < '2026-10-25' ? 9 : 10;
    expect(dayOfPost(message)).toBe(day);
    expect(new Date(Number(message.ts) * 1_000).getUTCHours()).toBeGreaterThanOrEqual(hour);
    expect(message.text).toContain(`*${usd(books.ofDay(day)[0]?.total ?? new BigNumber(0))}*`);
  });

  it.each(['2026-10', '2026-11'])('tell once that %s is over its budget', (month) => {
    // The first line is without cents.
    const { sum, before } = books.namedIn(JSON.stringify(messageOf(`report/2/${month}`).blocks));
    expect([sum?.gt(3_000), before?.gt(3_000)]).toEqual([true, false]);
  });

  it('say in the thread by how much a digest was corrected', () => {
    const { text } = messageOf('digest/2026-10-21/corrected');
    const [was, is] = books.ofDay('2026-10-21').map(({ total }) => usd(total));
    expect(text).toContain(`cost *${is}*, and not ${was} (`);
  });

  it.each(REACHED)('tell alert/%s of $%i when the books come to it', (key, amount, share) => {
    const message = messageOf(`alert/${key}`);
    const { day, sum, before } = books.namedIn(message.text);

    // The hour that it speaks of is the first one.
    expect(sum?.gte(amount * share)).toBe(true);
    expect(before?.lt(amount * share)).toBe(true);
    expect(dayOfPost(message)).toBe(day);
  });

  it.each(CHANGED)('say with alert/%s what the month had come to at %s', (key, name) => {
    expect(messageOf(`alert/${key}`).text).toContain(`This month so far: *${books.ofMonth(name)}*`);
  });

  it('have on the cards of invoices what was charged', () => {
    const [early, rest] = [13, 14].map((number) => saidOf(messageOf(`invoice/${number}/card`))[0]);
    const [, ofEarly = ''] = / *\$([\d,.]+) charged/.exec(early ?? '') ?? [];
    const [, ofRest = ''] = / *\$([\d,.]+) before credits/.exec(rest ?? '') ?? [];
    expect(`$${ofEarly}`).toBe(books.ofSpan('early'));
    // The second one has what is left of the month, revised by then.
    const both = [ofEarly, ofRest].map((sum) => new BigNumber(sum.replaceAll(',', '')));
    expect(usd(BigNumber.sum(...both))).toBe(books.ofSpan('October'));
  });

  it('close each invoice out with the books beside it', () => {
    const [provisional, final] = saidOf(messageOf('invoice/13/reconciliation'));
    expect(provisional).toContain('(provisional');
    expect(provisional).toContain(
      `Charges of the same months: ${books.ofSpan('early, provisional')};`,
    );
    expect(final).toContain('(final');
    expect(final).toContain(`Charges of the same months: ${books.ofSpan('early, final')};`);
    const { text } = messageOf('invoice/14/reconciliation/final');
    expect(text).toContain('(final');
    expect(text).toContain(`Charges of the same months: ${books.ofSpan('rest')};`);
    expect(messageOf('invoice/14/revised').text).toContain('(+$123.45)');
    expect(messageOf('invoice/13/deliveries').text).toContain('*E-mailed* to 1 recipient');
    expect(messageOf('invoice/14/deliveries').text).toContain('*E-mail failed* for 1 of 1');
  });

  it('keep the threads together, and let a channel see what is wrong with an invoice', () => {
    const keys = new Map(messages.map((message) => [message.ts, keysOf(message)[0]]));
    const threads = messages.map((message) => [
      keysOf(message)[0] ?? '',
      keys.get(message.thread_ts ?? ''),
    ]);
    const expected = threads.map(([key = '']) => {
      const [, invoice] = /^(invoice\/\d+)\/(?!card)/.exec(key) ?? [];
      const [, digest] = /^(.*)\/corrected$/.exec(key) ?? [];
      return [key, invoice === undefined ? digest : `${invoice}/card`];
    });
    expect(threads).toEqual(expected);
    expect(messages.filter(({ broadcast }) => broadcast).flatMap(keysOf)).toEqual([
      'invoice/11/payment-failed',
      'invoice/12/payment-failed',
      'invoice/13/payment-failed',
      'invoice/14/revised',
      'invoice/14/reconciliation/final',
    ]);
  });

  it('edit what has moved, once for each move', () => {
    const edits = messages.map((message) => [keysOf(message)[0], saidOf(message).length - 1]);
    const corrected = DIGEST_DAYS.slice(0, -1).map((day) => [`digest/${day}`, 1]);
    expect(Object.fromEntries(edits.filter(([, count]) => count !== 0))).toEqual({
      ...Object.fromEntries(corrected),
      'invoice/13/card': 2,
      'invoice/13/reconciliation': 1,
      'invoice/14/card': 3,
      // Final, and once more after the revision.
      'invoice/14/reconciliation': 2,
    });
  });

  it('name recipients and tokens to the admins alone', () => {
    const names = [RECIPIENT, TOKEN.name, 'sandbox-viewer'];
    const said = messages.map((message) => [
      message.channel,
      names.filter((name) => JSON.stringify(message).includes(name)),
    ]);
    expect(said).toEqual(
      messages.map(({ channel }) => [channel, channel.startsWith('D') ? [RECIPIENT] : []]),
    );
  });
});
