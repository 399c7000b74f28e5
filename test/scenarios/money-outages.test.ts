import { BigNumber } from 'bignumber.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRandom, seedOf } from '../chaos/random.ts';
import { money } from '../support/billing-books.ts';
import { hourName, someRestarts } from '../support/hour-by-hour.ts';
import {
  chargedOn,
  correctedOf,
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
import { byChannel, digestSaid, doubled, messageWith, saidOf } from '../support/reported.ts';

/**
 * A week or more over the turn of a month, with the token of a viewer, an account of 12,000 rows, and three outages of
 * the billing API: over the time of a digest, for half an hour, and over the turn of the month.
 */
const START = '2026-10-28T02:10:00Z';
const DIGEST_DAYS = daysOfPlay('2026-10-28', 7);
const INVOICED = invoicedIn(DIGEST_DAYS);
const VIEWER = 'svc-bsat-sandbox-viewer';
/** With eight rows each. */
const WORKLOADS = 1_500;
/** It is reached during the first outage. */
const AMOUNT = 5_810;
const BUDGET = 3_000;
const seed = seedOf(20_261_101);

/** Hours in which every call fails: the first and the last ones. */
const LONG = [
  ['10-29T05', '10-29T10'],
  ['10-31T22', '11-01T00'],
] as const;
const isDown = (name: string) => LONG.some(([first, last]) => first <= name && name <= last);
const BROKEN = { faults: [{ path: '^/billing/', status: 500 }] };
const WHOLE = { faults: [] };
const MINUTES_MS = 10 * 60_000;

let stage: Awaited<ReturnType<typeof openStage>>;
let played: Awaited<ReturnType<typeof playMoney>>;

const breaks = () => stage.platform('faults', BROKEN);
/** Once the channels have the messages of the outage: they would get those of its end alone. */
const works = async () => {
  await stage.hours.reported();
  await stage.platform('faults', WHOLE);
};

/** Everything is looked at three times in vain, ten minutes apart, and then once more. */
async function failBriefly(): Promise<void> {
  const { hours } = stage;
  const { looks } = hours;
  await breaks();
  for (let times = 0; times < 3; times += 1) {
    await hours.step(MINUTES_MS);
    await looks.ended([...LOOKS, await looks.wake('digest')]);
  }
  await works();
  await hours.step(MINUTES_MS);
  await looks.over([...LOOKS, await looks.wake('digest')]);
}

const STORY = {
  '10-29T05': breaks,
  '10-29T11': works,
  '10-30T15': failBriefly,
  '10-31T22': breaks,
  '11-01T01': works,
};

const steps = () => stepsOf(played.books, AMOUNT, '2026-10');

/** The messages of each channel. */
const expected = (): Readonly<Record<string, readonly string[]>> => ({
  C0OPS: [1, 2, 3].flatMap((number) => [`down/${number}`, `up/${number}`]),
  C0BILLING: [
    ...DIGEST_DAYS.map((day) => `digest/${day}`),
    // The second one was over after half an hour.
    ...[1, 3].flatMap((number) => [`down/${number}`, `up/${number}`]),
    ...steps().map(keysOfStep),
    ...played.books.monthsOver(BUDGET).map((month) => `report/2/${month}`),
    ...['card', 'payment-failed', 'reconciliation'].map((part) => `invoice/11/${part}`),
    ...INVOICED.flatMap(({ number }) =>
      ['card', 'reconciliation'].map((part) => `invoice/${number}/${part}`),
    ),
  ],
  C0FINANCE: [...DIGEST_DAYS.map((day) => `report/1/${day}`), 'down/1'],
});

beforeAll(async () => {
  const environment = { BILLING_TOKEN: VIEWER };
  stage = await openStage(START, 'outages', { environment, moversBy: ['org', 'gvc'] });
  await stage.platform('idle', { count: WORKLOADS });
  await stage.call('POST', '/alert', { alert: { amount: AMOUNT, enabled: true } });
  await stage.hours.restart();
  await stage.save(
    '/charges watch yesterday daily at 10:00 in C0FINANCE',
    `/charges watch this month over ${BUDGET}`,
  );
  const restarts = someRestarts(createRandom(seed), restartsIn(DIGEST_DAYS), {
    startMs: Date.parse('2026-10-29T11:10:00Z'),
    length: (DIGEST_DAYS.length - 3) * 24,
    not: (name) => isDown(name) || isDown(hourName(Date.parse(`2026-${name}:10:00Z`) - 3_600_000)),
  });
  const end = endOf(DIGEST_DAYS);
  const course = { story: STORY, kinds: () => LOOKS, restarts, down: isDown, end };
  const spans = INVOICED.flatMap(({ issued, final }) => [issued, final]);
  played = await playMoney(stage, course, DIGEST_DAYS, spans);
}, patienceOf(DIGEST_DAYS));
// Runs last, also where nothing was opened: other files of this process want the time as it is.
afterAll(() => void vi.unstubAllGlobals());
afterAll(() => stage.close());

const messageOf = (key: string, channel?: string) => messageWith(played.messages, key, channel);

describe(`a viewer, 12,000 rows and three outages (CHAOS_SEED=${seed})`, () => {
  it('post each message once, and nothing that a viewer may not read', () => {
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

  it('show the alert as the books have it to a viewer, who reads it with the account', () => {
    expect(steps().map(({ key }) => key)).toContain('alert/2026-10/fired');
    for (const { key, share } of steps()) {
      const { text } = messageOf(key);
      expect(text).toContain('$5,810');
      const { sum } = played.books.namedIn(text);
      expect(sum?.gte(AMOUNT * share)).toBe(true);
    }
    for (const day of DIGEST_DAYS) {
      expect(messageOf(`digest/${day}`).text).toContain('% of the $5,810 alert used');
    }
  });

  it.each(DIGEST_DAYS)('answer the saved question on %s', (day) => {
    const { text } = messageOf(`report/1/${day}`);
    expect(text).toContain(money(played.books.totalsOf(day)[0] ?? new BigNumber(0)));
  });

  it.each(INVOICED)('close out invoice $number with the books beside it', (invoice) => {
    const { number, final } = invoice;
    const card = messageOf(`invoice/${number}/card`);
    expect(card.text).toContain(chargedOn(played.books, invoice));
    const last = saidOf(messageOf(`invoice/${number}/reconciliation`)).at(-1);
    expect(last).toContain(`Reconciliation adds up · Invoice ${number} (final)`);
    expect(last).toContain(`Charges of the same months: ${played.books.ofSpan(final.name)};`);
  });

  it.each([
    ['1', '6 h', ['C0OPS', 'C0BILLING'], ['the digest', '2 saved questions']],
    ['2', '30 min', ['C0OPS'], ['saved question 2']],
    ['3', '3 h', ['C0OPS', 'C0BILLING'], ['saved question 2']],
  ])('say that outage %s was over after %s', (number, time, channels, others) => {
    for (const channel of channels) {
      const down = messageOf(`down/${number}`, channel);
      const said = saidOf(down);
      expect(said[0]).toMatch(
        /^⚪ The platform’s billing API answers with errors · since .*\nNot reported/,
      );
      expect(said.at(-1)).toMatch(
        new RegExp(`^✅ Over after ${time}\\. The platform’s billing API answered with errors$`),
      );
      const up = messageOf(`up/${number}`, channel);
      expect([up.thread_ts, up.broadcast]).toEqual([down.ts, true]);
      expect(up.text).toMatch(new RegExp(`Purser can read money again after ${time}: `));
      for (const what of ['invoices', 'the spend alert', ...others]) {
        expect(up.text).toContain(what);
      }
      // A viewer never gets these.
      expect([...said, up.text].filter((text) => /tokens|e-mails/.test(text))).toEqual([]);
    }
  });

  it('post the missed changes where money may be read, and nowhere else', () => {
    const [digest] = saidOf(messageOf('digest/2026-10-29'));
    const [fired] = saidOf(messageOf('alert/2026-10/fired'));
    const lines = messageOf('up/1', 'C0BILLING').text.split('\n');
    const first = [digest, fired].map((text) => `${text?.split('\n')[0]}`);
    expect(lines[1]).toBe('What changed meanwhile:');
    expect(lines.slice(2).toSorted()).toEqual(first.toSorted());
    expect(messageOf('up/1', 'C0OPS').text).toContain('2 messages followed in <#C0BILLING>');
    for (const number of [2, 3]) {
      expect(messageOf(`up/${number}`, 'C0OPS').text).toContain('Nothing that is reported changed');
    }
    const ops = played.messages.filter(({ channel }) => channel === 'C0OPS');
    expect(ops.flatMap(saidOf).filter((text) => /[$]\d/.test(text))).toEqual([]);
  });

  it('have the channel of a saved question wait for it', () => {
    const said = saidOf(messageOf('down/1', 'C0FINANCE'));
    expect(said[0]).toMatch(/^⚪ Not answered: saved question 1, since /);
    expect(said.at(-1)).toMatch(/^✅ Over after /);
  });
});
