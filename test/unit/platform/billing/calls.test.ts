import { describe, expect, test } from 'vitest';
import { createCalls } from '../../../../src/platform/billing/calls.ts';
import type { Http } from '../../../../src/platform/http.ts';
import { createReadCache } from '../../../../src/platform/concurrency.ts';
import { answering, BASE, createRecords, failureOf } from './support.ts';

describe('a list', () => {
  const delivery = { recipientEmail: 'ap@acme.example', status: 'delivered' };

  test.each([
    ['the answer itself', [delivery]],
    [
      'items, each with more fields',
      { items: [{ ...delivery, sentAt: 'today', by: { host: 'mx' } }] },
    ],
    ['invoiceDeliveries', { invoiceDeliveries: [delivery] }],
    ['an unexpected member', { accountId: 'a1', log: [delivery], links: [] }],
  ])('of deliveries is found in %s', async (_where, document) => {
    const { value } = await answering(document).listDeliveries();

    expect(value).toMatchObject({ items: [delivery], skipped: 0 });
  });

  test('of quotas is found in quotas', async () => {
    const { value } = await answering({ quotas: [{ name: 'cpu' }] }).listQuotas('acme');

    expect(value.items.map((quota) => quota.get('name'))).toEqual(['cpu']);
  });

  test.each(['pending', 'links'] as const)(
    'of invoices (%s) is the named one beside another',
    async (which) => {
      const rows = [{ id: 'i1', totalCharge: 5, externalUrl: 'https://pay.example/i1' }];
      const records = answering({ invoices: rows, invoicePeriods: rows });

      const { items } =
        which === 'pending'
          ? (await records.listPendingInvoices()).value
          : await records.listPaymentLinks('i1');

      expect(items).toHaveLength(1);
    },
  );

  test.each([
    ['two lists, neither of them named', { some: [delivery], more: [delivery] }],
    ['a list of words', { email: 'ap@acme.example', roles: ['billing_admin'] }],
    ['the list of a record', { id: 'a1', paymentMethods: [{ id: 'pm1' }] }],
    ['a wrapper that holds no list, beside one', { items: 'none', errors: [delivery] }],
    ['a number', 2 ** 60],
    ['a word', 'soon'],
  ])('is not taken from %s', async (_what, document) => {
    const records = answering(document);

    expect((await failureOf(records.listDeliveries())).reason).toBe('malformed');
    expect((await failureOf(records.listAccounts())).reason).toBe('malformed');
  });
});

describe('a list in pages', () => {
  const org = (name: string) => ({ name });
  const linked = (href: unknown, ...names: string[]) =>
    JSON.stringify({
      items: names.map(org),
      links: [{ rel: 'self', href: 'org' }, href === undefined ? {} : { rel: 'next', href }],
    });

  test('is read to its last page', async () => {
    const records = createRecords(({ path }) => ({
      text: path.endsWith('page=2') ? linked('', 'globex', '') : linked('?page=2', 'acme'),
    }));

    const { value } = await records.listOrgs();

    expect(value.items.map(({ name }) => name)).toEqual(['acme', 'globex']);
    expect(value.skipped).toBe(1);
    expect(records.sent.map(({ path }) => path)).toEqual([
      `${BASE}account/a1/org`,
      `${BASE}account/a1/org?page=2`,
    ]);
  });

  test.each([
    ['away from the platform', 'https://elsewhere.example/org?page=2', 'redirected', 1],
    ['nowhere', 7, 'malformed', 1],
    ['to itself', 'org?page=2', 'malformed', 2],
  ])('is no list when a page leads %s', async (_where, href, reason, calls) => {
    const records = createRecords(() => ({ text: linked(href, 'acme') }));

    expect((await failureOf(records.listOrgs())).reason).toBe(reason);
    expect(records.sent.length).toBe(calls);
  });
});

test('a record and a list of the same path are cached apart', async () => {
  const http = { send: async () => ({ status: 200, body: [1, 2] }), resolve: () => BASE };
  const calls = createCalls({ cache: createReadCache() }, http as unknown as Http);
  const question = { path: 'thing', wrappers: [] };

  const record = await calls.read(question, () => 'a record');
  const list = await calls.readList(question, (row) => row);
  const maybe = await calls.readIfAny(question, () => 'or none');

  expect([record.value, list.value, maybe.value]).toEqual([
    'a record',
    { items: [1, 2], skipped: 0 },
    'or none',
  ]);
});
