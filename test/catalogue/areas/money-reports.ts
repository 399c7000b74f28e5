import {
  digestContent,
  correctionContent,
  type DigestFigures,
  type Standing,
} from '../../../src/features/reports/digest-view.ts';
import type { Charges } from '../../../src/platform/billing/charge-rows.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { Schedule } from '../../../src/reporting/schedule.ts';
import { resolveRange, spanBefore, type Range } from '../../../src/reporting/range.ts';
import { spendOf } from '../../../src/reporting/spend.ts';
import { alert, charges } from '../../unit/features/alert/scenario.ts';
import { DAY, post, reply, type Area } from '../entry.ts';
import { ORDERS, requestOf } from './changes-feature-data.ts';
import { amount, at, CURRENCY } from './money-data.ts';
import { compared, DAY_COSTS, days, times, type Cost } from './money-reports-data.ts';

const MOVERS = ['org', 'gvc', 'workload'];
const UNREAD = { unread: new PlatformError('unavailable', 'no answer') };

/** Differences of a digest from the one of 22 November, which reports the day before. */
interface Reported {
  readonly at?: number;
  readonly range?: Range;
  readonly costs?: readonly Cost[];
  /** Flaws of the answer about the span. */
  readonly over?: Partial<Charges>;
  /** How many times the month until then cost as much as the span. */
  readonly month?: number;
  readonly standing?: Partial<Standing>;
  readonly hasMovers?: boolean;
  /** Of the answer for the span before. */
  readonly overBefore?: Partial<Charges>;
  readonly schedule?: Schedule;
  /** The amount that was reported before the correction. */
  readonly corrected?: number;
}

const SPENT = spendOf(
  charges(
    { org: 'acme', total: 1_182.44, projected: 1_612.4 },
    { org: 'globex', total: 231.19, projected: 314.9 },
  ),
  CURRENCY,
  days('2026-11-01', '2026-11-30'),
);

const LOW = alert({ amount: amount(1_800) });
const STANDING: Standing = {
  spend: { value: SPENT },
  alert: { value: alert({ amount: amount(2_500) }) },
  waiting: [],
};
const DAILY: Schedule = { every: 'daily', time: { hour: 9, minute: 0 }, zone: 'UTC' };

async function figuresOf({
  range = days('2026-11-21'),
  costs = DAY_COSTS,
  over = {},
  overBefore = {},
  month = 21,
  hasMovers = true,
}: Reported): Promise<DigestFigures> {
  const whole = resolveRange('this month', range.endMs - 1);
  const spans = { range, before: spanBefore(range, '', range.endMs) };
  return {
    span: await compared(costs, spans, ['org'], over, overBefore),
    movers: hasMovers ? (await compared(costs, spans, MOVERS, over)).lines : undefined,
    monthToDate: await compared(
      times(costs, month),
      {
        range: { startMs: whole.startMs, endMs: range.endMs },
        before: spanBefore(whole, 'this month', range.endMs),
      },
      ['org'],
    ),
    // The weekends are cheaper.
    days: Array.from({ length: 14 }, (_, at) => {
      const startMs = range.endMs - (14 - at) * DAY;
      const isCheap = [6, 0].includes(new Date(startMs).getUTCDay());
      return { startMs, endMs: startMs + DAY, value: amount(isCheap ? 38 : 60 + at) };
    }),
  };
}

async function digest(reported: Reported) {
  const figures = await figuresOf(reported);
  const standing = { ...STANDING, ...reported.standing };
  const content = {
    currency: CURRENCY,
    now: reported.at ?? at('2026-11-22T09:00:00Z'),
    schedule: reported.schedule ?? DAILY,
  };
  const posted = digestContent(figures, { ...content, lasting: standing });
  if (reported.corrected === undefined) return posted;
  // The lines about the time of the first post stay.
  const corrected = amount(reported.corrected);
  return digestContent(figures, { ...content, corrected, lasting: posted.lasting });
}

