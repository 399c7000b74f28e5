import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { proseOf, rowsOf, spoken, textOf } from '../../../support/answer.ts';
import { startInvoices } from './harness.ts';

let harness: Awaited<ReturnType<typeof startInvoices>>;

beforeEach(async () => {
  harness = await startInvoices();
});

/** The addresses that buttons lead to. */
const addresses = (answer: Answer): string[] =>
  [...JSON.stringify([answer.blocks, answer.buttons]).matchAll(/"url":"([^"]+)"/g)].map(
    ([, url = '']) => url,
  );

test('the PDF goes to the person as a file, and a line says where it is', async () => {
  const answer = await harness.type('pdf 12');

  const [file] = harness.sent;
  expect(file).toMatchObject({
    userId: 'U0ADA',
    filename: 'invoice-12.pdf',
    title: 'Invoice 12',
  });
  expect(file?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(file?.bytes.subarray(-6).toString().trim()).toBe('%%EOF');
  expect(spoken(answer)).toContain('Invoice 12 is in your messages with Purser');
  expect(addresses(answer)).toEqual(['https://files.slack.com/permalink']);
  expect(answer.shareable).toBeUndefined();
});

test.each([
  ['server-error', PlatformError],
  ['not-found', 'The platform has no PDF of Invoice 12'],
] as const)(
  'a PDF that the platform does not give is one sentence: %s',
  async (reason, sentence) => {
    const downloadInvoicePdf = () => Promise.reject(new PlatformError(reason, 'no'));
    const refusing = await startInvoices({
      billing: () => ({ ...harness.client, downloadInvoicePdf }),
    });

    await expect(refusing.type('pdf 12')).rejects.toThrow(sentence);

    expect(refusing.sent).toEqual([]);
  },
);

test('a file that Slack does not take is not read on', async () => {
  const file = Readable.from([Buffer.from(`%PDF-1.7${' '.repeat(2_000)}`), Buffer.from('more')]);
  const refusing = await startInvoices({
    billing: () => ({ ...harness.client, downloadInvoicePdf: async () => file }),
    sendFile: () => Promise.reject(new Error('file_uploads_disabled')),
  });

  await expect(refusing.type('pdf 12')).rejects.toThrow('file_uploads_disabled');

  expect(file.destroyed).toBe(true);
});

test.each([400, 404, 409])(
  'an account whose payment pages are refused with %i has none',
  async (status) => {
    await harness.standing.fault({
      path: 'external-url',
      status,
      body: { code: status, error: 'no' },
    });

    expect(spoken(await harness.type('pay 12'))).toContain(
      'Only accounts that are billed by card have a payment page',
    );
  },
);

test('but an answer that failed is no account without a card', async () => {
  await harness.standing.fault({ path: 'external-url', status: 401, body: { code: 401 } });

  await expect(harness.type('pay 12')).rejects.toThrow(PlatformError);
});

test('links that lead anywhere but to https are text, and none is pressed', async () => {
  await harness.standing.fault({
    path: 'external-url',
    status: 200,
    body: {
      invoicePeriods: [
        { id: 'a', externalUrl: 'http://pay.example/<!channel>' },
        { id: 'b', externalUrl: 'https://pay.example/b?x=1&y=2' },
        { id: 'c', externalUrl: 'javascript:alert(1)' },
      ],
    },
  });

  const answer = await harness.type('pay 12');

  expect(proseOf(answer)).toContain('Part 1: `http://pay.example/&lt;!channel&gt;` (no button');
  expect(proseOf(answer)).toContain('1 payment page could not be read');
  expect(addresses(answer)).toEqual(['https://pay.example/b?x=1&y=2']);
});

test('deliveries of one invoice are its own, also where the platform reports all', async () => {
  const talkative = {
    ...harness.client,
    listDeliveries: async () => harness.client.listDeliveries(),
  };
  const other = await startInvoices({ billing: () => talkative });

  expect(spoken(await other.type('deliveries 3'))).toContain('of 2 deliveries failed · Invoice 3');
});

test('deliveries name invoices by id when no one knows their numbers', async () => {
  await harness.standing.fault({ path: 'charges/invoices', status: 500 });

  const rows = rowsOf(await harness.type('deliveries'));

  expect(rows.length).toBe(15);
  expect(rows.map((row) => row[2])).toEqual(rows.map(() => expect.stringMatching(/^[\da-f]{8}.$/)));
});

test('the latest 500 deliveries take three pages, with a note that there are more', async () => {
  await harness.standing.control('deliveries', { count: 600 });

  const first = await harness.type('deliveries');
  const last = await harness.turn(first, 3);
  const beyond = await harness.turn(first, 9);

  expect(spoken(first)).toContain('None failed · 500 deliveries');
  expect(rowsOf(first).length).toBe(200);
  expect(proseOf(first)).toContain('Rows 1 to 200 of 500');
  expect(textOf(first)).toContain('latest 500 only');
  expect(proseOf(last)).toContain('Rows 401 to 500 of 500');
  expect(beyond).toEqual(last);
});

test('the buttons below an invoice work like the commands', async () => {
  const shown = await harness.type('show 12');

  await harness.press(shown, 'PDF');
  const pages = await harness.press(shown, 'Pay $6,071.04');
  const mails = await harness.press(shown, 'Deliveries');

  expect(harness.sent.map(({ filename }) => filename)).toEqual(['invoice-12.pdf']);
  expect(spoken(pages)).toBe(spoken(await harness.type('pay 12')));
  expect(spoken(mails)).toBe(spoken(await harness.type('deliveries 12')));
});

test('roles are asked for each command and at every click; deliveries are for admins', async () => {
  const readers = 'billing_admin billing_viewer';
  const shown = await harness.type('show 1');
  await harness.turn(shown, 2);
  await harness.press(shown, 'Deliveries');
  expect(harness.asked).toEqual([readers, readers, 'billing_admin']);

  harness.person.roles = ['billing_viewer'];
  const seen = await harness.type('show 1');
  await expect(harness.press(seen, 'Deliveries')).rejects.toThrow('not for you');
  await expect(harness.type('deliveries')).rejects.toThrow('not for you');

  harness.person.roles = [];
  await expect(harness.type('pdf 12')).rejects.toThrow('not for you');
  await expect(harness.turn(seen, 2)).rejects.toThrow('not for you');
  for (const text of ['CSV', 'PDF', 'invoices.pay']) {
    await expect(harness.press(seen, text)).rejects.toThrow('not for you');
  }
  expect(harness.sent).toEqual([]);
});

test('a choice below an answer that is forgotten is answered with the next step', async () => {
  await expect(harness.act('invoices.pdf', undefined)).rejects.toThrow(
    'too old: run the command again',
  );
});
