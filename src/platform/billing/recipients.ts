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

/** Spec 2.10. */
export interface Recipient {
  readonly id: string;
  readonly email: string;
  /** Undefined when absent in the answer. */
  readonly enabled: boolean | undefined;
}

/** Spec 2.10. */
export interface Delivery {
  /** Empty when absent in the answer. */
  readonly id: string;
  readonly recipientEmail: string;
  /** A status of spec 2.10, or any other text of the platform. */
  readonly status: string;
  readonly attemptCount: number | undefined;
  readonly errorMessages: readonly string[];
  /** Empty when absent in the answer. */
  readonly invoiceId: string;
}

interface Recipients {
  /** Spec 4.3. @throws PlatformError */
  listRecipients(options?: ReadOptions): Promise<Reading<Listing<Recipient>>>;
  /**
   * Adds a recipient, enabled by default; never repeated. The `id` is empty when absent in the answer.
   * @throws PlatformError `conflict` for an existing address
   */
  addRecipient(recipient: { email: string; enabled?: boolean }): Promise<Recipient>;
  /** Spec 4.3. The `email` is empty when absent in the answer. @throws PlatformError */
  setRecipientEnabled(recipientId: string, enabled: boolean): Promise<Recipient>;
  /** Spec 4.3. @throws PlatformError */
  removeRecipient(recipientId: string): Promise<void>;
  /** The latest deliveries, at most 500, optionally of one invoice (spec 4.3). @throws PlatformError */
  listDeliveries(
    options?: ReadOptions & { invoiceId?: string },
  ): Promise<Reading<Listing<Delivery>>>;
}

/** Spec 2.10, 4.3. */
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
      // The specification does not show the wrapper (spec 4.3).
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

/** An empty answer: the request is all that is known, and the status confirms it. */
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
