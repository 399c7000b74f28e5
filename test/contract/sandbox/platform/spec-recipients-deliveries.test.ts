import { describe, expect, test } from 'vitest';
import { MAIN, startInvoices } from './spec-support.ts';

const PATH = '/invoice-delivery/recipients';
const BILLS = { email: 'bills@acme.example', enabled: true };

interface Recipient {
  id: string;
  email: string;
  enabled: boolean;
}
interface Delivery {
  recipientEmail: string;
  status: string;
  errorMessages: unknown;
}

async function startRecipients() {
  const apis = await startInvoices();
  const { ask, ok, list: invoices } = apis;
  return {
    ...apis,
    recipients: async () => (await ok(ask<{ items: Recipient[] }>(`GET ${PATH}`))).items,
    add: (body: object = BILLS) => ok(ask<Recipient>(`POST ${PATH}`, body)),
    deliveries: async (query = '') =>
      (await ok(ask<{ items: Delivery[] }>(`GET /invoice-delivery/deliveries${query}`))).items,
    newest: async () => (await invoices())[0]?.id ?? '',
  };
}

describe('recipients', () => {
  test('POST: 201 with the recipient, which is enabled by default, and then is in the list', async () => {
    const { ask, add } = await startRecipients();

    const { status, body } = await ask(`POST ${PATH}`, { ...BILLS, enabled: false });
    const other = await add({ email: 'more@acme.example' });

    const off = { id: expect.stringMatching(/./) as string, ...BILLS, enabled: false };
    expect([status, body]).toEqual([201, off]);
    expect(other).toMatchObject({ enabled: true });
    expect((await ask(`GET ${PATH}`)).body).toEqual({
      accountId: MAIN,
      items: expect.arrayContaining([body, other]),
    });
  });

  test('an address can be added once: 409', async () => {
    const { ask, add, recipients } = await startRecipients();
    await add();

    expect((await ask(`POST ${PATH}`, BILLS)).status).toBe(409);

    expect((await recipients()).filter(({ email }) => email === BILLS.email)).toHaveLength(1);
  });

  test('PATCH {enabled}: the recipient', async () => {
    const { ask, add, recipients } = await startRecipients();
    const recipient = await add();

    const { status, body } = await ask(`PATCH ${PATH}/${recipient.id}`, { enabled: false });

    expect([status, body]).toEqual([200, { ...recipient, enabled: false }]);
    expect(await recipients()).toContainEqual(body);
  });

  test('DELETE: 204, and the address can be added again', async () => {
    const { ask, add, recipients } = await startRecipients();
    const { id } = await add();

    const { status, text } = await ask(`DELETE ${PATH}/${id}`);

    expect([status, text]).toEqual([204, '']);
    expect((await recipients()).map((recipient) => recipient.id)).not.toContain(id);
    expect((await ask(`POST ${PATH}`, BILLS)).status).toBe(201);
  });
});

describe('deliveries', () => {
  test('a new invoice goes to the enabled recipients alone, each with a delivery and a mail', async () => {
    const { deliveries, act, add, recipients, newest, emails, wait } = await startRecipients();
    await add();
    await add({ email: 'off@acme.example', enabled: false });

    await act('invoices/issue', {});
    await wait(3600);

    const enabled = (await recipients()).filter((one) => one.enabled).map(({ email }) => email);
    const sent = await deliveries(`?invoiceId=${await newest()}`);
    expect(sent.map(({ recipientEmail }) => recipientEmail).toSorted()).toEqual(enabled.toSorted());
    const mailed = (await emails()).filter(({ kind }) => kind === 'new-invoice');
    expect(enabled).toEqual(expect.arrayContaining(mailed.map(({ to }) => to)));
    expect(mailed.map(({ to }) => to)).toContain(BILLS.email);
  });

  test('a delivery has the fields of spec 2.10', async () => {
    const { deliveries } = await startRecipients();

    const all = await deliveries();

    expect(all.length).toBeGreaterThan(0);
    for (const delivery of all) {
      expect(delivery).toMatchObject({
        recipientEmail: expect.stringMatching(/@/),
        status: expect.stringMatching(
          /^(pending|in_progress|delivered|failed|permanently_failed)$/, // spec 2.10
        ),
        attemptCount: expect.any(Number),
      });
      expect(Array.isArray(delivery.errorMessages ?? [])).toBe(true);
    }
  });

  test('optionally of one invoice', async () => {
    const { deliveries, act, newest } = await startRecipients();
    const before = await newest();
    await act('invoices/issue', {});

    const own = await deliveries(`?invoiceId=${await newest()}`);

    expect(await newest()).not.toBe(before);
    expect(own.length).toBeGreaterThan(0);
    expect(await deliveries(`?invoiceId=${before}`)).not.toEqual(own);
    expect(await deliveries('?invoiceId=11111111-2222-4333-8444-555555555555')).toEqual([]);
  });

  test('the latest 500 of the account, newest first', async () => {
    const { deliveries, act } = await startRecipients();

    await act('deliveries', { count: 501 });

    const listed = (await deliveries()).map(({ recipientEmail }) => recipientEmail);
    expect(listed).toHaveLength(500);
    expect(listed[0]).toBe('reader-501@acme.example');
    expect(listed.at(-1)).toBe('reader-2@acme.example');
  });
});
