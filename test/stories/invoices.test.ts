import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { bytesOf, choose, press, recordsOf, rowsOf, type Visitor } from '../support/page.ts';
import { openWorld, type World } from '../support/world.ts';

describe.runIf(hasBrowser())('invoices in a browser', () => {
  let world: World;
  let ben: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    ben = await world.visit('U0BEN');
  });

  afterAll(() => world?.close());

  it('lists the newest first, with the amount due and the status in words', async () => {
    const answer = await ben.ask('/invoices list last 13 months');

    const rows = await recordsOf(answer);
    expect(await answer.innerText()).toContain('No.');
    const numbers = rows.map((row) => Number(row['No.']));
    expect(numbers).toEqual(numbers.map((_, index) => numbers.length - index));
    expect(new Set(rows.map((row) => row['Status']))).toEqual(
      new Set([
        '✅ paid',
        '⏳ not paid yet',
        '🟠 payment failed',
        '🟠 partly paid',
        '🟠 partly failed',
      ]),
    );
    const dues = rows.map((row) => [row['Status'] === '✅ paid', row['Amount due'] === '–']);
    expect(dues.every(([isPaid, isNothing]) => isPaid === isNothing)).toBe(true);
    expect(new Set(rows.map((row) => row['Orgs']))).toEqual(new Set(['acme, globex, initech']));
  });

  it('shows one from its row in the list, and pages its lines', async () => {
    const list = await ben.ask('/invoices list last 3 months');
    const [newest = {}] = await recordsOf(list);
    const details = list.getByRole('button', { name: 'Details' }).first();
    const shown = await ben.newAnswer(() => details.click());

    await shown.getByText(`Invoice ${newest['No.']}`).first().waitFor();
    const text = await shown.innerText();
    expect(text.toLowerCase()).toContain(`amount due ${newest['Amount due']}`);
    expect(text).toContain('Charges of the same months');
    const first = await rowsOf(shown);
    expect(first[0]).toEqual(['Org', 'Item', 'Charge', 'Quantity', 'Rate']);

    await press(shown, 'Next');
    await shown.getByText('Page 2 of').waitFor();
    const second = await rowsOf(shown);
    expect(first.slice(1)).not.toContainEqual(second[1]);
    await press(shown, 'Previous');
    await shown.getByText('Page 1 of').waitFor();
    expect(await rowsOf(shown)).toEqual(first);
  });

  it('names the credits where charges and amount differ', async () => {
    // More credits than charges: nothing is due, and nothing is owed.
    const shown = await ben.ask('/invoices show 6');

    expect(await shown.innerText()).toMatch(/Paid: credits cover it[^]* credits −\$/);
    expect(await shown.innerText()).toMatch(/difference −\$[\d,.]+: credits/);
  });

  it('sends the lines as a file that a spreadsheet reads', async () => {
    const shown = await ben.ask('/invoices show 2');
    const sent = await ben.newAnswer(() => press(shown, 'CSV'));
    expect(await sent.innerText()).toContain('All lines and credits of Invoice 2 are in your');
    const inbox = await world.visit('U0BEN', 'app-messages');
    const message = inbox.message('All lines and credits of Invoice 2');
    await message.waitFor();
    const text = (await bytesOf(message, 'invoice-2.csv')).toString();
    expect(text).toMatch(/^kind,period start,period end,period status,org,item,/);
  });

  it('sends the PDF as a file, opens the payment pages, and lists the e-mails', async () => {
    const shown = await ben.ask('/invoices show 2');
    const sent = await ben.newAnswer(() => press(shown, 'PDF'));
    expect(await sent.innerText()).toContain('Invoice 2 is in your messages with Purser');
    const inbox = await world.visit('U0BEN', 'app-messages');
    const message = inbox.message('Invoice 2 as a PDF');
    await message.waitFor();
    const bytes = await bytesOf(message, 'invoice-2.pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.subarray(-6).toString()).toContain('%%EOF');

    const links = await ben.newAnswer(() => choose(shown, 'Payment links'));
    expect(await links.innerText()).toContain('pay.example');

    const mails = await ben.newAnswer(() => choose(shown, 'Deliveries'));
    const rows = await recordsOf(mails);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row['Invoice']))).toEqual(new Set(['2']));
  });

  it('gives the payment page of each period of an invoice', async () => {
    const answer = await ben.ask('/invoices pay 1');

    const buttons = answer.getByRole('button', { name: /^(?:Pay |Receipt)/ });
    const labels = await buttons.allInnerTexts();
    expect(labels.map((label) => label.split(' ')[0])).toEqual(['Pay', 'Receipt']);
    expect(await answer.innerText()).toMatch(/🟠 payment failed[^]*✅ paid/);
  });

  it('shows the accrued charges, with the surcharges and credits of this month if asked', async () => {
    // In the first hour of a month nothing has accrued yet.
    await world.platform('clock', { advanceSeconds: 7_200 });
    const plain = await ben.ask('/invoices pending');
    const full = await ben.ask('/invoices pending surcharges');

    expect(await plain.innerText()).toContain('not billed yet');
    expect(await plain.innerText()).toContain('/invoices pending surcharges');
    expect(await full.innerText()).toContain('The current month only');
  });

  it('shows the e-mails that failed, the worst first', async () => {
    const answer = await ben.ask('/invoices deliveries');

    const rows = await recordsOf(answer);
    expect(rows[0]).toMatchObject({
      Recipient: 'bounced@acme.example',
      Status: '🟠 failed for good',
    });
    expect(rows.at(-1)?.['Status']).toBe('✅ delivered');
    expect(await answer.innerText()).toContain('/billing recipients');
  });

  it('says which numbers there are when one is not there', async () => {
    const answer = await ben.ask('/invoices show 999');

    expect(await answer.innerText()).toMatch(/There is no invoice 999: they go from 1 to \d+\./);
  });
});
