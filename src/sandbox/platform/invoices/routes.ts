import type { FastifyInstance, FastifyRequest } from 'fastify';
import { stringify } from 'lossless-json';

import type { Guard } from '../billing/guard.ts';
import type { BillingRole } from '../billing/model.ts';
import { formatOf } from './download.ts';
import type { Invoices } from './invoices.ts';
import { invoicePdf } from './pdf.ts';
import { overlaps, rangeOf } from './range.ts';
import { renderDelivery, renderInvoice, renderLinks } from './render.ts';

export { registerInvoiceControl } from './control.ts';

interface OfAccount {
  Params: { accountId: string };
  /** A name that occurs twice is an array; the specification leaves that open. */
  Querystring: Record<string, unknown> & { invoiceId?: string };
}
interface OfInvoice extends OfAccount {
  Params: { accountId: string; invoiceId: string };
}

const READERS: readonly BillingRole[] = ['billing_admin', 'billing_viewer'];
const ADMINS: readonly BillingRole[] = ['billing_admin'];
const JSON_TYPE = 'application/json; charset=utf-8';

/** Invoices and the deliveries of their mails (spec 4.2, and the last row of 4.3's recipients). */
export function registerInvoiceRoutes(
  app: FastifyInstance,
  { invoices, guard }: { invoices: Invoices; guard: Guard },
): void {
  const path = '/account/:accountId/charges/invoices';
  const readerOf = (request: FastifyRequest<OfAccount>) =>
    guard.account(request, request.params.accountId, READERS).account;

  app.get<OfAccount>(path, async (request, reply) => {
    const account = readerOf(request);
    const range = rangeOf(request.query);
    const listed = invoices.list(account).filter((invoice) => overlaps(invoice, range));
    return reply.type(JSON_TYPE).send(stringify({ invoices: listed.map(renderInvoice) }));
  });

  app.get<OfAccount>(`${path}/pending`, async (request, reply) => {
    const account = readerOf(request);
    const inFull = request.query['include-surcharges'] === 'true';
    const pending = invoices.pending(account, { inFull });
    return reply.type(JSON_TYPE).send(stringify({ invoices: pending.map(renderInvoice) }));
  });

  app.get<OfInvoice>(`${path}/:invoiceId`, async (request, reply) => {
    const account = readerOf(request);
    const format = formatOf(request.headers);
    const invoice = invoices.find(account, request.params.invoiceId);
    if (format === 'application/json')
      return reply.type(JSON_TYPE).send(stringify(renderInvoice(invoice)));
    return reply
      .type(format)
      .header('content-disposition', `attachment; filename="invoice-${invoice.number}.pdf"`)
      .send(await invoicePdf(invoice, account.fullName));
  });

  app.get<OfInvoice>(`${path}/:invoiceId/external-url`, async (request) => {
    const account = readerOf(request);
    const invoice = invoices.find(account, request.params.invoiceId);
    return { invoicePeriods: account.paymentMethods.length > 0 ? renderLinks(invoice) : [] };
  });

  app.get<OfAccount>('/account/:accountId/invoice-delivery/deliveries', async (request) => {
    const { account } = guard.account(request, request.params.accountId, ADMINS);
    const deliveries = invoices.deliveries(account, request.query.invoiceId);
    const now = invoices.clock.now();
    return { items: deliveries.map((delivery) => renderDelivery(delivery, now)) };
  });
}
