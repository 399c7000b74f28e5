import type { CommandHelp } from '../../slack/routes.ts';

export const CHARGES_HELP: CommandHelp = {
  command: '/charges',
  summary:
    'What it costs, priced: totals, shares, the change against the span before, and the projection.',
  usages: [
    {
      text: '/charges [RANGE] [by TAG,…] [of METRIC,…] [item NAME,…] [where TAG=VALUE …] [org NAME,…] [step hour|day|week|month]',
      does: 'charges by org of this month, or of what you name; with a step, over time',
    },
    {
      text: '/charges items',
      does: 'the chargeable items, their ids, and what they are priced on',
    },
    {
      text: '/charges tags TAG [RANGE] [of METRIC,…] [where TAG=VALUE …] [org NAME,…]',
      does: 'the values that a tag has',
    },
  ],
  notes: [
    'RANGE: today, this month, last month, last 7 days, 2026-10, 2026-10-05 or 2026-10-01..2026-10-15',
    'TAG: org, gvc, workload, location and others; METRIC: cpu, memory, egress and others',
    'item NAME: only what is charged as that chargeable item, which /charges items lists',
  ],
  examples: [
    '/charges',
    '/charges last month by workload',
    '/charges last 3 months by gvc org acme step month',
    '/charges 2026-10-01..2026-10-15 of cpu,memory where gvc=shop step day',
    '/charges last month item egress by workload',
    '/charges items',
  ],
};
