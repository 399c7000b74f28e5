import type { CommandHelp } from '../../slack/routes.ts';

export const ALERT_HELP: CommandHelp = {
  command: '/alert',
  summary: 'The spend alert, and this month’s spend against it.',
  usages: [
    {
      text: '/alert',
      does: 'shows the alert, how much of it this month has used, and whether the month will exceed it',
    },
    {
      text: '/alert set [AMOUNT]',
      does: 'opens a form to set the alert or change its amount, for example to 1,000.50',
    },
    { text: '/alert off', does: 'opens a form to switch the alert off; it keeps its amount' },
    { text: '/alert delete', does: 'opens a form to delete the alert' },
  ],
  notes: [
    'A form asks for a change: with approvals on, somebody else approves it before it is made',
  ],
  examples: ['/alert', '/alert set 500', '/alert off'],
};
