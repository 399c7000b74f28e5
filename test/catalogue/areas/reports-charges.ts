import { MINUTE, type Area, type Entry } from '../entry.ts';
import { typed, type World } from './reports-bot.ts';
import { ITEMS, meter } from './reports-data.ts';

/** More workloads than one page shows. */
const MANY = Array.from({ length: 230 }, (_, at) =>
  meter('cpu', 3_600 * (230 - at), { workload: `worker-${String(at + 1).padStart(3, '0')}` }),
);

/** Every way in which shares and changes are reported. */
const CHANGES: World = {
  charges: [
    ['acme', '912.4'],
    ['grown', '80'],
    ['same', '12.5'],
    ['fresh', '9.1'],
    ['jumped', '8'],
    ['burst', '6.5'],
    ['steady', '4.000001'],
    ['nearly-gone', '0.000001'],
    ['gone', '0'],
  ],
  before: [
    ['acme', '988.2'],
    ['grown', '64.1'],
    ['same', '12.5'],
    ['jumped', '0.32'],
    ['burst', '0.0001'],
    ['steady', '4'],
    ['nearly-gone', '40'],
    ['gone', '17.3'],
  ],
};

const byStep = (['hour', 'day', 'week', 'month'] as const).map((step): Entry => {
  const range = { hour: 'yesterday', day: 'this month', week: 'this year', month: 'this year' };
  return typed(
    `charges-per-${step}`,
    `A person asks for the course of charges, with a step of one ${step}.`,
    `/charges ${range[step]} by gvc step ${step}`,
  );
});

export const charges: Area = {
  id: 'charges',
  title: '/charges',
  entries: [
    typed('charges-this-month', 'A person types /charges and nothing else.', '/charges'),
    typed('charges-last-month', 'The range is over: nothing is projected.', '/charges last month'),
    typed('charges-today', 'The range began a few hours ago.', '/charges today by workload'),
    typed(
      'charges-one-line',
      'There is one line only.',
      '/charges last month by gvc where gvc=shop',
    ),
    typed(
      'charges-of-item',
      'Only charges of one chargeable item.',
      '/charges last month item Egress by workload',
    ),
    typed(
      'charges-of-item-of-shared-name',
      'Charges are asked for by an item whose name another one has, too.',
      '/charges last month item cpu',
      {
        world: {
          items: [...ITEMS, ...ITEMS.slice(0, 1).map((item) => ({ ...item, id: 'i-other' }))],
        },
      },
    ),
    typed(
      'charges-of-items',
      'Only charges of two chargeable items, over time.',
      '/charges last month of cpu item cpu,item-memory org acme step week',
    ),
    ...['Org', 'GVC', 'Workload', 'Metric'].map((tag) =>
      typed(
        `charges-by-${tag.toLowerCase()}`,
        `"By ${tag}" was chosen in the select.`,
        '/charges last month by location',
        {
          press: [`By ${tag}`],
        },
      ),
    ),
    typed(
      'charges-by-several-tags',
      'Charges by several tags, some of which are absent.',
      '/charges last month by org,gvc,workload,performanceClass',
    ),
    typed(
      'charges-by-too-many-tags',
      'More tags than a table has columns: the last ones share one.',
      '/charges last month by org,gvc,workload,location,metric,feature,locationType,performanceClass,name,provider where workload=cart',
    ),
    typed(
      'charges-filtered',
      'A part of the account is asked for: some metrics, and filters.',
      '/charges last month by workload of cpu,memory where gvc=/^(shop|data)$/ org acme',
    ),
    typed(
      'charges-of-many-metrics',
      'More metrics and orgs are named than the first line has room for.',
      '/charges last month of cpu,memory,gpu,replicas,egress,snapshot-storage,logs-storage where volumeSet="" org acme,globex',
    ),
    typed(
      'charges-of-all-orgs-by-name',
      'All orgs of the account are named, which is the account.',
      '/charges 2026-10 org acme,globex,Initech',
    ),
    ...byStep,
    typed(
      'charges-per-week-cut',
      'The range cuts the first or the last week.',
      '/charges last month by gvc step week',
    ),
    typed(
      'charges-per-hour-of-hours',
      'A range of hours is asked for.',
      '/charges 2026-11-20T06:00:00Z..2026-11-20T12:00:00Z by gvc step hour',
    ),
    ...[1, 2].map((page) =>
      typed(
        `charges-page-${page}`,
        `Page ${page} of many lines.`,
        '/charges last month by workload',
        {
          world: { meters: MANY },
          page,
        },
      ),
    ),
  ],
};

export const chargesChange: Area = {
  id: 'charges-change',
  title: '/charges: change, shares and currencies',
  entries: [
    typed(
      'charges-every-change',
      'Shares and changes of every kind, from new to gone.',
      '/charges last month by gvc',
      { world: CHANGES },
    ),
    typed(
      'charges-credits',
      'Some charges are below 0, which are credits.',
      '/charges last month',
      {
        world: {
          charges: [
            ['acme', '912.4'],
            ['globex', '-120'],
            ['initech', '3'],
          ],
          before: [
            ['acme', '988.2'],
            ['globex', '30'],
            ['initech', '-3'],
          ],
        },
      },
    ),
    typed('charges-credits-alone', 'All charges are credits.', '/charges last month', {
      world: {
        charges: [
          ['acme', '-12.4'],
          ['globex', '-0.001'],
        ],
        before: [['acme', '-6.2']],
      },
    }),
    typed('charges-tiny-share', 'One group has nearly all charges.', '/charges last month by gvc', {
      world: {
        charges: [
          ['data', '9120.4'],
          ['shop', '0.004'],
        ],
        before: [['data', '9120.4']],
      },
    }),
    typed('charges-two-currencies', 'Charges are in two currencies.', '/charges last month', {
      world: {
        charges: [
          ['acme', '912.4', 'USD'],
          ['globex', '80', 'USD'],
          ['globex', '120', 'EUR'],
          ['initech', '95012', 'JPY'],
          ['initech', '0', ''],
        ],
        before: [
          ['acme', '700', 'USD'],
          ['globex', '110', 'EUR'],
        ],
      },
    }),
    typed(
      'charges-unknown-currency',
      'The currency is not one that anyone knows.',
      '/charges last month',
      {
        world: { charges: [['acme', '1912.4', 'CREDITS']], before: [['acme', '1900', 'CREDITS']] },
      },
    ),
    typed(
      'charges-nothing-charged',
      'There is usage, and all of it is free.',
      '/charges last month',
      { world: { charges: [['acme', '0', '']], before: [] } },
    ),
    typed(
      'charges-before-unread',
      'The charges of the span before could not be read.',
      '/charges last month by gvc',
      { world: { charges: [['shop', '912.4']], before: 'down' } },
    ),
    typed(
      'charges-before-not-kept',
      'The platform keeps nothing of the span before.',
      '/charges 2025-11-01..2025-11-07 by gvc',
    ),
    typed(
      'charges-nothing-elapsed',
      'Not one hour of the range has elapsed.',
      '/charges today by gvc',
      {
        world: {
          nowMs: Date.parse('2026-11-22T00:20:00Z'),
          charges: [['shop', '0.14']],
        },
      },
    ),
    typed('charges-old-reading', 'The figures were read a while ago.', '/charges last month', {
      world: { age: 4 * MINUTE },
    }),
  ],
};
