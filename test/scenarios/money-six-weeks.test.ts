import { BigNumber } from 'bignumber.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { createRandom, seedOf } from '../chaos/random.ts';
import { deliveriesOf, invoiceOf, money } from '../support/billing-books.ts';
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
import {
  byChannel,
  digestSaid,
  doubled,
  everythingIn,
  keysOf,
  messageWith,
  saidOf,
} from '../support/reported.ts';
import type { SeenMessage } from '../support/world.ts';

/**
 * Six weeks in steps of an hour, over the end of October and the Sunday on which Europe sets its clocks back.
 * `STORY` has the events, `reported` all messages about them; the charges are read from the stand-in hour by hour.
 * To add a kind of notice, add its job to `LOOKS`, its cause to `STORY`, its keys to `reported`, and a test of its
 * figures.
 */
const START = '2026-10-05T00:20:00Z';
const END = '11-16T01';
/** From the second day on: a bot without such a channel posts no money notices. */
const CHANNEL_FROM = '10-06T01';
/** Jobs that run without a channel for money. */
const WITHOUT_CHANNEL = ['tokens', 'charges-schedules', 'charges-thresholds'];
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

/** An invoice is issued early, for the month up to then; the next one is for the rest of the month. */
const OCTOBER = Date.UTC(2026, 9);
const EARLY = Date.UTC(2026, 9, 28, 9);
const NOVEMBER = Date.UTC(2026, 10);

let stage: Awaited<ReturnType<typeof openStage>>;
let played: Awaited<ReturnType<typeof playMoney>>;
let kinds = WITHOUT_CHANNEL;
let shortToken = '';
let failedDelivery = '';

const putAlert = (amount: number, enabled = true) =>
  stage.call('PUT', '/alert', { alert: { amount, enabled } });
const setStatus = (...[number, status]: [number, string]) =>
  stage.platform('invoices/status', { number, status });

/** Events in the hour before a time: "10-15T10" is 10:20 of the 15th of October. */
const STORY: Readonly<Record<string, () => Promise<unknown>>> = {
  [CHANNEL_FROM]: async () => {
    kinds = LOOKS;
    await stage.hours.restart();
  },
  '10-06T02': () => stage.save(...SAVED),
  // The amount is raised by a person who does not use Purser, after it was reached; then it is only saved again.
  '10-15T10': () => putAlert(4_000),
  '10-20T12': async () => {
    await putAlert(4_000);
    // A person looks before the platform checks it and it fires again.
    const { looks } = stage.hours;
    await looks.over([await looks.wake('alert')]);
  },
  '11-14T10': () => putAlert(4_000, false),
  '11-15T10': () => stage.call('DELETE', '/alert'),
  // Another invoice that was there before turns bad, and two new ones go their ways.
  '10-12T15': () => setStatus(12, 'payment-failed'),
  '10-28T10': () => stage.platform('invoices/issue', {}),
  [AWAY.from]: () => setStatus(13, 'payment-failed'),
  '10-31T09': () => setStatus(13, 'paid'),
  '11-02T12': () => stage.platform('deliveries/refuse', { email: RECIPIENT, refused: true }),
  '11-05T10': async () => {
    const { id, totalCharge } = await invoiceOf(stage.asked, 14);
    await stage.platform('invoices/patch', {
      id,
      at: ['totalCharge'],
      value: totalCharge + 12_345,
    });
  },
  '11-06T10': () => setStatus(14, 'partially-paid'),
  '11-08T10': () => setStatus(14, 'paid'),
  // For an hour the platform knows only a part of the last days: that of the digest of the 21st.
  '10-21T09': () => stage.platform('young', { percent: 60 }),
  '10-21T10': () => stage.platform('young', { percent: null }),
};

/** The days of the digests: from the first one that was due with a channel. */
const DIGEST_DAYS = daysFrom('2026-10-06', 41);

