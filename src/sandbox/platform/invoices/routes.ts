import type { FastifyInstance } from 'fastify';

import type { Guard } from '../billing/guard.ts';
import type { Invoices } from './invoices.ts';

/** Invoices and the deliveries of their mails (spec 4.2, and the last row of 4.3's recipients). */
export function registerInvoiceRoutes(
  _app: FastifyInstance,
  _deps: { invoices: Invoices; guard: Guard },
): void {}

/** What a person or a test does to invoices under `/_sandbox`. */
export function registerInvoiceControl(_app: FastifyInstance, _invoices: Invoices): void {}
