import { expect, test } from 'vitest';
import { createInvoiceJobs } from '../../../../src/features/invoices/watch.ts';
import { useRedis } from '../../../support/redis.ts';
import { ALWAYS, MAIN } from '../../platform/billing/support.ts';
import { buttonsOf, startTelling, type Telling } from '../telling.ts';
import { percentWords } from '../../../support/percent.ts';
import { dollars, dueOf, linesOf, type Written } from './harness.ts';

const server = useRedis();

/** The bot at noon of 15 October 2026, whose first look has seen twelve invoices of the stand-in. */
async function start(): Promise<Telling> {
  const bot = await startTelling(server.url, createInvoiceJobs);
  await bot.look();
  return bot;
}

/** An invoice as the platform writes it, with nothing of the bot between. */
async function written(bot: Telling, number: number): Promise<Written> {
  const query = new URLSearchParams(ALWAYS).toString();
  const response = await bot.raw('GET', `account/${MAIN}/charges/invoices?${query}`);
  const { invoices } = (await response.json()) as { invoices: Written[] };
  return invoices.find((one) => one.number === number)!;
}

const keyOf = (number: number, what: string) => `@billing/invoice/${number}/${what}`;
const linesIn = async (bot: Telling, key: string) => (await bot.post(key)).text.split('\n');
const moveTo = (bot: Telling, number: number, status: string) =>
  bot.control('invoices/status', { number, status });
const percent = (now: number, was: number) => {
  const change = (100 * (now - was)) / was;
  return percentWords(change);
};

/** What each org is charged for each item, in cents: lines are "acme: cpu (core-hours), …". */
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
      return `• ${name}: ${by} (${percent(value, old)})`;
    });
}

test('what is there at the first look is nobody’s news; a new invoice opens one card, whoever looks', async () => {
  const bot = await start();
  await bot.at('2026-11-02T23:50');
  await bot.look();
  expect(await bot.told()).toEqual([]);

  await bot.at('2026-11-03T00:00');
  // Two workers look at the same time.
  const [job] = bot.jobs;
  await Promise.all([job!.run({}), job!.run({})]);
  await bot.look();

  expect(await bot.told()).toEqual([keyOf(13, 'card'), keyOf(13, 'reconciliation')]);
  const [invoice, before] = [await written(bot, 13), await written(bot, 12)];
  // One with a credit, so that what is due is not what was charged.
  expect(dueOf(invoice)).toBeLessThan(invoice.totalCharge);
  expect(await linesIn(bot, keyOf(13, 'card'))).toEqual([
    '*Invoice 13* · October 2026',
    `:hourglass_flowing_sand: *Amount due ${dollars(dueOf(invoice))}*: payment pending`,
    `${dollars(invoice.totalCharge)} before credits, ${percent(invoice.totalCharge, before.totalCharge)} vs Invoice 12 (September 2026)`,
    ...moversOf(invoice, before),
    expect.stringMatching(/^• and \d+ smaller changes$/),
  ]);
  expect(buttonsOf(await bot.post(keyOf(13, 'card')))).toEqual({
    PDF: '/invoices pdf 13',
    Pay: '/invoices pay 13',
    'All lines': '/invoices show 13',
    Stop: 'invoices',
  });
});

test('the card is edited while the status moves, its thread says how, and what failed is shown in the channel', async () => {
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
    ['partially-paid', 'partially-paid', true],
    ['paid', 'paid', false],
  ];
  for (const [status, what, broadcast] of course) {
    await moveTo(bot, 13, status);
    await bot.look();
    await bot.look();
    expect(await bot.post(keyOf(13, what))).toMatchObject({ thread_ts: card.ts, broadcast });
  }
  const told = (await bot.told()).filter((key) => !/reconciliation/.test(key));
  expect(told).toEqual([keyOf(13, 'card'), ...course.map(([, what]) => keyOf(13, what))]);

  expect((await linesIn(bot, keyOf(13, 'payment-failed')))[0]).toContain(`*Payment failed*`);
  const paid = await bot.post(keyOf(13, 'card'));
  expect(paid.edit_count).toBe(course.length);
  expect(paid.edits.at(-1)!.text).toContain(due);
  expect(paid.text).toContain(`:white_check_mark: *Paid*: ${due}`);
  expect(Object.keys(buttonsOf(paid))).toEqual(['PDF', 'All lines', 'Stop']);
});

test('of what was there before, only what fails opens a card', async () => {
  const bot = await start();
  await moveTo(bot, 11, 'paid');
  await bot.look();
  expect(await bot.told()).toEqual([]);

  await moveTo(bot, 12, 'payment-failed');
  await moveTo(bot, 10, 'partially-failed');
  await bot.look();
  expect(await bot.told()).toEqual([
    keyOf(10, 'card'),
    keyOf(10, 'partially-failed'),
    keyOf(10, 'reconciliation'),
    keyOf(12, 'card'),
    keyOf(12, 'payment-failed'),
    keyOf(12, 'reconciliation'),
  ]);
  const failed = await bot.post(keyOf(12, 'card'));
  // What fell stands before what rose by less.
  const movers = moversOf(await written(bot, 12), await written(bot, 11));
  expect(failed.text.split('\n').filter((line) => /^• (?!and )/.test(line))).toEqual(movers);
  expect(failed.text).toContain('Payment failed');
  expect(Object.keys(buttonsOf(failed))).toContain('Pay');
});

