import { describe, expect, test } from 'vitest';
import { MAIN, SECOND, startApis, UUID } from './spec-support.ts';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';

async function startInvoice() {
  const apis = await startApis();
  const range = 'start=2026-01-01T00:00:00Z&end=2026-10-05T12:00:00Z';
  const { invoices } = await apis.ok(
    apis.account<{ invoices: { id: string; periods: object[] }[] }>(
      'GET',
      `/charges/invoices?${range}`,
    ),
  );
  const invoice = invoices[0] ?? { id: '', periods: [] };
  return {
    ...apis,
    invoice,
    download: (headers: Record<string, string>, id = invoice.id) =>
      apis.account('GET', `/charges/invoices/${id}`, { headers }),
  };
}

describe('GET .../charges/invoices/<invoiceId>', () => {
  test('Accept application/json: the invoice object', async () => {
    const { download, invoice } = await startInvoice();

    const { status, type, body } = await download({ accept: 'application/json' });

    expect(status).toBe(200);
    expect(type).toContain('application/json');
    expect(body).toEqual(invoice);
  });

  test('Accept application/pdf: a PDF download', async () => {
    const { download } = await startInvoice();

    const { status, type, text } = await download({ accept: 'application/pdf' });

    expect(status).toBe(200);
    expect(type).toContain('application/pdf');
    expect(text).toMatch(/^%PDF-/);
    expect(text.trimEnd()).toMatch(/%%EOF$/);
  });

  test.each([
    '*/*',
    'text/html',
    'application/*',
    'application/json, text/plain',
    'application/xml',
  ])('any other value of Accept gives 400: %s', async (accept) => {
    const { download } = await startInvoice();

    const { status, body } = await download({ accept });

    expect(status).toBe(400);
    expect(body).toEqual({ code: 400, error: expect.any(String) });
  });

  test.each([
    ['application/json', '*/*', 200, 'application/json'],
    ['application/pdf', 'application/json', 200, 'application/pdf'],
    ['application/json', 'application/pdf', 200, 'application/json'],
    ['text/plain', 'application/json', 400, 'application/json'],
  ])(
    'a Content-Type request header takes precedence over Accept: %s over %s gives %i',
    async (contentType, accept, expected, answered) => {
      const { download } = await startInvoice();

      const { status, type } = await download({ 'content-type': contentType, accept });

      expect(status).toBe(expected);
      expect(type).toContain(answered);
    },
  );

  test.each(['application/json', 'application/pdf'])('unknown id gives 404: %s', async (accept) => {
    const { download } = await startInvoice();

    const { status, body } = await download({ accept }, UNKNOWN);

    expect(status).toBe(404);
    expect(body).toEqual({ code: 404, error: expect.any(String) });
  });

  test("another account's invoice is unknown", async () => {
    const { billing, invoice } = await startInvoice();

    const { status } = await billing('GET', `/account/${SECOND}/charges/invoices/${invoice.id}`);

    expect(status).toBe(404);
  });
});

describe('GET .../charges/invoices/<invoiceId>/external-url', () => {
  test('hosted payment page links, one per invoice period', async () => {
    const { billing, invoice } = await startInvoice();

    const { status, body } = await billing<{ invoicePeriods: object[] }>(
      'GET',
      `/account/${MAIN}/charges/invoices/${invoice.id}/external-url`,
    );

    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['invoicePeriods']);
    expect(body.invoicePeriods).toEqual(
      invoice.periods.map(() => ({
        id: expect.stringMatching(UUID),
        externalUrl: expect.stringMatching(/^https:\/\//),
      })),
    );
  });

  test('an invoice that does not exist gives 404', async () => {
    const { account } = await startInvoice();

    const { status } = await account('GET', `/charges/invoices/${UNKNOWN}/external-url`);

    expect(status).toBe(404);
  });
});
