import { z } from 'zod';
import { cutForeign } from '../../lib/text.ts';
import { checkEmail } from '../errors.ts';
import { countOf, idOf } from '../json.ts';
import type { Reading, ReadOptions } from '../concurrency.ts';
import {
  createCalls,
  email,
  flagOf,
  identity,
  label,
  malformed,
  unwrap,
  type Listing,
} from './calls.ts';
import type { BillingContext } from './context.ts';

/** Who gets new invoices by e-mail (spec 2.10). */
export interface Recipient {
  readonly id: string;
  readonly email: string;
  /** Undefined when the platform does not say it. */
  readonly enabled: boolean | undefined;
}

/** An invoice e-mail on its way (spec 2.10). */
export interface Delivery {
  /** Empty when the platform does not say it. */
  readonly id: string;
  readonly recipientEmail: string;
  /** One of spec 2.10, or whatever the platform says. */
  readonly status: string;
  readonly attemptCount: number | undefined;
  readonly errorMessages: readonly string[];
  /** Empty when the platform does not say it. */
  readonly invoiceId: string;
}

interface Recipients {
  /** The invoice e-mail recipients (spec 4.3). @throws PlatformError */
  listRecipients(options?: ReadOptions): Promise<Reading<Listing<Recipient>>>;
  /**
   * Adds a recipient, enabled unless told otherwise; never repeated. The `id` is empty when the
   * platform does not say it. @throws PlatformError `conflict` when the address is one
   */
  addRecipient(recipient: { email: string; enabled?: boolean }): Promise<Recipient>;
  /** Switches a recipient on or off (spec 4.3); the `email` is empty when the platform does not say it. @throws PlatformError */
  setRecipientEnabled(recipientId: string, enabled: boolean): Promise<Recipient>;
  /** Takes a recipient away (spec 4.3). @throws PlatformError */
  removeRecipient(recipientId: string): Promise<void>;
  /** The latest deliveries, 500 at most, of one invoice if it is named (spec 4.3). @throws PlatformError */
  listDeliveries(
    options?: ReadOptions & { invoiceId?: string },
  ): Promise<Reading<Listing<Delivery>>>;
}

/** The calls about invoice e-mails (spec 2.10, 4.3). */
export function createRecipients(context: BillingContext): Recipients {
  const http = context.accountFor('billing_admin');
  const calls = createCalls(context, http);
  const pathTo = (...names: string[]) => context.accountPath('invoice-delivery', ...names);

  return {
    listRecipients: async (options) =>
      calls.readList({ path: pathTo('recipients'), wrappers: ['items'] }, toRecipient, options),
    async addRecipient({ email, enabled = true }) {
      checkEmail(email);
      const asked = { email, enabled };
      const path = pathTo('recipients');
      const { status, body } = await calls.write({ method: 'POST', path, body: asked });
      return isSilent(body) ? { id: '', ...asked } : recipientOf(body, status);
    },
    async setRecipientEnabled(recipientId, enabled) {
      const path = pathTo('recipients', recipientId);
      const { status, body } = await calls.write({ method: 'PATCH', path, body: { enabled } });
      return isSilent(body) ? { id: recipientId, email: '', enabled } : recipientOf(body, status);
    },
    async removeRecipient(recipientId) {
      const path = pathTo('recipients', recipientId);
      await calls.write({ method: 'DELETE', path, answer: 'ignored' });
    },
    async listDeliveries({ invoiceId, ...options } = {}) {
      const query: Record<string, string> = invoiceId === undefined ? {} : { invoiceId };
      // The wrapper is not shown (spec 4.3).
      const wrappers = ['items', 'deliveries', 'invoiceDeliveries'];
      return calls.readList({ path: pathTo('deliveries'), query, wrappers }, toDelivery, options);
    },
  };
}

/** Spec 2.10. */
const RecipientRecord = z.object({ id: identity, email, enabled: label });

const DeliveryRecord = z.object({
  id: label,
  recipientEmail: email,
  status: z.string(),
  attemptCount: label,
  errorMessages: label,
  invoiceId: label,
});

/** Then what was asked is all there is to tell, and the status says that it was done. */
function isSilent(body: unknown): boolean {
  return body === undefined || body === null;
}

function recipientOf(body: unknown, status: number): Recipient {
  const recipient = toRecipient(body);
  if (recipient) return recipient;
  throw malformed('an invoice e-mail recipient', status);
}

function toRecipient(row: unknown): Recipient | undefined {
  const record = RecipientRecord.safeParse(unwrap(row, 'recipient')).data;
  return record && { ...record, enabled: flagOf(record.enabled) };
}

function toDelivery(row: unknown): Delivery | undefined {
  const record = DeliveryRecord.safeParse(row).data;
  return (
    record && {
      id: idOf(record.id),
      recipientEmail: record.recipientEmail,
      status: record.status,
      attemptCount: countOf(record.attemptCount),
      errorMessages: textsOf(record.errorMessages).map(cutForeign),
      invoiceId: idOf(record.invoiceId),
    }
  );
}

function textsOf(value: unknown): string[] {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  return texts.filter((text) => typeof text === 'string' && text !== '') as string[];
}
