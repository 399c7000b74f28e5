import { expect, it } from 'vitest';
import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import { payAnswer } from '../../../../src/features/invoices/due-view.ts';
import { dueOf } from '../../../../src/features/invoices/sheet.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import { invoice, period, shared } from './scenario.ts';

const [PAID, FAILED] = [{ status: 'paid' }, { status: 'payment-failed' }];
const UNREAD = { totalCharge: undefined };
const failedInPart = (...periods: Invoice['periods']) =>
  invoice({ status: 'partially-failed', periods });

it('the amount of a paid period is not called due where that of the open one cannot be read', () => {
  const one = failedInPart(period(PAID), period({ ...FAILED, ...UNREAD }));
  const reconciliation = { impossible: 'the platform does not answer.' };

  expect(dueOf(one)).toEqual({ kind: 'unreadable' });
  expect(invoiceAnswer({ ...shared, invoice: one, reconciliation, page: 0 }).text).toContain(
    '*Amount due not known*: the amount of October 2026 (payment failed) cannot be read',
  );
  expect(payAnswer({ ...shared, invoice: one, links: undefined }).text).toContain(
    'what is due is not known, because an amount cannot be read',
  );
});

it.each([
  ['nothing is paid', failedInPart(period(FAILED), period({ ...FAILED, ...UNREAD }))],
  ['the open amount can be read', failedInPart(period(PAID), period(FAILED))],
  ['a paid amount cannot', failedInPart(period({ ...PAID, ...UNREAD }), period(FAILED))],
])('the total is due where %s', (_what, one) => {
  expect(dueOf(one).kind).toBe('open');
});
