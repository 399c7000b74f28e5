import type { CommandHelp } from '../../slack/routes.ts';

export const BILLING_HELP: CommandHelp = {
  command: '/billing',
  summary: 'The billing account, its people, tokens, orgs and quotas.',
  usages: [
    { text: '/billing account', does: 'the account: terms, org quota, cards, spend alert' },
    { text: '/billing orgs [create [NAME]]', does: 'its orgs; asks for a new one' },
    {
      text: '/billing users [add|roles|remove [E-MAIL]]',
      does: 'who has which role; asks for a change of that',
    },
    {
      text: '/billing tokens [create|delete [NAME]]',
      does: 'tokens for automation, when they expire and were used; asks for one, or for its end',
    },
    {
      text: '/billing recipients [add|enable|disable|delete [E-MAIL]]',
      does: 'who gets invoices by e-mail; asks for a change of that',
    },
    {
      text: '/billing quotas [request [NAME]] [org NAME]',
      does: 'the quotas of an org; asks the platform for more',
    },
  ],
  examples: ['/billing account', '/billing users add ann@example.com', '/billing quotas'],
};
