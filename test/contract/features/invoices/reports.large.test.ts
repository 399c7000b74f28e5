import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import { createInvoiceJobs } from '../../../../src/features/invoices/watch.ts';
import { formatChange } from '../../../../src/reporting/amounts.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { useRedis } from '../../../support/redis.ts';
import { ALWAYS, MAIN } from '../../platform/billing/support.ts';
import {
  BILLING,
  buttonsOf,
  everythingCosts,
  startReporting,
  type Reporting,
} from '../reporting.ts';
import { dollars, dueOf, linesOf, type Written } from './harness.ts';

const server = useRedis();

/** Noon of 15 October 2026, after a first run that saw twelve invoices of the stand-in, none of them failed. */
async function start(): Promise<Reporting> {
  const bot = await startReporting(server.url, createInvoiceJobs);
  await moveTo(bot, 11, 'paid');
  await bot.look();
  return bot;
}

/** An invoice as the platform writes it, with nothing of the bot between. */
async function written(bot: Reporting, number: number): Promise<Written> {
  const query = new URLSearchParams(ALWAYS).toString();
  const response = await bot.raw('GET', `account/${MAIN}/charges/invoices?${query}`);
  const { invoices } = (await response.json()) as { invoices: Written[] };
  return invoices.find((one) => one.number === number)!;
}

const keyOf = (number: number | string, what: string) => `@billing/invoice/${number}/${what}`;
const linesIn = async (bot: Reporting, key: string) => (await bot.post(key)).text.split('\n');
const moveTo = (bot: Reporting, number: number, status: string) =>
  bot.control('invoices/status', { number, status });
const percent = (now: number, was: number) => formatChange(new BigNumber(now), new BigNumber(was));

/** The charges of each org for each item, in cents: lines are "acme: cpu (core-hours), …". */
function chargesOf(invoice: Written): Map<string, number> {
  const charges = new Map<string, number>();
  for (const { org, description, charge } of linesOf(invoice)) {
    const [, item = description] = /^\S+: (\S+)/.exec(description) ?? [];
    const name = `${org || '(surcharge)'} · ${item}`;
    charges.set(name, (charges.get(name) ?? 0) + charge);
  }
  return charges;
}

/** The five largest changes between two invoices, whichever way, as the card writes them. */
function moversOf(now: Written, was: Written): string[] {
  const [after, before] = [chargesOf(now), chargesOf(was)];
  return [...after.keys()]
    .map((name) => ({ name, value: after.get(name) ?? 0, was: before.get(name) ?? 0 }))
    .toSorted((a, b) => Math.abs(b.value - b.was) - Math.abs(a.value - a.was))
    .slice(0, 5)
    .map(({ name, value, was: old }) => {
      const by = `${value > old ? '+' : ''}${dollars(value - old)}`;
      return `${name}: ${by} (${percent(value, old)})`;
    });
}

test('posts one card for a new invoice, and nothing for those of before the first run', async () => {
  const bot = await start();
  await bot.at('2026-11-02T23:50');
  await bot.look();
  expect(await bot.reported()).toEqual([]);

  await bot.at('2026-11-03T00:00');
  // Two workers look at the same time.
  const [job] = bot.jobs;
  await Promise.all([job!.run({}), job!.run({})]);
  await bot.look();

  expect(await bot.reported()).toEqual([keyOf(13, 'card'), keyOf(13, 'reconciliation')]);
  const [invoice, before] = [await written(bot, 13), await written(bot, 12)];
  const due = dollars(dueOf(invoice));
  // One with a credit, so that the amount due differs from the charges.
  expect(dueOf(invoice)).toBeLessThan(invoice.totalCharge);
  expect(await linesIn(bot, keyOf(13, 'card'))).toEqual([
    'Invoice 13 · October 2026',
    `Amount due ${due}: not paid yet`,
    `${dollars(invoice.totalCharge)} before credits, ${percent(invoice.totalCharge, before.totalCharge)} vs Invoice 12 (September 2026)`,
    ...moversOf(invoice, before),
    expect.stringMatching(/^and \d+ smaller changes$/),
    expect.stringMatching(/^Sent for each new invoice, and kept up to date/),
  ]);
  expect(buttonsOf(await bot.post(keyOf(13, 'card')))).toMatchObject({
    [`Pay ${due}`]: '/invoices pay 13',
    PDF: '/invoices pdf 13',
    Details: '/invoices show 13',
  });
});

