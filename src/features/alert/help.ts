import type { CommandHelp } from '../../slack/routes.ts';

export const ALERT_HELP: CommandHelp = {
  command: '/alert',
  summary: 'The spend alert, and this month against it.',
  usages: [
    {
      text: '/alert',
      does: 'amount, on or off, fired or armed; this month against it, and its pace',
    },
    { text: '/alert set [AMOUNT]', does: 'asks for the amount, in whole units such as 1,000.50' },
    { text: '/alert off', does: 'asks to turn it off and keep its amount' },
    { text: '/alert delete', does: 'asks to delete it' },
  ],
  examples: ['/alert', '/alert set 500', '/alert off'],
};
