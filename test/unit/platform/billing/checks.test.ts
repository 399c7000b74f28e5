import { expect, test } from 'vitest';
import { answering, failureOf, type Records } from './support.ts';

const ADA = 'ada@acme.example';
const invoices = (start: string, end: string) => (records: Records) =>
  records.listInvoices({ start, end });
const token = (name: string, roles: string[], expiresAt?: string) => (records: Records) =>
  records.createToken({
    name,
    roles: roles as 'org_creator'[],
    ...(expiresAt ? { expiresAt } : {}),
  });
const alert = (amount: number) => (records: Records) =>
  records.createAlert({ amount, enabled: true });
const org =
  (name: string, ...invitees: string[]) =>
  (records: Records) =>
    records.createOrg({ org: { name }, invitees });
const increase = (quotaName: string, requestedMax: number) => (records: Records) =>
  records.requestQuotaIncrease('acme', { quotaName, requestedMax });

test.each<[string, (records: Records) => Promise<unknown>, RegExp]>([
  ['an end that is no time', invoices('2026-09-01T00:00:00Z', 'now'), /end.*RFC 3339/],
  ['another zone', invoices('2026-09-01T00:00:00+02:00', '2026-10-01T00:00:00Z'), /start.*UTC/],
  [
    'a range that ends where it starts',
    invoices('2026-09-01T00:00:00Z', '2026-09-01T00:00:00Z'),
    /start must be before end/,
  ],
  ['an amount that is no number', alert(Number.NaN), /amount/],
  ['an endless amount', alert(Number.POSITIVE_INFINITY), /amount/],
  ['a token that ends now', token('ci', ['org_creator'], '2026-10-05T12:00:00Z'), /future/],
  ['roles without a person', (records) => records.setUserRoles({ email: '', roles: [] }), /e-mail/],
  ['a path', (records) => records.getUser('../token'), /e-mail/],
  ['the removal without a person', (records) => records.removeUser('ada acme'), /e-mail/],
  ['an org with half an invitee', org('hooli', ADA, 'ben@'), /e-mail/],
  ['a recipient without an address', (records) => records.addRecipient({ email: 'x' }), /e-mail/],
  ['more of nothing', increase('', 5), /name/],
  ['less than one', increase('cpu', 0), /requestedMax/],
  ['an invoice without an id', (records) => records.getInvoice(''), /not a name/],
  ['an invoice above its place', (records) => records.getInvoice('..'), /not a name/],
  ['the pending charges as one invoice', (records) => records.getInvoice('pending'), /"pending"/],
  [
    'the file of the pending charges',
    (records) => records.downloadInvoicePdf('pending'),
    /"pending"/,
  ],
  [
    'the payment pages of the pending charges',
    (records) => records.listPaymentLinks('pending'),
    /"pending"/,
  ],
])('a call that the platform would refuse is not sent: %s', async (_what, call, sentence) => {
  const records = answering({});

  const failure = await failureOf(call(records));

  expect(failure.reason).toBe('bad-request');
  expect(failure.message).toMatch(sentence);
  expect(records.sent).toEqual([]);
});
