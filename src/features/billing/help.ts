import type { CommandHelp } from '../../slack/routes.ts';

export const BILLING_HELP: CommandHelp = {
  command: '/billing',
  summary: 'The billing account, its people, tokens, orgs and quotas.',
  usages: [
    {
      text: '/billing account',
      does: 'shows the account: its terms, how many orgs it may have, its cards and its spend alert',
    },
    { text: '/billing orgs', does: 'lists the orgs of the account' },
    { text: '/billing orgs create [NAME]', does: 'opens a form to create an org' },
    { text: '/billing users', does: 'lists the people on the account, with their roles' },
    {
      text: '/billing users add|roles|remove [E-MAIL]',
      does: 'opens a form to add somebody, change their roles, or remove them',
    },
    {
      text: '/billing tokens',
      does: 'lists the tokens that programs use, when they expire and when they were last used',
    },
    {
      text: '/billing tokens create|delete [NAME]',
      does: 'opens a form to create a token, or delete one',
    },
    { text: '/billing recipients', does: 'lists who gets invoices by e-mail' },
    {
      text: '/billing recipients add|enable|disable|delete [E-MAIL]',
      does: 'opens a form to add a recipient, switch their e-mails on or off, or delete them',
    },
    {
      text: '/billing quotas [org NAME]',
      does: 'lists what an org may use at most; name the org if there are several',
    },
    {
      text: '/billing quotas request [QUOTA] [org NAME]',
      does: 'opens a form to ask the platform for a higher quota',
    },
  ],
  notes: [
    'A form asks for a change: with approvals on, somebody else approves it before it is made',
  ],
  examples: ['/billing account', '/billing users add ann@example.com', '/billing quotas'],
};
