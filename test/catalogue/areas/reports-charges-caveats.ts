import { HOUR, NOW, type Area } from '../entry.ts';
import { typed, type World } from './reports-bot.ts';
import { METERS, meter } from './reports-data.ts';

const NOVEMBER = Date.parse('2026-11-01T00:00:00Z');

const GPU = meter('gpu', 3_600, { gpuModel: 't4' });

/** Usage without a price, by the note about it. */
const UNPRICED: readonly (readonly [id: string, when: string, line: string, world: World])[] = [
  [
    'no-item',
    'Some usage is nothing that is sold.',
    '/charges last month by metric',
    { meters: [...METERS, GPU] },
  ],
  [
    'many',
    'More kinds of usage have no price than one line names.',
    '/charges last month by metric',
    {
      meters: [
        ...METERS,
        ...['gpu', 'replicas', 'cross-zone-traffic', 'public-ip-external-traffic'].map((metric) =>
          meter(metric, 3_600),
        ),
        ...['logs', 'metrics', 'tracing', 'audit', 'events', 'profiles', 'errors', 'checks'].map(
          (what) => meter(`${what}-storage`, 3_600, { feature: 'observability' }),
        ),
      ],
    },
  ],
  [
    'tag-missing',
    'Usage lacks a tag on which its item prices.',
    '/charges last month by workload',
    {
      meters: [
        ...METERS.slice(0, 3),
        meter('volume-set-capacity-bytes', 3_600, { feature: 'volume-sets' }),
      ],
    },
  ],
  [
    'other-value',
    'Usage has a value in a tag that no item has.',
    '/charges last month by locationType',
    { meters: [...METERS.slice(0, 3), meter('cpu', 3_600, { locationType: 'byok' })] },
  ],
  [
    'items-down',
    'The list of chargeable items could not be read.',
    '/charges last month by metric',
    { meters: [...METERS.slice(0, 3), GPU], items: 'down' },
  ],
];

export const chargesCaveats: Area = {
  id: 'charges-caveats',
  title: '/charges: warnings',
  entries: [
    ...UNPRICED.map(([id, when, line, world]) =>
      typed(`charges-unpriced-${id}`, when, line, { world }),
    ),
    typed(
      'charges-unpriced-again',
      'The same note again on that day: it is short.',
      '/charges last month by metric',
      {
        world: {
          meters: [...METERS.slice(0, 3), GPU, meter('replicas', 3_600)],
        },
        press: ['By Workload'],
      },
    ),
    ...[1, 12].map((skipped) =>
      typed(
        `charges-unread-rows-${skipped}`,
        'Rows of the answer, and chargeable items, could not be read.',
        '/charges last month by metric',
        { world: { skipped, meters: [...METERS, GPU] } },
      ),
    ),
    typed(
      'charges-nothing-readable',
      'Nothing of the answer could be read.',
      '/charges last month',
      { world: { skipped: 3, charges: [], before: [] } },
    ),
    typed(
      'charges-still-revised',
      'Charges of the last two days come from the bill of a cloud provider, which can change.',
      '/charges of snapshot-storage,load-balancer-processed-bytes by metric',
      {
        world: {
          meters: [
            meter('snapshot-storage', 7_200, { feature: 'volume-sets' }),
            meter('load-balancer-processed-bytes', 4e9, { feature: 'custom-ingress' }),
          ],
        },
      },
    ),
    typed(
      'charges-measured-twice',
      'The same volumes are measured in two ways.',
      '/charges last month by metric',
      {
        world: {
          meters: ['volume-set-capacity-bytes', 'volume_set_capacity'].map((metric) =>
            meter(metric, 36_000, {
              feature: 'volume-sets',
              performanceClass: 'general-purpose-ssd',
            }),
          ),
        },
      },
    ),
  ],
};

const EMPTY: World = { meters: [], charges: [], before: [] };

export const chargesShort: Area = {
  id: 'charges-short',
  title: '/charges: nothing found, not kept',
  entries: [
    typed('charges-none', 'There are no charges in the range.', '/charges last month', {
      world: EMPTY,
    }),
    typed(
      'charges-none-filtered',
      'Nothing matches the filters.',
      '/charges last month by workload of gpu where gvc=shop workload=cartt step day',
    ),
    typed(
      'charges-none-listed',
      'The value of a filter is a list, of which nothing has the name.',
      '/charges last month where gvc=shop,cart',
    ),
    typed('charges-none-of-year', 'A wide range is empty, too.', '/charges last 12 months', {
      world: EMPTY,
    }),
    typed(
      'charges-none-of-org',
      'A person without a billing role asks for an org, and there are no charges in the range.',
      '/charges last 12 months where gvc=cartt',
      { world: { orgForm: 'acme by default' } },
    ),
    typed(
      'charges-none-of-org-of-year',
      'The same of a wide range: there is nothing else to ask for.',
      '/charges last 12 months',
      { world: { ...EMPTY, orgForm: 'acme by default' } },
    ),
    typed('charges-none-yet', 'The range has not begun.', '/charges 2026-12'),
    typed(
      'charges-none-in-detail',
      'Nothing is left for the pricing tiers.',
      '/charges last month',
      {
        world: { meters: [meter('cpu', 1, {}, { from: NOW + HOUR })], charges: [['acme', '3']] },
        press: ['Tiers'],
      },
    ),
    typed(
      'charges-not-kept',
      'The range begins before the kept time of the platform.',
      '/charges 2025-10-20..2025-11-10 by gvc',
    ),
    typed(
      'charges-from-kept',
      'The button "From …" was clicked.',
      '/charges 2025-10-20..2025-11-10',
      {
        press: ['From'],
      },
    ),
    typed(
      'charges-not-kept-at-all',
      'The platform keeps nothing of the range.',
      '/charges 2025-06-01..2025-06-10',
    ),
    typed('charges-new-things', 'Everything began this month.', '/charges by gvc', {
      world: { meters: METERS.map((one) => ({ ...one, from: NOVEMBER + 30 * HOUR })) },
    }),
  ],
};
