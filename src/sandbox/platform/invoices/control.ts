import type { FastifyInstance } from 'fastify';

import { email } from '../billing/body-fields.ts';
import {
  body,
  integer,
  oneOf,
  optional,
  switchField,
  text,
  type Field,
} from '../control-schema.ts';
import type { InvoiceName, Invoices } from './invoices.ts';
import { INVOICE_STATUSES, type InvoiceStatus } from './model.ts';

/** A place in a rendered invoice. */
const place: Field = {
  schema: {
    type: 'array',
    minItems: 1,
    items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  },
};
const anything: Field = { schema: {} };

/** Changes of invoices by a person or a test, under `/_sandbox`. */
export function registerInvoiceControl(app: FastifyInstance, invoices: Invoices): void {
  app.post<{ Body: { account?: string } }>(
    '/invoices/issue',
    { schema: { body: body({ account: optional(text) }) } },
    async (request) => {
      const { id, number } = invoices.issueNow(request.body.account);
      return { id, number };
    },
  );

  const statusBody = body({
    account: optional(text),
    id: optional(text),
    number: optional(integer(1)),
    status: oneOf(INVOICE_STATUSES),
    period: optional(integer(0)),
  });
  app.post<{ Body: InvoiceName & { status: InvoiceStatus; period?: number } }>(
    '/invoices/status',
    { schema: { body: statusBody } },
    async (request) => {
      const { status, period, ...name } = request.body;
      invoices.setStatus(name, status, period);
      return { ok: true };
    },
  );

  const patchBody = body({ id: text, at: place, value: optional(anything) });
  app.post<{ Body: { id: string; at: (string | number)[]; value?: unknown } }>(
    '/invoices/patch',
    { schema: { body: patchBody } },
    async (request) => {
      const { id, at, value } = request.body;
      invoices.patch(id, { at, value });
      return { ok: true };
    },
  );

  app.post<{ Body: { count: number } }>(
    '/deliveries',
    { schema: { body: body({ count: integer(1) }) } },
    async (request) => {
      invoices.addDeliveries(request.body.count);
      return { ok: true };
    },
  );

  app.post<{ Body: { email: string; refused: boolean } }>(
    '/deliveries/refuse',
    { schema: { body: body({ email, refused: switchField }) } },
    async (request) => {
      invoices.refuseMail(request.body.email, request.body.refused);
      return { ok: true };
    },
  );
}
