import { beforeEach, expect, test } from 'vitest';
import { failureOf } from '../support.ts';
import { MAIN, MINUTE, startBilling, type Standing } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

const HOUR = 60 * MINUTE;
const DELIVERY = {
  id: 'd1',
  recipientEmail: 'finance@acme.example',
  status: 'failed',
  attemptCount: 3,
  errorMessages: ['mailbox full'],
};
const emailsOf = (rows: readonly { email: string }[]) => rows.map(({ email }) => email);

test('recipients are listed, added (enabled unless set otherwise), switched and removed', async () => {
  const client = standing.client();
  const before = (await client.listRecipients()).value.items;

  await client.addRecipient({ email: 'ap@acme.example' });
  await client.addRecipient({ email: 'cfo@acme.example', enabled: false });
  const [added, off] = (await client.listRecipients()).value.items.slice(before.length);
  await client.setRecipientEnabled(added!.id, false);
  await client.removeRecipient(off!.id);

  expect([added, off]).toMatchObject([
    { email: 'ap@acme.example', enabled: true },
    { email: 'cfo@acme.example', enabled: false },
  ]);
  expect((await client.listRecipients()).value).toEqual({
    items: [...before, { ...added, enabled: false }],
    skipped: 0,
  });
  const seen = (await standing.calls()).map(({ method, status }) => `${method} ${status}`);
  expect(seen.join()).toBe('GET 200,POST 201,POST 201,GET 200,PATCH 200,DELETE 204,GET 200');
  const unsaid = await standing.raw('POST', `account/${MAIN}/invoice-delivery/recipients`, {
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify({ email: 'coo@acme.example' }),
  });
  expect(await unsaid.json()).toMatchObject({ email: 'coo@acme.example', enabled: true });
});

test.each(['pending', 'in_progress', 'delivered', 'failed', 'permanently_failed', 'deferred'])(
  'a delivery that is %s shows its address, its number of tries and its error',
  async (status) => {
    await standing.fault({
      status: 200,
      body: { items: [{ ...DELIVERY, id: undefined, status }] },
    });

    const { value } = await standing.client().listDeliveries();

    expect(value).toEqual({ items: [{ ...DELIVERY, id: '', status, invoiceId: '' }], skipped: 0 });
  },
);

test('an address that is a recipient already is a conflict', async () => {
  const client = standing.client();
  const before = (await client.listRecipients()).value;

  const failure = await failureOf(client.addRecipient({ email: 'finance@acme.example' }));

  expect(failure).toMatchObject({ reason: 'conflict', status: 409 });
  expect((await client.listRecipients()).value).toEqual(before);
});

test('a new invoice goes to each enabled recipient, as deliveries that can be asked for by invoice', async () => {
  const client = standing.client();
  await client.addRecipient({ email: 'ap@acme.example' });
  await client.addRecipient({ email: 'cfo@acme.example', enabled: false });
  const enabled = (await client.listRecipients()).value.items.filter(({ enabled }) => enabled);

  const { id } = await standing.control<{ id: string }>('invoices/issue', {});
  const all = (await client.listDeliveries()).value.items;
  const ofInvoice = (await client.listDeliveries({ invoiceId: id })).value.items;

  expect(new Set(ofInvoice.map(({ recipientEmail }) => recipientEmail))).toEqual(
    new Set(emailsOf(enabled)),
  );
  expect(ofInvoice.length).toBe(enabled.length);
  expect(ofInvoice.every(({ status }) => status !== '')).toBe(true);
  expect(all.length).toBeGreaterThan(ofInvoice.length);
  const mails = (await standing.mails()).filter(({ kind }) => /invoice/.test(kind));
  expect(new Set(mails.slice(-enabled.length).map(({ to }) => to))).toEqual(
    new Set(emailsOf(enabled)),
  );
});

test('a delivery is tried until it is delivered, or fails for good', async () => {
  const client = standing.client();
  await client.addRecipient({ email: 'bounce@acme.example' });
  const { id } = await standing.control<{ id: string }>('invoices/issue', {});
  const states = async (passed: number) => {
    await standing.advance(passed);
    const { items } = (await client.listDeliveries({ invoiceId: id })).value;
    return Object.fromEntries(
      items.map(({ recipientEmail, status, attemptCount, errorMessages }) => [
        recipientEmail,
        [status, attemptCount, errorMessages.length],
      ]),
    );
  };

  const seen = [await states(0), await states(10), await states(30), await states(3 * HOUR)];

  expect(seen.map((one) => one['bounce@acme.example'])).toEqual([
    ['pending', 0, 0],
    ['in_progress', 1, 0],
    ['failed', 1, 1],
    ['permanently_failed', 5, 5],
  ]);
  const { 'bounce@acme.example': _bounced, ...others } = seen.at(-1) ?? {};
  expect(Object.keys(others)).toContain('finance@acme.example');
  for (const state of Object.values(others)) expect(state).toEqual(['delivered', 1, 0]);
});