test('a total that was revised is told with both amounts, and the card has the new one', async () => {
  const bot = await start();
  const { id, number } = await bot.control<{ id: string; number: number }>('invoices/issue', {});
  await bot.look();
  const was = (await written(bot, number)).totalCharge;
  await bot.control('invoices/patch', { id, at: ['totalCharge'], value: was + 1_234 });
  await bot.look();
  await bot.look();

  const reply = await bot.post(keyOf(number, 'revised'));
  expect(reply.text).toMatch(/^\S+ \*Invoice revised\*: Invoice 13/);
  for (const said of [dollars(was), dollars(was + 1_234), '+$12.34']) {
    expect(reply.text).toContain(said);
  }
  expect((await bot.post(keyOf(number, 'card'))).text).toContain(
    `*Amount due ${dollars(was + 1_234)}*`,
  );
  expect((await bot.told()).filter((key) => key.includes('revised'))).toHaveLength(1);
});

test('what was said of a total is said anew of the revised one, and a late credit lowers what is due', async () => {
  const bot = await start();
  const { id, number } = await bot.control<{ id: string; number: number }>('invoices/issue', {});
  await bot.look();
  expect((await bot.post(keyOf(number, 'reconciliation'))).text).toContain('adds up');
  const was = (await written(bot, number)).totalCharge;
  await bot.control('invoices/patch', { id, at: ['totalCharge'], value: was + 1_234 });
  await bot.look();
  expect((await bot.post(keyOf(number, 'reconciliation'))).text).toContain('off by +$12.34');

  const credit = { description: 'Goodwill', charge: -500 };
  await bot.control('invoices/patch', { id, at: ['credits'], value: [credit] });
  await bot.look();
  await bot.look();
  const card = await bot.post(keyOf(number, 'card'));
  expect(card.text).toContain(`*Amount due ${dollars(was + 734)}*`);
  expect(card.edit_count).toBe(2);
});

test('one that has failed when it is first seen is shown in the channel all the same', async () => {
  const bot = await start();
  await bot.control('invoices/issue', {});
  await moveTo(bot, 13, 'payment-failed');
  await bot.look();
  await bot.look();

  const told = (await bot.told()).filter((key) => !key.endsWith('/reconciliation'));
  expect(told).toEqual([keyOf(13, 'card'), keyOf(13, 'payment-failed')]);
  expect(await bot.post(keyOf(13, 'payment-failed'))).toMatchObject({ broadcast: true });
});

test('of one that is issued long after its end the e-mails are told of, too', async () => {
  const bot = await start();
  const { id } = await bot.control<{ id: string }>('invoices/issue', {});
  await bot.control('invoices/patch', { id, at: ['endTime'], value: '2026-10-01T00:00:00Z' });
  await bot.look();
  await bot.at('2026-10-15T12:05');
  await bot.look();
  expect((await bot.post(keyOf(13, 'deliveries'))).text).toContain('*E-mailed*');
});

test('it is set beside the charges at once, and again by edit once they are final', async () => {
  const bot = await start();
  await bot.control('invoices/issue', {});
  await bot.look();
  const KEY = keyOf(13, 'reconciliation');
  const total = dollars((await written(bot, 13)).totalCharge);
  const first = await bot.post(KEY);
  expect(first.text).toContain('(provisional: ');
  expect(first.text).toContain(
    `Charges of the same months: ${total}, exactly what is on the invoice`,
  );

  await bot.at('2026-10-17T11:59');
  await bot.look();
  expect(await bot.post(KEY)).toMatchObject({ edit_count: 0 });
  await bot.at('2026-10-17T12:00');
  await bot.look();
  expect(await bot.post(KEY)).toMatchObject({ edit_count: 1 });
  await bot.at('2026-10-17T13:00');
  await bot.look();

  const final = await bot.post(KEY);
  expect(final).toMatchObject({ edit_count: 1, thread_ts: first.thread_ts, broadcast: false });
  expect(final.text).toContain('(final)');
  // What was used before has been revised since.
  expect(final.text).toMatch(
    new RegExp(`invoice: \\${total}; difference −\\$0\\.\\d\\d: rounding or later revisions`),
  );
});

test('the channel reads how many e-mails came to their end, and never whose', async () => {
  const bot = await start();
  await bot.control('invoices/issue', {});
  await bot.look();
  expect((await bot.told()).some((key) => key.endsWith('/deliveries'))).toBe(false);
  await bot.at('2026-10-15T12:05');
  await bot.look();
  expect((await bot.post(keyOf(13, 'deliveries'))).text).toBe(
    ':white_check_mark: *E-mailed* to 1 recipient: Invoice 13',
  );

  await bot.control('deliveries/refuse', { email: 'finance@acme.example', refused: true });
  await bot.at('2026-11-03T00:00');
  await bot.look();
  await bot.at('2026-11-03T01:00');
  await bot.look();
  // It is still being tried.
  expect((await bot.told()).filter((key) => key.endsWith('/deliveries'))).toHaveLength(1);
  await bot.at('2026-11-03T03:00');
  await bot.look();
  const [head, next] = await linesIn(bot, keyOf(14, 'deliveries'));
  expect(head).toBe(':large_orange_circle: *E-mail failed* for 1 of 1 recipient: Invoice 14');
  expect(next).toContain('`/invoices deliveries 14`');
  expect(JSON.stringify(await bot.posts())).not.toContain('@acme.example');
});
