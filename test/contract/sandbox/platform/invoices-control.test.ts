import { describe, expect, test } from 'vitest';
import { stateOf } from '../../../../src/sandbox/platform/invoices/deliveries.ts';
import { SECOND, startInvoices } from './spec-support.ts';

interface Delivery {
  invoiceId: string;
  recipientEmail: string;
  status: string;
}

async function start() {
  const apis = await startInvoices();
  const { ask, ok, act, list } = apis;
  return {
    ...apis,
    deliveries: async (id?: unknown) => {
      const query = id === undefined ? '' : `?invoiceId=${id as string}`;
      const path = `/invoice-delivery/deliveries${query}`;
      return (await ok(ask<{ items: Delivery[] }>(`GET ${path}`))).items;
    },
    /** The oldest invoice, which has two periods. */
    oldest: async () => (await list()).at(-1),
    setStatus: (body: object) => act('invoices/status', body),
  };
}

describe('the controls', () => {
  test('invoices/issue bills the month by now and mails it, once an hour', async () => {
    const { act, control, wait, deliveries, emails } = await start();

    const { id } = await act('invoices/issue', {});
    const queued = await deliveries(id);
    await wait(60);
    const sent = await deliveries(id);

    expect([...queued, ...sent].map(({ status }) => status)).toEqual(['pending', 'delivered']);
    expect(await emails()).toMatchObject([{ kind: 'new-invoice', to: 'finance@acme.example' }]);
    await act('invoices/issue', { account: SECOND });
    expect(await control('invoices/issue', { account: SECOND })).toMatchObject({ status: 400 });
  });

  test.each([
    [[{ status: 'payment-failed' }], 'payment-failed', ['payment-failed', 'payment-failed']],
    [
      [{ status: 'payment-failed' }, { status: 'paid', period: 1 }],
      'payment-failed',
      ['payment-failed', 'paid'],
    ],
    [[{ status: 'partially-paid' }], 'partially-paid', ['paid', 'pending-payment']],
    [[{ status: 'partially-failed' }], 'partially-failed', ['paid', 'payment-failed']],
  ])(
    'invoices/status %j moves the invoice to %s, its periods to %j',
    async (moves, own, periods) => {
      const { setStatus, oldest } = await start();
      const { id } = (await oldest()) ?? {};

      for (const move of moves) await setStatus({ id, ...move });

      const moved = await oldest();
      expect(moved?.status).toBe(own);
      expect(moved?.periods.map(({ status }) => status)).toEqual(periods);
    },
  );

  test('invoices/status names an invoice by its number, too; without a name it is the newest', async () => {
    const { setStatus, list } = await start();
    const [, next] = await list();

    await setStatus({ number: next?.number, status: 'paid' });
    await setStatus({ status: 'payment-failed' });

    const statuses = (await list()).slice(0, 2).map(({ status }) => status);
    expect(statuses).toEqual(['payment-failed', 'paid']);
  });

  test.each([
    ['another total', ['totalCharge'], 1],
    ['no total', ['totalCharge'], undefined],
    ['a fraction of a cent', ['periods', 0, 'totalCharge'], 12.5],
    ['no charge of a line', ['periods', 0, 'items', 1, 'charge'], undefined],
    ['a status that is unknown', ['status'], 'written-off'],
    ['no list of credits', ['credits'], 'none'],
    ['a line less', ['periods', 0, 'items', 0], undefined],
  ])('invoices/patch gives an invoice %s, and changes nothing else', async (_what, at, value) => {
    const { act, ask, list } = await start();
    const [before] = await list();

    await act('invoices/patch', { id: before?.id, at, value });

    const patched = patchedBy(before, at, value);
    expect((await list())[0]).toEqual(patched);
    expect((await ask(`GET /charges/invoices/${before?.id}`)).body).toEqual(patched);
  });

  test('deliveries/refuse: an address fails, mail by mail, until it takes them again', async () => {
    const { act, wait, deliveries } = await start();
    const seeded = await deliveries();
    const refuse = (refused: boolean) =>
      act('deliveries/refuse', { email: 'Finance@Acme.example', refused });

    await refuse(true);
    const { id: first } = await act('invoices/issue', {});
    await wait(3600);
    await refuse(false);
    const { id: second } = await act('invoices/issue', {});
    await wait(7200);

    const rejected = expect.stringContaining('rejected') as string;
    expect(await deliveries()).toMatchObject([
      { invoiceId: second, status: 'delivered', errorMessages: [] },
      {
        invoiceId: first,
        recipientEmail: 'finance@acme.example',
        status: 'permanently_failed',
        attemptCount: 5,
        errorMessages: Array.from({ length: 5 }, () => rejected),
      },
      ...seeded,
    ]);
  });
});

describe('the seed', () => {
  test('a recipient of today got no mail in the past, when some mails were given up', async () => {
    const { ask, deliveries, emails } = await start();
    const before = await deliveries();

    await ask('POST /invoice-delivery/recipients', { email: 'new@acme.example', enabled: true });

    const statuses = new Set(before.map(({ status }) => status));
    expect(statuses).toEqual(new Set(['delivered', 'permanently_failed']));
    expect(await deliveries()).toEqual(before);
    expect(await emails()).toEqual([]);
  });

  test('every bill is between 1,000 and 25,000 dollars', async () => {
    const { list } = await start();

    const charges = (await list()).map(({ totalCharge }) => totalCharge);

    expect(charges).toHaveLength(12);
    expect(Math.min(...charges)).toBeGreaterThan(100_000);
    expect(Math.max(...charges)).toBeLessThan(2_500_000);
  });
});

/** `second status attempts/errors` */
test.each([
  [
    'finance@acme.example',
    'is handed over within a minute',
    '0 pending 0/0, 5 in_progress 1/0, 30 delivered 1/0, 60 delivered 1/0, 100000 delivered 1/0',
  ],
  [
    'bounce@acme.example',
    'is given up after five tries',
    '0 pending 0/0, 5 in_progress 1/0, 30 failed 1/1, 65 in_progress 2/1, 90 failed 2/2, ' +
      '7204 failed 4/4, 7205 in_progress 5/4, 7230 permanently_failed 5/5, ' +
      '100000 permanently_failed 5/5',
  ],
])('a mail to %s %s', (recipientEmail, _rule, story) => {
  const created = Date.UTC(2026, 9, 5, 12);
  const sent = { id: 'd', invoiceId: 'i', created, refused: false, recipientEmail };

  const life = story.split(', ').map((line) => {
    const seconds = Number.parseInt(line, 10);
    const { status, attemptCount, errorMessages } = stateOf(sent, created + seconds * 1000);
    return `${seconds} ${status} ${attemptCount}/${errorMessages.length}`;
  });

  expect(life.join(', ')).toBe(story);
});

/** The invoice with one member changed, or a line taken away. */
function patchedBy(
  value: unknown,
  [name, ...rest]: readonly (string | number)[],
  to: unknown,
): unknown {
  if (name === undefined) return to;
  if (typeof name === 'number' && rest.length === 0 && Array.isArray(value))
    return value.toSpliced(name, 1) as unknown;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[name] = patchedBy(copy[name], rest, to);
  return copy;
}
