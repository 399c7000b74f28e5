import type { Rule } from './rule.ts';

const INVOICES = 'contract/platform/invoices.test.ts';
const INVOICE_FORMATS = 'contract/platform/invoice-formats.test.ts';

/** Spec 4.2: invoices. */
export const SECTION_4_INVOICES: readonly Rule[] = [
  {
    id: '4.2/list/overlap',
    says: 'the list has the invoices that overlap the range',
    test: [
      INVOICES,
      'the invoices that overlap the range are listed, newest first, numbered one after another',
    ],
  },
  {
    id: '4.2/list/newest-first',
    says: 'the list has the newest first',
    test: [
      INVOICES,
      'the invoices that overlap the range are listed, newest first, numbered one after another',
    ],
  },
  {
    id: '4.2/list/both-required',
    says: 'start and end are both required',
    test: [INVOICES, 'an invoice list %s is refused before it is sent'],
  },
  {
    id: '4.2/list/hour',
    says: 'start and end are RFC 3339 on an hour boundary',
    test: [INVOICES, 'an invoice list %s is refused before it is sent'],
  },
  {
    id: '4.2/list/wrapper',
    says: 'the list is {invoices}',
    test: [
      INVOICES,
      'the invoices that overlap the range are listed, newest first, numbered one after another',
    ],
  },
  {
    id: '4.2/pending',
    says: 'pending has what has accrued and is not yet billed, as {invoices}',
    test: [INVOICES, 'pending invoices hold what has accrued and is not billed yet'],
  },
  {
    id: '4.2/pending/surcharges',
    says: 'include-surcharges=true has only the current month’s, with surcharges and credits',
    test: [
      INVOICES,
      'with surcharges only the current month is pending, with surcharges and credits',
    ],
  },
  {
    id: '4.2/one/json',
    says: 'Accept application/json answers with the invoice object',
    test: [
      INVOICE_FORMATS,
      'an invoice is asked for as exactly application/json, and the GET has no Content-Type',
    ],
  },
  {
    id: '4.2/one/pdf',
    says: 'Accept application/pdf answers with the PDF',
    test: [
      INVOICE_FORMATS,
      'an invoice is asked for as exactly application/pdf, and arrives as a stream',
    ],
  },
  {
    id: '4.2/one/other-accept',
    says: 'any other Accept, */* included, gives 400',
    test: [INVOICE_FORMATS, 'an invoice that is asked for as %s is a 400'],
  },
  {
    id: '4.2/one/content-type',
    says: 'a Content-Type of the request takes precedence over Accept',
    test: [INVOICE_FORMATS, 'a Content-Type on the request wins over Accept'],
  },
  {
    id: '4.2/one/unknown',
    says: 'an unknown id gives 404',
    test: [INVOICE_FORMATS, 'an unknown invoice is not found, as JSON and as PDF'],
  },
  {
    id: '4.2/external-url',
    says: 'the payment page links come per period of the invoice',
    test: [
      INVOICES,
      'payment pages come by period of the invoice, for an account that is billed by card alone',
    ],
  },
];