const FIRST: Reported = {
  at: at('2026-11-01T09:00:00Z'),
  range: days('2026-10-31'),
  month: 31,
  standing: {
    spend: {
      value: spendOf(
        charges({ org: 'acme', total: 21.13, projected: 1_680 }),
        CURRENCY,
        days('2026-11-01', '2026-11-30'),
      ),
    },
  },
};
const WAITING = [
  requestOf(ORDERS['alert.replace'], { requestedAt: at('2026-11-22T04:40:00Z') }),
  requestOf(ORDERS['quota.request'], { requestedAt: at('2026-11-22T08:40:00Z') }),
];
const WRONG: Partial<Charges> = {
  skipped: 3,
  mayBeTooLow: true,
  catalogue: {
    items: [
      {
        id: 'cpu',
        name: 'cpu',
        description: '',
        consumptionTags: { metric: 'cpu' },
        unit: 'cores * seconds',
        type: undefined,
      },
    ],
    skipped: 0,
  },
};
const UNPRICED: readonly Cost[] = [
  ...DAY_COSTS,
  ['acme/shop/api gpu', 0, 0],
  ['acme/shop/web egress-lan', 0, 0],
];
const LONG: readonly Cost[] = [
  'cpu',
  'memory',
  'egress',
  'logs',
  'volume-set-capacity-bytes',
  'gpu',
].map((metric, place) => [
  `international-retail/production-europe-west/orders-reconciliation-worker ${metric}`,
  8_000 / (place + 1),
  4_000 / (place + 2),
]);

const DIGESTS: Readonly<Record<string, [when: string, reported: Reported]>> = {
  day: ['Each day at DIGEST_TIME: the day before, whose figures can still be revised.', {}],
  week: [
    'On Monday, when DIGEST is weekly: the week before.',
    {
      at: at('2026-11-16T09:00:00Z'),
      range: days('2026-11-09', '2026-11-15'),
      schedule: { ...DAILY, every: 'weekly' },
      costs: times(DAY_COSTS, 7),
      month: 2.1,
    },
  ],
  final: [
    'Two days later the figures are final: it is edited, and nothing had moved.',
    { corrected: 63.3 },
  ],
  corrected: ['Two days later its figure has moved: it is edited.', { corrected: 59.85 }],
  'runs-over': [
    'The spend alert is projected to be reached this month.',
    { standing: { alert: { value: LOW } } },
  ],
  reached: [
    'The amount of the spend alert is reached.',
    { standing: { alert: { value: alert({ amount: amount(1_200) }) } } },
  ],
  'no-alert': [
    'There is no spend alert, or it is off.',
    { standing: { alert: { value: undefined } } },
  ],
  'alert-unread': ['The spend alert cannot be read.', { standing: { alert: UNREAD } }],
  'charges-unread': [
    'The charges of the month cannot be read, and there are too many rows for the list of changes.',
    { standing: { spend: UNREAD }, hasMovers: false },
  ],
  unpriced: ['Some of the usage has no price.', { costs: UNPRICED }],
  wrong: [
    'Some of the charges could not be read, and some of the usage has no price.',
    { costs: UNPRICED, over: WRONG, standing: { waiting: WAITING } },
  ],
  'before-in-part': [
    'Some of the charges of the day before could not be read.',
    { overBefore: { skipped: 1 } },
  ],
  'month-flawed': [
    'A row of the month could not be read, so the pace may be faster than it looks.',
    { standing: { spend: { value: { ...SPENT, skipped: 1 } } } },
  ],
  waiting: ['Requests wait for a decision.', { standing: { waiting: WAITING } }],
  'one-waits': ['A request waits for a decision.', { standing: { waiting: WAITING.slice(0, 1) } }],
  'first-of-month': ['On the first day of a month: the last one is complete.', FIRST],
  quiet: [
    'Nothing is as it was the day before, and nothing cost anything before.',
    { costs: [['acme/shop/api cpu', 0.42]] },
  ],
  same: ['Nothing moved.', { costs: [['acme/shop/api cpu', 4.2, 4.2]] }],
  nothing: ['Nothing was charged.', { costs: [] }],
  'no-metric': [
    'The changed row has neither a workload nor a metric.',
    { costs: [['', 9.5, 3.1]] },
  ],
  long: ['All names are long, and the amounts are large.', { costs: LONG }],
};

export const digests: Area = {
  id: 'report-digest',
  title: 'Notifications: the digest',
  entries: [
    ...Object.entries(DIGESTS).map(([id, [when, reported]]) =>
      post(`digest-${id}`, when, () => digest(reported)),
    ),
    reply('digest-correction', 'The figure of a digest moved by more than 1 %.', async () =>
      correctionContent(await figuresOf({}), amount(59.85), CURRENCY),
    ),
    reply('digest-correction-down', 'It moved downwards, and is of a week.', async () =>
      correctionContent(
        await figuresOf({ range: days('2026-11-09', '2026-11-15'), costs: times(DAY_COSTS, 7) }),
        amount(480.1),
        CURRENCY,
      ),
    ),
  ],
};
