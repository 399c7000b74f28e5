import type { CommandHelp } from '../../slack/routes.ts';

export const INVOICES_HELP: CommandHelp = {
  command: '/invoices',
  summary: 'What was billed, what is due, and what it is made of.',
  usages: [
    { text: '/invoices [list [range]]', does: 'number, months, amount due and status' },
    {
      text: '/invoices pending [surcharges]',
      does: 'what has accrued and is not billed yet; with surcharges: the current month in full',
    },
    {
      text: '/invoices show N',
      does: 'periods, lines, credits, and the comparison with the charges; N is a number or an id',
    },
    { text: '/invoices pdf N', does: 'the PDF, as a file in your messages with Purser' },
    { text: '/invoices pay N', does: 'the payment pages' },
    { text: '/invoices deliveries [N]', does: 'the e-mails with invoices, and what failed' },
  ],
  examples: ['/invoices', '/invoices list last 3 months', '/invoices show 12'],
};
