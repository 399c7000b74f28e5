import { MINUTE, type Area } from '../entry.ts';
import { typed } from './reports-bot.ts';
import { METERS, meter } from './reports-data.ts';

const MANY = Array.from({ length: 12 }, (_, at) =>
  meter('egress', 2.5e8 * (at + 1), { workload: `edge-${at + 1}` }),
);
const detail = ['Tiers'];

export const chargesDetail: Area = {
  id: 'charges-tiers',
  title: '/charges: pricing tiers',
  entries: [
    typed('charges-detail', 'Tiers was chosen in the menu.', '/charges last month', {
      press: detail,
    }),
    typed(
      'charges-detail-other-line',
      'Another line was chosen in the menu.',
      '/charges last month by gvc',
      {
        press: [...detail, 'prod'],
      },
    ),
    typed('charges-detail-running', 'The month is not over.', '/charges by gvc', { press: detail }),
    typed(
      'charges-detail-several-months',
      'The range is in several billing periods, one of them only in part.',
      '/charges last 60 days by org',
      { press: detail },
    ),
    typed(
      'charges-detail-filtered',
      'The tiers of a part of the account.',
      '/charges last month by workload where gvc=shop',
      { press: detail },
    ),
    typed('charges-detail-by-metric', 'Each line is one metric.', '/charges last month by metric', {
      press: detail,
    }),
    ...[1, 2].map((page) =>
      typed(
        `charges-detail-page-${page}`,
        `Page ${page} of many tiers.`,
        '/charges last 6 months where metric=egress',
        {
          world: { meters: MANY },
          press: detail,
          page,
        },
      ),
    ),
    typed(
      'charges-detail-unpriced',
      'The chosen line has no price.',
      '/charges last month by metric',
      {
        world: { meters: [...METERS, meter('gpu', 3_600)] },
        press: [...detail, 'gpu'],
      },
    ),
    typed(
      'charges-detail-items-down',
      'The names of the items could not be read.',
      '/charges last month',
      {
        world: { items: 'down' },
        press: detail,
      },
    ),
    typed(
      'charges-detail-unread-rows',
      'Rows with tiers could not be read.',
      '/charges last month',
      {
        world: { skipped: 4 },
        press: detail,
      },
    ),
    typed('charges-detail-nothing-readable', 'Nothing could be read.', '/charges last month', {
      world: { skipped: 4, meters: [] },
      press: detail,
    }),
    typed('charges-detail-old-reading', 'The tiers were read a while ago.', '/charges last month', {
      world: { age: 9 * MINUTE },
      press: detail,
    }),
    typed('charges-detail-back', 'Totals was chosen in the menu.', '/charges last month', {
      press: [...detail, 'Totals'],
    }),
  ],
};
