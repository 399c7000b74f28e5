import { describe, expect, test } from 'vitest';
import { MAIN, startApis } from './spec-support.ts';

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
  attemptCount: number;
  errorMessages: unknown;
}

async function startRecipients() {
  const apis = await startApis();
  const { account, ok } = apis;
  return {
    ...apis,
    list: async () => (await ok(account<{ items: Recipient[] }>('GET', PATH))).items,
    add: (body: object = BILLS) => ok(account<Recipient>('POST', PATH, { body })),
    /** The wrapper is open: a bare array, or the only array of an object. */
    deliveries: async (query = '') => {
      const path = `/invoice-delivery/deliveries${query}`;
      const body = await ok(account<Delivery[] | Record<string, unknown>>('GET', path));
      const list = Array.isArray(body) ? body : Object.values(body).find(Array.isArray);
      return list as Delivery[];
    },
    newest: async () => {
      const range = 'start=2026-01-01T00:00:00Z&end=2026-10-05T12:00:00Z';
      const path = `/charges/invoices?${range}`;
      const { invoices } = await ok(account<{ invoices: { id: string }[] }>('GET', path));
      return invoices[0]?.id ?? '';
    },
  };
}

describe('recipients', () => {
  test('GET: {accountId, items:[...]}', async () => {
    const { account, add } = await startRecipients();
    const recipient = await add();

    const { status, body } = await account('GET', PATH);

    expect(status).toBe(200);
    expect(body).toEqual({ accountId: MAIN, items: expect.arrayContaining([recipient]) });
  });

  test('POST: 201 with the recipient', async () => {
    const { account } = await startRecipients();

    const { status, body } = await account('POST', PATH, { body: { ...BILLS, enabled: false } });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/./),
      email: 'bills@acme.example',
      enabled: false,
    });
  });

  test('enabled defaults to true on create', async () => {
    const { add } = await startRecipients();

    expect(await add({ email: BILLS.email })).toMatchObject({ enabled: true });
  });

  test('409 if the address is already a recipient', async () => {
    const { account, add, list } = await startRecipients();
    await add();

    const { status, body } = await account('POST', PATH, { body: BILLS });

    expect([status, body]).toEqual([409, { code: 409, error: expect.any(String) }]);
    expect((await list()).filter(({ email }) => email === BILLS.email)).toHaveLength(1);
  });

  test.each([
    ['no e-mail', { enabled: true }],
    ['an invalid e-mail', { email: 'bills', enabled: true }],
    ['enabled that is no boolean', { ...BILLS, enabled: 'yes' }],
  ])('%s is refused with 400', async (_what, body) => {
    const { account } = await startRecipients();

    expect((await account('POST', PATH, { body })).status).toBe(400);
  });

  test('PATCH {enabled}: the recipient', async () => {
    const { account, add, list } = await startRecipients();
    const recipient = await add();

    const { status, body } = await account('PATCH', `${PATH}/${recipient.id}`, {
      body: { enabled: false },
    });

    expect([status, body]).toEqual([200, { ...recipient, enabled: false }]);
    expect(await list()).toContainEqual({ ...recipient, enabled: false });
  });

  test('DELETE: 204, and the address can be added again', async () => {
    const { account, add, list } = await startRecipients();
    const { id } = await add();

    const { status, text } = await account('DELETE', `${PATH}/${id}`);

    expect([status, text]).toEqual([204, '']);
    expect((await list()).map((recipient) => recipient.id)).not.toContain(id);
    expect((await account('POST', PATH, { body: BILLS })).status).toBe(201);
  });

  test('a recipient that does not exist is neither changed nor removed', async () => {
    const { account } = await startRecipients();

    const change = await account('PATCH', `${PATH}/nothing`, { body: { enabled: true } });

    expect(change.status).toBe(404);
    expect((await account('DELETE', `${PATH}/nothing`)).status).toBe(404);
  });
});

describe('deliveries', () => {
  test('a delivery has recipientEmail, status, attemptCount and errorMessages', async () => {
    const { deliveries, act, add } = await startRecipients();
    await add();
    await act('invoices/issue', {});

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

  test('a new invoice goes to the enabled recipients alone, each with a delivery and a mail', async () => {
    const { deliveries, act, add, list, newest, emails, wait } = await startRecipients();
    await add();
    await add({ email: 'off@acme.example', enabled: false });
    const known = (await emails()).length;

    await act('invoices/issue', {});
    await wait(3600);
    const told = await deliveries(`?invoiceId=${await newest()}`);

    const enabled = (await list()).filter((recipient) => recipient.enabled).map((r) => r.email);
    expect(told.map(({ recipientEmail }) => recipientEmail).toSorted()).toEqual(enabled.toSorted());
    const mails = (await emails()).slice(known).filter(({ kind }) => kind === 'new-invoice');
    expect(enabled).toEqual(expect.arrayContaining(mails.map(({ to }) => to)));
    expect(mails.map(({ to }) => to)).toContain(BILLS.email);
  });

  test('an invoice that is issued by itself is told as well', async () => {
    const { add, wait, emails } = await startRecipients();
    await add();

    await wait(30 * 86_400);

    const told = (await emails()).filter(
      ({ kind, to }) => [kind, to].join() === `new-invoice,${BILLS.email}`,
    );
    expect(told).toHaveLength(1);
  });

  test('optionally for one invoice', async () => {
    const { deliveries, act, newest } = await startRecipients();
    const before = await newest();
    await act('invoices/issue', {});

    const own = await deliveries(`?invoiceId=${await newest()}`);

    expect(await newest()).not.toBe(before);
    expect(own.length).toBeGreaterThan(0);
    expect(await deliveries(`?invoiceId=${before}`)).not.toEqual(own);
    expect(await deliveries('?invoiceId=11111111-2222-4333-8444-555555555555')).toEqual([]);
  });

  test('the latest 500 of the account', async () => {
    const { deliveries, act, wait, newest } = await startRecipients();

    await act('deliveries', { count: 600 });
    await wait(3600);
    await act('invoices/issue', {});

    const latest = await deliveries();
    const own = await deliveries(`?invoiceId=${await newest()}`);
    expect(latest).toHaveLength(500);
    expect(own.length).toBeGreaterThan(0);
    expect(latest).toEqual(expect.arrayContaining(own));
  });
});
