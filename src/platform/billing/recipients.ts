import { cutForeign } from '../../lib/text.ts';
import { checkEmail } from '../errors.ts';
import { countOf, idOf, isNothing, membersOf } from '../json.ts';
import type { ReadOptions } from '../concurrency.ts';
import { createCalls, emailOf, flagOf, malformed, unwrap } from './calls.ts';
import type { BillingContext } from './context.ts';

/** Spec 2.10, 4.3. */
export function createRecipients(context: BillingContext) {
  const http = context.accountFor('billing_admin');
  const calls = createCalls(context, http);
  const pathTo = (...names: string[]) => context.accountPath('invoice-delivery', ...names);

  return {
    listRecipients: async (options?: ReadOptions) =>
      calls.readList({ path: pathTo('recipients'), wrappers: ['items'] }, toRecipient, options),
    /** The `id` is empty when absent in the answer. @throws PlatformError `conflict` for an existing address */
    async addRecipient({ email, enabled = true }: { email: string; enabled?: boolean }) {
      checkEmail(email);
      const asked = { email, enabled };
      const path = pathTo('recipients');
      const { status, body } = await calls.write({ method: 'POST', path, body: asked });
      // An empty answer: the request is all that is known, and the status confirms it.
      return isNothing(body) ? { id: '', ...asked } : recipientOf(body, status);
    },
    /** The `email` is empty when absent in the answer. */
    async setRecipientEnabled(recipientId: string, enabled: boolean) {
      const path = pathTo('recipients', recipientId);
      const { status, body } = await calls.write({ method: 'PATCH', path, body: { enabled } });
      return isNothing(body) ? { id: recipientId, email: '', enabled } : recipientOf(body, status);
    },
    async removeRecipient(recipientId: string) {
      const path = pathTo('recipients', recipientId);
      await calls.write({ method: 'DELETE', path, answer: 'ignored' });
    },
    /** The latest deliveries, at most 500, optionally of one invoice. */
    async listDeliveries({ invoiceId, ...options }: ReadOptions & { invoiceId?: string } = {}) {
      const query: Record<string, string> = invoiceId === undefined ? {} : { invoiceId };
      // The specification does not show the wrapper (spec 4.3).
      const wrappers = ['items', 'deliveries', 'invoiceDeliveries'];
      return calls.readList({ path: pathTo('deliveries'), query, wrappers }, toDelivery, options);
    },
  };
}

function recipientOf(body: unknown, status: number): Recipient {
  const recipient = toRecipient(body);
  if (recipient) return recipient;
  throw malformed('an invoice e-mail recipient', status);
}

/** Spec 2.10. */
export type Recipient = NonNullable<ReturnType<typeof toRecipient>>;

function toRecipient(row: unknown) {
  const said = membersOf(unwrap(row, 'recipient'));
  const id = idOf(said['id']);
  const email = emailOf(said['email']);
  if (id === '' || email === undefined) return undefined;
  return { id, email, enabled: flagOf(said['enabled']) };
}

/** Spec 2.10. */
export type Delivery = NonNullable<ReturnType<typeof toDelivery>>;

function toDelivery(row: unknown) {
  const { status, ...said } = membersOf(row);
  const recipientEmail = emailOf(said['recipientEmail']);
  if (recipientEmail === undefined || typeof status !== 'string') return undefined;
  return {
    /** Empty when absent in the answer, as `invoiceId`. */
    id: idOf(said['id']),
    recipientEmail,
    /** A status of spec 2.10, or any other text of the platform. */
    status,
    attemptCount: countOf(said['attemptCount']),
    errorMessages: textsOf(said['errorMessages']).map(cutForeign),
    invoiceId: idOf(said['invoiceId']),
  };
}

function textsOf(value: unknown): string[] {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  return texts.filter((text) => typeof text === 'string' && text !== '') as string[];
}
