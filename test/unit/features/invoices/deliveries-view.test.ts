import { describe, expect, it } from 'vitest';

import { deliveriesAnswer } from '../../../../src/features/invoices/deliveries-view.ts';
import type { Delivery } from '../../../../src/platform/billing/recipients.ts';
import { rowsOf } from '../../../support/answer.ts';
import { shared } from './scenario.ts';

describe('deliveries', () => {
  const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
    id: 'del_1',
    recipientEmail: 'ada@acme.example',
    status: 'delivered',
    attemptCount: 1,
    errorMessages: [],
    invoiceId: 'in_12',
    ...changes,
  });
  const answer = (deliveries: readonly Delivery[], changes = {}) =>
    deliveriesAnswer({
      items: deliveries,
      of: undefined,
      numbers: new Map([['in_12', 12]]),
      skipped: 0,
      ...shared,
      ...changes,
    });

  it('show every error, the last first, without the recipient, who has a column', () => {
    const later = '421 try later';
    const errorMessages = [later, later, '550 5.1.1 <ada@acme.example>: rejected'];

    const [row] = rowsOf(answer([delivery({ status: 'failed', errorMessages, attemptCount: 4 })]));

    expect(row?.slice(-2)).toEqual(['4', '550 5.1.1: rejected · 421 try later']);
  });

  it('shorten errors, so that one leaves room for those before it', () => {
    const errorMessages = ['first', 'x'.repeat(500), 'last'];
    const [row] = rowsOf(answer([delivery({ status: 'failed', errorMessages })]));
    expect(row?.at(-1)).toBe(`last · ${'x'.repeat(79)}… · first`);
  });
});
