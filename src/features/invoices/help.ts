import type { CommandHelp } from '../../slack/routing/routes.ts';

export const INVOICES_HELP: CommandHelp = {
  command: '/invoices',
  summary: 'What was billed, what is due, and what it is made of.',
  usages: [
    {
      text: '/invoices [list [RANGE]]',
      does: 'number, months, amount due and status; without a range, of 12 months',
    },
    {
      text: '/invoices pending [surcharges]',
      does: 'what has accrued and is not billed yet; with surcharges: the current month in full',
    },
    {
      text: '/invoices show N',
      does: 'periods, lines (also as CSV), credits, and the comparison with the charges',
    },
    { text: '/invoices pdf N', does: 'the PDF, as a file in your messages with Purser' },
    { text: '/invoices pay N', does: 'the payment pages' },
    { text: '/invoices deliveries [N]', does: 'the e-mails with invoices, and what failed' },
  ],
  notes: [
    'N: the number of an invoice, or its id',
    'RANGE: this year, last year, last 3 months, 2026-10 or 2026-01-01..2026-06-30',
  ],
  examples: ['/invoices', '/invoices list last 3 months', '/invoices show 12'],
};
