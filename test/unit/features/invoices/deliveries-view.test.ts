import { describe, expect, it } from 'vitest';

import { deliveriesAnswer } from '../../../../src/features/invoices/deliveries-view.ts';
import type { Delivery } from '../../../../src/platform/billing/recipients.ts';
import { proseOf, rowsOf } from '../../../support/answer.ts';
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

  it('have failed ones first, then the order of the platform', () => {
    const statuses = ['delivered', 'pending', 'failed', 'in_progress', 'permanently_failed', 'odd'];
    const rows = rowsOf(answer(statuses.map((status) => delivery({ status }))));
    expect(rows.map((row) => row[1])).toEqual([
      '🟠 failed for good',
      '🟠 failed',
      '✅ delivered',
      '⏳ waiting',
      '⏳ being sent',
      '⚪ odd',
    ]);
  });

  it('have advice for each way to fail', () => {
    const failed = answer([delivery({ status: 'failed' })]);
    expect(proseOf(failed)).toContain('🟠 failed: the platform tries again');
    expect(proseOf(failed)).not.toContain('no more tries');
  });

  it('are not all fine where one cannot be read', () => {
    const prose = proseOf(answer([delivery()], { skipped: 1 }));
    expect(prose).toContain('*None failed*, as far as it can be read · 1 delivery of invoices');
  });

  it('show an invoice by the beginning of its id where its number is not known, and dashes for fields that are not reported', () => {
    const rows = rowsOf(
      answer([
        delivery({ invoiceId: 'in_3' }),
        delivery({ invoiceId: '', attemptCount: undefined }),
      ]),
    );
    expect(rows.map(([, , invoice, attempts, error]) => [invoice, attempts, error])).toEqual([
      ['in_3', '1', '–'],
      ['–', '–', '–'],
    ]);
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