test('edits the card while the status moves, replies in its thread, and shows failed payments in the channel', async () => {
  const bot = await start();
  await bot.control('invoices/issue', {});
  await bot.look();
  const card = await bot.post(keyOf(13, 'card'));
  const due = dollars(dueOf(await written(bot, 13)));

  const course: [status: string, key: string, broadcast: boolean][] = [
    ['payment-failed', 'payment-failed', true],
    ['pending-payment', 'pending-payment', false],
    ['payment-failed', 'payment-failed/2', true],
    ['partially-failed', 'partially-failed', true],
    ['partially-paid', 'partially-paid', false],
    ['paid', 'paid', false],
  ];
  for (const [status, what, broadcast] of course) {
    await moveTo(bot, 13, status);
    await bot.look();
    await bot.look();
    expect(await bot.post(keyOf(13, what))).toMatchObject({ thread_ts: card.ts, broadcast });
  }
  const reported = (await bot.reported()).filter((key) => !/reconciliation/.test(key));
  expect(reported).toEqual([keyOf(13, 'card'), ...course.map(([, what]) => keyOf(13, what))]);

  const reply = await bot.post(keyOf(13, 'payment-failed'));
  expect(reply.text.split('\n')[0]).toBe(`🟠 Payment failed: amount due ${due} · Invoice 13`);
  expect(Object.keys(buttonsOf(reply))).toEqual([`Pay ${due}`, 'PDF']);
  expect(buttonsOf(await bot.post(keyOf(13, 'paid')))).toEqual({});
  const paid = await bot.post(keyOf(13, 'card'));
  expect(paid.edit_count).toBe(course.length);
  expect(paid.edits.at(-1)!.text).toContain(due);
  expect(paid.text).toContain(`✅ Paid: ${due}`);
  expect(Object.keys(buttonsOf(paid)).slice(0, 2)).toEqual(['PDF', 'Details']);
});

test('opens a card for an invoice of before the first run once it fails', async () => {
  const bot = await start();
  await moveTo(bot, 12, 'paid');
  await bot.look();
  expect(await bot.reported()).toEqual([]);

  await moveTo(bot, 12, 'payment-failed');
  await moveTo(bot, 10, 'partially-failed');
  await bot.look();
  expect(await bot.reported()).toEqual([
    keyOf(10, 'card'),
    keyOf(10, 'partially-failed'),
    keyOf(10, 'reconciliation'),
    keyOf(12, 'card'),
    keyOf(12, 'payment-failed'),
    keyOf(12, 'reconciliation'),
  ]);
  const failed = await bot.post(keyOf(12, 'card'));
  // A fall comes before a smaller rise.
  const movers = moversOf(await written(bot, 12), await written(bot, 11));
  expect(
    failed.text
      .split('\n')
      .filter((line) => /^(?:acme|globex|initech|\(surcharge\)) · /.test(line)),
  ).toEqual(movers);
  expect(failed.text).toContain('Payment failed');
  expect(Object.keys(buttonsOf(failed))[0]).toMatch(/^Pay \$/);
});

test('posts the card of an invoice whose payment had failed before the first run', async () => {
  const bot = await startReporting(server.url, createInvoiceJobs);
  await bot.look();
  await bot.look();
  expect(await bot.reported()).toEqual(
    ['card', 'payment-failed', 'reconciliation'].map((what) => keyOf(11, what)),
  );
  expect(await bot.post(keyOf(11, 'payment-failed'))).toMatchObject({ broadcast: true });
});

test('keeps one card until the invoice is no longer listed, also when its number comes later', async () => {
  const bot = await start();
  const { id } = await bot.control<{ id: string }>('invoices/issue', {});
  await bot.control('invoices/patch', { id, at: ['number'] });
  await moveTo(bot, 12, 'payment-failed');
  await bot.look();
  await bot.control('invoices/patch', { id, at: ['number'], value: 13 });
  await bot.look();
  expect((await bot.post(keyOf(id, 'card'))).text).toContain('Invoice 13');

  // Seven weeks pass for the records in Redis, too.
  const records = [12, id].map((name) => bot.keys.message(BILLING, keyOf(name, 'card')));
  for (const key of records) {
    const age = (await bot.redis.pttl(key)) - 50 * DAY_MS;
    await (age > 0 ? bot.redis.pexpire(key, age) : bot.redis.del(key));
  }
  await bot.at('2026-12-04T12:00');
  await moveTo(bot, 12, 'paid');
  await bot.look();
  const cards = (await bot.reported()).filter((key) => /(?:12|13|-.*)\/card$/.test(key));
  expect(cards).toEqual([keyOf(12, 'card'), keyOf(id, 'card')]);
  expect((await bot.post(keyOf(12, 'card'))).text).toContain('Paid');
  // The new one ended in October; the card is committed again before it would expire.
  for (const key of records) expect(await bot.redis.pttl(key)).toBeGreaterThan(399 * DAY_MS);
});

