import { cutForeign } from '../../lib/text.ts';
import { checkEmail } from '../errors.ts';
import { countOf, idOf, membersOf } from '../json.ts';
import type { ReadOptions } from '../concurrency.ts';
import { createCalls, emailOf, flagOf, unwrap } from './calls.ts';
import type { BillingContext } from './context.ts';

/** Spec 2.10, 4.3. The bodies of write answers are not read: their status is enough. */
export function createRecipients(context: BillingContext) {
  const http = context.accountFor('billing_admin');
  const calls = createCalls(context, http);
  const pathTo = (...names: string[]) => context.accountPath('invoice-delivery', ...names);

  return {
    listRecipients: async (options?: ReadOptions) =>
      calls.readList({ path: pathTo('recipients'), wrappers: ['items'] }, toRecipient, options),
    /** @throws PlatformError `conflict` for an existing address */
    async addRecipient({ email, enabled = true }: { email: string; enabled?: boolean }) {
      checkEmail(email);
      const body = { email, enabled };
      await calls.write({ method: 'POST', path: pathTo('recipients'), body, answer: 'ignored' });
    },
    async setRecipientEnabled(recipientId: string, enabled: boolean) {
      const path = pathTo('recipients', recipientId);
      await calls.write({ method: 'PATCH', path, body: { enabled }, answer: 'ignored' });
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
