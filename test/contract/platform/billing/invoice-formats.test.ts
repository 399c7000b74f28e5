import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { failureOf } from '../support.ts';
import { MAIN, newestInvoice, startBilling, type Standing } from './support.ts';

let standing: Standing;
let id: string;
let path: string;

beforeEach(async () => {
  standing = await startBilling();
  ({ id } = await newestInvoice(standing.client()));
  path = `account/${MAIN}/charges/invoices/${id}`;
});

const lastCall = async () => (await standing.calls()).at(-1);

test('an invoice is asked for as exactly application/json, and the GET has no Content-Type', async () => {
  const { value } = await standing.client().getInvoice(id);

  expect(value.id).toBe(id);
  expect(await lastCall()).toMatchObject({
    path: `/billing/${path}`,
    accept: 'application/json',
    contentType: null,
  });
});

test('an invoice is asked for as exactly application/pdf, and arrives as a stream', async () => {
  const pdf = await buffer(await standing.client().downloadInvoicePdf(id));

  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.subarray(-16).toString()).toContain('%%EOF');
  expect(await lastCall()).toMatchObject({ accept: 'application/pdf', contentType: null });
});

test.each(['*/*', 'application/*', 'text/html', 'application/json, application/pdf', 'image/png'])(
  'an invoice that is asked for as %s is a 400',
  async (accept) => {
    const answer = await standing.raw('GET', path, { headers: { accept } });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 400 });
  },
);

test('a Content-Type on the request wins over Accept', async () => {
  const asPdf = await standing.raw('GET', path, {
    headers: { accept: 'application/json', 'content-type': 'application/pdf' },
  });
  const asText = await standing.raw('GET', path, {
    headers: { accept: 'application/json', 'content-type': 'text/plain' },
  });

  expect(asPdf.headers.get('content-type')).toBe('application/pdf');
  expect(Buffer.from(await asPdf.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-/);
  expect(asText.status).toBe(400);
});

test('an unknown invoice is not found, as JSON and as PDF', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';

  const asJson = await failureOf(standing.client().getInvoice(unknown));
  const asPdf = await failureOf(standing.client().downloadInvoicePdf(unknown));

  expect(asJson).toMatchObject({ reason: 'not-found', status: 404 });
  expect(asPdf).toMatchObject({ reason: 'not-found', status: 404 });
});