test('shows an amount due that rose in the channel, with both totals, and edits the card', async () => {
  const bot = await start();
  const { id, number } = await bot.control<{ id: string; number: number }>('invoices/issue', {});
  await bot.look();
  const was = (await written(bot, number)).totalCharge;
  await bot.control('invoices/patch', { id, at: ['totalCharge'], value: was + 1_234 });
  await bot.look();
  await bot.look();

  const reply = await bot.post(keyOf(number, 'revised'));
  expect(reply).toMatchObject({ broadcast: true });
  expect(reply.text).toContain(`Amount due rose by $12.34 to ${dollars(was + 1_234)} · Invoice 13`);
  for (const said of [dollars(was), dollars(was + 1_234), '+$12.34']) {
    expect(reply.text).toContain(said);
  }
  expect((await bot.post(keyOf(number, 'card'))).text).toContain(
    `Amount due ${dollars(was + 1_234)}`,
  );
  expect((await bot.reported()).filter((key) => key.includes('revised'))).toHaveLength(1);
});

test('compares a revised total again; credits that lower the amount due edit the card, and their loss is posted', async () => {
  const bot = await start();
  const { id, number } = await bot.control<{ id: string; number: number }>('invoices/issue', {});
  await bot.look();
  expect((await bot.post(keyOf(number, 'reconciliation'))).text).toContain('adds up');
  const was = (await written(bot, number)).totalCharge;
  await bot.control('invoices/patch', { id, at: ['totalCharge'], value: was + 1_234 });
  await bot.look();
  expect((await bot.post(keyOf(number, 'reconciliation'))).text).toContain('difference of +$12.34');

  const credit = { description: 'Goodwill', charge: -500 };
  await bot.control('invoices/patch', { id, at: ['credits'], value: [credit] });
  await bot.look();
  await bot.look();
  const card = await bot.post(keyOf(number, 'card'));
  expect(card.text).toContain(`Amount due ${dollars(was + 734)}`);
  expect(card.edit_count).toBe(2);

  await bot.control('invoices/patch', { id, at: ['totalCharge'], value: was });
  await bot.look();
  expect(await bot.post(keyOf(number, 'revised/2'))).toMatchObject({ broadcast: false });
  await bot.control('invoices/patch', { id, at: ['credits'], value: [] });
  await bot.look();
  const rise = await bot.post(keyOf(number, 'revised/3'));
  expect(rise).toMatchObject({ broadcast: true });
  expect(rise.text).toContain('Amount due rose by $5.00');
});

test('takes an absent status for no change, and an absent end for that of the periods', async () => {
  const bot = await start();
  const { id, number } = await bot.control<{ id: string; number: number }>('invoices/issue', {});
  await bot.look();
  const was = (await written(bot, number)).totalCharge;
  await bot.control('invoices/patch', { id, at: ['status'] });
  await bot.control('invoices/patch', { id, at: ['endTime'] });
  await bot.control('invoices/patch', { id, at: ['totalCharge'], value: was + 123_456 });
  await bot.look();
  await moveTo(bot, number, 'pending-payment');
  await bot.look();
  expect(await bot.reported()).toEqual(
    ['card', 'reconciliation', 'revised'].map((what) => keyOf(number, what)),
  );
  expect((await bot.post(keyOf(number, 'reconciliation'))).text).toContain('(provisional: ');
});

test('tracks the e-mails of an invoice that is issued long after its end', async () => {
  const bot = await start();
  const { id } = await bot.control<{ id: string }>('invoices/issue', {});
  await bot.control('invoices/patch', { id, at: ['endTime'], value: '2026-10-01T00:00:00Z' });
  await bot.look();
  await bot.at('2026-10-15T12:05');
  await bot.look();
  expect((await bot.post(keyOf(13, 'deliveries'))).text).toContain('E-mailed');
});

test('compares with the charges at once, and edits the reply once they are final, 54 hours after the end', async () => {
  const bot = await start();
  await bot.control('invoices/issue', {});
  await bot.look();
  const KEY = keyOf(13, 'reconciliation');
  const total = dollars((await written(bot, 13)).totalCharge);
  const first = await bot.post(KEY);
  expect(first.text).toContain('Reconciliation adds up · Invoice 13 (provisional: ');
  expect(first.text).toContain(
    `Charges of the same months: ${total}, exactly what is on the invoice`,
  );

  await bot.at('2026-10-17T17:59');
  await bot.look();
  expect(await bot.post(KEY)).toMatchObject({ edit_count: 0 });
  await bot.at('2026-10-17T18:00');
  await bot.look();
  await bot.at('2026-10-17T19:00');
  await bot.look();

  const final = await bot.post(KEY);
  expect(final).toMatchObject({ edit_count: 1, thread_ts: first.thread_ts, broadcast: false });
  expect(final.text).toContain('Reconciliation adds up · Invoice 13 (final)');
  // The earlier usage has been revised since.
  expect(final.text).toMatch(
    new RegExp(`invoice: \\${total}; difference −\\$0\\.\\d\\d: rounding or later revisions`),
  );
});

