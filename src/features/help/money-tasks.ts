import type { TaskGroup } from './task.ts';

/** What people want to know about money. */
export const MONEY_TASKS: readonly TaskGroup[] = [
  {
    question: 'What does it cost?',
    tasks: [
      {
        command: '/charges',
        wish: 'this month by org',
        words: 'price money spend much cpu memory',
        needs: 'charges',
        more: true,
      },
      {
        command: '/charges last month',
        wish: 'or any other span',
        words: 'expensive price money spend range csv spreadsheet customize',
        needs: 'charges',
      },
      {
        command: '/usage last 7 days',
        wish: 'quantities, no prices',
        words: 'what quantity consumption core hours cpu memory egress traffic',
        needs: 'usage',
      },
      {
        command: '/charges last 3 months step month',
        wish: 'a chart over time',
        words: 'trend graph history day week picture',
        needs: 'charges',
        more: true,
      },
      {
        command: '/charges by workload where gvc=shop',
        wish: 'a part of it, by any tag',
        words: 'filter group team',
        needs: 'charges',
        more: true,
      },
      {
        command: '/charges items',
        wish: 'what has a price, and by what it is counted',
        words: 'rate tier metric chargeable',
        needs: 'charges',
        more: true,
      },
      {
        command: '/charges tags gvc',
        wish: 'the values that a tag of the charges has',
        words: 'label names',
        needs: 'billing',
        more: true,
      },
      {
        command: '/usage tags workload',
        wish: 'the values that a tag of the usage has',
        words: 'label names',
        needs: 'usage',
        more: true,
      },
    ],
  },
  {
    question: 'What do we have to pay?',
    tasks: [
      {
        command: '/invoices',
        wish: 'bills, and what is due',
        words: 'bill invoice amount open owed',
        needs: 'billing',
      },
      {
        command: '/invoices pending',
        wish: 'not billed yet',
        words: 'next accrued surcharges invoice',
        needs: 'billing',
      },
      {
        command: '/invoices pdf 12',
        wish: 'one of them as a PDF',
        words: 'file download print invoice document',
        needs: 'billing',
        more: true,
      },
      {
        command: '/invoices show 12',
        wish: 'what an invoice is made of',
        words: 'lines credit items',
        needs: 'billing',
        more: true,
      },
      {
        command: '/invoices pay 12',
        wish: 'the page where an invoice is paid',
        words: 'payment card',
        needs: 'billing',
        more: true,
      },
      {
        command: '/invoices deliveries',
        wish: 'which e-mails with invoices went out, and which failed',
        words: 'sent mail',
        needs: 'billing',
        more: true,
      },
      {
        command: '/billing recipients',
        wish: 'who gets invoices by e-mail',
        words: 'mail address',
        needs: 'billing',
        more: true,
      },
      {
        command: '/billing account',
        wish: 'the account: terms, cards, orgs',
        words: 'payment method limit',
        needs: 'billing',
        more: true,
      },
    ],
  },
  {
    question: 'Are we going over?',
    tasks: [
      {
        command: '/alert',
        wish: 'this month against its alert',
        words: 'spend budget limit pace forecast projection exceed spending cost',
        needs: 'billing',
      },
      {
        command: '/alert set 500',
        wish: 'ask for another amount',
        words: 'budget limit change spend',
        needs: 'billing',
        more: true,
      },
      {
        command: '/billing quotas',
        wish: 'the limits of an org',
        words: 'most maximum',
        needs: 'billing',
      },
      {
        command: '/alert off',
        wish: 'switch the spend alert off',
        words: 'disable budget',
        needs: 'billing',
        more: true,
      },
      {
        command: '/billing quotas request',
        wish: 'ask for a higher quota',
        words: 'limit raise increase more maximum',
        needs: 'billing',
        more: true,
      },
    ],
  },
];
