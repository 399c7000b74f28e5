import { describe, expect, test } from 'vitest';
import { stateOf } from '../../../../src/sandbox/platform/invoices/deliveries.ts';
import { startPlatform } from './support.ts';

interface Invoice {
  id: string;
  number: number;
  status: string;
  totalCharge: number;
  periods: { status: string; totalCharge: number; items: { charge: number }[] }[];
}
interface Delivery {
  invoiceId: string;
  recipientEmail: string;
  status: string;
  attemptCount: number;
  errorMessages: string[];
}

const MAIN = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const OTHER = 'b2e4a6c8-1d3f-4a5b-8c7d-9e0f1a2b3c4d';
const HOUR = 3600;
const NOON = Date.UTC(2026, 9, 5, 12);

describe('controls', () => {
  test('the month is billed by now, mailed, and its rest stays open', async () => {
    const { act, wait, invoices, pending, deliveries, emails } = await openInvoices();
    const [accrued] = await pending();

    const { id, number } = await act('invoices/issue', {});
    const [newest] = await invoices();
    const queued = (await deliveries(`?invoiceId=${String(id)}`)).map(({ status }) => status);
    await wait(60);
    const sent = (await deliveries(`?invoiceId=${String(id)}`)).map(({ status }) => status);

    expect(newest).toMatchObject({ id, number, totalCharge: accrued?.totalCharge });
    expect(await pending()).toEqual([]);
    expect([...queued, ...sent]).toEqual(['pending', 'delivered']);
    expect(await emails()).toMatchObject([{ kind: 'new-invoice', to: 'finance@acme.example' }]);
  });

  test('the same hour is not billed twice, and an unknown account has none', async () => {
    const { act, control } = await openInvoices();
    await act('invoices/issue', { account: OTHER });

    expect(await control('invoices/issue', { account: OTHER })).toMatchObject({ status: 400 });
    expect(await control('invoices/issue', { account: 'nobody' })).toMatchObject({ status: 404 });
  });

  test('an invoice moves with all its periods, or one period alone', async () => {
    const { act, control, invoices } = await openInvoices();
    const id = (await invoices()).at(-1)?.id;

    await act('invoices/status', { id, status: 'payment-failed' });
    await act('invoices/status', { id, status: 'paid', period: 1 });

    const moved = (await invoices()).at(-1);
    expect(moved?.status).toBe('payment-failed');
    expect(moved?.periods.map(({ status }) => status)).toEqual(['payment-failed', 'paid']);
    expect(await control('invoices/status', { id, status: 'paid', period: 2 })).toMatchObject({
      status: 404,
    });
    expect(await control('invoices/status', { id, status: 'lost' })).toMatchObject({ status: 400 });
  });

  test('an invoice is named by its number, too, and without a name it is the newest', async () => {
    const { act, control, invoices } = await openInvoices();
    const [newest, next] = await invoices();

    await act('invoices/status', { number: next?.number, status: 'paid' });
    await act('invoices/status', { status: 'payment-failed' });

    const moved = (await invoices()).slice(0, 2).map(({ id, status }) => [id, status]);
    expect(moved).toEqual([
      [newest?.id, 'payment-failed'],
      [next?.id, 'paid'],
    ]);
    const refused = [{ number: 99 }, { account: 'nobody' }, { id: next?.id, number: 1 }];
    const answers = refused.map((name) => control('invoices/status', { ...name, status: 'paid' }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 400]);
  });

  test.each([
    ['partially-paid', ['paid', 'pending-payment']],
    ['partially-failed', ['paid', 'payment-failed']],
  ])('%s means that the first period alone is paid', async (status, periods) => {
    const { act, invoices } = await openInvoices();
    const { id } = (await invoices()).at(-1) ?? {};

    await act('invoices/status', { id, status });

    const moved = (await invoices()).at(-1);
    expect(moved?.status).toBe(status);
    expect(moved?.periods.map((period) => period.status)).toEqual(periods);
  });

  test.each([
    ['another total', ['totalCharge'], 1],
    ['no total', ['totalCharge'], undefined],
    ['a fraction of a cent', ['periods', 0, 'totalCharge'], 12.5],
    ['no charge of a line', ['periods', 0, 'items', 1, 'charge'], undefined],
    ['a status that nobody knows', ['status'], 'written-off'],
    ['no list of credits', ['credits'], 'none'],
  ])('an invoice can say %s, and nothing else of it changes', async (_what, at, value) => {
    const { act, call, invoices } = await openInvoices();
    const [before] = await invoices();

    await act('invoices/patch', { id: before?.id, at, value });

    const patched = patchedBy(before, at, value);
    expect((await invoices())[0]).toEqual(patched);
    expect(await call(`/charges/invoices/${before?.id}`)).toEqual(patched);
  });

  test('a line can be left out, and an invoice that is not there cannot be changed', async () => {
    const { act, control, invoices } = await openInvoices();
    const [before] = await invoices();

    await act('invoices/patch', { id: before?.id, at: ['periods', 0, 'items', 0] });

    const lines = before?.periods[0]?.items.slice(1);
    expect((await invoices())[0]?.periods[0]?.items).toEqual(lines);
    const unknown = { id: 'nobody', at: ['status'], value: 'paid' };
    expect(await control('invoices/patch', unknown)).toMatchObject({ status: 404 });
  });

  test('of more than 500 deliveries the latest 500 are listed, newest first', async () => {
    const { act, deliveries } = await openInvoices();

    await act('deliveries', { count: 501 });

    const listed = (await deliveries()).map(({ recipientEmail }) => recipientEmail);
    expect(listed).toHaveLength(500);
    expect(listed[0]).toBe('reader-501@acme.example');
    expect(listed.at(-1)).toBe('reader-2@acme.example');
  });

  test('an address that takes no mail is given up, mail by mail, until it takes them again', async () => {
    const { act, wait, deliveries } = await openInvoices();
    const seeded = await (await openInvoices()).deliveries();
    const refuse = (refused: boolean) =>
      act('deliveries/refuse', { email: 'Finance@Acme.example', refused });

    await refuse(true);
    const { id: first } = await act('invoices/issue', {});
    await wait(HOUR);
    await refuse(false);
    const { id: second } = await act('invoices/issue', {});
    await wait(2 * HOUR);

    const [taken, ...others] = await deliveries();
    expect(taken).toMatchObject({ invoiceId: second, status: 'delivered', errorMessages: [] });
    expect(others[0]).toMatchObject({
      invoiceId: first,
      recipientEmail: 'finance@acme.example',
      status: 'permanently_failed',
      attemptCount: 5,
      errorMessages: Array.from({ length: 5 }, () => expect.stringContaining('rejected') as string),
    });
    expect(others.slice(1)).toEqual(seeded);
  });
});