test('posts a final comparison that is off as a message of its own in the channel', async () => {
  const bot = await start();
  await bot.control('invoices/issue', {});
  await bot.look();
  const KEY = keyOf(13, 'reconciliation');
  await everythingCosts(bot, '3000');
  await bot.at('2026-10-17T18:00');
  await bot.look();
  await bot.look();

  const final = await bot.post(`${KEY}/final`);
  expect(final).toMatchObject({ broadcast: true, edit_count: 0 });
  expect(final.text).toMatch(
    /^🟠 Unexplained difference of \+\$358\.59 between invoice and charges · Invoice 13 \(final\)\n/,
  );
  expect(buttonsOf(final)).toEqual({ PDF: '/invoices pdf 13', CSV: '/invoices csv 13' });
  expect(await bot.post(KEY)).toMatchObject({ edit_count: 1, broadcast: false });
  expect((await bot.post(KEY)).text).toMatch(
    /difference of \+\$358\.59.*\nThe comparison follows below\n/,
  );
});

test('reports the rest while charges and e-mails cannot be read, and asks for them again', async () => {
  const bot = await start();
  await bot.control('invoices/issue', {});
  await bot.fault(...['charges/-query', '/deliveries'].map((path) => ({ path, status: 503 })));
  await bot.look();
  expect(await bot.reported()).toEqual([keyOf(13, 'card')]);
  await bot.control('faults', { faults: [] });
  await bot.at('2026-10-15T12:05');
  await bot.look();
  expect(await bot.reported()).toEqual(
    ['card', 'reconciliation', 'deliveries'].map((what) => keyOf(13, what)),
  );
});

test('counts recipients once all e-mails have ended, never names them, and edits the count while e-mails move', async () => {
  const bot = await start();
  await bot.control('invoices/issue', {});
  await bot.look();
  expect((await bot.reported()).some((key) => key.endsWith('/deliveries'))).toBe(false);
  await bot.at('2026-10-15T12:05');
  await bot.look();
  expect((await linesIn(bot, keyOf(13, 'deliveries')))[0]).toBe(
    '✅ E-mailed to 1 recipient: Invoice 13',
  );
  // Sent to a second address later: this one fails.
  const { invoiceId } = (await bot.client.listDeliveries()).value.items[0]!;
  const delivery = { invoiceId, attemptCount: 1, errorMessages: [] };
  const answer = (...statuses: string[]) =>
    bot.fault({
      path: '/deliveries',
      body: {
        items: statuses.map((status, at) => ({
          ...delivery,
          id: `d-${at}`,
          recipientEmail: `${at === 2 ? 0 : at}@acme.example`,
          status,
        })),
      },
    });
  await bot.at('2026-10-19T12:05');
  await answer('delivered', 'pending', 'permanently_failed');
  await bot.look();
  expect((await linesIn(bot, keyOf(13, 'deliveries')))[0]).toBe(
    'E-mailed to 1 of 2 recipients, 1 under way: Invoice 13',
  );
  await bot.at('2026-10-25T12:05');
  await answer('delivered', 'permanently_failed');
  await bot.look();
  expect(await bot.post(keyOf(13, 'deliveries'))).toMatchObject({
    edit_count: 2,
    broadcast: false,
    text: expect.stringContaining('E-mail failed for 1 of 2 recipients: Invoice 13'),
  });
  await bot.control('faults', { faults: [] });

  await bot.control('deliveries/refuse', { email: 'finance@acme.example', refused: true });
  await bot.at('2026-11-03T00:00');
  await bot.look();
  await bot.at('2026-11-03T01:00');
  await bot.look();
  // It is still being tried.
  expect((await bot.reported()).filter((key) => key.endsWith('/deliveries'))).toHaveLength(1);
  await bot.at('2026-11-03T03:00');
  await bot.look();
  const [head, next] = await linesIn(bot, keyOf(14, 'deliveries'));
  expect(head).toBe('🟠 E-mail failed for 1 of 1 recipient: Invoice 14');
  expect(next).toContain('Check the recipient, or disable it');
  expect(JSON.stringify(await bot.posts())).not.toContain('@acme.example');
});