/** All keys that each channel is notified of, including those that another message covers. */
const reported = (): Record<string, string[]> => ({
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
    ...[11, 12].flatMap((number) =>
      ['card', 'payment-failed', 'reconciliation'].map((what) => `invoice/${number}/${what}`),
    ),
    ...['card', 'payment-failed', 'paid', 'reconciliation', 'deliveries'].map(
      (what) => `invoice/13/${what}`,
    ),
    ...['card', 'revised', 'partially-paid', 'paid', 'deliveries'].map(
      (what) => `invoice/14/${what}`,
    ),
    ...['reconciliation', 'reconciliation/final'].map((what) => `invoice/14/${what}`),
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

const SPANS = [
  // The early invoice bills the charges known when it was issued, not those an hour later.
  { at: '10-28T09', name: 'early', startMs: OCTOBER, endMs: EARLY },
  { at: '10-28T10', name: 'early, provisional', startMs: OCTOBER, endMs: EARLY },
  { at: '10-30T09', name: 'early, final', startMs: OCTOBER, endMs: EARLY },
  { at: '11-03T00', name: 'rest', startMs: EARLY, endMs: NOVEMBER },
  { at: '11-03T00', name: 'October', startMs: OCTOBER, endMs: NOVEMBER },
];

beforeAll(async () => {
  stage = await openStage(START, 'six-weeks');
  const { hours } = stage;
  await stage.call('POST', '/alert', { alert: { amount: 2_800, enabled: true } });
  const { id } = await stage.call<{ id: string }>('POST', '/service-account-token', {
    ...TOKEN,
    expiresAt: '2026-10-30T12:00:00Z',
  });
  shortToken = id;
  await stage.platform('token', { id: UNUSED_TOKEN, lastUsedAt: '2026-08-16T12:00:00Z' });
  await hours.restart({ BILLING_CHANNEL: '' });
  const restarts = someRestarts(createRandom(seed), RESTARTS, {
    startMs: Date.parse(START) + 2 * DAY_MS,
    length: 39 * 24,
    not: (name) => name >= AWAY.from && name <= AWAY.until,
  });
  const course = { story: STORY, kinds: () => kinds, restarts, away: AWAY, end: END };
  played = await playMoney(stage, course, DIGEST_DAYS, SPANS);
  const { id: lastInvoice } = await invoiceOf(stage.asked, 14);
  failedDelivery = (await deliveriesOf(stage.asked, lastInvoice))[0] ?? '';
}, 900_000);
// Runs last, also where nothing was opened: other files of this process want the time as it is.
afterAll(() => void vi.unstubAllGlobals());
afterAll(() => stage.close());

const messageOf = (key: string): SeenMessage => messageWith(played.messages, key);

/** The day on which a message was posted, as "2026-10-15". */
const dayOfPost = ({ ts }: SeenMessage): string => dayOf(Number(ts) * 1_000);

/** The share that each step reports, and the amount of the alert at that time. */
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

describe(`six weeks of unasked messages (CHAOS_SEED=${seed})`, () => {
  it('show each message once, in its channel, and nothing anywhere else', () => {
    expect(byChannel(played.messages)).toEqual(
      Object.fromEntries(Object.entries(reported()).map(([name, keys]) => [name, keys.sort()])),
    );
    expect(doubled(played.messages)).toEqual([]);
  });

  it('would count a message that is posted twice', async () => {
    const { channel, text, metadata } = messageOf('alert/2026-10/75');
    const answer = await fetch(`${stage.hours.house.slackUrl}/api/chat.postMessage`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${CREDENTIALS.botToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ channel, text, metadata }),
    });
    expect(await answer.json()).toMatchObject({ ok: true });

    const all = await everythingIn(stage.hours.house.slackUrl);
    expect(doubled(all)).toEqual(['C0BILLING alert/2026-10/75']);
    expect(byChannel(all)).not.toEqual(byChannel(played.messages));
  });

  it('are not posted while there is no channel for money', () => {
    expect(played.messages.map(dayOfPost).toSorted()[0]).toBe(DIGEST_DAYS[0]);
  });

  it.each(DIGEST_DAYS)('show the digest of %s as the books have it', (day) => {
    const message = messageOf(`digest/${day}`);
    expect(dayOfPost(message)).toBe(day);
    const said = digestSaid(message);
    // The last two are still provisional.
    expect(said).toHaveLength(correctedOf(DIGEST_DAYS).includes(day) ? 2 : 1);
    expect(said).toEqual(played.books.ofDay(day));
  });

  it.each(DIGEST_DAYS)('answer the saved question on %s at ten in London', (day) => {
    const message = messageOf(`report/1/${day}`);
    // Never before; as time runs here, Slack may take it some hours later.
    const hour = day < '2026-10-25' ? 9 : 10;
    expect(dayOfPost(message)).toBe(day);
    expect(new Date(Number(message.ts) * 1_000).getUTCHours()).toBeGreaterThanOrEqual(hour);
    expect(message.text).toContain(money(played.books.totalsOf(day)[0] ?? new BigNumber(0)));
  });

  it.each(['2026-10', '2026-11'])('show once that %s is over its budget', (month) => {
    // The first line is without cents.
    const { sum, before } = played.books.namedIn(
      JSON.stringify(messageOf(`report/2/${month}`).blocks),
    );
    expect([sum?.gt(3_000), before?.gt(3_000)]).toEqual([true, false]);
  });

  it('say in the thread by how much a digest was corrected', () => {
    const { text } = messageOf('digest/2026-10-21/corrected');
    const [was, is] = played.books.totalsOf('2026-10-21').map((total) => money(total));
    expect(text).toContain(`cost ${is}, and not ${was} (`);
  });

  it.each(REACHED)('show alert/%s of $%i when the books come to it', (key, amount, share) => {
    const message = messageOf(`alert/${key}`);
    const { day, sum, before } = played.books.namedIn(message.text);

    // The hour that it speaks of is the first one.
    expect(sum?.gte(amount * share)).toBe(true);
    expect(before?.lt(amount * share)).toBe(true);
    expect(dayOfPost(message)).toBe(day);
  });

  it.each(CHANGED)('give in alert/%s the charges of the month at %s', (key, name) => {
    expect(messageOf(`alert/${key}`).text).toContain(
      `This month so far: ${played.books.ofMonth(name)}`,
    );
  });

  it('have the charges on the cards of invoices', () => {
    const [early, rest] = [13, 14].map((number) => saidOf(messageOf(`invoice/${number}/card`))[0]);
    const [, ofEarly = ''] = / *\$([\d,.]+) charged/.exec(early ?? '') ?? [];
    const [, ofRest = ''] = / *\$([\d,.]+) before credits/.exec(rest ?? '') ?? [];
    expect(`$${ofEarly}`).toBe(played.books.ofSpan('early'));
    // The second one has the rest of the month, revised by then.
    const both = [ofEarly, ofRest].map((sum) => new BigNumber(sum.replaceAll(',', '')));
    expect(money(BigNumber.sum(...both))).toBe(played.books.ofSpan('October'));
  });

  it('close each invoice out with the books beside it', () => {
    const [provisional, final] = saidOf(messageOf('invoice/13/reconciliation'));
    expect(provisional).toContain('(provisional');
    expect(provisional).toContain(
      `Charges of the same months: ${played.books.ofSpan('early, provisional')};`,
    );
    expect(final).toContain('(final');
    expect(final).toContain(`Charges of the same months: ${played.books.ofSpan('early, final')};`);
    const rest = `Charges of the same months: ${played.books.ofSpan('rest')};`;
    const [first, replaced] = saidOf(messageOf('invoice/14/reconciliation')).slice(-2);
    expect(first).toContain('Reconciliation adds up · Invoice 14 (final)');
    expect(first).toContain(rest);
    expect(replaced).toContain('The comparison follows below');
    const { text } = messageOf('invoice/14/reconciliation/final');
    expect(text).toContain('Unexplained difference of');
    expect(text).toContain(rest);
    expect(messageOf('invoice/14/revised').text).toContain('(+$123.45)');
    expect(messageOf('invoice/13/deliveries').text).toContain('E-mailed to 1 recipient');
    expect(messageOf('invoice/14/deliveries').text).toContain('E-mail failed for 1 of 1');
  });

  it('keep the threads together, and show in the channel why an invoice needs attention', () => {
    const keys = new Map(played.messages.map((message) => [message.ts, keysOf(message)[0]]));
    const threads = played.messages.map((message) => [
      keysOf(message)[0] ?? '',
      keys.get(message.thread_ts ?? ''),
    ]);
    const expected = threads.map(([key = '']) => {
      const [, invoice] = /^(invoice\/\d+)\/(?!card)/.exec(key) ?? [];
      const [, digest] = /^(.*)\/corrected$/.exec(key) ?? [];
      return [key, invoice === undefined ? digest : `${invoice}/card`];
    });
    expect(threads).toEqual(expected);
    expect(played.messages.filter(({ broadcast }) => broadcast).flatMap(keysOf)).toEqual([
      'invoice/11/payment-failed',
      'invoice/12/payment-failed',
      'invoice/13/payment-failed',
      'invoice/14/revised',
      'invoice/14/reconciliation/final',
    ]);
  });

  it('are edited when figures move, once for each move', () => {
    const edits = played.messages.map((message) => [
      keysOf(message)[0],
      saidOf(message).length - 1,
    ]);
    const corrected = correctedOf(DIGEST_DAYS).map((day) => [`digest/${day}`, 1]);
    expect(Object.fromEntries(edits.filter(([, count]) => count !== 0))).toEqual({
      ...Object.fromEntries(corrected),
      'invoice/13/card': 2,
      'invoice/13/reconciliation': 1,
      'invoice/14/card': 3,
      // After the revision, and before it where Slack took the provisional one in the six hours until the final one.
      'invoice/14/reconciliation': expect.toBeOneOf([1, 2]),
    });
  });

  it('name recipients and tokens to the admins alone', () => {
    const names = [RECIPIENT, TOKEN.name, 'sandbox-viewer'];
    const said = played.messages.map((message) => [
      message.channel,
      names.filter((name) => JSON.stringify(message).includes(name)),
    ]);
    expect(said).toEqual(
      played.messages.map(({ channel }) => [channel, channel.startsWith('D') ? [RECIPIENT] : []]),
    );
  });
});
