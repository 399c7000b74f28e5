/** The API that a task needs (design section 7). */
export type Api = 'billing' | 'charges' | 'usage';

export interface Task {
  /** A complete command; its names are examples. */
  readonly command: string;
  readonly wish: string;
  readonly words?: string;
  readonly needs?: Api;
}

export interface Place {
  readonly place: string;
  readonly wish: string;
  readonly words?: string;
}

export interface TaskGroup {
  /** That find each of its tasks. */
  readonly words: string;
  readonly tasks: readonly Task[];
}

export const MONEY_TASKS: readonly TaskGroup[] = [
  {
    words: 'cost',
    tasks: [
      {
        command: '/charges',
        wish: 'this month by org',
        words: 'price money spend much cpu memory',
        needs: 'charges',
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
      },
      {
        command: '/charges by workload where gvc=shop',
        wish: 'a part of it, by any tag',
        words: 'filter group team',
        needs: 'charges',
      },
      {
        command: '/charges items',
        wish: 'what has a price, and by what it is counted',
        words: 'rate tier metric chargeable',
        needs: 'charges',
      },
      {
        command: '/charges tags gvc',
        wish: 'the values that a tag of the charges has',
        words: 'label names',
        needs: 'billing',
      },
      {
        command: '/usage tags workload',
        wish: 'the values that a tag of the usage has',
        words: 'label names',
        needs: 'usage',
      },
    ],
  },
  {
    words: 'pay',
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
      },
      {
        command: '/invoices show 12',
        wish: 'what an invoice is made of',
        words: 'lines credit items',
        needs: 'billing',
      },
      {
        command: '/invoices pay 12',
        wish: 'the page where an invoice is paid',
        words: 'payment card',
        needs: 'billing',
      },
      {
        command: '/invoices deliveries',
        wish: 'which e-mails with invoices went out, and which failed',
        words: 'sent mail',
        needs: 'billing',
      },
      {
        command: '/billing recipients',
        wish: 'who gets invoices by e-mail',
        words: 'mail address',
        needs: 'billing',
      },
      {
        command: '/billing account',
        wish: 'the account: terms, cards, orgs',
        words: 'payment method limit',
        needs: 'billing',
      },
    ],
  },
  {
    words: 'going over',
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
      },
      {
        command: '/billing quotas request',
        wish: 'ask for a higher quota',
        words: 'limit raise increase more maximum',
        needs: 'billing',
      },
    ],
  },
];

export const WORK_TASKS: readonly TaskGroup[] = [
  {
    words: 'deployed',
    tasks: [
      {
        command: '/deployments',
        wish: 'what is not green now',
        words: 'status state healthy failed broken down wrong incident outage alarm',
      },
      {
        command: '/deployments shop',
        wish: 'all of GVC “shop”',
        words: 'status state ready healthy deployment rollout',
      },
      {
        command: '/deployments shop/cart',
        wish: 'one workload by location',
        words: 'status state failed broken crash restart replicas stale unhealthy down version',
      },
      {
        command: '/deployments jobs data/etl',
        wish: 'runs of cron jobs',
        words: 'job workload schedule execution failed logs replica removed',
      },
    ],
  },
  {
    words: 'notify',
    tasks: [
      {
        command: '/deployments watch shop',
        wish: 'posts rollouts',
        words: 'subscribe notify notification follow card alert news deploy',
      },
      {
        command: '/deployments mute 8h shop',
        wish: '8 hours of silence',
        words: 'snooze quiet noise notifications pause holiday',
      },
      {
        command: '/deployments watches',
        wish: 'what this channel watches',
        words: 'list subscriptions',
      },
      {
        command: '/deployments watch shop only failed',
        wish: 'posts failures alone',
        words: 'quiet less noise outcome subscribe notify',
      },
      {
        command: '/deployments mute off shop',
        wish: 'ends the silence',
        words: 'unmute resume',
      },
      {
        command: '/deployments unwatch shop',
        wish: 'ends a watch of this channel',
        words: 'unsubscribe stop notifications remove',
      },
    ],
  },
  {
    words: 'set well',
    tasks: [
      {
        command: '/workload addresses shop/cart',
        wish: 'every address',
        words: 'where answer endpoint url host domain internal replica port dns',
      },
      {
        command: '/workload probe shop/cart',
        wish: 'which location and replica answers',
        words: 'answer debug headers request test reach',
      },
      {
        command: '/workload check',
        wish: 'mistakes in a manifest',
        words: 'find configuration configured yaml json validate lint spec error',
      },
      {
        command: '/workload plan replicas=4 maxSurge=50%',
        wish: 'the batches of a rollout',
        words: 'rolling update unavailable duration simulate deploy',
      },
      {
        command: '/workload env',
        wish: 'the variables in every container',
        words: 'environment built-in token',
      },
      {
        command: '/workload tags',
        wish: 'the special tags, and what they change',
        words: 'label annotation rate limit authorization deprecated',
      },
    ],
  },
  {
    words: 'change something together',
    tasks: [
      {
        command: '/changes',
        wish: 'what waits for a decision',
        words: 'approve approval reject review request pending audit history withdraw',
      },
      {
        command: '/billing users add',
        wish: 'ask to add a person',
        words: 'access ask person people member role invite viewer admin',
        needs: 'billing',
      },
      {
        command: '/billing tokens create',
        wish: 'ask for a token',
        words: 'key secret credential service account api program',
        needs: 'billing',
      },
      {
        command: '/changes show k3m9x2ab',
        wish: 'one request: who asked, who decided',
        words: 'approve audit history id',
      },
      {
        command: '/billing users',
        wish: 'the people on the account and their roles',
        words: 'person member viewer admin list',
        needs: 'billing',
      },
      {
        command: '/billing users roles',
        wish: 'ask for other roles of a person',
        words: 'permission access viewer admin change',
        needs: 'billing',
      },
      {
        command: '/billing users remove',
        wish: 'take a person off the account',
        words: 'delete person access leave',
        needs: 'billing',
      },
      {
        command: '/billing tokens',
        wish: 'which tokens there are, and when they expire',
        words: 'key credential expiry last used list',
        needs: 'billing',
      },
      {
        command: '/billing tokens delete',
        wish: 'ask to delete a token',
        words: 'revoke key remove',
        needs: 'billing',
      },
      {
        command: '/billing orgs create',
        wish: 'ask for a new org',
        words: 'organization organisation add',
        needs: 'billing',
      },
      {
        command: '/billing recipients add',
        wish: 'send invoices to one more address',
        words: 'mail e-mail person',
        needs: 'billing',
      },
    ],
  },
  {
    words: 'purser well',
    tasks: [
      {
        command: '/purser doctor',
        wish: 'what is wrong, and the fix',
        words: 'health check broken credentials scopes redis error problem diagnose',
      },
      {
        command: '/purser whoami',
        wish: 'your roles and rights',
        words: 'permission access denied email right who me',
      },
    ],
  },
];