describe('the seed', () => {
  test('is the same on every run, and a recipient of today got no mail in the past', async () => {
    const [one, other] = [await openInvoices(), await openInvoices()];
    await other.call('/invoice-delivery/recipients', { email: 'new@acme.example', enabled: true });

    expect(await other.invoices()).toEqual(await one.invoices());
    expect(await other.deliveries()).toEqual(await one.deliveries());
  });

  test('mails of the past are not in the mailbox; some of them were given up', async () => {
    const { deliveries, emails } = await openInvoices();

    const statuses = (await deliveries()).map(({ status }) => status);

    expect(new Set(statuses)).toEqual(new Set(['delivered', 'permanently_failed']));
    expect(await emails()).toEqual([]);
  });

  test('the bills are of a size that the story tells, and one credit is larger than any', async () => {
    const { invoices } = await openInvoices();

    const charges = (await invoices()).map(({ totalCharge }) => totalCharge);

    expect(charges).toHaveLength(12);
    expect(Math.min(...charges)).toBeGreaterThan(100_000);
    expect(Math.max(...charges)).toBeLessThan(2_500_000);
  });
});

describe('deliveries', () => {
  const sent = { id: 'd', invoiceId: 'i', created: NOON, refused: false };
  const life = (recipientEmail: string, seconds: readonly number[]) =>
    seconds.map((second) => {
      const { status, attemptCount, errorMessages } = stateOf(
        { ...sent, recipientEmail },
        NOON + second * 1000,
      );
      return `${status} ${attemptCount} ${errorMessages.length}`;
    });

  test('a mail is handed over within a minute', () => {
    expect(life('finance@acme.example', [0, 5, 30, 60, 100_000])).toEqual([
      'pending 0 0',
      'in_progress 1 0',
      'delivered 1 0',
      'delivered 1 0',
      'delivered 1 0',
    ]);
  });

  test('an address that bounces is given up after five tries', () => {
    expect(life('bounce@acme.example', [0, 5, 30, 65, 90, 7204, 7205, 7230, 100_000])).toEqual([
      'pending 0 0',
      'in_progress 1 0',
      'failed 1 1',
      'in_progress 2 1',
      'failed 2 2',
      'failed 4 4',
      'in_progress 5 4',
      'permanently_failed 5 5',
      'permanently_failed 5 5',
    ]);
  });
});

/** The invoice with one member changed. */
function patchedBy(
  value: unknown,
  [name, ...rest]: readonly (string | number)[],
  to: unknown,
): unknown {
  if (name === undefined) return to;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[name] = patchedBy(copy[name], rest, to);
  return copy;
}

/** The stand-in with words for the main account's invoices. */
async function openInvoices() {
  const driver = await startPlatform();
  const account = `${driver.platform.billingUrl}/account/${MAIN}`;
  const authorization = 'Bearer svc-bsat-sandbox-all';

  const call = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${account}${path}`, {
      headers: {
        authorization,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const range = 'start=2020-01-01T00:00:00Z&end=2030-01-01T00:00:00Z';

  return {
    ...driver,
    call,
    invoices: async () => (await call(`/charges/invoices?${range}`))['invoices'] as Invoice[],
    pending: async () => (await call('/charges/invoices/pending'))['invoices'] as Invoice[],
    deliveries: async (query = '') =>
      (await call(`/invoice-delivery/deliveries${query}`))['items'] as Delivery[],
    emails: async () => {
      const response = await fetch(`${driver.platform.url}/_sandbox/emails`);
      return ((await response.json()) as { emails: object[] }).emails;
    },
  };
}
